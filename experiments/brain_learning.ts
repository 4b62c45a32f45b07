/**
 * Does a brain that learns through its homeostasis read better than a readout alone? Trains brain and linear heads
 * together, judges both on HOLD, writes figures/brain_learning.json.
 *
 *   deno run -A experiments/brain_learning.ts CONNECTOME POSITIONS [--batches 500] [--steps 4] [--seed 1]
 *     [--synapses 0.01] [--neurons 0.003] [--out figures/brain_learning.json]
 */
import { parseArgs } from "node:util";
import { adam } from "../lib/brain/_descend.ts";
import { BrainOptimiser, FlyBrain } from "../lib/brain/mod.ts";
import { Random, writeFileAtomic } from "../lib/common/mod.ts";
import { loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions } from "../lib/data/mod.ts";
import { drive, eyeFor } from "../lib/eye/mod.ts";
import { positionLoss } from "../lib/readout/_legal_softmax.ts";
import { denseFeatures, judge, type Judged, READOUT_COLUMNS, summarize } from "../lib/readout/mod.ts";
import { pairedDifference } from "../lib/readout/mod.ts";
import { BatchThinker, holdRows, scheduleFactor, trainRows, valRows } from "../lib/training/mod.ts";

const { positionals, values } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    batches: { type: "string", default: "500" },
    steps: { type: "string", default: "4" },
    seed: { type: "string", default: "1" },
    synapses: { type: "string", default: "0.01" },
    neurons: { type: "string", default: "0.003" },
    out: { type: "string", default: "figures/brain_learning.json" },
  },
});
const BATCH = 256, HEADS = 2e-3, CALIBRATION = 2048, SMALLEST_SPREAD = 0.05;
const batches = Number(values.batches), steps = Number(values.steps), seed = Number(values.seed);
const connectome = await loadConnectome(positionals[0]!);
const positions = await loadPositions(positionals[1]!);
const eye = eyeFor(connectome, "auto"), features = connectome.output.length, columns = READOUT_COLUMNS;
const measuring = drive(eye, positions.board, { rows: trainRows(positions).subarray(0, CALIBRATION) });

/** One arm: the same order of positions and the same heads, with or without a brain that learns. */
async function learn(rates: { synapses: number; neurons: number }) {
  await using brain = await FlyBrain.create(connectome, { steps, workers: 1 });
  await brain.calibrate(measuring);
  // Heads see features of mean 0 and about unit spread, measured once: only a change of their coordinates.
  const first = await brain.read(measuring);
  const centre = new Float64Array(features), scale = new Float64Array(features);
  for (let f = 0; f < features; f++) {
    let sum = 0, squares = 0;
    for (let at = f; at < first.length; at += features) sum += first[at]!;
    centre[f] = sum / CALIBRATION;
    for (let at = f; at < first.length; at += features) squares += (first[at]! - centre[f]!) ** 2;
    scale[f] = 1 / (Math.sqrt(squares / CALIBRATION) + SMALLEST_SPREAD);
  }
  const zeros = (length: number) => new Float32Array(length);
  const weight = zeros(features * columns), bias = zeros(columns);
  const moments = [zeros(weight.length), zeros(weight.length), zeros(columns), zeros(columns)];
  const optimiser = new BrainOptimiser(brain, { maxLength: 10 });
  const random = new Random(seed, "brain learning"), order = trainRows(positions);
  const learns = rates.synapses > 0 || rates.neurons > 0, curve: { seen: number; loss: number }[] = [];
  const thinker = learns ? new BatchThinker(brain, BATCH) : undefined;
  let at = order.length, recent = 0;
  const started = performance.now();
  for (let step = 0; step < batches; step++) {
    if (at + BATCH > order.length) {
      random.shuffle(order);
      at = 0;
    }
    const rows = order.slice(at, at += BATCH), factor = scheduleFactor(step / batches);
    const shown = drive(eye, positions.board, { rows });
    const think = thinker?.think(shown);
    const read = think?.rates ?? await brain.read(shown);
    const error = new Float64Array(read.length), slope = new Float32Array(weight.length);
    const slopes = zeros(columns), scores = zeros(columns), found = { policy: 0, value: 0, favourite: 0 };
    const total = zeros(columns);
    for (let b = 0; b < BATCH; b++) {
      scores.set(bias);
      for (let f = 0; f < features; f++) {
        const x = (read[b * features + f]! - centre[f]!) * scale[f]!, from = f * columns;
        for (let c = 0; c < columns; c++) scores[c]! += x * weight[from + c]!;
      }
      positionLoss(positions, rows[b]!, scores, 0, found, slopes, 1 / BATCH);
      recent += found.policy / BATCH;
      for (let c = 0; c < columns; c++) total[c]! += slopes[c]!;
      for (let f = 0; f < features; f++) {
        const x = (read[b * features + f]! - centre[f]!) * scale[f]!, from = f * columns;
        let blame = 0;
        for (let c = 0; c < columns; c++) {
          slope[from + c]! += x * slopes[c]!;
          blame += weight[from + c]! * slopes[c]!;
        }
        error[b * features + f] = blame * scale[f]!;
      }
    }
    if (think) {
      optimiser.step(think.backward(error), {
        synapses: factor * rates.synapses,
        neurons: factor * rates.neurons,
      });
    }
    adam(weight, slope, 1, moments[0]!, moments[1]!, factor * HEADS, step + 1);
    adam(bias, total, 1, moments[2]!, moments[3]!, factor * HEADS, step + 1);
    if ((step + 1) % 50 === 0) {
      curve.push({ seen: (step + 1) * BATCH, loss: recent / 50 });
      const speed = (step + 1) * BATCH / (performance.now() - started) * 1000;
      console.error(
        `${(step + 1) * BATCH} positions, loss ${(recent / 50).toFixed(4)}, ${speed.toFixed(0)}/s`,
      );
      recent = 0;
    }
  }
  await brain.update();
  await brain.calibrate(measuring);
  const readout = { features, weight: zeros(weight.length), bias: bias.slice() };
  for (let f = 0; f < features; f++) {
    for (let c = 0; c < columns; c++) {
      const w = readout.weight[f * columns + c] = weight[f * columns + c]! * scale[f]!;
      readout.bias[c]! -= w * centre[f]!;
    }
  }
  const judged = async (rows: Int32Array): Promise<Judged> => {
    const seen = await brain.read(drive(eye, positions.board, { rows }));
    return judge(readout, denseFeatures(seen, features, { rows, of: positions.count }), positions, rows);
  };
  return { curve, hold: await judged(holdRows(positions)), val: await judged(valRows(positions)) };
}

const frozen = await learn({ synapses: 0, neurons: 0 });
const learned = await learn({ synapses: Number(values.synapses), neurons: Number(values.neurons) });
const result = {
  connectome: connectome.name,
  positions: positions.digest,
  options: { ...values, batch: BATCH, heads: HEADS },
  seen: batches * BATCH,
  readoutOnly: { hold: summarize(frozen.hold), val: summarize(frozen.val), curve: frozen.curve },
  brainLearns: { hold: summarize(learned.hold), val: summarize(learned.val), curve: learned.curve },
  difference: pairedDifference(learned.hold, frozen.hold),
};
await writeFileAtomic(values.out, new TextEncoder().encode(JSON.stringify(result, null, 1) + "\n"));
console.log(JSON.stringify({ f: result.readoutOnly.hold, b: result.brainLearns.hold, d: result.difference }));
