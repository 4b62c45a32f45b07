import assert from "node:assert/strict";
import { Random } from "../../../lib/common/mod.ts";
import { BatchEcho } from "../../../lib/training/whole_brain/batch_echo.ts";

const BATCH = 32, FEATURES = 6, CELLS = 150;

/** An echo with random weights, and what it is shown. */
function someEcho() {
  const random = new Random(5, "echo");
  const some = (length: number) => Float64Array.from({ length }, () => random.normal());
  const scaling = { scale: some(FEATURES).map((each) => 1 + Math.abs(each)), shift: some(FEATURES) };
  const echo = new BatchEcho(scaling, BATCH, CELLS);
  echo.weight.set(some(echo.weight.length).map((each) => 0.3 * each));
  echo.bias.set(some(echo.bias.length).map((each) => 0.3 * each));
  const rates = some(BATCH * FEATURES);
  const lit = Uint8Array.from({ length: BATCH * CELLS }, () => random.int(2));
  return { echo, scaling, rates, lit };
}

Deno.test("`BatchEcho` guesses cells from scaled rates, in groups of 134, and says by how much it is off", () => {
  const { echo, scaling, rates, lit } = someEcho();
  let squared = 0;
  for (let b = 0; b < BATCH; b++) {
    for (let cell = 0; cell < CELLS; cell++) {
      const group = Math.floor(cell / 134), column = cell % 134;
      let guess = echo.bias[group * 134 + column]!;
      for (let f = 0; f < FEATURES; f++) {
        const x = rates[b * FEATURES + f]! * scaling.scale[f]! + scaling.shift[f]!;
        guess += x * echo.weight[(group * FEATURES + f) * 134 + column]!;
      }
      squared += (guess - lit[b * CELLS + cell]!) ** 2;
    }
  }
  const found = echo.gradients(rates, lit);
  assert.ok(Math.abs(found.squared / (squared / (BATCH * CELLS)) - 1) < 1e-5);
});

Deno.test("`BatchEcho.gradients()` is what small changes do", () => {
  const { echo, rates, lit } = someEcho();
  const found = echo.gradients(rates, lit);
  const loss = () => echo.gradients(rates, lit).squared * CELLS / 2;
  const slope = (values: Float32Array | Float64Array, i: number) => {
    const was = values[i]!, step = 0.02;
    values[i] = was + step;
    const high = loss();
    values[i] = was - step;
    const low = loss();
    values[i] = was;
    return (high - low) / (2 * step);
  };
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 2e-3 * (1 + Math.abs(b)), `${a}, ${b}`);
  for (const i of [0, 133, 134 * FEATURES, 134 * FEATURES + 15, 134 * (FEATURES + 5) + 3]) {
    near(slope(echo.weight, i), found.weight[i]!);
  }
  for (const i of [0, 133, 134, 149]) near(slope(echo.bias, i), found.bias[i]!);
  for (const i of [0, 7, BATCH * FEATURES - 1]) near(slope(rates, i), found.rates[i]!);
  assert.ok(found.weight.some((each) => each !== 0));
  // Columns that belong to no cell stay out of it.
  assert.equal(found.bias[150], 0);
  assert.equal(found.weight[134 * FEATURES + 16], 0);
});
