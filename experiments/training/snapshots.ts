import { type FlyBrain, wasmEngine } from "flychess/brain";
import { boardBits, legalMoves, parseFen } from "flychess/chess";
import { connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { Random } from "flychess/common";
import { drive, eyeFor } from "flychess/eye";
import {
  bestArithmetic,
  type Deck,
  type FeatureSource,
  HeadsTrainer,
  PROBE,
  type Readout,
  READOUT_COLUMNS,
} from "flychess/readout";
import { scheduleFactor, trainRows, wake } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";
import { kept } from "../shared/kept.ts";
import { deckFeatures, frontOf, lookAt } from "../shared/looks.ts";

/** A training of a readout, watched: the brain stays as it is, copies of the readout are kept on the way. */
export interface WatchedTraining {
  /** The readout at moments of its training, the first before it has learned anything. */
  readonly snapshots: readonly Snapshot[];
  /** The positions, HOLD in front. */
  readonly positions: Positions;
  /** What the neurons read do for every HOLD position. */
  readonly hold: FeatureSource;
  /** What they do for the position after 1.e4. */
  readonly answering: Float32Array;
  /** How it was trained. */
  readonly settings: TrainingSettings;
}

/** A readout on its way. */
export interface Snapshot {
  /** Lessons so far: positions seen, one as often as it was. */
  readonly lessons: number;
  /** The probe goes over its positions again and again, then come positions that are all new. */
  readonly stage: "probe" | "new positions";
  readonly readout: Readout;
}

/** How the training goes. */
export interface TrainingSettings {
  readonly probe: {
    readonly positions: number;
    readonly passes: number;
    readonly batch: number;
    readonly rate: number;
  };
  readonly fresh: { readonly positions: number; readonly batch: number; readonly rate: number };
  /** Copies of each stage, beside the start. */
  readonly copies: number;
  readonly steps: readonly number[];
  readonly arithmetic: string;
}

/** 1.e4 was played: Black, to move, sees the board mirrored. */
export const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** Its legal moves. */
export const ANSWERS = legalMoves(AFTER_E4);

/** The reference's readout after its probe: batches of 128, a step that warms up and ends at 0 (section 7). */
const FRESH = { batch: 128, rate: 3e-4 };

/** Trains a readout like the reference's first fly, probe first, new positions then, or opens what was trained before. */
export async function watchTraining(options: ExperimentOptions): Promise<WatchedTraining> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const all = options.positions.count - options.positions.hold - options.positions.val;
  const probed = Math.min(quick ? 1024 : 16_384, Math.floor(all / 2));
  const fresh = Math.min(quick ? 1024 : 32_768, all - probed);
  const positions = frontOf(options.positions, { val: 0, train: probed + fresh, ...quick && { hold: 512 } });
  const settings: TrainingSettings = {
    probe: {
      positions: probed,
      passes: PROBE.passes,
      batch: Math.min(PROBE.batch, probed),
      rate: PROBE.learningRate,
    },
    fresh: { positions: fresh, ...FRESH },
    copies: quick ? 12 : 40,
    steps: [12],
    arithmetic: bestArithmetic(),
  };
  const eye = eyeFor(connectome, "auto"), columns = connectome.output.length;
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    seed,
    ...settings,
  };
  const file = await kept(keep, "training", inputs, async () => {
    await using brain = await wake(connectome, eye, positions, {
      engine: wasmEngine({ precision: "float32" }),
      ...workers === undefined ? {} : { workers },
      calibrationPositions: Math.min(256, probed),
      signal,
      onProgress,
    });
    const deck = await lookAt(brain, eye, positions, { steps: settings.steps, signal, onProgress });
    const snapshots = await learn(deck, positions, settings, options);
    const size = (columns + 1) * READOUT_COLUMNS, weights = new Float32Array(snapshots.length * size);
    for (const [k, { readout }] of snapshots.entries()) {
      weights.set(readout.weight, k * size);
      weights.set(readout.bias, (k + 1) * size - READOUT_COLUMNS);
    }
    return {
      tensors: {
        weights: { shape: [snapshots.length, columns + 1, READOUT_COLUMNS], data: weights },
        hold: {
          shape: [positions.hold, columns],
          data: Uint8Array.from(deck.rates.subarray(0, positions.hold * columns)),
        },
        answering: { shape: [columns], data: await answering(brain) },
      },
      metadata: { moments: JSON.stringify(snapshots.map(({ lessons, stage }) => ({ lessons, stage }))) },
    };
  });
  const weights = Float32Array.from(file.tensors["weights"]!.data as Float32Array);
  const moments: Pick<Snapshot, "lessons" | "stage">[] = JSON.parse(file.metadata["moments"]!);
  const size = (columns + 1) * READOUT_COLUMNS;
  const rates = new Uint8Array(new SharedArrayBuffer(positions.hold * columns));
  rates.set(file.tensors["hold"]!.data as Uint8Array);
  return {
    snapshots: moments.map((moment, k) => ({
      ...moment,
      readout: {
        features: columns,
        weight: weights.slice(k * size, (k + 1) * size - READOUT_COLUMNS),
        bias: weights.slice((k + 1) * size - READOUT_COLUMNS, (k + 1) * size),
      },
    })),
    positions,
    hold: deckFeatures({ count: positions.hold, columns, rates }),
    answering: Float32Array.from(file.tensors["answering"]!.data as Float32Array),
    settings,
  };

  function answering(brain: FlyBrain): Promise<Float32Array> {
    return brain.read(drive(eye, boardBits(parseFen(AFTER_E4))), { steps: settings.steps, signal });
  }
}

/** Trains, and copies the readout at even distances. */
async function learn(
  deck: Deck,
  positions: Positions,
  { probe, fresh, copies }: TrainingSettings,
  { seed, workers, signal, onProgress }: ExperimentOptions,
): Promise<Snapshot[]> {
  const mixture = { columns: deck.columns, kept: 1, combinations: 1 };
  const threads = workers === undefined ? undefined : Math.max(1, workers);
  const rows = trainRows(positions), snapshots: Snapshot[] = [];
  const total = probe.passes * probe.positions + fresh.positions;
  let lessons = 0, weight: Float32Array;
  /** One stage: its lessons in order, in as many pieces as copies. */
  const stage = async (
    name: Snapshot["stage"],
    order: Int32Array,
    batch: number,
    rateAt: (share: number) => number,
    start?: Float32Array,
  ) => {
    using trainer = await HeadsTrainer.create({ ...mixture, batch, workers: threads });
    if (start) trainer.weight = start;
    else snapshots.push({ lessons: 0, stage: name, readout: trainer.readout() });
    const batches = Math.ceil(order.length / batch);
    let copied = 0;
    for (let b = 0; b < batches; b++) {
      const piece = order.subarray(b * batch, (b + 1) * batch);
      await trainer.learn(deck, piece, { rate: rateAt((b + 0.5) / batches), signal });
      lessons += piece.length;
      const due = Math.round((copied + 1) * batches / Math.min(copies, batches));
      if (b + 1 < due) continue;
      copied++;
      snapshots.push({ lessons, stage: name, readout: trainer.readout() });
      onProgress?.({ task: "learning", done: lessons, total, unit: "lessons" });
    }
    weight = trainer.weight;
  };
  const again = new Int32Array(probe.passes * probe.positions);
  for (let pass = 0; pass < probe.passes; pass++) {
    const order = new Random(seed, `probe ${pass}`).shuffle(rows.slice(0, probe.positions));
    again.set(order, pass * probe.positions);
  }
  await stage("probe", again, probe.batch, () => probe.rate);
  const unseen = new Random(seed, "new positions").shuffle(rows.slice(probe.positions));
  await stage("new positions", unseen, fresh.batch, (share) => fresh.rate * scheduleFactor(share), weight!);
  return snapshots;
}
