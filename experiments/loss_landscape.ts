/**
 * What does the loss look like around the path that training takes? The plane that holds most of the path's movement, the
 * held-out loss on a grid in it, and the lowest point of the plane beside the path's end.
 *
 * @module
 */
import { type Interval, judge, pairedDifference, summarize } from "flychess/readout";
import { holdRows } from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { descendOn, PlaneLoss, planeOf, readoutAt } from "./training/plane.ts";
import { type Snapshot, type TrainingSettings, watchTraining } from "./training/snapshots.ts";
import { mean } from "./shared/mean.ts";

export { figure, page } from "./training/loss_landscape_figure.ts";

/** The question. */
export const question =
  "What does the loss look like around the path that training takes, and how low could it go?";

/** The grid covers the path and this share of its size more on every side (reference, section 7). */
const MARGIN = 0.25;

/** A plane through the end of a path. */
export interface Landscape {
  /** What the path is of. */
  readonly name: string;
  /** Shares of the path's movement that its principal directions hold, the largest first. */
  readonly shares: readonly number[];
  /** Each snapshot's place. */
  readonly path: readonly (readonly [number, number])[];
  /** Held-out loss at each snapshot itself, which may lie beside the plane. */
  readonly losses: readonly number[];
  /** The first coordinate's range, then the second's. */
  readonly range: readonly [readonly [number, number], readonly [number, number]];
  /** `[rows][columns]`: held-out loss, rows along the second coordinate. */
  readonly grid: readonly (readonly number[])[];
  /** The lowest point found on the plane. */
  readonly lowest: { readonly place: readonly [number, number]; readonly loss: number };
  /** Its loss minus that of the path's end, by game. It is chosen on the positions that judge it, so it is at best this low. */
  readonly lowestMinusEnd: Interval;
}

/** What `loss_landscape` measures. */
export interface LandscapeNumbers {
  readonly settings: TrainingSettings;
  readonly numbers: number;
  readonly held: number;
  /** Held-out loss before training, after the probe and at the end. */
  readonly loss: { readonly start: Interval; readonly probe: Interval; readonly end: Interval };
  readonly planes: readonly [Landscape, Landscape];
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<LandscapeNumbers> {
  const { quick, seed, signal, onProgress } = options;
  const { snapshots, positions, hold, settings } = await watchTraining(options);
  const rows = holdRows(positions), points = quick ? 21 : 61;
  const intervals = { seed, resamples: quick ? 100 : 1000 };
  const judged = (snapshot: Snapshot) => judge(snapshot.readout, hold, positions, rows);
  const end = judged(snapshots.at(-1)!);
  const turn = snapshots.findLastIndex(({ stage }) => stage === "probe");
  const landscape = (name: string, path: readonly Snapshot[]): Landscape => {
    const plane = planeOf(path.map(({ readout }) => readout));
    const loss = new PlaneLoss(plane, hold, positions, rows);
    const range = ([0, 1] as const).map((axis) => {
      const along = plane.places.map((place) => place[axis]);
      const low = Math.min(...along), high = Math.max(...along), more = MARGIN * (high - low || 1);
      return [low - more, high + more] as const;
    });
    const [[left, right], [bottom, top]] = range as [readonly [number, number], readonly [number, number]];
    const dx = (right - left) / (points - 1), dy = (top - bottom) / (points - 1);
    const grid = Array.from({ length: points }, () => new Array<number>(points));
    for (let column = 0; column < points; column++) {
      signal?.throwIfAborted();
      const losses = loss.row(left + column * dx, bottom, dy, points);
      for (const [row, value] of losses.entries()) grid[row]![column] = round(value);
      onProgress?.({ task: `loss around ${name}`, done: column + 1, total: points, unit: "columns" });
    }
    let least = { place: [0, 0] as readonly [number, number], loss: loss.at([0, 0]) };
    for (let row = 0; row < points; row++) {
      for (let column = 0; column < points; column++) {
        if (grid[row]![column]! < least.loss) {
          least = { place: [left + column * dx, bottom + row * dy], loss: grid[row]![column]! };
        }
      }
    }
    const lowest = descendOn(loss, least.place, [dx / 2, dy / 2]);
    const there = judge(readoutAt(plane, lowest.place), hold, positions, rows);
    return {
      name,
      shares: plane.shares.map(round),
      path: plane.places.map(([a, b]) => [round(a), round(b)] as const),
      losses: path.map((snapshot) => round(mean(judged(snapshot).loss))),
      range: [[round(left), round(right)], [round(bottom), round(top)]],
      grid,
      lowest: { place: [round(lowest.place[0]), round(lowest.place[1])], loss: round(lowest.loss) },
      lowestMinusEnd: pairedDifference(there, end, intervals).loss,
    };
  };
  const three = (snapshot: Snapshot) => summarize(judged(snapshot), intervals).loss;
  return {
    settings,
    numbers: (hold.columns + 1) * 133,
    held: rows.length,
    loss: { start: three(snapshots[0]!), probe: three(snapshots[turn]!), end: three(snapshots.at(-1)!) },
    planes: [
      landscape("the whole training", snapshots),
      landscape("the new positions alone", snapshots.slice(turn)),
    ],
  };
}

function round(value: number): number {
  return Number(value.toPrecision(7));
}
