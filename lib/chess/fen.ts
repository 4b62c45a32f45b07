import { DataError } from "../common/mod.ts";
import { type Board, CASTLING, makeSquare, parseSquare } from "./board.ts";

/** The position every game starts from. */
export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Letters by piece number, white's pieces in capitals. */
const LETTERS = "pnbrqk";
/** Piece number by character code, 0 where the character is no piece. */
const PIECE_OF = new Int8Array(128);
for (let piece = 1; piece <= 6; piece++) {
  PIECE_OF[LETTERS.charCodeAt(piece - 1)] = -piece;
  PIECE_OF[LETTERS.toUpperCase().charCodeAt(piece - 1)] = piece;
}

/** What each castling letter allows, and where king and rook have to stand for it. */
const RIGHTS = [
  { letter: "K", bit: CASTLING.whiteKing, king: 4, rook: 7, colour: 1 },
  { letter: "Q", bit: CASTLING.whiteQueen, king: 4, rook: 0, colour: 1 },
  { letter: "k", bit: CASTLING.blackKing, king: 60, rook: 63, colour: -1 },
  { letter: "q", bit: CASTLING.blackQueen, king: 60, rook: 56, colour: -1 },
] as const;

/** A FEN that is being read, so that an error can show the whole of it. */
function refuse(fen: string, field: string, found: string, wanted: string): never {
  throw new DataError(`Cannot read the FEN '${fen}': ${field} is ${found}, ${wanted} is wanted`);
}

/**
 * Reads a position in Forsyth-Edwards Notation.
 *
 * Strict: what it lets through is a board that moves can be played on. Exactly one king a side, no pawn on the
 * first or last rank, castling only where king and rook still stand at home, an en passant square only behind
 * a pawn that can just have jumped over it. A FEN of four fields, without the two clocks, is taken to stand at
 * halfmove 0 of full move 1 (the Lichess evaluations are written so).
 *
 * @param fen The position. Spaces around it, and more than one between fields, do not matter.
 * @throws {TypeError} If it is not text.
 * @throws {DataError} If a field is wrong; the message names the field: piece placement, side to move,
 * castling, en passant, halfmove clock or fullmove number.
 *
 * @example Reading a position and writing it again
 * ```ts
 * import { makeFen, parseFen, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const board = parseFen(START_FEN);
 * assert.equal(board.side, "white");
 * assert.equal(board.squares[4], 6); // a white king on e1
 * assert.equal(makeFen(board), START_FEN);
 * ```
 */
export function parseFen(fen: string): Board {
  if (typeof fen !== "string") {
    throw new TypeError(`Cannot read a FEN: it is ${fen === null ? "null" : typeof fen}, text is wanted`);
  }
  const fields = fen.trim().split(/\s+/);
  if (fields.length > 6) {
    refuse(fen, "the text after the fullmove number", `'${fields.slice(6).join(" ")}'`, "nothing");
  }
  const squares = readPlacement(fen, fields[0]!);
  const side = readSide(fen, fields[1]);
  const castling = readCastling(fen, fields[2], squares);
  const enPassant = readEnPassant(fen, fields[3], squares, side === "white");
  if (fields.length === 4) return { squares, side, castling, enPassant, halfmoves: 0, fullmoves: 1 };
  const halfmoves = readCount(fen, "the halfmove clock", fields[4], 0);
  const fullmoves = readCount(fen, "the fullmove number", fields[5], 1);
  return { squares, side, castling, enPassant, halfmoves, fullmoves };
}

function readPlacement(fen: string, text: string): Int8Array {
  const field = "the piece placement";
  const squares = new Int8Array(64);
  let rank = 7;
  let file = 0;
  let afterDigit = false;
  let whiteKings = 0;
  let blackKings = 0;
  let edgePawn = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 47) { // a slash ends a rank
      if (file !== 8) refuse(fen, field, `'${text}' with ${file} squares on rank ${rank + 1}`, "8");
      if (rank === 0) refuse(fen, field, `'${text}' with more than 8 ranks`, "8");
      rank--;
      file = 0;
      afterDigit = false;
      continue;
    }
    if (code >= 49 && code <= 56) { // 1 to 8 empty squares
      if (afterDigit) refuse(fen, field, `'${text}' with two digits in a row`, "their sum");
      file += code - 48;
      afterDigit = true;
    } else {
      const piece = code < 128 ? PIECE_OF[code]! : 0;
      if (piece === 0) {
        const character = String.fromCodePoint(text.codePointAt(i)!);
        refuse(fen, field, `'${text}' with '${character}' in it`, "one of pnbrqkPNBRQK, 1 to 8 or /");
      }
      if (file < 8) squares[rank * 8 + file] = piece;
      if (piece === 6) whiteKings++;
      else if (piece === -6) blackKings++;
      else if ((piece === 1 || piece === -1) && (rank === 0 || rank === 7)) edgePawn = rank + 1;
      file++;
      afterDigit = false;
    }
    if (file > 8) refuse(fen, field, `'${text}' with more than 8 squares on rank ${rank + 1}`, "8");
  }
  if (text === "") refuse(fen, field, "missing", "eight ranks with / between them");
  if (file !== 8) refuse(fen, field, `'${text}' with ${file} squares on rank ${rank + 1}`, "8");
  if (rank !== 0) refuse(fen, field, `'${text}' with ${8 - rank} ranks`, "8");
  if (edgePawn > 0) {
    refuse(fen, field, `'${text}' with a pawn on rank ${edgePawn}`, "one on ranks 2 to 7 only");
  }
  if (whiteKings !== 1) refuse(fen, field, `'${text}' with ${whiteKings} white kings`, "one");
  if (blackKings !== 1) refuse(fen, field, `'${text}' with ${blackKings} black kings`, "one");
  return squares;
}

function readSide(fen: string, text: string | undefined): Board["side"] {
  if (text === "w") return "white";
  if (text === "b") return "black";
  return refuse(fen, "the side to move", text === undefined ? "missing" : `'${text}'`, "w or b");
}

function readCastling(fen: string, text: string | undefined, squares: Int8Array): number {
  const field = "castling";
  if (text === "-") return 0;
  if (text === undefined) return refuse(fen, field, "missing", "- or some of KQkq");
  let castling = 0;
  for (const letter of text) {
    const right = RIGHTS.find((each) => each.letter === letter);
    if (right === undefined) return refuse(fen, field, `'${text}'`, "- or some of KQkq");
    if (castling & right.bit) {
      refuse(fen, field, `'${text}' with ${letter} twice`, "each letter once at most");
    }
    if (squares[right.king] !== 6 * right.colour || squares[right.rook] !== 4 * right.colour) {
      const places = `a king on ${makeSquare(right.king)} and a rook on ${makeSquare(right.rook)}`;
      refuse(fen, field, `'${text}'`, `${letter} only with ${places}`);
    }
    castling |= right.bit;
  }
  return castling;
}

function readEnPassant(fen: string, text: string | undefined, squares: Int8Array, white: boolean): number {
  const field = "en passant";
  if (text === "-") return -1;
  const rank = white ? 5 : 2;
  const wanted = `- or a square on rank ${rank + 1}`;
  if (text === undefined) return refuse(fen, field, "missing", wanted);
  const square = parseSquare(text);
  if (square >> 3 !== rank) refuse(fen, field, `'${text}'`, wanted);
  const forward = white ? 8 : -8;
  if (
    squares[square] !== 0 || squares[square + forward] !== 0 ||
    squares[square - forward] !== (white ? -1 : 1)
  ) {
    refuse(fen, field, `'${text}'`, "the square that a pawn has just jumped over");
  }
  return square;
}

function readCount(fen: string, field: string, text: string | undefined, least: number): number {
  const wanted = `a whole number of at least ${least}`;
  if (text === undefined) return refuse(fen, field, "missing", wanted);
  if (!/^\d{1,6}$/.test(text) || Number(text) < least) refuse(fen, field, `'${text}'`, wanted);
  return Number(text);
}

/**
 * Writes a position in Forsyth-Edwards Notation, all six fields; the reverse of `parseFen`.
 *
 * @param board The position. Its en passant square is written as it stands.
 */
export function makeFen(board: Board): string {
  let text = "";
  for (let rank = 7; rank >= 0; rank--) {
    let empty = 0;
    for (let square = rank * 8; square < rank * 8 + 8; square++) {
      const piece = board.squares[square]!;
      if (piece === 0) {
        empty++;
        continue;
      }
      if (empty > 0) text += empty;
      empty = 0;
      const letter = LETTERS[Math.abs(piece) - 1]!;
      text += piece > 0 ? letter.toUpperCase() : letter;
    }
    if (empty > 0) text += empty;
    if (rank > 0) text += "/";
  }
  const rights = RIGHTS.filter(({ bit }) => board.castling & bit).map(({ letter }) => letter).join("");
  const enPassant = board.enPassant < 0 ? "-" : makeSquare(board.enPassant);
  const side = board.side === "white" ? "w" : "b";
  return `${text} ${side} ${rights || "-"} ${enPassant} ${board.halfmoves} ${board.fullmoves}`;
}
