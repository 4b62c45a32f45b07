import { type LongWork, Random } from "flychess/common";
import type { Positions } from "flychess/data";
import {
  type FeatureSource,
  fitBlind,
  type FittedReadout,
  judge,
  noFeatures,
  type Readout,
  READOUT_COLUMNS,
} from "flychess/readout";
import { type CacheBlock, cachedFeatures, holdRows, type RatesCache, valRows } from "flychess/training";
import { fitOnSchedule, type FitSettings, type Fitted } from "./learn.ts";
import type { Looks } from "./looks.ts";
import type { FittedPoint, PointStore } from "./points.ts";

/** What the curves are called. */
export interface ReadingNames {
  readonly blind: string;
  readonly eye: string;
  readonly last: string;
  readonly mean: string;
  readonly apart: string;
}

/** Names the readings of some steps. */
export function readingNames(steps: readonly number[]): ReadingNames {
  const from = steps[0], to = steps.at(-1);
  return {
    blind: "blind",
    eye: "direct input",
    last: `step ${to}`,
    mean: `mean of steps ${from} to ${to}`,
    apart: `steps ${from} to ${to} side by side`,
  };
}

/** Names the readings of other steps: of one step alone, or of the mean of several and of them side by side. */
export function otherNames(steps: readonly number[]): readonly string[] {
  const { last, mean, apart } = readingNames(steps);
  return steps.length === 1 ? [last] : [mean, apart];
}

/** What all fits of the experiment share. */
export interface FitPlan {
  readonly positions: Positions;
  readonly steps: readonly number[];
  /** Other lists of steps that are read. */
  readonly also: readonly (readonly number[])[];
  /** Numbers of training positions, ascending. */
  readonly sizes: readonly number[];
  /** Training positions there are. */
  readonly train: number;
  readonly seeds: readonly number[];
  /** Penalties on weights, descending. */
  readonly penalties: readonly number[];
  /** Penalties on what steps side by side say beyond their mean, descending. */
  readonly contrastPenalties: readonly number[];
  readonly fit: FitSettings;
  readonly workers: number | undefined;
  /** The readings that are fitted; all by default. */
  readonly only?: readonly string[] | undefined;
}

/** Told of every point that is finished. */
export type OnPoint = (point: FittedPoint) => void;

/**
 * The blocks that a seed learns from at some size: blocks in the seed's own order, the smaller sizes within the larger. A
 * last block that is not full comes last, so that every size is exact.
 */
export function drawBlocks(
  cache: RatesCache,
  positions: Positions,
  size: number,
  seed: number,
): CacheBlock[] {
  const blocks = cache.blocks.filter(({ positions: of, held }) => of === positions.digest && !held);
  const rows = Math.max(...blocks.map((block) => block.rows));
  const order = [
    ...new Random(seed, "learning curve").shuffle(blocks.filter((block) => block.rows === rows)),
    ...blocks.filter((block) => block.rows < rows),
  ];
  const drawn: CacheBlock[] = [];
  let count = 0;
  for (const block of order) {
    if (count >= size) break;
    drawn.push(block);
    count += block.rows;
  }
  if (count !== size) {
    throw new RangeError(
      `Cannot draw ${size} positions in blocks of ${rows}: a multiple, or all of them, is wanted`,
    );
  }
  return drawn;
}

/** Whether every point of a plan is there. */
export function isFinished(plan: FitPlan, store: PointStore): boolean {
  const names = wantedNames(plan);
  return plan.sizes.every((size) =>
    drawsOf(plan, size).every((seed) => names.every((name) => store.find(name, size, seed) !== undefined))
  );
}

/** The names of the readings that are fitted. */
function wantedNames({ steps, also, only }: Pick<FitPlan, "steps" | "also" | "only">): string[] {
  return [...Object.values(readingNames(steps)), ...also.flatMap(otherNames)]
    .filter((name) => only?.includes(name) ?? true);
}

/** The seeds of a size: all positions can be drawn in one way only. */
export function drawsOf({ seeds, train }: Pick<FitPlan, "seeds" | "train">, size: number): readonly number[] {
  return size === train ? seeds.slice(0, 1) : seeds;
}

/** Fits whatever is not fitted yet, seed by seed, all positions last, and keeps each point. */
export async function fitMissing(
  plan: FitPlan,
  looks: Looks,
  store: PointStore,
  onPoint: OnPoint,
  work: LongWork,
): Promise<void> {
  const names = readingNames(plan.steps), wanted = wantedNames(plan);
  const keep = async (points: readonly FittedPoint[]) => {
    await store.add(points);
    points.forEach(onPoint);
  };
  const places = plan.sizes.flatMap((size) => drawsOf(plan, size).map((seed) => ({ size, seed })));
  const last = ({ size }: { size: number }) => size === plan.train ? 1 : 0;
  for (const { size, seed } of places.sort((a, b) => last(a) - last(b) || a.seed - b.seed)) {
    const missing = (name: string) => wanted.includes(name) && store.find(name, size, seed) === undefined;
    if (!wanted.some(missing)) continue;
    const blind = await fitBlind(plan.positions, drawRows(looks.last, plan.positions, size, seed), work);
    const at = { size, seed, blind };
    if (missing(names.blind)) await keep([blindPoint(plan, names.blind, at)]);
    if (missing(names.eye)) await keep(await fitReadings(plan, looks.eye, [names.eye], at, store, work));
    if (missing(names.last)) await keep(await fitReadings(plan, looks.last, [names.last], at, store, work));
    if (missing(names.apart)) {
      await keep(await fitReadings(plan, looks.steps, [names.mean, names.apart], at, store, work));
    }
    for (const [i, steps] of plan.also.entries()) {
      const own = otherNames(steps);
      if (own.some(missing)) await keep(await fitReadings(plan, looks.also[i]!, own, at, store, work));
    }
  }
}

/** Where on the curve, and what the blind baseline knows there. */
interface Place {
  readonly size: number;
  readonly seed: number;
  readonly blind: FittedReadout;
}

function drawRows(cache: RatesCache, positions: Positions, size: number, seed: number): Int32Array {
  return Int32Array.from(
    drawBlocks(cache, positions, size, seed).flatMap(({ first, rows }) =>
      Array.from({ length: rows }, (_, i) => first + i)
    ),
  );
}

function blindPoint({ positions }: FitPlan, reading: string, { size, seed, blind }: Place): FittedPoint {
  const nothing = noFeatures(positions.count);
  const { loss } = judge(blind, nothing, positions, valRows(positions));
  return {
    reading,
    positions: size,
    seed,
    penalty: null,
    contrastPenalty: null,
    passes: blind.history.passes,
    valLoss: loss.reduce((sum, each) => sum + each, 0) / loss.length,
    judged: judge(blind, nothing, positions, holdRows(positions)),
  };
}

/** The point of the first name; of a second one too, which reads the cache's steps side by side. */
async function fitReadings(
  plan: FitPlan,
  cache: RatesCache,
  [name, apartName]: readonly string[],
  { size, seed, blind }: Place,
  store: PointStore,
  work: LongWork,
): Promise<FittedPoint[]> {
  const { positions } = plan;
  const seen = await cachedFeatures(cache, positions, 0, positions.hold, work);
  const shared = {
    cache,
    positions,
    blocks: drawBlocks(cache, positions, size, seed),
    start: startOf(blind, cache),
    settings: plan.fit,
    seed,
    workers: plan.workers,
  };
  /** Fits a reading with one penalty after the other and keeps what VAL likes best. */
  const fitBest = async (
    reading: string,
    combinations: number,
    grid: readonly number[],
    penaltiesOf: (tried: number) => { penalty: number; contrastPenalty: number },
    kind: PenaltyKind,
  ) => {
    let best: { fitted: Fitted; tried: number } | undefined;
    for (const tried of candidates(plan, store, { reading, kind, grid, size, seed })) {
      const fitted = await fitOnSchedule({ ...shared, combinations, ...penaltiesOf(tried) }, {
        signal: work.signal,
        onProgress: work.onProgress && ((progress) =>
          work.onProgress!({
            ...progress,
            task: `${reading}, ${size.toLocaleString("en-US")} positions, seed ${seed}, penalty ${tried}`,
          })),
      });
      if (best === undefined || fitted.valLoss < best.fitted.valLoss) best = { fitted, tried };
    }
    const { readout, valLoss } = best!.fitted;
    const features = readout.features === seen.columns ? seen : meanOf(seen, cache.kept);
    return {
      tried: best!.tried,
      point: {
        reading,
        positions: size,
        seed,
        passes: plan.fit.passes,
        valLoss,
        judged: judge(readout, features, positions, holdRows(positions)),
      },
    };
  };
  const mean = await fitBest(
    name!,
    1,
    plan.penalties,
    (penalty) => ({ penalty, contrastPenalty: penalty }),
    "penalty",
  );
  const found = [{ ...mean.point, penalty: mean.tried, contrastPenalty: null }];
  if (apartName === undefined) return found;
  const apart = await fitBest(
    apartName,
    cache.kept,
    plan.contrastPenalties,
    (contrastPenalty) => ({ penalty: mean.tried, contrastPenalty }),
    "contrastPenalty",
  );
  return [...found, { ...apart.point, penalty: mean.tried, contrastPenalty: apart.tried }];
}

/** A readout that knows what the blind baseline knows, and nothing of the board. */
function startOf(blind: Readout, { columns, kept }: RatesCache): Readout {
  const features = columns / kept;
  return { features, weight: new Float32Array(features * READOUT_COLUMNS), bias: blind.bias };
}

/** What a penalty is on. */
type PenaltyKind = "penalty" | "contrastPenalty";

/**
 * Which penalties are tried. The first seed tries all of them at the smallest size, and at each larger one, where less is
 * wanted, the one chosen before and the next weaker; VAL decides. The other seeds take what the first one chose.
 */
function candidates(
  { sizes, seeds }: FitPlan,
  store: PointStore,
  { reading, kind, grid, size, seed }: {
    reading: string;
    kind: PenaltyKind;
    grid: readonly number[];
    size: number;
    seed: number;
  },
): readonly number[] {
  const chosen = (at: number | undefined) =>
    at === undefined ? undefined : store.find(reading, at, seeds[0]!)?.[kind] ?? undefined;
  if (seed !== seeds[0]) {
    const taken = chosen(size);
    return taken === undefined ? grid : [taken];
  }
  const before = chosen(sizes[sizes.indexOf(size) - 1]);
  const from = before === undefined ? -1 : grid.indexOf(before);
  return from < 0 ? grid : grid.slice(from, from + 2);
}

/** The mean of steps that stand side by side. */
function meanOf(features: FeatureSource, kept: number): FeatureSource {
  const columns = features.columns / kept;
  return {
    rows: features.rows,
    columns,
    batch(rows, out) {
      const apart = new Float32Array(rows.length * features.columns);
      features.batch(rows, apart);
      for (let i = 0; i < rows.length; i++) {
        for (let j = 0; j < columns; j++) {
          let sum = 0;
          for (let s = 0; s < kept; s++) sum += apart[i * features.columns + s * columns + j]!;
          out[i * columns + j] = sum / kept;
        }
      }
    },
  };
}
