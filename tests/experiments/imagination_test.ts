import assert from "node:assert/strict";
import {
  chooseFrom,
  type ImaginedRow,
  judgeChoices,
  matesPlayed,
} from "../../experiments/choosing/imagined_choices.ts";
import * as imagination from "../../experiments/imagination.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

Deno.test("`imagination` chooses its weight on VAL and plays every mate in one", async () => {
  const rows = { hold: 128, val: 32, train: 400 };
  const { result, svg } = await quickRun("imagination", imagination, { rows });
  const { val, hold, chosen } = result;
  assert.deepEqual(val.weights.map(({ weight }) => weight), [0, 0.25, 0.5, 1, 2, 4, 8, 16, null]);
  assert.equal(val.positions + hold.positions + result.leftOut, 32 + 128);
  const most = Math.max(...val.weights.map(({ scores }) => scores.good.value));
  const best = val.weights.find(({ weight }) => weight === chosen)!;
  assert.equal(best.scores.good.value, most);
  assert.equal(hold.mates.imagination, hold.mates.positions);
  const difference = hold.imagination.good.value - hold.favourite.good.value;
  assert.ok(Math.abs(hold.difference.good.value - difference) < 1e-12);
  assert.match(svg, /w = infinity<\/text>/);
});

Deno.test("`judgeChoices()` counts the teacher's best and those within a point of it", async () => {
  const positions = await frontRows({ hold: 8, val: 0, train: 0 });
  const first = positions.best[0]!, second = positions.best[1]!;
  const row = (over: Partial<ImaginedRow>): ImaginedRow => ({
    row: 0,
    place: [first, second],
    probability: Float64Array.of(0.3, 0.7),
    value: [0.5, -0.5],
    mates: [false, false],
    draws: [false, false],
    ...over,
  });
  assert.equal(chooseFrom(row({}), undefined), second, "the favourite");
  assert.equal(chooseFrom(row({}), 0), first, "of two moves one is ahead");
  assert.equal(chooseFrom(row({ mates: [false, true] }), 16), second);
  const within = positions.win[1]! >= positions.win[0]! - 10;
  assert.deepEqual([...judgeChoices(positions, [row({})], undefined).good], [Number(within)]);
  assert.deepEqual([...judgeChoices(positions, [row({})], undefined).top1], [0]);
  assert.deepEqual([...judgeChoices(positions, [row({})], 1).top1], [1]);
  const mating = [row({ mates: [true, false] }), row({})];
  assert.deepEqual(matesPlayed(mating, undefined), { positions: 1, played: 0 });
  assert.deepEqual(matesPlayed(mating, 0), { positions: 1, played: 1 });
});
