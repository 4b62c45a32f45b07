/** Tests of heads that are trained on TensorFlow, which `tensorflow_heads_test.ts` runs in a process of their own. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import {
  type Deck,
  headsArithmetic,
  type HeadsEngine,
  type HeadsOptions,
  HeadsTrainer,
  measureScaling,
  READOUT_COLUMNS,
} from "../../lib/readout/mod.ts";
import { randomPositions, rowsFrom } from "./_positions.ts";
import { randomDeck as dealByChance } from "./_random_deck.ts";

const COUNT = 300;
const positions = randomPositions(COUNT, 1);

const randomDeck = (columns: number, seed?: number): Deck => dealByChance(positions, columns, seed);

/** The largest difference of two arrays, as a share of the largest number in the second. */
function share(found: Float32Array, wanted: Float32Array): number {
  let largest = 0, most = 1e-30;
  for (let i = 0; i < wanted.length; i++) {
    largest = Math.max(largest, Math.abs(found[i]! - wanted[i]!));
    most = Math.max(most, Math.abs(wanted[i]!));
  }
  return largest / most;
}

Deno.test("gradients and losses on TensorFlow are those of our own kernels, to float32 rounding", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 120 }),
      fc.constantFrom(1, 3),
      fc.boolean(),
      fc.integer({ min: 1, max: COUNT }),
      fc.constantFrom(0, 0.3),
      fc.integer({ min: 0, max: 1000 }),
      async (columns, kept, apart, batch, decay, seed) => {
        const mixture = { columns, kept, combinations: apart ? kept : 1 };
        const deck = randomDeck(columns * kept, seed), extra = randomDeck(columns * kept, seed + 1);
        const options = {
          ...mixture,
          batch,
          decay,
          contrastDecay: 2 * decay,
          scaling: measureScaling(mixture, deck),
        };
        const random = new Random(seed);
        const start = Float32Array.from(
          { length: (columns * mixture.combinations + 1) * READOUT_COLUMNS },
          () => random.normal() / 10,
        );
        const order = random.shuffle(rowsFrom(0, batch)).map((row) => row % 5 === 0 ? ~row : row);
        const step = async (engine: HeadsEngine) => {
          using trainer = await HeadsTrainer.create({ ...options, engine, workers: 1 });
          trainer.weight = start;
          const { policy, value } = await trainer.learn(deck, order, { rate: 0.01, extra });
          const after = await trainer.loss(deck, rowsFrom(0, COUNT));
          // After one step Adam's mean of gradients is a tenth of the gradient, its mean of squares a thousandth.
          return { policy, value, after, ...trainer.state };
        };
        const found = await step("tensorflow"), wanted = await step("wasm");
        assert.ok(share(found.momentum, wanted.momentum) < 2e-6, "gradient");
        assert.ok(share(found.variance, wanted.variance) < 4e-6, "its square");
        assert.ok(Math.abs(found.policy / wanted.policy - 1) < 2e-6, `${found.policy}, ${wanted.policy}`);
        assert.ok(Math.abs(found.value / wanted.value - 1) < 2e-5, `${found.value}, ${wanted.value}`);
        assert.ok(Math.abs(found.after.policy / wanted.after.policy - 1) < 1e-4);
        assert.equal(found.steps, 1);
      },
    ),
    { numRuns: 25, seed: 1 },
  );
});

Deno.test("after a whole fit the weights on TensorFlow are still close to those of our own kernels", async () => {
  const deck = randomDeck(40),
    fit = async (engine: HeadsEngine) => {
      using trainer = await HeadsTrainer.create({
        columns: 40,
        kept: 1,
        combinations: 1,
        batch: 32,
        decay: 0.01,
        engine,
      });
      for (let pass = 0; pass < 20; pass++) await trainer.learn(deck, rowsFrom(0, COUNT), { rate: 0.003 });
      return { ...trainer.state, loss: (await trainer.loss(deck, rowsFrom(0, COUNT))).policy };
    };
  const found = await fit("tensorflow"), wanted = await fit("wasm");
  assert.ok(share(found.weight, wanted.weight) < 1e-3, `${share(found.weight, wanted.weight)}`);
  assert.ok(Math.abs(found.loss - wanted.loss) < 1e-5, `${found.loss}, ${wanted.loss}`);
});

Deno.test("a trainer on TensorFlow that goes on from a state gives the bits of one that never stopped", async () => {
  const options: HeadsOptions = {
    columns: 700,
    kept: 1,
    combinations: 1,
    batch: 128,
    decay: 0.01,
    engine: "tensorflow",
  };
  const deck = randomDeck(700), order = rowsFrom(0, COUNT);
  using straight = await HeadsTrainer.create(options);
  await straight.learn(deck, order, { rate: 0.01 });
  for (let turn = 0; turn < 5; turn++) {
    using resumed = await HeadsTrainer.create(options);
    resumed.restore(straight.state);
    const state = straight.state;
    await straight.learn(deck, order, { rate: 0.01 });
    await resumed.learn(deck, order, { rate: 0.01 });
    assert.deepEqual(resumed.state, straight.state);
    assert.notDeepEqual(straight.state.weight, state.weight);
  }
  straight.forget();
  assert.ok(straight.state.momentum.every((each) => each === 0));
  assert.equal(straight.state.steps, 0);
});

Deno.test("a trainer on TensorFlow says what it is, refuses what does not fit and stops where it is asked to", async () => {
  using trainer = await HeadsTrainer.create({ columns: 5, kept: 1, combinations: 1, engine: "tensorflow" });
  assert.match(trainer.arithmetic, /^tensorflow \d+\.\d+\.\d+$/);
  assert.equal(trainer.arithmetic, headsArithmetic("tensorflow"));
  assert.throws(() => trainer.weight = new Float32Array(3), /3 numbers into the heads: 804 are wanted/);
  const deck = randomDeck(5), controller = new AbortController(), reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 30);
  const order = Int32Array.from({ length: 2_000_000 }, (_, i) => i % COUNT);
  let reports = 0;
  const onProgress = () => void reports++;
  await assert.rejects(
    trainer.learn(deck, order, { rate: 1e-3, signal: controller.signal, onProgress }),
    (error) => error === reason,
  );
  assert.ok(reports < 10, `${reports} reports`);
  await trainer.learn(deck, order.subarray(0, 600), { rate: 1e-3, onProgress });
  trainer[Symbol.dispose]();
  await assert.rejects(trainer.loss(deck, order), /has been disposed/);
});
