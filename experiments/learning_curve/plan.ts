import { Random } from "flychess/common";
import type { Positions } from "flychess/data";
import type { CacheBlock, RatesCache } from "flychess/training";
import type { FitSettings } from "./learn.ts";
import type { PointStore } from "./points.ts";

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

/** Whether every point of a plan is there. */
export function isFinished(plan: FitPlan, store: PointStore): boolean {
  const names = wantedNames(plan);
  return plan.sizes.every((size) =>
    drawsOf(plan, size).every((seed) => names.every((name) => store.find(name, size, seed) !== undefined))
  );
}

/** The names of the readings that are fitted: blind always, since every other one is held against it. */
export function wantedNames({ steps, also, only }: Pick<FitPlan, "steps" | "also" | "only">): string[] {
  const names = readingNames(steps);
  return [...Object.values(names), ...also.flatMap(otherNames)]
    .filter((name) => name === names.blind || (only?.includes(name) ?? true));
}

/** The seeds of a size: all positions can be drawn in one way only. */
export function drawsOf({ seeds, train }: Pick<FitPlan, "seeds" | "train">, size: number): readonly number[] {
  return size === train ? seeds.slice(0, 1) : seeds;
}

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

/** The rows of those blocks. */
export function drawRows(cache: RatesCache, positions: Positions, size: number, seed: number): Int32Array {
  return Int32Array.from(
    drawBlocks(cache, positions, size, seed).flatMap(({ first, rows }) =>
      Array.from({ length: rows }, (_, i) => first + i)
    ),
  );
}
