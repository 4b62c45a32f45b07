import assert from "node:assert/strict";
import { ENDINGS, shareOf } from "../../experiments/curriculum/games.ts";
import * as curriculum from "../../experiments/curriculum.ts";
import { requires } from "../_requirements.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test({
  name: "`curriculum`: three courses, judged on lessons, on HOLD and in games, the same numbers twice",
  ...requires("stockfish"),
  fn: async () => {
    const rows = { hold: 32, val: 16, train: 400 };
    const { result, svg } = await quickRun("curriculum", curriculum, { rows });
    assert.deepEqual(result.courses.map(({ lessons }) => lessons > 0), [false, true, true]);
    assert.ok(result.sets[1]!.lessons > result.sets[0]!.lessons);
    assert.ok(result.leftOut < 600);
    assert.deepEqual(result.courses.map(({ loss }) => loss.against === null), [true, false, false]);
    for (const { matches } of result.courses) {
      for (const { seeds } of matches) {
        for (const counts of seeds) {
          assert.equal(ENDINGS.reduce((sum, ending) => sum + counts[ending], 0), result.games);
        }
      }
    }
    assert.deepEqual(result.amounts.map(({ share }) => share), [0.05, 0.1, 0.2, 0.1, 0.1, 0.1, 0.1]);
    const [, all, , , , quarter, half] = result.amounts;
    assert.equal(all!.lessons, result.sets[0]!.lessons);
    assert.ok(quarter!.lessons < half!.lessons && half!.lessons < all!.lessons);
    assert.deepEqual(all!.loss, result.courses[1]!.loss, "the usual amount is the course itself");
    assert.equal(result.doublings.length, 6);
    assert.ok(
      Math.abs(all!.loss.value - result.amounts[0]!.loss.value - result.doublings[0]!.loss.value) < 1e-9,
    );
    assert.match(svg, /fastest wins/);
  },
});

Deno.test("a share's interval is Wilson's and stays between none and all", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 0.2553 to 0.3662.
  const { value, low, high } = shareOf(81, 263, 1);
  assert.ok(
    Math.abs(value - 0.308) < 1e-3 && Math.abs(low - 0.2553) < 1e-4 && Math.abs(high - 0.3662) < 1e-4,
  );
  assert.equal(shareOf(0, 120, 120).low, 0);
  assert.ok(shareOf(120, 120, 120).high <= 120 + 1e-9);
});
