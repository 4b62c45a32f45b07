import { FlyBrain, type FlyBrainOptions } from "../brain/mod.ts";
import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "../connectome/mod.ts";
import type { Positions } from "../data/positions.ts";
import { drive, type Eye } from "../eye/mod.ts";
import { denseFeatures, type FeatureSource } from "../readout/mod.ts";

/** Positions that homeostasis is measured on (reference, section 3). */
export const CALIBRATION_POSITIONS = 256;

/** Positions that go through the brain between two progress reports. */
const CHUNK = 512;

/** The rows that may be trained on: all that are neither HOLD nor VAL. */
export function trainRows(positions: Positions): Int32Array {
  const first = positions.hold + positions.val;
  return Int32Array.from({ length: positions.count - first }, (_, i) => first + i);
}

/** The HOLD rows: final numbers. */
export function holdRows(positions: Positions): Int32Array {
  return Int32Array.from({ length: positions.hold }, (_, i) => i);
}

/** The VAL rows: checks during a run. */
export function valRows(positions: Positions): Int32Array {
  return Int32Array.from({ length: positions.val }, (_, i) => positions.hold + i);
}

/** How a brain is woken. */
export interface WakeOptions extends FlyBrainOptions, LongWork {
  /** Positions to calibrate on, taken from the front of the training rows; 256 by default. */
  readonly calibrationPositions?: number;
  /** Whether neurons that the board does not reach get sigma 1 (reference, section 3); false by default. */
  readonly calm?: boolean;
}

/**
 * Makes a brain of a connectome and calibrates it on the first training positions.
 *
 * @param connectome The wiring.
 * @param eye Its eye.
 * @param positions Where the calibration positions come from.
 * @param options How the brain runs, and how it is calibrated.
 * @returns The brain, ready to be asked; dispose it when done.
 * @throws {RangeError} If there are fewer training positions than calibration wants.
 */
export async function wake(
  connectome: Connectome,
  eye: Eye,
  positions: Positions,
  options: WakeOptions = {},
): Promise<FlyBrain> {
  const { calibrationPositions = CALIBRATION_POSITIONS, calm = false, signal, onProgress, ...brainOptions } =
    options;
  const rows = trainRows(positions).subarray(0, calibrationPositions);
  if (rows.length < calibrationPositions) {
    throw new RangeError(
      `Cannot calibrate: there are ${rows.length} training positions, ${calibrationPositions} are wanted`,
    );
  }
  const brain = await FlyBrain.create(connectome, brainOptions);
  try {
    await brain.calibrate(drive(eye, positions.board, { rows }), { calm, signal, onProgress });
    return brain;
  } catch (error) {
    await brain[Symbol.asyncDispose]();
    throw error;
  }
}

/** Which steps are read, and long work. */
export interface ReadRowsOptions extends LongWork {
  /** The steps whose mean the readout sees (reference, section 4); the last step by default. */
  readonly steps?: readonly number[] | undefined;
  /** What is being read, for progress reports. */
  readonly task?: string;
}

/**
 * Shows positions to a brain and keeps what its descending neurons do.
 *
 * @param brain A calibrated brain.
 * @param eye Its eye.
 * @param positions Where the rows are.
 * @param rows Which rows to show.
 * @param options Which steps to read.
 * @returns `[positions]` rows by descending neurons; rows that were not shown cannot be asked for.
 */
export async function readRows(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  rows: Int32Array,
  options: ReadRowsOptions = {},
): Promise<FeatureSource> {
  const { steps, signal, onProgress, task = "showing positions" } = options;
  const columns = brain.connectome.output.length;
  const rates = new Float32Array(rows.length * columns);
  for (let at = 0; at < rows.length; at += CHUNK) {
    signal?.throwIfAborted();
    const shown = rows.subarray(at, at + CHUNK);
    const read = await brain.read(drive(eye, positions.board, { rows: shown }), {
      ...(steps ? { steps } : {}),
      signal,
    });
    rates.set(read, at * columns);
    onProgress?.({ task, done: at + shown.length, total: rows.length, unit: "positions" });
  }
  return denseFeatures(rates, columns, { rows, of: positions.count });
}
