import assert from "node:assert/strict";
import * as fc from "fast-check";
import { inverseSoftplus, softplus } from "../../lib/brain/mod.ts";

Deno.test("`softplus()` undoes `inverseSoftplus()`", () => {
  fc.assert(fc.property(fc.double({ min: 1e-300, max: 1e6, noNaN: true }), (y) => {
    assert.ok(Math.abs(softplus(inverseSoftplus(y)) / y - 1) < 1e-12, `${y}`);
  }));
});

Deno.test("`softplus()` rises and does not overflow at either end", () => {
  assert.equal(softplus(1000), 1000);
  assert.equal(softplus(-700), Math.exp(-700));
  assert.equal(softplus(0), Math.LN2);
  fc.assert(fc.property(fc.double({ min: -30, max: 30, noNaN: true }), (x) => {
    assert.ok(softplus(x + 1e-3) > softplus(x));
  }));
});

Deno.test("`inverseSoftplus()` refuses what no softplus gives", () => {
  for (const y of [0, -1, NaN]) assert.throws(() => inverseSoftplus(y), RangeError);
});
