import assert from "node:assert/strict";
import { growModelFly, lesion, shuffleWiring } from "../../lib/connectome/mod.ts";
import { DataError } from "../../lib/common/mod.ts";
import { eyeFor } from "../../lib/eye/mod.ts";
import { controlBrains, controlCounts } from "../../experiments/controls/brains.ts";
import { hearingShare, spreadOf } from "../../experiments/controls/measures.ts";
import * as controls from "../../experiments/controls.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

const COUNTS = { grown: 0, reference: 0, degrees: 1, regions: 0, signs: 0, lesions: 1 };
const FEW = { counts: COUNTS, resamples: 20, train: 256 };

Deno.test("controls gives the same numbers twice, and a lesioned eye is as good as a silenced one", async () => {
  const small = {
    ...controls,
    run: (options: Parameters<typeof controls.run>[0]) => controls.run({ ...options, ...FEW }),
  };
  const { result: { brains, ranks } } = await quickRun("controls", small);
  assert.deepEqual(brains.map(({ name }) => name), [
    "real wiring",
    "direct input",
    "silenced",
    "blind",
    "degree-preserving shuffle 1",
    "no photoreceptor",
  ]);
  const one = (name: string) => brains.find((brain) => brain.name === name)!;
  assert.equal(one("no photoreceptor").spread!.descending, 0);
  assert.ok(Math.abs(one("no photoreceptor").end.loss.value - one("silenced").end.loss.value) < 1e-5);
  assert.equal(one("blind").end.againstBlind.value, 0);
  assert.equal(one("real wiring").end.againstReal.value, 0);
  assert.deepEqual(ranks.map(({ group, read, of }) => [group, read, of]), [
    ["degree-preserving shuffle", "probe", 2],
    ["degree-preserving shuffle", "end", 2],
  ]);
});

Deno.test("controls goes on where it was stopped, and refuses what other settings left there", async () => {
  const keep = await Deno.makeTempDir();
  try {
    const options = {
      connectome: growModelFly({ scale: 1 / 64 }),
      positions: await frontRows({ hold: 32, val: 16, train: 256 }),
      seed: 1,
      quick: true,
      keep,
      workers: 0,
      ...FEW,
      counts: { ...COUNTS, lesions: 0 },
    };
    const stop = new AbortController();
    await assert.rejects(controls.run({
      ...options,
      signal: stop.signal,
      onProgress: ({ task }) => task.startsWith("degree") && stop.abort(),
    }));
    assert.equal([...Deno.readDirSync(keep)].length, 4);
    const began: string[] = [];
    await controls.run({ ...options, onProgress: ({ task }) => began.push(task) });
    assert.ok(began.every((task) => task.startsWith("degree") || task.startsWith("blind")));
    await assert.rejects(controls.run({ ...options, seed: 2 }), DataError);
  } finally {
    await Deno.remove(keep, { recursive: true });
  }
});

Deno.test("`controlBrains()` makes 19 of the strictest shuffle for a small brain, and none of signs where all are alike", () => {
  const fly = growModelFly({ scale: 1 / 64 }), counts = controlCounts(fly.pre.length, false);
  const groups = (brains: readonly { group: string }[]) => brains.map(({ group }) => group);
  const of = (group: string) => groups(controlBrains(fly, counts, 1)).filter((each) => each === group).length;
  assert.equal(of("degree-preserving shuffle"), 19);
  assert.equal(of("shuffle of signs"), 9);
  assert.equal(of("grown again"), 2);
  const excited = { ...fly, sign: fly.sign.map(() => 1), provenance: {} };
  assert.ok(!groups(controlBrains(excited, counts, 1)).includes("shuffle of signs"));
  assert.ok(!groups(controlBrains(excited, counts, 1)).includes("grown again"));
  assert.equal(controlCounts(6_000_000, false).degrees, 3);
});

Deno.test("`hearingShare()` is the published half in a model fly, all in a shuffled one, and none without projection", () => {
  const fly = growModelFly({ scale: 1 / 64 }), eye = eyeFor(fly);
  assert.ok(Math.abs(hearingShare(fly, eye) - 0.51) < 0.02);
  assert.ok(hearingShare(shuffleWiring(fly, 1), eye) > 0.95);
  assert.equal(hearingShare(lesion(fly, "visual projection"), eye), 0);
});

Deno.test("`spreadOf()` is the mean standard deviation of the columns", () => {
  assert.equal(spreadOf([0, 5, 1, 5, 0, 5, 1, 5], 2), 0.25);
  assert.equal(spreadOf([], 0), 0);
});
