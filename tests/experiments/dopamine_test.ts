import assert from "node:assert/strict";
import * as cut from "../../experiments/dopamine_cut.ts";
import * as lesson from "../../experiments/dopamine_lesson.ts";
import * as rules from "../../experiments/dopamine_rules.ts";
import { connectomeFromTables } from "../../lib/connectome/mod.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`dopamine_rules`: every rule starts from the same fly, and no rule strengthens a synapse", async () => {
  const { result, svg } = await quickRun("dopamine_rules", rules);
  assert.deepEqual(result.rules.map(({ key }) => key), [
    "default",
    "transmitter",
    "summed",
    "fast",
    "differs",
  ]);
  const [base, transmitter, ...others] = result.rules;
  for (const { pairs } of others) assert.deepEqual(pairs.before, base!.pairs.before);
  assert.notEqual(transmitter, undefined);
  for (const { curve, pairs } of result.rules) {
    curve.forEach(({ left }, i) => assert.ok(i === 0 ? left === 1 : left < 1));
    assert.ok(pairs.gain.low <= pairs.gain.value && pairs.gain.value <= pairs.gain.high);
  }
  // Sixty-four times the dose leaves less.
  const left = (key: string) => result.rules.find((rule) => rule.key === key)!.curve.at(-1)!.left;
  assert.ok(left("summed") < left("fast") && left("fast") < left("default"));
  assert.deepEqual(result.ceilings.map(({ sees }) => sees), ["kenyon", "descending", "mbon", "board"]);
  assert.match(svg, /what differs/);
});

Deno.test("`dopamine_cut`: nothing flips by itself, and a subtraction leaves Kenyon cells the least to say", async () => {
  const { result, svg } = await quickRun("dopamine_cut", cut);
  const of = (key: string) => result.cuts.find((each) => each.key === key)!;
  for (const { again, flips } of result.cuts) {
    assert.equal(again, 0);
    assert.ok(flips.value >= 0 && flips.value <= 1);
  }
  assert.ok(of("subtract").passes < of("step").passes && of("step").passes < of("none").passes);
  assert.equal(of("none").passes, 1);
  assert.ok(of("subtract").moves < of("none").moves);
  assert.match(svg, /steep sigmoid/);
});

Deno.test("`dopamine_lesson`: the two boards differ by a move each, and nothing is stronger than measured", async () => {
  const { result, svg } = await quickRun("dopamine_lesson", lesson);
  const differ = result.good.filter((letter, square) => letter !== result.bad[square]).length;
  assert.ok(differ >= 2 && differ <= 8);
  assert.equal(result.on.length, result.passed.length);
  assert.ok(result.mbons.every(({ left }) => left >= 0 && left <= 1));
  assert.ok(result.overlap > 0 && result.overlap <= 1);
  assert.match(svg, /Kenyon cells/);
});

Deno.test("experiments on dopamine refuse a brain without a mushroom body", () => {
  const none = connectomeFromTables([{ id: 1 }], [], { input: [1], output: [1] }, { name: "one cell" });
  assert.match(rules.refuses(none)!, /no mushroom body/);
});
