import assert from "node:assert/strict";
import { boardBits, legalMoves, makeFen, parseFen, type Side } from "../../lib/chess/mod.ts";

/** What a golden file of kind `boards` holds. */
interface BoardsGolden {
  readonly cases: readonly {
    readonly fen: string;
    readonly set_bits: readonly number[];
    readonly moves: readonly (readonly [string, number, number, number])[];
  }[];
  readonly afterstates: readonly {
    readonly fen: string;
    readonly view: Side;
    readonly set_bits: readonly number[];
  }[];
}

/** The four fields of a FEN that a position consists of, without the clocks. */
function board(fen: string): string {
  return fen.split(" ").slice(0, 4).join(" ");
}

function setBits(bits: Uint8Array): number[] {
  return Array.from({ length: 768 }, (_, bit) => bit).filter((bit) => bits[bit >> 3]! >> (bit & 7) & 1);
}

/**
 * Compares boards, legal moves and afterstates with golden values.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cases, afterstates } = golden as BoardsGolden;
  assert.ok(cases.length > 0, "the file holds no case");
  for (const { fen, set_bits, moves } of cases) {
    assert.equal(board(makeFen(parseFen(fen))), board(fen), `${fen}: reading and writing changes the FEN`);
    assert.deepEqual(setBits(boardBits(fen)), set_bits, `${fen}: other bits are set`);
    assert.deepEqual(
      legalMoves(fen).map(({ uci, from, to, promotion }) => [uci, from, to, promotion]),
      moves,
      `${fen}: other legal moves`,
    );
  }
  for (const { fen, view, set_bits } of afterstates) {
    assert.deepEqual(
      setBits(boardBits(fen, { view })),
      set_bits,
      `${fen} seen by ${view}: other bits are set`,
    );
  }
}
