import assert from "node:assert/strict";
import fc from "fast-check";
import { fitPairs, type PairDifferences, pairMargins } from "../../lib/bio/mod.ts";
import { Random } from "../../lib/common/mod.ts";

/** Pairs in which the first number tells, with noise, and the others do not. */
function noisyPairs(seed: number, count = 300, features = 5): PairDifferences {
  const random = new Random(seed, "pairs");
  const values = Float64Array.from({ length: count * features }, () => random.normal());
  for (let b = 0; b < count; b++) values[b * features]! += 0.8;
  return { count, features, values };
}

/** The penalised loss and its gradient, by its definition. */
function objective({ count, features, values }: PairDifferences, weight: Float64Array, penalty: number) {
  let loss = 0;
  const slope = weight.map((w) => penalty * w);
  for (let b = 0; b < count; b++) {
    const margin = weight.reduce((sum, w, i) => sum + w * values[b * features + i]!, 0);
    loss += Math.log(1 + Math.exp(-margin)) / count;
    for (let i = 0; i < features; i++) {
      slope[i]! -= values[b * features + i]! / (1 + Math.exp(margin)) / count;
    }
  }
  return { loss: loss + penalty / 2 * weight.reduce((sum, w) => sum + w * w, 0), slope };
}

Deno.test("`fitPairs()` ends where the penalised loss is flat, and nowhere near is it lower", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(999), fc.constantFrom(1e-3, 1e-2, 1), async (seed, penalty) => {
      const pairs = noisyPairs(seed), weight = await fitPairs(pairs, { penalty });
      const { loss, slope } = objective(pairs, weight, penalty);
      assert.ok(Math.hypot(...slope) < 1e-5);
      const random = new Random(seed, "nearby");
      const near = weight.map((w) => w + 0.01 * random.normal());
      assert.ok(objective(pairs, near, penalty).loss >= loss);
    }),
    { numRuns: 12 },
  );
});

Deno.test("a larger penalty makes shorter weights, and the number that tells stands out", async () => {
  const pairs = noisyPairs(3);
  const [loose, tight] = await Promise.all([1e-4, 1].map((penalty) => fitPairs(pairs, { penalty })));
  assert.ok(Math.hypot(...tight!) < Math.hypot(...loose!));
  assert.ok(loose!.slice(1).every((w) => Math.abs(w) < loose![0]!));
  const right = pairMargins(noisyPairs(4), loose!).filter((margin) => margin > 0).length / 300;
  assert.ok(right > 0.7);
});

Deno.test("`fitPairs()` refuses no pairs, a penalty of 0 and sizes that do not fit", async () => {
  const pairs = noisyPairs(1);
  await assert.rejects(fitPairs(pairs, { penalty: 0 }), /the penalty is 0, a number above 0 is wanted/);
  await assert.rejects(fitPairs({ ...pairs, count: 0 }, { penalty: 1 }), RangeError);
  await assert.rejects(fitPairs(pairs, { penalty: 1, signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.throws(() => pairMargins(pairs, Float64Array.of(1)), RangeError);
});
