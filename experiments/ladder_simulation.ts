/**
 * Can a ladder's ratings and intervals be believed? Ladders whose true ratings are known are played by chance, and
 * both estimators are asked: the reference's (one virtual draw a pairing, 300 bootstrap refits) and this library's
 * (`rateLadder`). And what is saved where pairings are chosen by `nextPairing`. Writes figures/ladder.json.
 *
 * `deno run -A experiments/ladder_simulation.ts [--ladders 200] [--adaptive 200] [--out figures/ladder.json]`
 *
 * @module
 */
import { parseArgs } from "node:util";
import { Random, writeFileAtomic } from "flychess/common";
import { bootstrapLadder, rateLadder } from "flychess/rating";
import {
  adaptiveLadders,
  type AdaptiveSetting,
  playByChance,
  type Truth,
} from "./ladder/adaptive_ladders.ts";

const PLAYERS = 8, RUNGS = 6;

function everyFlyEveryRung(rungs: number, players: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i + 1 < rungs; i++) pairs.push([i, i + 1]);
  for (let fly = rungs; fly < players; fly++) {
    for (let rung = 0; rung < rungs; rung++) pairs.push([rung, fly]);
  }
  return pairs;
}

const TRUTHS: readonly Truth[] = [
  {
    name: "gaps of 100",
    ratings: Array.from({ length: PLAYERS }, (_, k) => 1320 - 100 * k),
    pairs: everyFlyEveryRung(RUNGS, PLAYERS),
  },
  {
    // Rungs and flies as far apart as those of the reference's table (its section "An Elo after all").
    name: "the reference's ladder",
    ratings: [1320, 1010, 724, 660, 640, 540, 792, 425],
    pairs: everyFlyEveryRung(RUNGS, PLAYERS),
  },
];

/** Shares of the draws that a pairing's expected score allows. */
const DRAWS = [{ name: "few draws", share: 0.1 }, { name: "80 % draws", share: 0.8 }] as const;
const GAMES = 20;

/** How an estimator did over all ladders and all players but the anchor. */
export interface Quality {
  /** Mean of estimate minus truth of the worst player, Elo. */
  readonly largestBias: number;
  /** Mean of |bias| over players, Elo. */
  readonly meanBias: number;
  /** Square root of the mean squared error, Elo. */
  readonly error: number;
  /** Share of intervals that hold the truth. */
  readonly coverage: number;
  /** Median width of an interval, Elo. */
  readonly width: number;
}

/** One simulated setting. */
export interface Setting {
  readonly gaps: string;
  readonly draws: string;
  readonly ladders: number;
  readonly reference: Quality;
  readonly rateLadder: Quality;
}

type Estimate = { rating: number; low: number; high: number };

function quality(truth: readonly number[], estimates: readonly Estimate[][]): Quality {
  const players = truth.length - 1;
  const bias = new Float64Array(players);
  let squared = 0;
  let covered = 0;
  const widths: number[] = [];
  for (const ladder of estimates) {
    ladder.forEach(({ rating, low, high }, p) => {
      const off = rating - truth[p + 1]!;
      bias[p]! += off / estimates.length;
      squared += off * off;
      covered += Number(low <= truth[p + 1]! && truth[p + 1]! <= high);
      widths.push(high - low);
    });
  }
  const count = estimates.length * players;
  widths.sort((a, b) => a - b);
  const round = (x: number, digits = 1) => Number(x.toFixed(digits));
  return {
    largestBias: round(bias.reduce((most, b) => Math.abs(b) > Math.abs(most) ? b : most, 0)),
    meanBias: round(bias.reduce((sum, b) => sum + Math.abs(b), 0) / players),
    error: round(Math.sqrt(squared / count)),
    coverage: round(covered / count, 4),
    width: round(widths[widths.length >> 1]!),
  };
}

/** Plays and rates every setting. */
export function run(options: { readonly ladders?: number; readonly seed?: number } = {}): Setting[] {
  const { ladders = 200, seed = 1 } = options;
  if (ladders === 0) return [];
  return TRUTHS.flatMap((truth) =>
    DRAWS.map(({ name, share }): Setting => {
      const random = new Random(seed, `${truth.name}, ${name}`);
      const found: { reference: Estimate[][]; better: Estimate[][] } = { reference: [], better: [] };
      for (let ladder = 0; ladder < ladders; ladder++) {
        const pairings = truth.pairs.map(([i, j]) => ({
          first: `${i}`,
          second: `${j}`,
          ...playByChance(random, truth.ratings[i]! - truth.ratings[j]!, share, GAMES),
        }));
        const anchor = { player: "0", rating: truth.ratings[0]! };
        const inOrder = (rated: readonly (Estimate & { player: string })[]) =>
          truth.ratings.slice(1).map((_, p) => rated.find(({ player }) => player === `${p + 1}`)!);
        found.reference.push(inOrder(bootstrapLadder(pairings, { anchor, seed: ladder })));
        found.better.push(inOrder(rateLadder(pairings, { anchor }).players));
      }
      return {
        gaps: truth.name,
        draws: name,
        ladders,
        reference: quality(truth.ratings, found.reference),
        rateLadder: quality(truth.ratings, found.better),
      };
    })
  );
}

/** Plays every setting evenly and where games tell most. */
export function runAdaptive(
  options: { readonly ladders?: number; readonly seed?: number } = {},
): AdaptiveSetting[] {
  const { ladders = 200, seed = 1 } = options;
  if (ladders === 0) return [];
  return TRUTHS.flatMap((truth) =>
    DRAWS.map((draws) => adaptiveLadders(truth, draws, { rungs: RUNGS, ladders, seed }))
  );
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      ladders: { type: "string", default: "200" },
      adaptive: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      out: { type: "string", default: "figures/ladder.json" },
    },
  });
  const settings = run({ ladders: Number(values.ladders), seed: Number(values.seed) });
  for (const { gaps, draws, reference, rateLadder } of settings) {
    console.log(`${gaps}, ${draws}`);
    for (const [name, q] of [["reference", reference], ["rateLadder", rateLadder]] as const) {
      console.log(
        `  ${name.padEnd(10)}  bias ${q.meanBias} on average, ${q.largestBias} at most, error ${q.error}, ` +
          `intervals ${q.width} wide hold the truth in ${(100 * q.coverage).toFixed(1)} %`,
      );
    }
  }
  const adaptive = runAdaptive({ ladders: Number(values.adaptive), seed: Number(values.seed) });
  for (const { gaps, draws, plans, saving } of adaptive) {
    console.log(`${gaps}, ${draws}: choosing pairings saves ${(100 * saving).toFixed(0)} % of the games`);
    for (const { games, error, width, coverage } of plans) {
      const both = ({ even, adaptive }: { even: number; adaptive: number }, factor = 1) =>
        `${(factor * even).toFixed(1)} and ${(factor * adaptive).toFixed(1)}`;
      console.log(
        `  ${games} games, evenly and adaptively: error ${both(error)}, width ${both(width)}, held ${
          both(coverage, 100)
        } %`,
      );
    }
  }
  const command =
    `deno run -A experiments/ladder_simulation.ts --ladders ${values.ladders} --adaptive ${values.adaptive} --seed ${values.seed}`;
  await writeFileAtomic(
    values.out,
    new TextEncoder().encode(JSON.stringify({ command, games: GAMES, settings, adaptive }, null, 2) + "\n"),
  );
}
