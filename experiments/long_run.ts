/**
 * The long run in short: a fly that gets more and more positions to learn from, twice as many each time, is fitted again on
 * everything after each, and plays for a rating.
 *
 *   deno task experiment long_run --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { type FlyBrain, wasmEngine } from "flychess/brain";
import type { LongWork } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { type Positions, savePositions, selectRows } from "flychess/data";
import { type Eye, eyeFor } from "flychess/eye";
import {
  fitBlind,
  type Interval,
  type IntervalOptions,
  judge,
  type Judged,
  loadReadout,
  noFeatures,
  pairedDifference,
  summarize,
} from "flychess/readout";
import {
  CACHED_FIT,
  type CachedFitSettings,
  type DayShard,
  daySteps,
  holdRows,
  loadSafeTensors,
  LONG_FIT,
  machineRoom,
  openRun,
  readLog,
  readRows,
  runDay,
  saveSafeTensors,
  trainRows,
  wake,
} from "flychess/training";
import { rateDay } from "../cli/_day_rating.ts";
import type { ExperimentOptions } from "./_experiment.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { frontOf } from "./shared/looks.ts";

export { figure, tables } from "./training/long_run_figure.ts";

/** The question. */
export const question = "What does a long run come to as its positions get more and more?";

/** Times and games are among its numbers. */
export const measured = true;

/** How the step size of a fit falls: at most, on a cosine to 0, as `fly train day` does, or by half after a miss, as in the reference. */
export type Schedule = "cosine" | "halving";

/** A fit of the long run. */
export interface LongRunStage {
  /** Training positions that there were. */
  readonly positions: number;
  /** Passes over them that the fit took. */
  readonly passes: number;
  /** Seconds that the brain took to look at the new ones; null for those that it had from the start. */
  readonly lookSeconds: number | null;
  /** Seconds of the fit. */
  readonly fitSeconds: number;
  readonly loss: Interval;
  readonly top1: Interval;
  readonly good: Interval;
  /** Held-out loss minus that of the fit before, position by position; null for the first. */
  readonly againstLast: Interval | null;
  /** Elo with the ends of its interval, null where the games set none; null as a whole where none were played. */
  readonly elo: { readonly value: number; readonly low: number | null; readonly high: number | null } | null;
}

/** What `long_run` measures. */
export interface LongRunNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    /** The steps whose mean is read. */
    readonly steps: readonly number[];
    /** Games against each rung of the ladder. */
    readonly games: number;
    readonly penalty: number;
  };
  readonly blind: { readonly loss: Interval; readonly top1: Interval; readonly good: Interval };
  /** The same run twice: what it comes to depends on how it is fitted. */
  readonly runs: readonly {
    readonly schedule: Schedule;
    /** Positions of a step. */
    readonly batch: number;
    readonly stages: readonly LongRunStage[];
  }[];
  /** At the end, held-out loss of the first of them minus the second's, position by position. */
  readonly difference: Interval;
}

/** The reference's steps, positions of the start, games a rung; Stockfish's positions a move as `fly ladder` has it. */
const STEPS = [9, 10, 11, 12], FIRST = 16_384, GAMES = 20, NODES = 10_000;
/** The learning curve's penalty; with the reference's schedule a smaller batch, so that few positions make steps enough. */
const FITS: Readonly<Record<Schedule, Partial<CachedFitSettings>>> = {
  cosine: { ...LONG_FIT, decay: 1e-3 },
  halving: { ...CACHED_FIT, batch: 512, decay: 1e-3 },
};
const QUICK_FIT = { batch: 64, rate: 5e-4, decay: 0.1, maxPasses: 6 };
const QUICK = { hold: 256, val: 128, train: 2048, first: 512 };

/** Measures; a run that was broken off goes on. */
export async function run(options: ExperimentOptions): Promise<LongRunNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const all = frontOf(options.positions, quick ? QUICK : {}), first = quick ? QUICK.first : FIRST;
  const games = quick ? 0 : GAMES, work = { signal, onProgress };
  const positions = frontOf(all, { train: first }), shards = await piecesOf(all, first, keep);
  const eye = eyeFor(connectome, "auto"), intervals = { seed, resamples: quick ? 100 : 1000 };
  const inputs = { connectome: connectomeDigest(connectome), positions: all.digest };
  await using brain = await wake(connectome, eye, positions, {
    engine: wasmEngine(workers === undefined ? {} : { workers }),
    ...work,
  });
  const material = { keep, brain, eye, positions, shards, inputs, games, quick, seed };
  const follow = async (schedule: Schedule) =>
    await stagesOf(await goThrough(schedule, material, work), { positions, games, intervals });
  const cosine = await follow("cosine"), halving = await follow("halving");
  const nothing = judge(
    await fitBlind(all, trainRows(all), work),
    noFeatures(all.count),
    all,
    holdRows(all),
  );
  const { loss, top1, good } = summarize(nothing, intervals);
  return {
    settings: { hold: all.hold, val: all.val, steps: STEPS, games, penalty: FITS.cosine.decay! },
    blind: { loss, top1, good },
    runs: [
      { schedule: "cosine", batch: FITS.cosine.batch!, stages: cosine.stages },
      { schedule: "halving", batch: FITS.halving.batch!, stages: halving.stages },
    ],
    difference: pairedDifference(cosine.last, halving.last, intervals).loss,
  };
}

/** What both runs learn from. */
interface Material {
  readonly keep: string;
  /** Calibrated on the first positions. */
  readonly brain: FlyBrain;
  readonly eye: Eye;
  /** Those of the start, with all that are held out. */
  readonly positions: Positions;
  readonly shards: readonly DayShard[];
  readonly inputs: Readonly<Record<string, string>>;
  readonly games: number;
  readonly quick: boolean;
  readonly seed: number;
}

/** A run that is done. */
interface DoneRun {
  readonly folder: string;
  readonly fits: number;
  /** Where it is kept what a fit did with every HOLD position. */
  judgedPath(fit: number): string;
}

/** A long run from its start, or from where it was broken off, to its last shard. */
async function goThrough(
  schedule: Schedule,
  { keep, brain, eye, positions, shards, inputs, games, quick, seed }: Material,
  work: LongWork,
): Promise<DoneRun> {
  const folder = join(keep, schedule);
  const judgedPath = (fit: number) => join(keep, `${schedule}-fit-${fit}.safetensors`);
  const fit = { ...FITS[schedule], ...quick ? QUICK_FIT : {}, seed };
  await using run = await openRun(folder, { kind: "day", steps: STEPS, games, ...fit, inputs });
  await using steps = await daySteps({
    folder,
    brain,
    eye,
    positions,
    shards,
    steps: STEPS,
    fit,
    rate: async (fits, work) => {
      const { readout } = await loadReadout(join(folder, "readout.arrow")), rows = holdRows(positions);
      const features = await readRows(brain, eye, positions, rows, { ...work, steps: STEPS });
      await saveSafeTensors(judgedPath(fits), packJudged(judge(readout, features, positions, rows), {}));
      return games === 0 ? {} : await rateDay(
        { folder, brain, eye, steps: STEPS, games, nodes: NODES, seed },
        fits,
        work,
      );
    },
  });
  const outcome = await runDay(run, steps, { shardsPerFit: 1 }, {
    machine: {
      temperature: () => Promise.resolve(undefined),
      share: () => 1,
      room: () => machineRoom(folder),
    },
    limits: { freeBytes: 1e9, availableBytes: 5e8 },
    ...work,
  });
  if (outcome.ended !== "done") {
    throw new Error(`Cannot go on: the run in ${folder} was asked to stop; remove ${join(folder, "stop")}`);
  }
  return { folder, fits: outcome.state.fits, judgedPath };
}

/** What a run came to, fit by fit, from its log and from what was kept of every fit. */
async function stagesOf(
  { folder, fits, judgedPath }: DoneRun,
  { positions, games, intervals }: Pick<Material, "positions" | "games"> & {
    readonly intervals: IntervalOptions;
  },
): Promise<{ stages: LongRunStage[]; last: Judged }> {
  const log = await readLog(folder);
  const entry = (event: string, fit: number) => {
    const found = log.find((each) => each.event === event && each["fit"] === fit);
    if (found === undefined) {
      throw new Error(`Cannot read ${folder}: its log has no '${event}' of fit ${fit}`);
    }
    return found;
  };
  const filled = log.filter(({ event }) => event === "filled");
  const stages: LongRunStage[] = [];
  let before: Judged | undefined;
  for (let fit = 1; fit <= fits; fit++) {
    const fitted = entry("fitted", fit), rated = entry("rated", fit);
    const { judged } = unpackJudged(await loadSafeTensors(judgedPath(fit)), positions);
    const { loss, top1, good } = summarize(judged, intervals);
    const end = (name: string) => rated[name] === null ? null : Number(rated[name]);
    stages.push({
      positions: Number(fitted["trained"]),
      passes: Number(fitted["passes"]),
      lookSeconds: fit === 1 ? null : Number(filled[fit - 2]!["seconds"]),
      fitSeconds: Number(fitted["seconds"]),
      loss,
      top1,
      good,
      againstLast: before === undefined ? null : pairedDifference(judged, before, intervals).loss,
      elo: games === 0 ? null : {
        value: Number(rated["elo"]),
        low: end("eloLow"),
        high: end("eloHigh"),
      },
    });
    before = judged;
  }
  return { stages, last: before! };
}

/** Everything but the first positions as files, each as large as all before it together. */
async function piecesOf(positions: Positions, first: number, keep: string): Promise<DayShard[]> {
  const rows = trainRows(positions), shards: DayShard[] = [];
  await Deno.mkdir(keep, { recursive: true });
  for (let from = first; from < rows.length; from *= 2) {
    const piece = selectRows(positions, rows.subarray(from, 2 * from));
    const name = `positions-${shards.length + 1}.arrow`, path = join(keep, name);
    await savePositions(path, piece);
    shards.push({ name, path });
  }
  return shards;
}
