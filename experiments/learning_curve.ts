/**
 * How much do more positions help, and which reading of the descending neurons is best? One brain that stays as it is
 * looks at every position once; readouts of its last step, of the mean of steps and of the steps side by side are fitted
 * to the end on more and more positions, beside the blind baseline and the same heads straight on the eye.
 *
 *   deno run -A experiments/learning_curve.ts --connectome FILE --positions FILE
 *     [--sizes 16384,32768,65536,131072,all] [--seeds 3] [--read 9,10,11,12] [--penalties 0.03,0.01,...,0]
 *     [--also 3 --also 2,3,4] [--contrast-penalties ...] [--eye auto] [--train all] [--precision float32] [--workers 2]
 *     [--fit-engine wasm] [--so-far] [--only "mean of steps 9 to 12,steps 9 to 12 side by side"]
 *     [--out figures/learning_curve]
 *
 * Writes NAME.json and draws NAME.svg from it. Killed, the same command goes on: finished points are kept in
 * NAME.points.json, what the brain saw in runs/NAME. With --so-far nothing more is fitted, what is there is drawn; with
 * --only no other readings are fitted but blind. Each --also reads other steps: one alone, or the mean of several and
 * these side by side. With --fit-engine tensorflow TensorFlow multiplies in the fits, where `deno task setup:tensorflow`
 * has linked it.
 *
 * @module
 */
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { wasmEngine, type WasmEngineOptions } from "flychess/brain";
import { type LongWork, writeFileAtomic } from "flychess/common";
import { type Connectome, connectomeDigest, loadConnectome } from "flychess/connectome";
import { loadPositions, type Positions } from "flychess/data";
import { eyeFor, type EyeName } from "flychess/eye";
import { headsArithmetic } from "flychess/readout";
import { wake } from "flychess/training";
import { readEye } from "../cli/_command.ts";
import { readFitEngine, readPrecision } from "../cli/_engine.ts";
import { fitMissing } from "./learning_curve/fits.ts";
import { type FitPlan, isFinished, otherNames, readingNames } from "./learning_curve/plan.ts";
import { type FitSettings, LONG_FIT } from "./learning_curve/learn.ts";
import { look } from "./learning_curve/looks.ts";
import { type FittedPoint, PointStore } from "./learning_curve/points.ts";
import { type CurveNumbers, summarizeCurve } from "./learning_curve/result.ts";

export { figure } from "./learning_curve/figure.ts";
export { tables } from "./learning_curve/tables.ts";

/** What is measured, and where it is kept. */
export interface LearningCurveOptions extends LongWork {
  /** The brain, which stays as it is. */
  readonly connectome: Connectome;
  /** Positions with a teacher's opinion, HOLD and VAL in front. */
  readonly positions: Positions;
  /** Training positions there are, from the front; all by default. */
  readonly train?: number | "all";
  /** Numbers of training positions, each a multiple of the smallest, or `all` there are. */
  readonly sizes?: readonly (number | "all")[];
  /** Which eye; by default the fair eye where there are columns, else the larva's. */
  readonly eye?: EyeName;
  /** Precision of the brain's rates; `float32` by default. */
  readonly precision?: WasmEngineOptions["precision"];
  /** Draws of training positions, but one of all there are; 3 by default. */
  readonly seeds?: number;
  /** The steps read; 9 to 12 by default. */
  readonly steps?: readonly number[];
  /** Other steps: a list of one is read alone, of a longer one the mean and the steps side by side; none by default. */
  readonly also?: readonly (readonly number[])[];
  /** Penalties to choose from, descending. */
  readonly penalties?: readonly number[];
  /** Penalties to choose from for what the steps side by side say beyond their mean, descending. */
  readonly contrastPenalties?: readonly number[];
  /** Further settings of the fits. */
  readonly fit?: Partial<FitSettings>;
  /** Where the finished points are kept. */
  readonly points: string;
  /** Where the rates are kept. */
  readonly cache: string;
  /** Resamples an interval; 1,000 by default. */
  readonly resamples?: number;
  /** Whether it only sums up the points that are there; no by default. */
  readonly soFar?: boolean;
  /** The names of the readings that are fitted; all by default. The mean comes with the steps side by side. */
  readonly only?: readonly string[] | undefined;
  /** Threads; one a core by default. Changes no bit. */
  readonly workers?: number | undefined;
  /** Told of every finished point. */
  readonly onPoint?: ((point: FittedPoint) => void) | undefined;
}

/** What `NAME.json` holds. */
export interface LearningCurve extends CurveNumbers {
  readonly experiment: "learning_curve";
  readonly connectome: {
    readonly name: string;
    readonly digest: string;
    readonly neurons: number;
    readonly connections: number;
    /** Descending neurons that are read. */
    readonly read: number;
  };
  readonly positions: {
    readonly digest: string;
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    readonly games: { readonly hold: number; readonly train: number };
  };
  readonly eye: { readonly name: string; readonly cells: number };
  readonly engine: string;
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly readings: ReturnType<typeof readingNames>;
  /** Readings of other steps; missing where there are none. */
  readonly also?: readonly string[];
  readonly sizes: readonly number[];
  readonly seeds: readonly number[];
}

const SIZES: readonly (number | "all")[] = [16_384, 32_768, 65_536, 131_072, "all"];
/** Half a power of ten apart: twice the positions want a weaker penalty, but not one a tenth as strong. */
const PENALTIES = [3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 0];

/**
 * Measures a learning curve, from where its points left off.
 *
 * @throws {RangeError} If a size cannot be drawn.
 * @throws {DataError} If the points or rates that are there come from other inputs or settings.
 */
export async function run(options: LearningCurveOptions): Promise<LearningCurve> {
  const { connectome, positions, steps = [9, 10, 11, 12], also = [], signal, onProgress, workers } = options;
  const { penalties = PENALTIES, contrastPenalties = PENALTIES } = options;
  const every = positions.count - positions.hold - positions.val;
  const train = options.train === undefined || options.train === "all" ? every : options.train;
  const sizes = [...new Set((options.sizes ?? SIZES).map((size) => size === "all" ? train : size))]
    .sort((a, b) => a - b);
  const seeds = Array.from({ length: options.seeds ?? 3 }, (_, i) => i + 1);
  const blockRows = sizes[0]!;
  const wrong = sizes.find((size) => size > train || size < 1 || size !== every && size % blockRows !== 0);
  if (
    wrong !== undefined || seeds.length === 0 || train > every || train !== every && train % blockRows !== 0
  ) {
    throw new RangeError(
      `Cannot draw a learning curve of ${
        wrong ?? train
      } positions and ${seeds.length} seeds: a multiple of ` +
        `${blockRows} up to ${Math.min(train, every)} and at least one seed are wanted`,
    );
  }
  const eye = eyeFor(connectome, options.eye ?? "auto");
  const fit = { ...LONG_FIT, ...options.fit };
  const settings = {
    // What files of points without it stand for.
    ...options.precision === undefined ? {} : { precision: options.precision },
    ...train === every ? {} : { train },
    steps,
    penalties,
    contrastPenalties,
    ...fit,
    blockRows,
    start: "blind baseline",
    arithmetic: headsArithmetic(fit.engine),
  };
  const digests = { connectome: connectomeDigest(connectome), positions: positions.digest, eye: eye.name };
  const store = await PointStore.open(options.points, { ...digests, ...settings, sizes });
  const plan: FitPlan = {
    positions,
    steps,
    also,
    sizes,
    train,
    seeds,
    penalties,
    contrastPenalties,
    fit,
    workers,
    only: options.only,
  };
  const unknown = options.only?.find((name) =>
    ![...Object.values(readingNames(steps)), ...also.flatMap(otherNames)].includes(name)
  );
  if (unknown !== undefined) {
    throw new RangeError(
      `Cannot fit '${unknown}': ${Object.values(readingNames(steps)).join(", ")} are wanted`,
    );
  }
  if (!options.soFar && !isFinished(plan, store)) {
    await using brain = await wake(connectome, eye, positions, {
      engine: wasmEngine({ precision: options.precision ?? "float32" }),
      ...(workers === undefined ? {} : { workers }),
      signal,
      onProgress,
    });
    // How many workers there are changes no bit.
    store.engine = brain.engineDescription.replace(/, (\d+ workers?|calling thread)$/, "");
    using looks = await look(brain, eye, positions, {
      folder: options.cache,
      steps,
      also,
      blockRows,
      train,
      signal,
      onProgress,
    });
    await fitMissing(plan, looks, store, (point) => options.onPoint?.(point), { signal, onProgress });
  }
  const readings = readingNames(steps), others = also.flatMap(otherNames);
  const games = (from: number, to?: number) => new Set(positions.game.subarray(from, to)).size;
  return {
    experiment: "learning_curve",
    connectome: {
      name: connectome.name,
      digest: digests.connectome,
      neurons: connectome.neurons.id.length,
      connections: connectome.pre.length,
      read: connectome.output.length,
    },
    positions: {
      digest: digests.positions,
      hold: positions.hold,
      val: positions.val,
      train,
      games: {
        hold: games(0, positions.hold),
        train: games(positions.hold + positions.val, positions.hold + positions.val + train),
      },
    },
    eye: { name: eye.name, cells: eye.cell.length },
    engine: store.engine,
    settings,
    readings,
    ...others.length === 0 ? {} : { also: others },
    sizes,
    seeds,
    ...summarizeCurve(store.points, {
      names: readings,
      also: others,
      sizes,
      train,
      seeds,
      resamples: options.resamples ?? 1000,
    }),
  };
}

if (import.meta.main) {
  const { figure } = await import("./learning_curve/figure.ts");
  const { tables } = await import("./learning_curve/tables.ts");
  const { values } = parseArgs({
    options: {
      connectome: { type: "string" },
      positions: { type: "string" },
      sizes: { type: "string", default: SIZES.join(",") },
      seeds: { type: "string", default: "3" },
      read: { type: "string", default: "9,10,11,12" },
      also: { type: "string", multiple: true, default: [] },
      penalties: { type: "string", default: PENALTIES.join(",") },
      "contrast-penalties": { type: "string", default: PENALTIES.join(",") },
      train: { type: "string", default: "all" },
      eye: { type: "string", default: "auto" },
      precision: { type: "string" },
      "fit-engine": { type: "string", default: "wasm" },
      "so-far": { type: "boolean", default: false },
      only: { type: "string" },
      workers: { type: "string" },
      out: { type: "string", default: "figures/learning_curve" },
    },
  });
  if (values.connectome === undefined || values.positions === undefined) {
    console.error("--connectome FILE and --positions FILE are wanted");
    Deno.exit(2);
  }
  const precision = values.precision === undefined ? {} : { precision: readPrecision(values.precision) };
  const fitEngine = readFitEngine(values["fit-engine"]);
  const numbers = (text: string) => text.split(",").map(Number);
  const result = await run({
    connectome: await loadConnectome(values.connectome),
    positions: await loadPositions(values.positions),
    sizes: values.sizes.split(",").map((size) => size === "all" ? size : Number(size)),
    seeds: Number(values.seeds),
    eye: readEye(values.eye),
    train: values.train === "all" ? "all" : Number(values.train),
    ...precision,
    // Points without it were fitted by our own kernels.
    ...fitEngine === "wasm" ? {} : { fit: { engine: fitEngine } },
    steps: numbers(values.read),
    also: values.also.map(numbers),
    penalties: numbers(values.penalties),
    contrastPenalties: numbers(values["contrast-penalties"]),
    soFar: values["so-far"],
    only: values.only?.split(","),
    points: `${values.out}.points.json`,
    cache: join("runs", basename(values.out)),
    workers: values.workers === undefined ? undefined : Number(values.workers),
    onPoint: ({ reading, positions, seed, penalty, contrastPenalty, passes, valLoss }) =>
      console.log(
        `seed ${seed}, ${positions.toLocaleString("en-US").padStart(7)} positions, ${reading.padEnd(27)} ` +
          `VAL loss ${valLoss.toFixed(4)}, ${passes} passes, penalty ${contrastPenalty ?? penalty ?? "none"}`,
      ),
  });
  await writeFileAtomic(`${values.out}.json`, JSON.stringify(result, null, 1) + "\n");
  await writeFileAtomic(`${values.out}.svg`, figure(result));
  for (const text of Object.values(tables(result))) console.log(`\n${text}`);
  console.log(`\nWrote ${values.out}.json and ${values.out}.svg.`);
}
