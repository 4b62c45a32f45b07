import type { FlyBrain, FlyBrainOptions } from "../brain/mod.ts";
import type { LongWork, Progress } from "../common/mod.ts";
import { type Connectome, lesion, shuffleWiring } from "../connectome/mod.ts";
import type { Positions } from "../data/positions.ts";
import { type Eye, eyeFor, type EyeName, silence } from "../eye/mod.ts";
import {
  constantFeatures,
  driveFeatures,
  type FeatureSource,
  fitBlind,
  fitProbe,
  fitToEnd,
  type Interval,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  type Readout,
  type Scores,
  summarize,
} from "../readout/mod.ts";
import { holdRows, readRows, trainRows, valRows, wake } from "./read_rows.ts";

/** A brain to set beside another: the same neurons, wired otherwise. */
export interface Control {
  /** The line's name in the table: `shuffle 1`, `no optic lobe`. */
  readonly name: string;
  /** Makes the control from the brain that it controls. */
  readonly make: (connectome: Connectome) => Connectome;
}

/** One line of a comparison. */
export interface ComparedBrain {
  /** `blind`, `direct input`, `silenced`, the brain's own name, or a control's. */
  readonly name: string;
  /** Numbers that its readout reads from a position. */
  readonly features: number;
  /** The fitted readout. */
  readonly readout: Readout;
  /** What it did with every HOLD position. */
  readonly judged: Judged;
  /** Top-1, good moves and held-out loss on HOLD, with intervals resampled by game. */
  readonly scores: Scores;
  /** Its loss minus the blind baseline's on the same positions; below 0 is better. */
  readonly lossAgainstBlind: Interval;
  /** Its loss minus that of the brain that the comparison is about, on the same positions; below 0 is better. */
  readonly lossAgainstBrain: Interval;
}

/** A brain beside its controls. */
export interface Comparison {
  /** Every line, in the order of the table. */
  readonly brains: readonly ComparedBrain[];
  /** The eye that all of them saw with. */
  readonly eye: Eye;
  /** The brain that the comparison is about, calibrated and awake; dispose it when done. */
  readonly brain: FlyBrain;
  /** Its readout. */
  readonly readout: Readout;
  /** Rows fitted on. */
  readonly trained: number;
  /** Rows that the numbers come from. */
  readonly held: number;
}

/** What is compared, and how. */
export interface CompareOptions extends LongWork {
  /** The line's name of the brain itself; the connectome's name by default. */
  readonly name?: string;
  /** The brains set beside it; the usual ones by default (see `usualControls`). */
  readonly controls?: readonly Control[];
  /** Which eye; by default the fair eye where there are columns, else the larva's. */
  readonly eye?: EyeName;
  /** Training rows to fit on, from the front; all of them by default. */
  readonly train?: number;
  /** The steps whose mean is read; the last by default. */
  readonly steps?: readonly number[];
  /** `probe`: the reference's 8 passes. `end`: until VAL stops getting better, which favours no scale of features. */
  readonly fit?: "probe" | "end";
  /** Seed of the readouts' shuffled batches and of the intervals; 1 by default. */
  readonly seed?: number;
  /** Resamples an interval; 1,000 by default. */
  readonly resamples?: number;
  /** How the brains run. */
  readonly brain?: FlyBrainOptions;
}

/**
 * The controls that every comparison shows: the reference's shuffle with two seeds, and the brain without its
 * optic lobe where it has one.
 *
 * @param connectome The brain that is controlled.
 * @param options How many shuffles, and the first one's seed.
 */
export function usualControls(
  connectome: Connectome,
  options: { readonly shuffles?: number; readonly seed?: number } = {},
): Control[] {
  const { shuffles = 2, seed = 1 } = options;
  const controls: Control[] = Array.from({ length: shuffles }, (_, i) => ({
    name: `shuffle ${i + 1}`,
    make: (wired: Connectome) => shuffleWiring(wired, seed + i),
  }));
  const { names, index } = connectome.neurons.region;
  const lobe = names.indexOf("optic lobe");
  if (lobe >= 0 && index.includes(lobe)) {
    controls.push({ name: "no optic lobe", make: (wired) => lesion(wired, "optic lobe") });
  }
  return controls;
}

/** Puts the name of the line before what is reported. */
function reporter(name: string, onProgress: LongWork["onProgress"]): LongWork["onProgress"] {
  return onProgress &&
    ((progress: Progress) => onProgress({ ...progress, task: `${name}: ${progress.task}` }));
}

/**
 * Sets a brain beside its controls: the blind baseline, the same readout straight on the photoreceptors' drive,
 * the silenced brain, and other wirings. All are fitted the same way on the same rows and judged on HOLD.
 *
 * @param connectome The brain.
 * @param positions Positions with a teacher's opinion.
 * @param options What to compare, and how.
 * @returns Every line with its intervals, and the brain itself, awake.
 * @throws {RangeError} If there are too few positions.
 */
export async function compareBrains(
  connectome: Connectome,
  positions: Positions,
  options: CompareOptions = {},
): Promise<Comparison> {
  const { signal, onProgress, seed = 1, resamples = 1000, fit = "probe" } = options;
  const name = options.name ?? connectome.name;
  const controls = options.controls ?? usualControls(connectome);
  const eye = eyeFor(connectome, options.eye ?? "auto");
  const train = trainRows(positions).subarray(0, options.train ?? Infinity);
  const val = valRows(positions);
  const hold = holdRows(positions);
  const shown = Int32Array.from([...hold, ...(fit === "end" ? val : []), ...train]).sort();

  const lines: Omit<ComparedBrain, "lossAgainstBrain">[] = [];
  const add = async (line: string, features: FeatureSource, readout?: Readout) => {
    const work = { signal, onProgress: reporter(line, onProgress), seed };
    const fitted = readout ??
      (fit === "end"
        ? await fitToEnd(features, positions, train, val, work)
        : await fitProbe(features, positions, train, work));
    const judged = await judge(fitted, features, positions, hold);
    const blind = lines[0]?.judged ?? judged;
    lines.push({
      name: line,
      features: features.columns,
      readout: fitted,
      judged,
      scores: summarize(judged, { seed, resamples }),
      lossAgainstBlind: pairedDifference(judged, blind, { seed, resamples }).loss,
    });
    return fitted;
  };
  /** Wakes one wiring, shows it every row, fits and judges it. */
  const addBrain = async (line: string, wiring: Connectome) => {
    const work = { signal, onProgress: reporter(line, onProgress) };
    const brain = await wake(wiring, eye, positions, { ...options.brain, ...work });
    try {
      const silent = name === line
        ? await brain.read(silence(1), {
          ...(options.steps ? { steps: options.steps } : {}),
          signal,
        })
        : undefined;
      if (silent) await add("silenced", constantFeatures(silent, positions.count));
      const features = await readRows(brain, eye, positions, shown, { ...work, steps: options.steps });
      const readout = await add(line, features);
      return { brain, readout };
    } catch (error) {
      await brain[Symbol.asyncDispose]();
      throw error;
    }
  };

  const nothing = noFeatures(positions.count);
  await add(
    "blind",
    nothing,
    await fitBlind(positions, train, { signal, onProgress: reporter("blind", onProgress) }),
  );
  await add("direct input", driveFeatures(eye, positions));
  const subject = await addBrain(name, connectome);
  try {
    for (const control of controls) {
      const { brain } = await addBrain(control.name, control.make(connectome));
      await brain[Symbol.asyncDispose]();
    }
  } catch (error) {
    await subject.brain[Symbol.asyncDispose]();
    throw error;
  }
  const { judged: itself } = lines.find((line) => line.name === name)!;
  const brains = lines.map((line) => ({
    ...line,
    lossAgainstBrain: pairedDifference(line.judged, itself, { seed, resamples }).loss,
  }));
  return { brains, eye, ...subject, trained: train.length, held: hold.length };
}
