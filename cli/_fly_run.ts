import { join } from "node:path";
import type { Homeostasis, WasmEngineOptions } from "../lib/brain/mod.ts";
import { DataError } from "../lib/common/mod.ts";
import type { EyeName } from "../lib/eye/mod.ts";
import { loadReadout, type Readout } from "../lib/readout/mod.ts";
import { type JsonValue, LEARNED_BRAIN, readCheckpoint, readRunConfig } from "../lib/training/mod.ts";
import type { Changes } from "./_connectome_changes.ts";

/** A wiring that stays as it is. */
export const NO_CHANGES: Changes = { lesion: undefined, shuffle: undefined, seed: 1 };

/** What a run's folder says about its fly. */
export interface FlyRun {
  /** What it reads. */
  readonly readout: Readout;
  /** The steps whose mean is read. */
  readonly steps: readonly number[];
  /** Whether each of them is read on its own. */
  readonly apart: boolean;
  /** Its eye's name. */
  readonly eye: EyeName;
  /** Digest of the connectome that it was fitted with. */
  readonly connectome: string | undefined;
  /** Digest of the positions. */
  readonly positions: string | undefined;
  /** What was done to the connectome's file before. */
  readonly changes: Changes;
  /** The engine's precision. */
  readonly precision: NonNullable<WasmEngineOptions["precision"]>;
  /** Whether neurons that no board reaches were left alone by calibration. */
  readonly calm: boolean;
  /** The file of its brain, where the run saved a whole one. */
  readonly brainFile?: string;
  /** What its brain has learned as a streaming run keeps it; absent where it stayed as measured. */
  readonly learned?: LearnedBrain;
}

/** A brain's own numbers where it did not stay as measured. */
export interface LearnedBrain {
  readonly theta?: ArrayLike<number>;
  readonly gain?: ArrayLike<number>;
  readonly bias?: ArrayLike<number>;
  readonly homeostasis: Homeostasis;
}

/**
 * Reads what a run kept: `readout.arrow` with the names of its inputs, and how they were used in `config.json`.
 *
 * @param folder The run's.
 * @throws {DataError} If it has no readout of a brain.
 */
export async function openFlyRun(folder: string): Promise<FlyRun> {
  const { readout, metadata } = await loadReadout(join(folder, "readout.arrow"));
  // A cached run writes "mean of steps 9, 10" or "each of steps ...", a streaming run "9,10".
  const read = /^(?:(mean of|each of) steps )?([\d, ]+)$/.exec(metadata.read ?? "");
  if (read === null) {
    throw new DataError(
      `Cannot load the fly of ${folder}: its readout reads '${
        metadata.read ?? ""
      }', steps of a brain are wanted`,
    );
  }
  const config: Readonly<Record<string, JsonValue>> = await readRunConfig(folder) ?? {};
  const text = (name: string) => typeof config[name] === "string" ? config[name] : undefined;
  const saved = metadata.brain === LEARNED_BRAIN.brain ? join(folder, LEARNED_BRAIN.brain) : undefined;
  const learns = config.kind === "stream" &&
    (Number(config.synapseStep ?? 0) > 0 || Number(config.neuronStep ?? 0) > 0);
  const precision = / (int8|int16)$/.exec(text("engine") ?? "")?.[1];
  return {
    readout,
    steps: read[2]!.split(",").map(Number),
    apart: read[1] === "each of",
    eye: eyeName(metadata.eye),
    connectome: metadata.connectome,
    positions: metadata.positions,
    changes: {
      lesion: text("lesion"),
      shuffle: text("shuffle"),
      seed: Number(config.shuffleSeed ?? NO_CHANGES.seed),
    },
    precision: precision === "int8" || precision === "int16" ? precision : "float32",
    calm: config.calm === true,
    ...saved === undefined ? {} : { brainFile: saved },
    ...learns ? { learned: await learnedBrain(folder) } : {},
  };
}

async function learnedBrain(folder: string): Promise<LearnedBrain> {
  const tensors = (await readCheckpoint(folder))?.tensors ?? {};
  const numbers = (name: string) => {
    const data = tensors[name]?.data;
    return data instanceof Float32Array || data instanceof Float64Array ? data : undefined;
  };
  const [mean, spread] = [numbers("homeostasis.mean"), numbers("homeostasis.spread")];
  if (mean === undefined || spread === undefined) {
    throw new DataError(
      `Cannot load the fly of ${folder}: its brain learned, and no checkpoint says what; one is wanted`,
    );
  }
  const [theta, gain, bias] = ["theta", "gain", "bias"].map((name) => numbers(`brain.${name}`));
  return {
    homeostasis: { mean, spread },
    ...theta ? { theta } : {},
    ...gain ? { gain } : {},
    ...bias ? { bias } : {},
  };
}

function eyeName(name: string | undefined): EyeName {
  return name === "fair" || name === "first" || name === "larva" ? name : "auto";
}
