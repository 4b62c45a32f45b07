import assert from "node:assert/strict";
import { scheduleFactor } from "../../lib/training/mod.ts";

/** What a golden file of kind `schedule` holds. */
interface ScheduleGolden {
  readonly cases: readonly { readonly progress: number; readonly factor: number }[];
}

/**
 * Compares the schedule of step sizes with golden values.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cases } = golden as ScheduleGolden;
  assert.ok(cases.length > 0, "the file holds no case");
  for (const { progress, factor } of cases) {
    const found = scheduleFactor(progress);
    assert.ok(Math.abs(found - factor) <= 1e-12, `at ${progress}: ${found}, ${factor} is wanted`);
  }
}
