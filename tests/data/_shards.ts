import { zstdCompressSync } from "node:zlib";
import { legalMoves, makeFen, parseFen, playMove, START_FEN } from "../../lib/chess/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import type { ShardRow } from "../../lib/data/mod.ts";
import { encodeRow } from "../../lib/data/_row_codec.ts";
import { packRows } from "../../lib/data/_shard_file.ts";

export { TemporaryFolder } from "../_temporary_folder.ts";

/** Rows of a game of random moves, each with random chances for all its moves. */
export function randomGame(seed: number, plies: number, game?: number): ShardRow[] {
  const random = new Random(seed, "random game");
  const rows: ShardRow[] = [];
  let board = parseFen(START_FEN);
  for (let ply = 0; ply < plies; ply++) {
    const legal = legalMoves(board);
    if (legal.length === 0) break;
    const moves = random.shuffle(legal.map(({ uci }) => ({ uci, winProb: random.int(10_001) / 1e4 })));
    rows.push({ fen: makeFen(board), moves, ...(game === undefined ? {} : { game }) });
    board = playMove(board, legal[random.int(legal.length)]!);
  }
  return rows;
}

/** Writes a shard of one zstd frame. */
export async function writeShard(path: string, rows: readonly ShardRow[]): Promise<string> {
  await Deno.writeFile(path, packRows(rows.map(encodeRow), 3));
  return path;
}

/** Bytes as one zstd frame without a checksum. */
export function frame(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes);
}

/** Some byte arrays in a row. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
