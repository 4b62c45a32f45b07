import assert from "node:assert/strict";
import * as curve from "../../experiments/dopamine_curve.ts";
import * as cut from "../../experiments/dopamine_cut.ts";
import * as games from "../../experiments/dopamine_games.ts";
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

Deno.test("`dopamine_curve`: a run's checks become a curve, and no MBON's input is stronger than measured", async () => {
  const { result, svg } = await quickRun("dopamine_curve", curve);
  assert.deepEqual(result.runs.map(({ lessons }) => lessons), [128, 128]);
  for (const { curve, mbons } of result.runs) {
    assert.deepEqual(curve.map(({ lessons }) => lessons), [0, 64, 128]);
    assert.ok(mbons.every(({ left }) => left === null || left >= 0 && left <= 1));
    assert.ok(mbons.some(({ left }) => left !== null && left < 1));
  }
  assert.match(svg, /minutes of lessons/);
});

Deno.test("`dopamine_games`: every game ends, and a fly that does not go back repeats nothing", async () => {
  const { result } = await quickRun("dopamine_games", games);
  assert.equal(result.played.length, 8);
  for (const { endings, way, repeated } of result.played) {
    assert.equal(Object.values(endings).reduce((a, b) => a + b), result.games);
    if (way === "does not go back") assert.equal(repeated.value, 0);
  }
});

Deno.test("experiments on dopamine refuse a brain without a mushroom body", () => {
  const none = connectomeFromTables([{ id: 1 }], [], { input: [1], output: [1] }, { name: "one cell" });
  assert.match(rules.refuses(none)!, /no mushroom body/);
});
