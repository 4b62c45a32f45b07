import { readBag } from "./_bag.ts";
import { lichessRow } from "./_lichess_evals.ts";
import { readLines } from "./_lines.ts";
import { pgnRows } from "./_pgn_game.ts";
import type { SkipReason } from "./_position_rows.ts";
import { readShardBatches, type ReadShardOptions, type ShardRow } from "./shard.ts";

/** What the files of a source look like. */
export type SourceFormat = "chessbench" | "bag" | "lichess" | "pgn";

/** How to read a source. */
export interface ReadSourceOptions extends ReadShardOptions {
  /** Called for each position that the source has and that cannot be used, with the reason. */
  readonly onSkip?: ((reason: SkipReason) => void) | undefined;
}

/** Some rows, and why others are not among them. */
export interface RowBatch {
  /** In the order of the file. */
  readonly rows: readonly ShardRow[];
  /** A reason for each position that was skipped. */
  readonly skipped: readonly SkipReason[];
}

/**
 * The format of a file, by its name: `.bag` and `.bagz` are DeepMind's action values, `.jsonl` and `.jsonl.zst` the
 * Lichess evaluation dump, `.pgn` and `.pgn.zst` games, all others shards like ChessBench's.
 *
 * @param source A path or URL.
 */
export function sourceFormat(source: string | URL): SourceFormat {
  const name = (source instanceof URL ? source.pathname : source).toLowerCase();
  if (/\.bagz?$/.test(name)) return "bag";
  if (/\.jsonl(\.zst)?$/.test(name)) return "lichess";
  return /\.pgn(\.zst)?$/.test(name) ? "pgn" : "chessbench";
}

/** A game longer than this is no game, but something that would fill the memory. */
const LONGEST_GAME = 1 << 20;

/**
 * `readSource`, many rows at a time.
 *
 * @param picks Whether to take something, by its text: a position, a line or a game. What it does not take is
 * passed over as early as possible and counted nowhere.
 */
export async function* readSourceBatches(
  source: string | URL,
  options: ReadShardOptions & { readonly picks?: ((text: string) => boolean) | undefined } = {},
): AsyncGenerator<RowBatch> {
  const { picks } = options;
  switch (sourceFormat(source)) {
    case "bag":
      yield* readBag(source, options);
      return;
    case "chessbench":
      for await (const rows of readShardBatches(source, options)) {
        yield { rows: picks ? rows.filter(({ fen }) => picks(fen)) : rows, skipped: [] };
      }
      return;
    case "lichess":
      for await (const lines of readLines(source, options)) {
        yield gather(lines, (line, batch) => {
          if (line.trim() === "" || picks?.(line) === false) return;
          const row = lichessRow(line);
          typeof row === "string" ? batch.skipped.push(row) : batch.rows.push(row);
        });
      }
      return;
    case "pgn":
      for await (const games of readGames(source, options)) {
        yield gather(games, (game, batch) => {
          if (picks?.(game) === false) return;
          const { rows, skipped } = pgnRows(game);
          batch.rows.push(...rows);
          batch.skipped.push(...skipped);
        });
      }
  }
}

function gather(
  items: readonly string[],
  take: (item: string, batch: { rows: ShardRow[]; skipped: SkipReason[] }) => void,
): RowBatch {
  const batch = { rows: [], skipped: [] };
  for (const item of items) take(item, batch);
  return batch;
}

/** The games of a PGN file as texts: one ends where the next one's tags begin. */
async function* readGames(source: string | URL, options: ReadShardOptions): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let length = 0;
  let moves = false;
  for await (const more of readLines(source, options)) {
    const games: string[] = [];
    for (const line of more) {
      const tag = /^\s*\[\w+\s+"/.test(line);
      if ((tag && moves) || length > LONGEST_GAME) {
        games.push(lines.join("\n"));
        lines = [];
        length = 0;
        moves = false;
      }
      if (!tag && line.trim() !== "") moves = true;
      lines.push(line.endsWith("\r") ? line.slice(0, -1) : line);
      length += line.length;
    }
    if (games.length > 0) yield games;
  }
  if (moves) yield [lines.join("\n")];
}

/**
 * Reads positions with a teacher's opinion from any source, as a stream: a file of any size needs some megabytes of
 * memory. The format follows from the name, as `sourceFormat` says.
 *
 * - **ChessBench shards**: see `readShard`.
 * - **DeepMind's action values** (`.bag`, `.bagz`): positions of which every legal move is labelled.
 * - **Lichess evaluations** (`.jsonl.zst`): up to 5 candidates a position, of the evaluation that has the most, then
 *   the deepest. Scores from White's side become chances of the side to move, by `winProbability`; castling written as
 *   "king takes rook" becomes the king's two squares. Positions whose castling only Chess960 allows are skipped.
 * - **Games with evaluations** (`.pgn`, comments `[%eval 0.35]` or `[%eval #-3]` after the moves, from White's side):
 *   the move played stands for the teacher's best where it loses at most 1 win% against the evaluation before it, with
 *   the chance after it; other positions are skipped. Rows carry a number that is the same for the same game in another file.
 *
 * @param source A path, or a URL (`file:` or `http(s):`, which is read as it arrives; bags have to be files).
 * @param options Stops it, looks at the bytes, or hears of what is skipped.
 * @throws {ShardError} Where the file is cut off, corrupt or foreign, after everything whole before the place.
 * @throws {DataError} If it cannot be opened.
 *
 * @example A game whose second move throws a queen's worth away
 * ```ts
 * import { readSource } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const path = await Deno.makeTempFile({ suffix: ".pgn" });
 * await Deno.writeTextFile(path, "1. e4 { [%eval 0.3] } f5 { [%eval 1.4] } 2. exf5 { [%eval 1.5] } *");
 * const skipped: string[] = [];
 * const rows = [];
 * for await (const row of readSource(path, { onSkip: (reason) => skipped.push(reason) })) rows.push(row);
 * assert.deepEqual(skipped, ["noEval", "poorMove"]); // nothing says what the first position is worth; f5 is poor
 * assert.deepEqual(rows.map(({ moves }) => moves[0]!.uci), ["e4f5"]);
 * await Deno.remove(path);
 * ```
 */
export async function* readSource(
  source: string | URL,
  options: ReadSourceOptions = {},
): AsyncGenerator<ShardRow> {
  for await (const { rows, skipped } of readSourceBatches(source, options)) {
    for (const reason of skipped) options.onSkip?.(reason);
    yield* rows;
  }
}
