import assert from "node:assert/strict";
import { figure, run } from "../../experiments/brain_learning.ts";
import { originOf } from "../../experiments/_experiment.ts";
import * as wiring from "../../experiments/wiring.ts";
import { DataError } from "../../lib/common/mod.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { cachedCase } from "../training/_cached_case.ts";

/** A small model fly and random positions, with the budget of a look. */
function smallCase(keep: string) {
  const connectome = growModelFly({ scale: 1 / 128, seed: 1 }), { positions } = cachedCase();
  return { connectome, positions, seed: 1, quick: true, keep, workers: 1 };
}

Deno.test("`brain_learning` finds again what it has finished, and refuses another seed's", async () => {
  using folder = new TemporaryFolder();
  const recipes = [
    {
      name: "readout only",
      key: "frozen",
      settings: { synapseStep: 0, neuronStep: 0 },
      against: ["blind"],
      seeds: 1,
    },
    {
      name: "brain learns",
      key: "learns",
      settings: {},
      against: ["frozen", "direct"],
      seeds: 1,
      again: true,
    },
  ];
  const options = { ...smallCase(folder.path), recipes };
  const result = await run(options);
  let learned = 0;
  const again = await run({ ...options, onProgress: ({ task }) => learned += Number(/seed/.test(task)) });
  assert.deepEqual(again, result);
  assert.equal(learned, 0, "nothing learns twice");
  assert.deepEqual(result.recipes.map(({ curve }) => curve.map(({ positions }) => positions)), [
    [512, 1024, 1536],
    [512, 1024, 1536],
  ]);
  assert.deepEqual(result.differences.map(({ of, against }) => [of, against]), [
    ["frozen", "blind"],
    ["learns", "frozen"],
    ["learns", "direct"],
    ["learns, again", "learns"],
    ["learns, again", "direct"],
  ]);
  const { cone } = result, { neurons, connections, products, allProducts } = cone!;
  assert.ok(neurons < options.connectome.sign.length && connections <= products && products < allProducts);
  const { scores, seedLosses } = result.differences[1]!;
  assert.ok(Math.abs(scores.loss.value - seedLosses[0]!) < 1e-12);
  const svg = figure({ ...originOf("brain_learning", options, { command: "", measured: false }), ...result });
  assert.match(svg, /brain learns<\/text>/);
  assert.doesNotMatch(svg, /positions seen<\/text>/, "three checks are no curve");
  const other = [{ ...recipes[0]!, settings: { ...recipes[0]!.settings, headStep: 0.1 } }];
  await assert.rejects(run({ ...options, recipes: other }), DataError);
});

Deno.test("`wiring` sets a brain beside its shuffles, frozen and trained, with the same positions", async () => {
  using folder = new TemporaryFolder();
  const options = { ...smallCase(folder.path), frozen: 3, trained: 2 };
  const result = await wiring.run(options);
  const [frozen, trained] = result.arms;
  assert.deepEqual([frozen!.shuffles.length, trained!.shuffles.length], [3, 2]);
  assert.equal(trained!.among.chance, null);
  assert.ok(result.shareChanged > 0.5);
  const { difference, scores, shuffledScores } = frozen!;
  assert.ok(Math.abs(difference.loss.value - (scores.loss.value - shuffledScores.loss.value)) < 1e-12);
  assert.deepEqual(result.others.map(({ kind, frozen, trained }) => [kind, frozen.length, trained.length]), [
    ["distances", 1, 1],
    ["reference", 1, 1],
    ["random", 1, 1],
  ]);
  for (const { kind, frozen, trained, difference } of result.others) {
    const [still, whole] = result.arms.map(({ measured }) => measured[0]!.loss);
    assert.ok(Math.abs(difference.frozen.loss.value - (still! - frozen[0]!.loss)) < 1e-9, kind);
    assert.ok(Math.abs(difference.trained.loss.value - (whole! - trained[0]!.loss)) < 1e-9, kind);
  }
  const svg = wiring.figure({ ...originOf("wiring", options, { command: "", measured: false }), ...result });
  assert.equal(svg.match(/<circle /g)?.length, 3 + 2 + 6 + 1, "a dot a brain, and one in the legend");
});
