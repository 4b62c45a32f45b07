import { legalMoves } from "../chess/mod.ts";
import type { LongWork } from "../common/mod.ts";
import { bootstrapMeans, type Interval } from "../readout/mod.ts";
import { moveAccuracy, type Verdict, verdict } from "./accuracy.ts";
import type { Suite, SuitePosition } from "./suite.ts";

/** Scores count up to so many centipawns either way (Lichess; reference, section 12). */
const DECIDED = 1000;

/** Every verdict, best first. */
export const VERDICTS: readonly Verdict[] = ["best", "good", "inaccuracy", "mistake", "blunder"];

/** How a player does on a suite; 95 % intervals by game. */
export interface SuiteScore {
  /** Mean centipawns that its moves give away; scores count up to 1,000 either way. */
  readonly centipawnLoss: Interval;
  /** Mean accuracy of its moves, 0 to 100, by Lichess's formula. */
  readonly accuracy: Interval;
  /** Share of its moves by verdict, 0 to 1. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** `[positions]`: centipawns given away in each, for paired comparisons. */
  readonly losses: Float64Array;
}

/** How players are asked. */
export interface ScoreSuiteOptions extends LongWork {
  /** Positions asked about at once; 16 by default. */
  readonly concurrency?: number | undefined;
  /** Seed of the intervals; 1 by default. */
  readonly seed?: number | undefined;
}

/**
 * Asks a player for its move in every position of a suite.
 *
 * @param suite The positions.
 * @param choose Gives the player's move, in UCI notation.
 * @throws {RangeError} If a move is not legal, or a number is out of range.
 *
 * @example A player that always takes the first legal move
 * ```ts
 * import { loadSuite, scoreSuite } from "flychess/rating";
 * import { legalMoves } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const suite = await loadSuite();
 * const { centipawnLoss } = await scoreSuite(suite, ({ fen }) => Promise.resolve(legalMoves(fen)[0]!.uci));
 * assert.ok(centipawnLoss.value > 100);
 * ```
 */
export async function scoreSuite(
  suite: Suite,
  choose: (position: SuitePosition, index: number) => Promise<string>,
  options: ScoreSuiteOptions = {},
): Promise<SuiteScore> {
  const { concurrency = 16, signal, onProgress } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(
      `Cannot score: concurrency is ${concurrency}, a whole number of at least 1 is wanted`,
    );
  }
  const { positions } = suite;
  const shares = new Array<Share[]>(positions.length);
  for (let at = 0; at < positions.length; at += concurrency) {
    signal?.throwIfAborted();
    const some = positions.slice(at, at + concurrency);
    const moves = await Promise.all(some.map((position, i) => choose(position, at + i)));
    moves.forEach((uci, i) => {
      const { fen } = some[i]!;
      const move = legalMoves(fen).findIndex((each) => each.uci === uci);
      if (move < 0) {
        throw new RangeError(`Cannot score ${uci}: it is not legal in '${fen}', a legal move is wanted`);
      }
      shares[at + i] = [{ move, share: 1 }];
    });
    onProgress?.({ task: "asking", done: at + some.length, total: positions.length, unit: "positions" });
  }
  return summed(positions, shares, options.seed);
}

/**
 * What a player expects who plays any legal move, every one with the same chance: no dice, the mean itself.
 *
 * @param suite The positions.
 * @param options The seed of the intervals.
 */
export function scoreRandomMover(suite: Suite, options: Pick<ScoreSuiteOptions, "seed"> = {}): SuiteScore {
  const shares = suite.positions.map(({ centipawns }) =>
    centipawns.map((_, move) => ({ move, share: 1 / centipawns.length }))
  );
  return summed(suite.positions, shares, options.seed);
}

/** A move by its place, and how often it is played. */
interface Share {
  readonly move: number;
  readonly share: number;
}

function summed(
  positions: readonly SuitePosition[],
  shares: readonly (readonly Share[])[],
  seed: number | undefined,
): SuiteScore {
  const losses = new Float64Array(positions.length);
  const accuracies = new Float64Array(positions.length);
  const verdicts = { best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
  positions.forEach(({ centipawns }, p) => {
    const best = Math.max(...centipawns);
    for (const { move, share } of shares[p]!) {
      const played = centipawns[move]!;
      losses[p]! += share * (clip(best) - clip(played));
      accuracies[p]! += share * moveAccuracy(best, played);
      verdicts[verdict(best, played, played === best)] += share / positions.length;
    }
  });
  const game = Int32Array.from(positions, (position) => position.game);
  const [centipawnLoss, accuracy] = bootstrapMeans([losses, accuracies], game, { seed });
  return { centipawnLoss: centipawnLoss!, accuracy: accuracy!, verdicts, losses };
}

function clip(cp: number): number {
  return Math.max(-DECIDED, Math.min(DECIDED, cp));
}
