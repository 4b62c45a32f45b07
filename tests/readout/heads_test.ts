import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import {
  type Deck,
  denseFeatures,
  type HeadsOptions,
  HeadsTrainer,
  judge,
  measureScaling,
  type Readout,
  READOUT_COLUMNS,
} from "../../lib/readout/mod.ts";
import { positionLoss } from "../../lib/readout/_legal_softmax.ts";
import { randomPositions, rowsFrom } from "./_positions.ts";
import { randomDeck as dealByChance } from "./_random_deck.ts";

const COUNT = 90;
const positions = randomPositions(COUNT, 1);

const randomDeck = (columns: number, seed?: number): Deck => dealByChance(positions, columns, seed);

/** Four passes over the deck in batches of 20, the last of which is not full. */
async function fourPasses(options: HeadsOptions, deck: Deck, extra?: Deck): Promise<Float32Array> {
  using trainer = await HeadsTrainer.create({ batch: 20, ...options });
  const order = rowsFrom(0, COUNT).map((row) => extra !== undefined && row % 7 === 0 ? ~row : row);
  for (let pass = 0; pass < 4; pass++) await trainer.learn(deck, order, { rate: 0.01, extra });
  return trainer.weight;
}

Deno.test("`HeadsTrainer` gives the same bits with one, two and three threads", async () => {
  for (const arithmetic of ["plain", "relaxed"] as const) {
    const options = { columns: 11, kept: 2, combinations: 2, decay: 0.01, arithmetic };
    const deck = randomDeck(22), extra = randomDeck(22, 2);
    const one = await fourPasses({ ...options, workers: 1 }, deck, extra);
    assert.deepEqual(await fourPasses({ ...options, workers: 2 }, deck, extra), one);
    assert.deepEqual(await fourPasses({ ...options, workers: 3 }, deck, extra), one);
  }
});

Deno.test("a step of `HeadsTrainer` is Adam on the gradient of the loss, worked out here in float64", async () => {
  const columns = 7, deck = randomDeck(columns), order = rowsFrom(10, 40), rate = 0.02, decay = 0.3;
  const scaling = measureScaling({ columns, kept: 1, combinations: 1 }, deck);
  using trainer = await HeadsTrainer.create({
    columns,
    kept: 1,
    combinations: 1,
    batch: 30,
    scaling,
    decay,
    workers: 2,
  });
  const random = new Random(3), size = (columns + 1) * READOUT_COLUMNS;
  const start = Float32Array.from({ length: size }, () => random.normal() / 3);
  trainer.weight = start;
  const weight = Float64Array.from(start),
    momentum = new Float64Array(size),
    variance = new Float64Array(size);
  for (let step = 1; step <= 3; step++) {
    await trainer.learn(deck, order, { rate });
    const gradient = Float64Array.from(weight, (w, i) => i < columns * READOUT_COLUMNS ? decay * w : 0);
    for (const row of order) {
      const x = Array.from(
        { length: columns + 1 },
        (_, f) =>
          f === columns ? 1 : deck.rates[row * columns + f]! / 255 * scaling.scale[f]! + scaling.shift[f]!,
      );
      const scores = new Float64Array(READOUT_COLUMNS), change = new Float64Array(READOUT_COLUMNS);
      for (let i = 0; i < size; i++) {
        scores[i % READOUT_COLUMNS]! += x[Math.floor(i / READOUT_COLUMNS)]! * weight[i]!;
      }
      positionLoss(deck, row, scores, 0, { policy: 0, value: 0, favourite: 0 }, change, 1 / order.length);
      for (let i = 0; i < size; i++) {
        gradient[i]! += x[Math.floor(i / READOUT_COLUMNS)]! * change[i % READOUT_COLUMNS]!;
      }
    }
    for (let i = 0; i < size; i++) {
      momentum[i] = 0.9 * momentum[i]! + 0.1 * gradient[i]!;
      variance[i] = 0.999 * variance[i]! + 0.001 * gradient[i]! ** 2;
      const root = Math.sqrt(variance[i]! / (1 - 0.999 ** step));
      weight[i]! -= rate * momentum[i]! / (1 - 0.9 ** step) / (root + 1e-7);
    }
  }
  const found = trainer.weight;
  for (let i = 0; i < size; i++) {
    assert.ok(Math.abs(found[i]! - weight[i]!) < 2e-4, `weight ${i}: ${found[i]}, ${weight[i]} is wanted`);
  }
});

Deno.test("a trainer that goes on from a state gives the bits of one that never stopped", async () => {
  const options = { columns: 5, kept: 1, combinations: 1, batch: 16, workers: 2 }, deck = randomDeck(5);
  const order = rowsFrom(0, COUNT);
  using straight = await HeadsTrainer.create(options);
  await straight.learn(deck, order, { rate: 0.01 });
  using resumed = await HeadsTrainer.create(options);
  resumed.restore(straight.state);
  await straight.learn(deck, order, { rate: 0.01 });
  await resumed.learn(deck, order, { rate: 0.01 });
  assert.deepEqual(resumed.state, straight.state);
});

Deno.test("a trainer's readout of plain rates has the trainer's loss, and starts another one there", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(1, 2, 4),
      fc.boolean(),
      async (n, kept, apart) => {
        const combinations = apart ? kept : 1;
        const deck = randomDeck(n * kept), mixture = { columns: n, kept, combinations };
        const options = { ...mixture, batch: 32, workers: 1, scaling: measureScaling(mixture, deck) };
        using trainer = await HeadsTrainer.create(options);
        await trainer.learn(deck, rowsFrom(0, COUNT), { rate: 0.05 });
        const { policy } = await trainer.loss(deck, rowsFrom(0, COUNT));
        const readout: Readout = trainer.readout();
        // What a player has: the mean of the steps, or all of them.
        const rates = combinations === 1
          ? Float32Array.from({ length: COUNT * n }, (_, i) => {
            let sum = 0;
            for (let s = 0; s < kept; s++) sum += deck.rates[Math.floor(i / n) * n * kept + s * n + i % n]!;
            return sum / kept / 255;
          })
          : Float32Array.from(deck.rates, (byte) => byte / 255);
        const { loss } = judge(
          readout,
          denseFeatures(rates, readout.features),
          positions,
          rowsFrom(0, COUNT),
        );
        const mean = loss.reduce((sum, each) => sum + each, 0) / COUNT;
        assert.ok(Math.abs(mean - policy) < 1e-4, `${mean}, ${policy} is wanted`);
        using second = await HeadsTrainer.create(options);
        second.start(readout);
        assert.ok(Math.abs((await second.loss(deck, rowsFrom(0, COUNT))).policy - policy) < 1e-4);
      },
    ),
    { numRuns: 12 },
  );
});

Deno.test("steps side by side start where their mean is", async () => {
  const kept = 3, columns = 4, deck = randomDeck(columns * kept);
  const mean = { columns, kept, combinations: 1 }, apart = { columns, kept, combinations: kept };
  using first = await HeadsTrainer.create({ ...mean, workers: 1 });
  await first.learn(deck, rowsFrom(0, COUNT), { rate: 0.1 });
  using second = await HeadsTrainer.create({ ...apart, workers: 1, scaling: measureScaling(apart, deck) });
  second.start(first.readout());
  const [a, b] = [await first.loss(deck, rowsFrom(0, COUNT)), await second.loss(deck, rowsFrom(0, COUNT))];
  assert.ok(Math.abs(a.policy - b.policy) < 1e-4, `${a.policy} and ${b.policy}`);
});

Deno.test("a neuron whose rate never moves neither breaks a fit nor is blown up", async () => {
  const deck = randomDeck(3);
  for (let row = 0; row < COUNT; row++) deck.rates[3 * row] = 77;
  const mixture = { columns: 3, kept: 1, combinations: 1 }, scaling = measureScaling(mixture, deck);
  assert.equal(scaling.scale[0], 255);
  const weight = await fourPasses({ ...mixture, scaling, workers: 1 }, deck);
  assert.ok(weight.every(Number.isFinite));
});

Deno.test("`HeadsTrainer` refuses rows, sizes and states that do not fit", async () => {
  const options = { columns: 5, kept: 1, combinations: 1, workers: 1 };
  await assert.rejects(HeadsTrainer.create({ ...options, columns: 0 }), RangeError);
  await assert.rejects(HeadsTrainer.create({ ...options, kept: 3, combinations: 2 }), /1 or 3 is wanted/);
  using trainer = await HeadsTrainer.create(options);
  const deck = randomDeck(5);
  await assert.rejects(trainer.learn(deck, Int32Array.of(COUNT), { rate: 1 }), /row 90 is not in the deck/);
  await assert.rejects(trainer.learn(deck, Int32Array.of(~3), { rate: 1 }), /row -4 is not in the deck/);
  await assert.rejects(trainer.loss(randomDeck(6), Int32Array.of(0)), /6 bytes a position, 5 are wanted/);
  assert.throws(() => trainer.weight = new Float32Array(3), RangeError);
});

Deno.test("an aborted signal stops a fit with the signal's reason", async () => {
  using trainer = await HeadsTrainer.create({ columns: 300, kept: 1, combinations: 1, batch: 8, workers: 2 });
  const deck = randomDeck(300), controller = new AbortController(), reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 30);
  const order = Int32Array.from({ length: 2_000_000 }, (_, i) => i % COUNT);
  await assert.rejects(
    trainer.learn(deck, order, { rate: 1e-3, signal: controller.signal }),
    (error) => error === reason,
  );
});
