import type { FlyBrain } from "flychess/brain";
import type { LongWork } from "flychess/common";
import { type Positions, selectRows } from "flychess/data";
import type { Eye } from "flychess/eye";
import { dealDeck, type Deck, type FeatureSource } from "flychess/readout";
import { showAsBytes } from "flychess/training";

/** Rows that are shown between two progress reports. */
const CHUNK = 512;

/** Front rows that `--quick` is content with, where an experiment fits readouts. */
export const QUICK_ROWS = { hold: 512, val: 256, train: 2048 } as const;

/** Front rows of each part of a set, as a set of its own. */
export function frontOf(
  positions: Positions,
  most: { readonly hold?: number; readonly val?: number; readonly train?: number },
): Positions {
  const { hold, val, count } = positions;
  const rows: number[] = [];
  const take = (first: number, there: number, wanted = there) => {
    for (let i = 0; i < Math.min(there, wanted); i++) rows.push(first + i);
  };
  take(0, hold, most.hold);
  take(hold, val, most.val);
  take(hold + val, count - hold - val, most.train);
  return rows.length === count ? positions : selectRows(positions, rows);
}

/** What of a think is looked at. */
export interface LookOptions extends LongWork {
  /** The steps that are read. */
  readonly steps: readonly number[];
  /** Whether they are kept side by side instead of their mean. */
  readonly apart?: boolean;
  /** What is being done, for progress reports. */
  readonly task?: string;
}

/**
 * Shows every position to a brain that stays as it is and keeps what its descending neurons do, a byte each. Whatever
 * is fitted afterwards needs the brain no more.
 */
export async function lookAt(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { steps, apart = false, task = "showing positions", signal, onProgress }: LookOptions,
): Promise<Deck> {
  const columns = brain.connectome.output.length * (apart ? steps.length : 1);
  const deck = dealDeck(positions, 0, positions.count, columns);
  const show = showAsBytes(brain, eye, positions, { steps, apart }, { signal });
  for (let first = 0; first < positions.count; first += CHUNK) {
    const rows = Int32Array.from({ length: Math.min(CHUNK, positions.count - first) }, (_, i) => first + i);
    deck.rates.set(await show(rows), first * columns);
    onProgress?.({ task, done: first + rows.length, total: positions.count, unit: "positions" });
  }
  return deck;
}

/** Features of every position, kept a byte each, as if a brain had said them: what the baselines read. */
export function deckOf(features: FeatureSource, positions: Positions): Deck {
  const deck = dealDeck(positions, 0, positions.count, features.columns);
  const numbers = new Float32Array(CHUNK * features.columns);
  for (let first = 0; first < positions.count; first += CHUNK) {
    const rows = Int32Array.from({ length: Math.min(CHUNK, positions.count - first) }, (_, i) => first + i);
    features.batch(rows, numbers);
    const at = first * features.columns;
    for (let i = 0; i < rows.length * features.columns; i++) {
      deck.rates[at + i] = Math.round(255 * numbers[i]!);
    }
  }
  return deck;
}

/** A deck's rates as features, from 0 to 1. */
export function deckFeatures(
  { count, columns, rates }: Pick<Deck, "count" | "columns" | "rates">,
): FeatureSource {
  return {
    rows: count,
    columns,
    batch(rows, out) {
      for (let i = 0; i < rows.length; i++) {
        const from = rows[i]! * columns, to = i * columns;
        for (let c = 0; c < columns; c++) out[to + c] = rates[from + c]! / 255;
      }
    },
  };
}

/** Some of the steps that a deck keeps side by side, as a deck of their own. */
export function stepsOf(deck: Deck, kept: number, places: readonly number[]): Deck {
  const columns = deck.columns / kept, own = columns * places.length;
  const rates = new Uint8Array(new SharedArrayBuffer(deck.count * own));
  for (let row = 0; row < deck.count; row++) {
    for (const [k, place] of places.entries()) {
      const from = row * deck.columns + place * columns;
      rates.set(deck.rates.subarray(from, from + columns), row * own + k * columns);
    }
  }
  return { ...deck, columns: own, rates };
}

/** The mean of the steps that a deck keeps side by side, from 0 to 1. */
export function meanFeatures(deck: Pick<Deck, "count" | "columns" | "rates">, kept: number): FeatureSource {
  const columns = deck.columns / kept, { rates } = deck;
  return {
    rows: deck.count,
    columns,
    batch(rows, out) {
      for (let i = 0; i < rows.length; i++) {
        const from = rows[i]! * deck.columns, to = i * columns;
        for (let c = 0; c < columns; c++) {
          let sum = 0;
          for (let k = 0; k < kept; k++) sum += rates[from + k * columns + c]!;
          out[to + c] = sum / kept / 255;
        }
      }
    },
  };
}
