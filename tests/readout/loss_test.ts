import assert from "node:assert/strict";
import fc from "fast-check";
import { policyLoss, targetShares, TAU, valueLoss, valueTarget } from "../../lib/readout/mod.ts";
import { check } from "../golden_checks/loss.ts";

Deno.test("target and losses equal the golden values to 1e-9", async () => {
  check(JSON.parse(await Deno.readTextFile(new URL("../golden/loss.json", import.meta.url))));
});

Deno.test("the golden check notices a loss that is off by 1e-8", async () => {
  const golden = JSON.parse(await Deno.readTextFile(new URL("../golden/loss.json", import.meta.url)));
  golden.cases[2].policy_loss += 1e-8;
  assert.throws(() => check(golden), assert.AssertionError);
});

const wins = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 })
  .map((tenths) => tenths.sort((a, b) => b - a).map((each) => each / 10));

Deno.test("`targetShares()` adds up to 1 and never prefers a worse move", () => {
  fc.assert(fc.property(wins, fc.double({ min: 0.1, max: 50, noNaN: true }), (win, tau) => {
    const shares = targetShares(win, tau);
    assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-12);
    for (let k = 1; k < win.length; k++) assert.ok(shares[k]! <= shares[k - 1]!);
  }));
});

Deno.test("`targetShares()` gives 1/e of the best share to a move that is tau worse", () => {
  const [best, second] = targetShares([60, 60 - TAU]);
  assert.ok(Math.abs(second! / best! - 1 / Math.E) < 1e-12);
});

Deno.test("`targetShares()` refuses no moves and a tau of 0", () => {
  assert.throws(() => targetShares([]), RangeError);
  assert.throws(() => targetShares([50], 0), RangeError);
});

Deno.test("`policyLoss()` is at least the target's own spread and stays the same when all scores rise", () => {
  const scores = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: 8, maxLength: 60 });
  fc.assert(fc.property(wins, scores, fc.double({ min: -500, max: 500, noNaN: true }), (win, score, rise) => {
    const shares = targetShares(win);
    const entropy = -shares.reduce((sum, share) => sum + (share > 0 ? share * Math.log(share) : 0), 0);
    const loss = policyLoss(score, shares);
    assert.ok(loss >= entropy - 1e-9);
    assert.ok(Math.abs(policyLoss(score.map((each) => each + rise), shares) - loss) < 1e-9);
  }));
});

Deno.test("`policyLoss()` of equal scores is the logarithm of the number of moves", () => {
  assert.ok(Math.abs(policyLoss(new Float64Array(20), targetShares([50, 49, 10])) - Math.log(20)) < 1e-12);
});

Deno.test("`policyLoss()` refuses more shares than moves", () => {
  assert.throws(() => policyLoss([1], [0.5, 0.5]), RangeError);
  assert.throws(() => policyLoss([], []), RangeError);
});

Deno.test("`valueTarget()` puts a lost position at -1, an even one at 0 and a won one at 1", () => {
  assert.deepEqual([0, 50, 100].map(valueTarget), [-1, 0, 1]);
  assert.equal(valueLoss(0.5, -0.5), 1);
});
