import type { LongWork } from "flychess/common";
import {
  type FeatureSource,
  fitBlind,
  type FittedReadout,
  judge,
  noFeatures,
  type Readout,
  READOUT_COLUMNS,
} from "flychess/readout";
import { cachedFeatures, holdRows, type RatesCache, valRows } from "flychess/training";
import { fitOnSchedule, type Fitted } from "./learn.ts";
import type { Looks } from "./looks.ts";
import {
  drawBlocks,
  drawRows,
  drawsOf,
  type FitPlan,
  otherNames,
  readingNames,
  wantedNames,
} from "./plan.ts";
import type { FittedPoint, PointStore } from "./points.ts";

/** Told of every point that is finished. */
export type OnPoint = (point: FittedPoint) => void;

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
