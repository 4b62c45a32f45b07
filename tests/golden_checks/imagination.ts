import assert from "node:assert/strict";
import { imagine } from "../../lib/play/imagination.ts";

/** What a golden file of kind `imagination` holds. */
interface ImaginationGolden {
  readonly cases: readonly {
    readonly p: readonly number[];
    readonly q: readonly number[];
    readonly mates: readonly boolean[];
    readonly draws: readonly boolean[];
    readonly goes_back: readonly boolean[];
    readonly weight: number | "inf";
    readonly chosen: number;
    readonly branch: string;
  }[];
}

/**
 * Compares chosen moves with golden values.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cases } = golden as ImaginationGolden;
  assert.ok(cases.length > 0, "the file holds no case");
  for (const [i, { p, q, mates, draws, goes_back, weight, chosen, branch }] of cases.entries()) {
    const moves = { probability: p, value: q, mates, draws, goesBack: goes_back };
    const found = imagine(moves, weight === "inf" ? Infinity : weight);
    assert.equal(found, chosen, `case ${i} (${branch}, weight ${weight}): another move is chosen`);
  }
}
