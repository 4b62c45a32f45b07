import assert from "node:assert/strict";
import { bulkSoftplus } from "../../lib/brain/_bulk_softplus.ts";
import { Random } from "../../lib/common/mod.ts";
import * as fc from "fast-check";
import { inverseSoftplus, sigmoid, softplus } from "../../lib/brain/mod.ts";

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

Deno.test("many at once are the same within 1e-14, NaN stays NaN", () => {
  const random = new Random(5), theta = new Float64Array(20_001);
  for (let i = 0; i < theta.length; i++) theta[i] = (random.float() - 0.7) * 10 ** (3 * random.float() - 0.5);
  theta[0] = 0;
  theta[20_000] = NaN;
  let seen = 0;
  bulkSoftplus(theta, (from, strength, slope) => {
    for (let i = 0; i < strength.length; i++, seen++) {
      const x = theta[from + i]!;
      if (Number.isNaN(x)) {
        assert.ok(Number.isNaN(strength[i]));
        continue;
      }
      assert.ok(Math.abs(strength[i]! / softplus(x) - 1) < 1e-14, `softplus ${x}: ${strength[i]}`);
      assert.ok(Math.abs(slope[i]! / sigmoid(x) - 1) < 1e-14, `sigmoid ${x}: ${slope[i]}`);
    }
  });
  assert.equal(seen, theta.length);
});
