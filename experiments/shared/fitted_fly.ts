import { type FlyBrain, wasmEngine } from "flychess/brain";
import type { LongWork } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { type Eye, eyeFor } from "flychess/eye";
import {
  bestArithmetic,
  dealDeck,
  type Deck,
  driveFeatures,
  type FeatureSource,
  fitBlind,
  noFeatures,
  type Readout,
} from "flychess/readout";
import { holdRows, showAsBytes, trainRows, valRows, wake } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";
import { END, fitHeadsToEnd } from "./fit_to_end.ts";
import { kept } from "./kept.ts";
import { deckFeatures, deckOf, frontOf } from "./looks.ts";
import { precisionFor } from "./precision.ts";

/** Positions of each part, in the whole version and in the short one. */
const PARTS = {
  full: { val: 1024, train: 8192 },
  quick: { hold: 256, val: 256, train: 2048 },
} as const;
/** The step that is read. */
export const READ_STEPS: readonly number[] = [12];
/** Positions of a piece of work that is kept. */
const PIECE = 1024;

/** What was fitted, for the JSON. */
export interface FitSettings {
  readonly hold: number;
  readonly val: number;
  readonly train: number;
  readonly steps: readonly number[];
  readonly precision: "int8" | "float32";
}

/** How readouts are fitted here: two penalties and few passes, as these pictures are of answers, not of records. */
const FIT = {
  full: { ...END, passes: 8, penalties: [0.1, 0.01], first: 0.1 },
  quick: { ...END, passes: 6, penalties: [0.3], first: 0.3 },
} as const;

/** Something that answers positions. */
export interface Reader {
  readonly readout: Readout;
  /** What it reads of every position. */
  readonly features: FeatureSource;
}

/** A brain whose readout was fitted, beside the same readout without a brain and without a board. */
export interface FittedFly {
  readonly settings: FitSettings;
  /** The positions used, a front part of those given. */
  readonly positions: Positions;
  readonly eye: Eye;
  /** Reads the descending neurons. */
  readonly fly: Reader;
  /** Reads the eye's cells. */
  readonly direct: Reader;
  /** Reads nothing. */
  readonly blind: Reader;
  /** The brain itself, awake; dispose it when done. */
  wake(work?: LongWork): Promise<FlyBrain>;
}

/**
 * Fits a brain's readout to the end, and the two baselines that every picture of its answers has beside it. Rates and readouts
 * are kept: a run that is stopped goes on.
 */
export async function fittedFly(options: ExperimentOptions): Promise<FittedFly> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const positions = frontOf(options.positions, quick ? PARTS.quick : PARTS.full);
  const eye = eyeFor(connectome), train = trainRows(positions);
  const precision = precisionFor(connectome);
  const settings: FitSettings = {
    hold: holdRows(positions).length,
    val: valRows(positions).length,
    train: train.length,
    steps: READ_STEPS,
    precision,
  };
  const end = quick ? FIT.quick : FIT.full;
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    seed,
    ...settings,
    arithmetic: bestArithmetic(),
    end,
  };
  const report = (name: string): LongWork => ({
    signal,
    onProgress: onProgress && ((progress) => onProgress({ ...progress, task: `${name}: ${progress.task}` })),
  });
  const awake = (work: LongWork = {}) =>
    wake(connectome, eye, positions, {
      engine: wasmEngine({ precision }),
      ...workers === undefined ? {} : { workers },
      calibrationPositions: Math.min(256, train.length),
      ...work,
    });
  const blind = await fitBlind(positions, train, report("blind"));
  const fit = async (name: string, deck: Deck): Promise<Readout> => {
    const { tensors } = await kept(keep, `readout ${name}`, inputs, async () => {
      const { readout } = await fitHeadsToEnd(deck, positions, {
        seed,
        blind,
        settings: end,
        workers,
        ...report(name),
      });
      const { weight, bias } = readout;
      return {
        tensors: {
          weight: { shape: [weight.length], data: weight },
          bias: { shape: [bias.length], data: bias },
        },
        metadata: {},
      };
    });
    const [weight, bias] = [tensors["weight"]!.data, tensors["bias"]!.data];
    return {
      features: deck.columns,
      weight: Float32Array.from(weight, Number),
      bias: Float32Array.from(bias, Number),
    };
  };
  const seen = await look();
  const shown = deckOf(driveFeatures(eye, positions), positions);
  return {
    settings,
    positions,
    eye,
    fly: { readout: await fit("fly", seen), features: deckFeatures(seen) },
    direct: { readout: await fit("direct input", shown), features: deckFeatures(shown) },
    blind: { readout: blind, features: noFeatures(positions.count) },
    wake: awake,
  };

  /** Shows the brain every position, piece by piece. */
  async function look(): Promise<Deck> {
    const columns = connectome.output.length;
    const deck = dealDeck(positions, 0, positions.count, columns);
    let brain: FlyBrain | undefined;
    try {
      for (let first = 0; first < positions.count; first += PIECE) {
        const count = Math.min(PIECE, positions.count - first);
        const { tensors } = await kept(keep, `rates ${first}`, inputs, async () => {
          brain ??= await awake(report("fly"));
          const show = showAsBytes(brain, eye, positions, { steps: READ_STEPS, apart: false }, { signal });
          const data = await show(Int32Array.from({ length: count }, (_, i) => first + i));
          return { tensors: { rates: { shape: [count, columns], data } }, metadata: {} };
        });
        const { data } = tensors["rates"]!;
        for (let i = 0; i < data.length; i++) deck.rates[first * columns + i] = Number(data[i]);
        onProgress?.({
          task: "showing positions",
          done: first + count,
          total: positions.count,
          unit: "positions",
        });
      }
    } finally {
      await brain?.[Symbol.asyncDispose]();
    }
    return deck;
  }
}

/** How the figures call a brain: `model fly` or the connectome's own name. */
export function shortName(name: string): string {
  return name.startsWith("model fly") ? "model fly" : name;
}
