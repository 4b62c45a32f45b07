import assert from "node:assert/strict";
import fc from "fast-check";
import { winTenths } from "../../lib/data/_win_tenths.ts";

Deno.test("a chance is rounded to tenths of a percent as Python rounds it", () => {
  // Printed by Python 3: int(round(round(100 * p, 1) * 10)).
  const expected: readonly (readonly [number, number])[] = [
    [0.3035, 303],
    [0.0005, 1],
    [0.0025, 2],
    [0.0075, 8],
    [0.5025, 502],
    [0.5075, 507],
    [0.9995, 1000],
    [0.99949999, 999],
    [0.6785, 678],
    [0.1235, 123],
    [0.0015, 1],
    [0.4825, 482],
    [0.4875, 488],
    [0.00251, 3],
    [0, 0],
    [1, 1000],
    [0.8125, 812],
    [0.03125, 31],
  ];
  for (const [chance, tenths] of expected) assert.equal(winTenths(chance), tenths, `${chance}`);
});

/** A double as a fraction of whole numbers, exactly. */
function fraction(value: number): [bigint, bigint] {
  let over = 1n;
  while (!Number.isInteger(value)) {
    value *= 2;
    over *= 2n;
  }
  return [BigInt(value), over];
}

Deno.test("rounding agrees with exact arithmetic, above all next to the middle between two tenths", () => {
  const middles = fc.integer({ min: 0, max: 999 }).chain((tenth) =>
    fc.integer({ min: -3, max: 3 }).map((step) => (tenth + 0.5) / 1000 * (1 + step * Number.EPSILON))
  );
  fc.assert(
    fc.property(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), middles), (chance) => {
      const [above, below] = fraction(100 * chance);
      const twice = 20n * above; // tenths, doubled, times `below`
      let tenths = twice / (2n * below);
      const rest = twice - 2n * below * tenths;
      if (rest > below || (rest === below && tenths % 2n === 1n)) tenths++;
      assert.equal(winTenths(chance), Number(tenths));
    }),
    { numRuns: 5000 },
  );
});
