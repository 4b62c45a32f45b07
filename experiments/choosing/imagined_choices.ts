import { packMove } from "flychess/chess";
import type { LongWork } from "flychess/common";
import { MAX_BEST, MAX_MOVES, type Positions } from "flychess/data";
import { FlyPlayer, Game, imagine, type ReadoutFly } from "flychess/play";
import type { Judged } from "flychess/readout";
import { rebuildFen } from "../../lib/data/_rebuild_fen.ts";

/** Positions that are thought about at once: each brings a board for every legal move. */
const AT_ONCE = 32;
/** A good move is within this many tenths of a percent of the best (reference, section 12). */
const GOOD_WITHIN = 10;

/** What a fly makes of a stored position and of the board after each of its moves. */
export interface ImaginedRow {
  readonly row: number;
  /** `[legal moves]`: their places in the row's moves. */
  readonly place: readonly number[];
  readonly probability: Float64Array;
  /** `[legal moves]`: how good the board after it is for the fly, -1 to 1. */
  readonly value: readonly number[];
  readonly mates: readonly boolean[];
  readonly draws: readonly boolean[];
}

/** Shows rows to a fly, and the board after every legal move of each. Rows of which a move is missing are left out. */
export async function imagineRows(
  fly: ReadoutFly,
  positions: Positions,
  rows: Int32Array,
  { signal, onProgress, task }: LongWork & { readonly task: string },
): Promise<ImaginedRow[]> {
  const player = new FlyPlayer(fly, { imagination: 1 });
  const found: ImaginedRow[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    const some = Array.from(
      rows.subarray(at, at + AT_ONCE),
      (row) => ({ row, fen: rebuildFen(positions, row) }),
    )
      .flatMap(({ row, fen }) => fen === undefined ? [] : [{ row, game: new Game({ start: fen }) }]);
    const thoughts = await Promise.all(some.map(({ game }) => player.think(game)));
    some.forEach(({ row, game }, i) => {
      const moves = positions.move.subarray(row * MAX_MOVES, row * MAX_MOVES + positions.moveCount[row]!);
      const outcomes = game.legal.map((move) => game.look(move).outcome);
      found.push({
        row,
        place: game.legal.map((move) => moves.indexOf(packMove(move))),
        probability: thoughts[i]!.probability,
        value: thoughts[i]!.imagined!,
        mates: outcomes.map((outcome) => outcome?.ending === "checkmate"),
        draws: outcomes.map((outcome) => outcome !== undefined && outcome.ending !== "checkmate"),
      });
    });
    onProgress?.({ task, done: at + some.length, total: rows.length, unit: "positions" });
  }
  return found;
}

/** The place in the row's moves of what the fly plays; without a weight its favourite. */
export function chooseFrom(
  { place, probability, value, mates, draws }: ImaginedRow,
  weight: number | undefined,
): number {
  if (weight === undefined) return place[probability.indexOf(Math.max(...probability))]!;
  const goesBack = mates.map(() => false); // a stored position has no past
  return place[imagine({ probability, value, mates, draws, goesBack }, weight)]!;
}

/** Judges choices as `judge` does a readout's favourites; of loss and value nothing is said. */
export function judgeChoices(
  positions: Positions,
  rows: readonly ImaginedRow[],
  weight: number | undefined,
): Judged {
  const count = rows.length;
  const judged = {
    rows: Int32Array.from(rows, ({ row }) => row),
    top1: new Uint8Array(count),
    good: new Uint8Array(count),
    loss: new Float64Array(count),
    valueError: new Float64Array(count),
    game: Int32Array.from(rows, ({ row }) => positions.game[row]!),
  };
  rows.forEach((each, i) => {
    const chosen = chooseFrom(each, weight);
    const first = each.row * MAX_BEST;
    judged.top1[i] = Number(positions.best[first] === chosen);
    const rank = positions.best.subarray(first, first + positions.bestCount[each.row]!).indexOf(chosen);
    judged.good[i] = Number(
      rank >= 0 && positions.win[first + rank]! >= positions.win[first]! - GOOD_WITHIN,
    );
  });
  return judged;
}

/** Of the positions with a mate in one, in how many it is played. */
export function matesPlayed(
  rows: readonly ImaginedRow[],
  weight: number | undefined,
): { readonly positions: number; readonly played: number } {
  const some = rows.filter(({ mates }) => mates.some(Boolean));
  const played = some.filter((row) => row.mates[row.place.indexOf(chooseFrom(row, weight))]).length;
  return { positions: some.length, played };
}
