import assert from "node:assert/strict";
import { policyLoss, targetShares, valueLoss, valueTarget } from "../../lib/readout/mod.ts";

/** What a golden file of kind `loss` holds. */
interface LossGolden {
  readonly cases: readonly {
    /** Win% of the listed moves, best first. */
    readonly win: readonly number[];
    /** Scores of all legal moves, the listed ones first. */
    readonly scores: readonly number[];
    /** What the value readout says. */
    readonly value: number;
    readonly target: readonly number[];
    readonly policy_loss: number;
    readonly value_target: number;
    readonly value_loss: number;
  }[];
}

function near(what: string, actual: number, wanted: number): void {
  assert.ok(Math.abs(actual - wanted) <= 1e-9, `${what} is ${actual}, ${wanted} is wanted`);
}

/**
 * Compares target, policy loss and value loss with golden values, to 1e-9.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cases } = golden as LossGolden;
  assert.ok(cases.length > 0, "the file holds no cases");
  for (const [i, wanted] of cases.entries()) {
    const shares = targetShares(wanted.win);
    assert.equal(shares.length, wanted.target.length, `case ${i} has another number of shares`);
    shares.forEach((share, k) => near(`share ${k} of case ${i}`, share, wanted.target[k]!));
    near(`the policy loss of case ${i}`, policyLoss(wanted.scores, shares), wanted.policy_loss);
    const target = valueTarget(wanted.win[0]!);
    near(`the value target of case ${i}`, target, wanted.value_target);
    near(`the value loss of case ${i}`, valueLoss(wanted.value, target), wanted.value_loss);
  }
}
