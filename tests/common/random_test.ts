import assert from "node:assert/strict";
import fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";

const seeds = fc.integer({ min: 0, max: 0xffffffff });

Deno.test("`Random` gives the same numbers for the same seed and stream, others for another", () => {
  fc.assert(fc.property(seeds, (seed) => {
    const first = new Random(seed, "a");
    const again = new Random(seed, "a");
    const other = new Random(seed, "b");
    const take = (random: Random) => Array.from({ length: 8 }, () => random.uint32());
    const numbers = take(first);
    assert.deepEqual(numbers, take(again));
    assert.notDeepEqual(numbers, take(other));
  }));
});

Deno.test("`Random` refuses a seed that is not a whole number of 32 bits", () => {
  for (const seed of [-1, 0.5, 2 ** 32, NaN]) assert.throws(() => new Random(seed), RangeError);
});

Deno.test("`int()` stays below its limit and reaches every value equally often", () => {
  const random = new Random(1);
  const counts = new Array(7).fill(0);
  for (let i = 0; i < 70_000; i++) counts[random.int(7)]++;
  // The standard deviation of one count is 93: five of them leave a false alarm of one in a million.
  for (const count of counts) assert.ok(Math.abs(count - 10_000) < 465, `${counts}`);
});

Deno.test("`float()` lies in [0, 1) with mean one half; `normal()` has mean 0 and variance 1", () => {
  const random = new Random(2);
  let sum = 0, normal = 0, squares = 0;
  const draws = 100_000;
  for (let i = 0; i < draws; i++) {
    const x = random.float();
    assert.ok(x >= 0 && x < 1);
    sum += x;
    const z = random.normal();
    normal += z;
    squares += z * z;
  }
  assert.ok(Math.abs(sum / draws - 0.5) < 0.005);
  assert.ok(Math.abs(normal / draws) < 0.016);
  assert.ok(Math.abs(squares / draws - 1) < 0.023);
});

Deno.test("`shuffle()` keeps every item", () => {
  fc.assert(fc.property(seeds, fc.array(fc.integer()), (seed, items) => {
    const shuffled = new Random(seed).shuffle([...items]);
    const ascending = (a: number, b: number) => a - b;
    assert.deepEqual(shuffled.sort(ascending), [...items].sort(ascending));
  }));
});
