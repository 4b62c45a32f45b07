import assert from "node:assert/strict";
import { CURRICULUM_LEAST, curriculumScore, curriculumWin } from "../../lib/data/mod.ts";

/** What a golden file of kind `curriculum` holds. */
interface CurriculumGolden {
  readonly cases: readonly {
    /** What the engine says of the moves, best first. */
    readonly scores: readonly (readonly ["mate" | "cp", number])[];
    readonly s: readonly number[];
    /** Whether the position is a lesson. */
    readonly kept: boolean;
    readonly win: readonly number[];
  }[];
}

/**
 * Compares scores and win% of lessons in finishing with golden values, to 1e-9.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cases } = golden as CurriculumGolden;
  assert.ok(cases.length > 0, "the file holds no cases");
  for (const [i, wanted] of cases.entries()) {
    const s = wanted.scores.map(([kind, value]) => curriculumScore({ [kind]: value }));
    assert.deepEqual(s, wanted.s, `case ${i} has other scores`);
    assert.equal(
      s[0]! >= CURRICULUM_LEAST,
      wanted.kept,
      `case ${i} is ${wanted.kept ? "" : "not "}to be kept`,
    );
    const win = curriculumWin(s);
    assert.equal(win.length, wanted.win.length, `case ${i} has another number of moves`);
    win.forEach((value, k) =>
      assert.ok(
        Math.abs(value - wanted.win[k]!) <= 1e-9,
        `win% ${k} of case ${i} is ${value}, ${wanted.win[k]} is wanted`,
      )
    );
  }
}
