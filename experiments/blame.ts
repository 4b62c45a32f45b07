/**
 * Where does the error go on its way back? d loss / d input of every neuron at every one of the twelve steps, for positions
 * of HOLD, with homeostasis as measured and with calm homeostasis, which gives neurons that no board reaches a sigma of 1
 * instead of the floor.
 *
 * @module
 */
import { type FlyBrain, signedWeights, wasmEngine } from "flychess/brain";
import { movePolicy } from "flychess/chess";
import { connectomeDigest, REGIONS } from "flychess/connectome";
import { MAX_BEST, MAX_MOVES, type Positions } from "flychess/data";
import { drive, eyeFor } from "flychess/eye";
import {
  applyReadout,
  fitProbe,
  type Readout,
  READOUT_COLUMNS,
  targetShares,
  valueTarget,
} from "flychess/readout";
import { denseFeatures } from "flychess/readout";
import { holdRows, type SafeTensors, trainRows, wake } from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { kept } from "./_kept.ts";
import { deckFeatures, frontOf, lookAt } from "./_looks.ts";

export { figure } from "./_blame_figure.ts";

/** The question. */
export const question =
  "Where does the error go on its way back through the twelve steps, and why does it grow?";

/** Neurons whose input varies less do not hear the board (reference, section 3). */
const FLOOR = 0.02;

/** Steps of a think. */
const STEPS = 12;

/** One step of the way back. */
export interface BlameStep {
  /** 1 to 12; the way back begins at 12. */
  readonly step: number;
  /** |d loss / d input|, mean of all neurons and positions. */
  readonly mean: number;
  /** The same of each region. */
  readonly regions: Readonly<Record<string, number>>;
  /** How many times as large as a step later. Null at the last step. */
  readonly growth: number | null;
}

/** The same error on its way back through a brain with one kind of homeostasis. */
export interface BlameWalk {
  readonly homeostasis: "as measured" | "calm";
  readonly steps: readonly BlameStep[];
  /** Mean growth a step (geometric) from step 12 to step 1: of all positions together, and the least and most of one. */
  readonly growth: { readonly mean: number; readonly least: number; readonly most: number };
  /** Mean growth a step over the three fastest steps in a row. */
  readonly fastest: { readonly growth: number; readonly from: number; readonly to: number };
}

/** What a neuron that the board does not reach multiplies the error with, where the equations say 11.4. */
export interface GainCheck {
  /** lambda (1 - tanh^2 beta) alpha / floor. */
  readonly predicted: number;
  /** Steps with neurons that the board does not reach and that carry an error. */
  readonly steps: readonly {
    readonly step: number;
    readonly neurons: number;
    /** d loss / d input over d loss / d rate of the same neuron and step, measured: median, least, most. */
    readonly median: number;
    readonly least: number;
    readonly most: number;
  }[];
}

/** What `blame` measures. */
export interface BlameNumbers {
  readonly settings: {
    readonly train: number;
    readonly positions: number;
    readonly games: number;
    readonly window: number;
  };
  readonly neurons: Readonly<Record<string, number>>;
  /** By step: share of neurons that no board reaches, and share of all whose sigma is the floor. */
  readonly reach: readonly { readonly step: number; readonly unreached: number; readonly atFloor: number }[];
  readonly walks: readonly BlameWalk[];
  readonly gain: GainCheck;
  /** Mean policy loss of the positions. */
  readonly loss: number;
  /** The largest difference that calm homeostasis makes to a rate that is read. */
  readonly calmChanges: number;
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<BlameNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const large = connectome.pre.length > 1_000_000;
  const positions = frontOf(options.positions, {
    hold: 512,
    val: 0,
    train: quick ? 512 : large ? 2048 : 8192,
  });
  const eye = eyeFor(connectome, "auto"), train = trainRows(positions), work = { signal, onProgress };
  const waking = {
    engine: wasmEngine({ precision: "float32" }),
    ...workers === undefined ? {} : { workers },
    calibrationPositions: Math.min(256, train.length),
    ...work,
  };
  await using measured = await wake(connectome, eye, positions, waking);
  const readout = await probeOf(measured);
  const rows = rowsOfGames(positions, quick ? 4 : 16);
  const shown = drive(eye, positions.board, { rows });
  const rates = await measured.read(shown, work);
  const { gradient, loss } = outputGradient(readout, rates, positions, rows);

  const walk = async (brain: FlyBrain, homeostasis: BlameWalk["homeostasis"]) => {
    const { blame } = await brain.backward(shown, gradient, { window: STEPS, blame: true, ...work });
    return { blame, walk: summarize(blame, homeostasis) };
  };
  const first = await walk(measured, "as measured");
  const gain = (reached: Uint8Array[]) => checkGain(measured, first.blame, gradient, reached);
  await using calm = await wake(connectome, eye, positions, { ...waking, calm: true });
  const reach = reachOf(measured, calm);
  const second = await walk(calm, "calm");
  const calmRates = await calm.read(shown, work);
  const size = connectome.sign.length;
  return {
    settings: {
      train: train.length,
      positions: rows.length,
      games: new Set(Array.from(rows, (row) => positions.game[row])).size,
      window: STEPS,
    },
    neurons: Object.fromEntries(regions().map(({ name, members }) => [name, members.length])),
    reach: reach.map((unreached, t) => ({
      step: t + 1,
      unreached: share(unreached),
      atFloor: share(
        Uint8Array.from(
          { length: size },
          (_, j) => measured.homeostasis!.spread[t * size + j]! <= FLOOR * 1.000001 ? 1 : 0,
        ),
      ),
    })),
    walks: [first.walk, second.walk],
    gain: gain(reach),
    loss,
    calmChanges: rates.reduce((most, rate, i) => Math.max(most, Math.abs(rate - calmRates[i]!)), 0),
  };

  /** The probe's readout, kept: the look is the longest part. */
  async function probeOf(brain: FlyBrain): Promise<Readout> {
    const inputs = {
      connectome: connectomeDigest(connectome),
      positions: positions.digest,
      eye: eye.name,
      seed,
    };
    const file = await kept(keep, "probe", inputs, async (): Promise<SafeTensors> => {
      const deck = await lookAt(brain, eye, positions, { steps: [STEPS], ...work });
      const { weight, bias } = await fitProbe(deckFeatures(deck), positions, train, { seed, ...work });
      return {
        tensors: {
          weight: { shape: [connectome.output.length, READOUT_COLUMNS], data: weight },
          bias: { shape: [READOUT_COLUMNS], data: bias },
        },
        metadata: {},
      };
    });
    return {
      features: connectome.output.length,
      weight: Float32Array.from(file.tensors["weight"]!.data as Float32Array),
      bias: Float32Array.from(file.tensors["bias"]!.data as Float32Array),
    };
  }

  function regions(): { name: string; members: Int32Array }[] {
    const { names, index } = connectome.neurons.region;
    return REGIONS.map((name) => ({
      name,
      members: Int32Array.from(index.keys()).filter((i) => names[index[i]!] === name),
    })).filter(({ members }) => members.length > 0);
  }

  function summarize(
    blame: ReadonlyMap<number, Float32Array | Float64Array>,
    homeostasis: BlameWalk["homeostasis"],
  ): BlameWalk {
    const size = connectome.sign.length, count = rows.length;
    const meanOf = (of: Float32Array | Float64Array, b: number, members?: Int32Array) => {
      let sum = 0;
      if (members === undefined) { for (let j = 0; j < size; j++) sum += Math.abs(of[b * size + j]!); }
      else for (const j of members) sum += Math.abs(of[b * size + j]!);
      return sum / (members?.length ?? size);
    };
    const over = (step: number, members?: Int32Array) => {
      let sum = 0;
      for (let b = 0; b < count; b++) sum += meanOf(blame.get(step)!, b, members);
      return sum / count;
    };
    const each = regions(), steps: BlameStep[] = [];
    for (let step = STEPS; step >= 1; step--) {
      const mean = over(step), before = steps.at(-1)?.mean;
      steps.push({
        step,
        mean,
        regions: Object.fromEntries(each.map(({ name, members }) => [name, over(step, members)])),
        growth: before === undefined ? null : mean / before,
      });
    }
    const root = (ratio: number) => ratio ** (1 / (STEPS - 1));
    const own = Array.from(rows, (_, b) => root(meanOf(blame.get(1)!, b) / meanOf(blame.get(STEPS)!, b)));
    const runs = steps.slice(0, -3).map(({ step, mean }, i) => ({
      from: step,
      to: step - 3,
      growth: (steps[i + 3]!.mean / mean) ** (1 / 3),
    }));
    return {
      homeostasis,
      steps,
      growth: {
        mean: root(steps.at(-1)!.mean / steps[0]!.mean),
        least: Math.min(...own),
        most: Math.max(...own),
      },
      fastest: runs.reduce((best, each) => each.growth > best.growth ? each : best),
    };
  }
}

/** Rows of HOLD, each of another game. */
function rowsOfGames(positions: Positions, count: number): Int32Array {
  const seen = new Set<number>();
  return holdRows(positions).filter((row) => {
    const game = positions.game[row]!;
    if (seen.size === count || game >= 0 && seen.has(game)) return false;
    seen.add(game >= 0 ? game : -1 - row);
    return true;
  });
}

/**
 * d loss / d rate of the neurons read, a position's own loss each (reference, section 6): every legal move's score is pushed
 * by what the fly gives it minus what the teacher does, the value by twice its error.
 */
function outputGradient(readout: Readout, rates: Float32Array, positions: Positions, rows: Int32Array) {
  const { features, weight } = readout;
  const scores = applyReadout(
    readout,
    denseFeatures(rates, features, { rows, of: positions.count }),
    rows,
  );
  const gradient = new Float32Array(rows.length * features);
  let total = 0;
  for (const [b, row] of rows.entries()) {
    const own = scores.subarray(b * READOUT_COLUMNS, (b + 1) * READOUT_COLUMNS);
    const first = row * MAX_MOVES, best = row * MAX_BEST;
    const moves = positions.move.subarray(first, first + positions.moveCount[row]!);
    const push = movePolicy(own, moves);
    const listed = positions.best.subarray(best, best + positions.bestCount[row]!);
    const shares = targetShares(
      Array.from(positions.win.subarray(best, best + listed.length), (tenths) => tenths / 10),
    );
    for (const [k, place] of listed.entries()) {
      total -= shares[k]! * Math.log(push[place]!) / rows.length;
    }
    for (const [k, place] of listed.entries()) push[place]! -= shares[k]!;
    const columns = new Float64Array(READOUT_COLUMNS);
    for (const [i, move] of moves.entries()) {
      columns[move & 63]! += push[i]!;
      columns[64 + (move >> 6 & 63)]! += push[i]!;
      columns[128 + (move >> 12)]! += push[i]!;
    }
    const value = Math.tanh(own[READOUT_COLUMNS - 1]!);
    columns[READOUT_COLUMNS - 1] = 2 * (value - valueTarget(positions.win[best]! / 10)) * (1 - value * value);
    for (let f = 0; f < features; f++) {
      let sum = 0;
      for (let c = 0; c < READOUT_COLUMNS; c++) sum += columns[c]! * weight[f * READOUT_COLUMNS + c]!;
      gradient[b * features + f] = sum;
    }
  }
  return { gradient, loss: total };
}

/** `[steps][neurons]`: 1 where no board of the calibration moved the input: calm homeostasis gave it a sigma of 1. */
function reachOf(measured: FlyBrain, calm: FlyBrain): Uint8Array[] {
  const size = measured.connectome.sign.length;
  const one = measured.homeostasis!.spread, other = calm.homeostasis!.spread;
  return Array.from(
    { length: STEPS },
    (_, t) =>
      Uint8Array.from({ length: size }, (_, j) => {
        const at = t * size + j;
        return one[at]! <= FLOOR * 1.000001 && other[at] === 1 ? 1 : 0;
      }),
  );
}

/** Follows d loss / d rate back through the wiring for the first position, in float64, and sets the engine's blame beside it. */
function checkGain(
  brain: FlyBrain,
  blame: ReadonlyMap<number, Float32Array | Float64Array>,
  gradient: Float32Array,
  reach: readonly Uint8Array[],
): GainCheck {
  const { connectome, leak, theta } = brain, { rowStart, pre, output } = connectome;
  const size = connectome.sign.length, weight = signedWeights(connectome, theta);
  let error = new Float64Array(size);
  for (const [i, j] of output.entries()) error[j]! += gradient[i]!;
  const steps: GainCheck["steps"][number][] = [];
  for (let t = STEPS - 1; t >= 0; t--) {
    const own = blame.get(t + 1)!, ratios: number[] = [];
    const most = error.reduce((high, each) => Math.max(high, Math.abs(each)), 0);
    for (let j = 0; j < size; j++) {
      // Errors that are nothing but rounding say nothing of a ratio.
      if (reach[t]![j] === 1 && Math.abs(error[j]!) > 1e-4 * most) ratios.push(own[j]! / error[j]!);
    }
    if (ratios.length > 0) {
      ratios.sort((a, b) => a - b);
      steps.push({
        step: t + 1,
        neurons: ratios.length,
        median: ratios[ratios.length >> 1]!,
        least: ratios[0]!,
        most: ratios.at(-1)!,
      });
    }
    const earlier = error.map((each) => (1 - leak) * each);
    for (let j = 0; j < size; j++) {
      const u = own[j]!;
      if (u === 0) continue;
      for (let e = rowStart[j]!; e < rowStart[j + 1]!; e++) earlier[pre[e]!]! += weight[e]! * u;
    }
    error = earlier;
  }
  const bias = brain.bias[0]!;
  return { predicted: leak * (1 - Math.tanh(bias) ** 2) * brain.gain[0]! / FLOOR, steps };
}

function share(flags: Uint8Array): number {
  return flags.reduce((sum, each) => sum + each, 0) / flags.length;
}
