import { join } from "node:path";
import type { FlyBrain } from "../../brain/mod.ts";
import { type LongWork, writeFileAtomic } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { Eye } from "../../eye/mod.ts";
import {
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  type Readout,
  saveReadout,
  type Scores,
  summarize,
} from "../../readout/mod.ts";
import { holdRows, readRows } from "../read_rows.ts";
import type { Run } from "../run/run.ts";
import type { ResolvedStreamSettings } from "./stream_settings.ts";

/** What a streaming run came to. */
export interface StreamOutcome {
  /** The readout at the end. */
  readonly readout: Readout;
  /** Its eye. */
  readonly eye: Eye;
  /** How the brain ran. */
  readonly engine: string;
  /** Batches learned from after the probe. */
  readonly batches: number;
  /** Positions of the probe. */
  readonly probed: number;
  /** What it did with every HOLD position. */
  readonly judged: Judged;
  /** HOLD, with intervals by game. */
  readonly scores: Scores;
  /** The same of the blind baseline. */
  readonly blind: Scores;
  /** The same of the probe, before anything else was learned. */
  readonly probe: Scores;
  /** By how much the end differs from the blind baseline, position by position. */
  readonly againstBlind: Scores;
  /** By how much it differs from the probe. */
  readonly againstProbe: Scores;
}

/** What a readout does with the HOLD rows. */
export async function judgeHold(
  readout: Readout,
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  work: LongWork & { readonly steps: readonly number[] },
): Promise<Judged> {
  const rows = holdRows(positions);
  const features = await readRows(brain, eye, positions, rows, { ...work, task: "showing HOLD" });
  return judge(readout, features, positions, rows);
}

/** Final numbers, written beside the checkpoint with the readout; written again, they are the same bytes. */
export async function finishStream(
  { folder, config }: Run,
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { readout, judged, blind, probe = judged, batches, probed, settings: { seed, steps } }: {
    readonly readout: Readout;
    readonly judged: Judged;
    readonly blind: Readout;
    readonly probe: Judged | undefined;
    readonly batches: number;
    readonly probed: number;
    readonly settings: ResolvedStreamSettings;
  },
): Promise<StreamOutcome> {
  const blindly = judge(blind, noFeatures(positions.count), positions, judged.rows);
  const numbers = {
    scores: summarize(judged, { seed }),
    blind: summarize(blindly, { seed }),
    probe: summarize(probe, { seed }),
    againstBlind: pairedDifference(judged, blindly, { seed }),
    againstProbe: pairedDifference(judged, probe, { seed }),
  };
  const engine = brain.engineDescription;
  await saveReadout(join(folder, "readout.arrow"), readout, {
    ...config.inputs,
    eye: eye.name,
    engine,
    read: steps.join(),
  });
  const result = { config, batches, hold: judged.rows.length, ...numbers };
  await writeFileAtomic(join(folder, "result.json"), `${JSON.stringify(result, null, 2)}\n`);
  return { readout, eye, engine, batches, probed, judged, ...numbers };
}
