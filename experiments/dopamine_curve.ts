/**
 * Fifteen minutes of dopamine lessons: VAL pairs right as they go by, what is gained on HOLD, and what is left of every MBON's
 * input from Kenyon cells.
 *
 *   deno task experiment dopamine_curve --connectome FILE --positions FILE
 *
 * Minutes are turned into lessons once, from the speed that the machine has then; lessons may go by slower later.
 *
 * @module
 */
import { join } from "node:path";
import { mushroomBody } from "flychess/bio";
import { connectomeDigest } from "flychess/connectome";
import {
  bioRunConfig,
  type BioScores,
  type BioSettings,
  type Checkpoint,
  openRun,
  readLog,
  trainBio,
} from "flychess/training";
import { LARGE } from "./dopamine/arms.ts";
import { refuses } from "./dopamine/compare.ts";
import { figure } from "./dopamine/curve_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";

/** What lessons left of one MBON's input from Kenyon cells. */
export interface MbonInput {
  readonly type: string;
  /** +1 approach, -1 avoid, 0 neither. */
  readonly valence: number;
  /** Share of the measured strength that is left; `null` where no Kenyon cell reaches it. */
  readonly left: number | null;
}

/** One check on VAL. */
export interface CurvePoint {
  readonly lessons: number;
  /** Pairs right against a random move. */
  readonly right: number;
  /** Share of Kenyon cells that the two positions of a pair have in common. */
  readonly overlap: number;
  /** What is left of all synapses, a share of what was measured. */
  readonly left: number;
}

/** One run. */
export interface CurveRun {
  readonly seed: number;
  readonly lessons: number;
  readonly curve: readonly CurvePoint[];
  /** On HOLD, before and after. */
  readonly scores: BioScores;
  readonly mbons: readonly MbonInput[];
}

/** What `dopamine_curve.json` holds besides its origin. */
export interface DopamineCurve {
  readonly minutes: number;
  readonly precision: string;
  readonly valPairs: number;
  readonly runs: readonly CurveRun[];
}

const MINUTES = 15;

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<DopamineCurve> {
  const { connectome, positions, seed, quick, keep, workers, signal, onProgress } = options;
  const large = connectome.pre.length > LARGE, body = mushroomBody(connectome);
  const settings = {
    precision: large ? "int16" : "float32",
    ...quick
      ? { count: 128, checkEvery: 64, checkRows: 16, holdRows: 32, moveRows: 4 }
      : large
      ? { minutes: MINUTES, checkEvery: 5120, checkRows: 512, holdRows: 2048, moveRows: 64 }
      : { minutes: MINUTES, checkEvery: 12_800, checkRows: 1024, holdRows: 4096, moveRows: 256 },
  } satisfies BioSettings;
  const runs: CurveRun[] = [];
  for (let s = 0; s < (quick ? 2 : large ? 1 : 3); s++) {
    const own = { ...settings, seed: seed + s }, folder = join(keep, `seed-${seed + s}`);
    await using run = await openRun(folder, {
      ...bioRunConfig(own),
      inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
    });
    const outcome = await trainBio(run, connectome, positions, {
      ...own,
      // A small brain thinks faster than threads talk to each other.
      workers: large ? workers : 0,
      signal,
      onProgress: onProgress &&
        ((progress) => onProgress({ ...progress, task: `seed ${seed + s}: ${progress.task}` })),
    });
    if (outcome === undefined) throw new DOMException("Stopped, as asked", "AbortError");
    const log = await readLog(folder);
    runs.push({
      seed: seed + s,
      lessons: outcome.given,
      curve: log.filter(({ event }) => event === "check").map((entry) => ({
        lessons: Number(entry["given"]),
        right: Number(entry["right"]),
        overlap: Number(entry["overlap"]),
        left: Number(entry["left"]),
      })),
      scores: outcome.scores,
      mbons: inputsLeft((await run.checkpoint())!, body),
    });
  }
  return { minutes: MINUTES, precision: settings.precision, valPairs: settings.checkRows, runs };
}

function inputsLeft(
  { tensors }: Checkpoint,
  { type, valence }: ReturnType<typeof mushroomBody>,
): MbonInput[] {
  const [now, then] = ["strength", "measured"].map((name) =>
    tensors[`synapses.${name}`]!.data as Float64Array
  );
  const mbon = type.length, kenyon = now!.length / mbon;
  const sum = (list: Float64Array, n: number) => {
    let all = 0;
    for (let k = 0; k < kenyon; k++) all += list[k * mbon + n]!;
    return all;
  };
  return type.map((name, n) => {
    const measured = sum(then!, n);
    return { type: name, valence: valence[n]!, left: measured === 0 ? null : sum(now!, n) / measured };
  });
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] = "What do fifteen minutes of dopamine lessons come to?";

/** Minutes become lessons by the machine's speed. */
export const measured = true;
