import assert from "node:assert/strict";
import fc from "fast-check";
import { scheduleFactor } from "../../../lib/training/mod.ts";
import { check } from "../../golden_checks/schedule.ts";

Deno.test("the schedule agrees with golden values", async () => {
  check(JSON.parse(await Deno.readTextFile(new URL("../../golden/schedule.json", import.meta.url))));
});

Deno.test("the schedule starts and ends at exactly 0, and is 1 after 3 %", () => {
  assert.equal(scheduleFactor(0), 0);
  assert.equal(scheduleFactor(1), 0);
  assert.equal(scheduleFactor(7), 0);
  assert.equal(scheduleFactor(0.03), 1);
});

Deno.test("the schedule rises for 3 % of a run and falls from there, always between 0 and 1", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b) => {
        const [early, late] = a < b ? [a, b] : [b, a];
        const [first, second] = [scheduleFactor(early), scheduleFactor(late)];
        assert.ok(first >= 0 && first <= 1);
        if (late <= 0.03) assert.ok(first <= second);
        if (early >= 0.03) assert.ok(first >= second);
      },
    ),
  );
});

Deno.test("the schedule refuses what is no progress", () => {
  assert.throws(() => scheduleFactor(-0.1), RangeError);
  assert.throws(() => scheduleFactor(NaN), RangeError);
});
