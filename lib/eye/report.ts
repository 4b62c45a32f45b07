import { makeSquare } from "../chess/mod.ts";
import type { Eye } from "./eye.ts";
import { PLANES, SQUARES } from "./_squares.ts";

/** What an eye can and cannot see, square by square. */
export interface EyeReport {
  /** Cells of the eye. */
  readonly cells: number;
  /** `[64]`: cells that look at each square. */
  readonly cellsOnSquare: Int32Array;
  /** `[64]`: those that report some piece types and not others. */
  readonly typeCellsOnSquare: Int32Array;
  /** `[64]`: how many of the six piece types look different from one another there, 1 to 6. */
  readonly typesTold: Uint8Array;
  /** Squares without any cell, ascending. */
  readonly blind: readonly number[];
  /** Squares, blind ones among them, where no piece type can be told from another. */
  readonly typeBlind: readonly number[];
  /** Whether every square is seen and all six types can be told apart on each. */
  readonly sound: boolean;
  /** All that in one sentence. */
  readonly message: string;
}

/** Whether a cell's report depends on the piece type. */
function tellsTypes(planes: number): boolean {
  const types = (planes | planes >> 6) & 0b111111;
  return types !== 0 && types !== 0b111111;
}

/**
 * Counts what looks at each square, and says whether the eye is blind anywhere.
 *
 * @param eye The eye.
 *
 * @example An eye with one cell is blind on 63 squares, and says so
 * ```ts
 * import { type Eye, eyeReport } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const eye: Eye = {
 *   name: "one cell",
 *   neurons: 1,
 *   cell: Int32Array.of(0),
 *   square: Uint8Array.of(28),
 *   planes: Uint16Array.of(0b111111),
 * };
 * const report = eyeReport(eye);
 * assert.equal(report.blind.length, 63);
 * assert.match(report.message, /blind on 63 squares/);
 * ```
 */
export function eyeReport(eye: Eye): EyeReport {
  const cellsOnSquare = new Int32Array(SQUARES);
  const typeCellsOnSquare = new Int32Array(SQUARES);
  const reported: Set<number>[] = Array.from({ length: SQUARES }, () => new Set());
  for (const [i, square] of eye.square.entries()) {
    const planes = eye.planes[i]!;
    cellsOnSquare[square]!++;
    if (tellsTypes(planes)) typeCellsOnSquare[square]!++;
    reported[square]!.add(planes);
  }
  const typesTold = Uint8Array.from(reported, (masks) => differentLooks([...masks]));
  const squares = Array.from(cellsOnSquare.keys());
  const blind = squares.filter((square) => cellsOnSquare[square] === 0);
  const typeBlind = squares.filter((square) => typesTold[square] === 1);
  const sound = typesTold.every((told) => told === 6);
  const report = {
    cells: eye.cell.length,
    cellsOnSquare,
    typeCellsOnSquare,
    typesTold,
    blind,
    typeBlind,
    sound,
  };
  return { ...report, message: sentence(eye, report) };
}

/** How many different answers six piece types give, a type's answer being which cells it lights as either colour. */
function differentLooks(masks: readonly number[]): number {
  const looks = new Set<string>();
  for (let type = 0; type < PLANES / 2; type++) {
    looks.add(masks.map((mask) => `${mask >> type & 1}${mask >> type + 6 & 1}`).join());
  }
  return looks.size;
}

function sentence(eye: Eye, report: Omit<EyeReport, "message">): string {
  const { cells, cellsOnSquare, typeCellsOnSquare, typesTold, blind, typeBlind, sound } = report;
  const per = (counts: Int32Array) => {
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return least === most ? `${least}` : `${least} to ${most}`;
  };
  const opening = `The ${eye.name} eye has ${cells.toLocaleString("en-US")} cells, ${
    per(cellsOnSquare)
  } a square, ${per(typeCellsOnSquare)} of them for piece types`;
  if (sound) return `${opening}: it sees every square and tells all six piece types apart on each.`;
  const flaws: string[] = [];
  if (blind.length > 0) flaws.push(`is blind on ${squareList(blind)}`);
  const alike = typeBlind.filter((square) => cellsOnSquare[square]! > 0);
  if (alike.length > 0) flaws.push(`cannot tell any piece type from another on ${squareList(alike)}`);
  const partly = Array.from(typesTold.keys()).filter((square) =>
    typesTold[square]! > 1 && typesTold[square]! < 6
  );
  if (partly.length > 0) flaws.push(`takes some piece types for others on ${squareList(partly)}`);
  const last = flaws.pop()!;
  return `${opening}: it ${flaws.length > 0 ? `${flaws.join(", ")} and ${last}` : last}.`;
}

/** How many squares, and which, where they are few enough to read. */
function squareList(squares: readonly number[]): string {
  const many = `${squares.length} ${squares.length === 1 ? "square" : "squares"}`;
  return squares.length <= 12 ? `${many} (${squares.map(makeSquare).join(" ")})` : many;
}

/**
 * The report as text for people: the sentence, then the board with the cells of each square, those for piece types
 * after a slash, as the fly sees it: rank 8 on top.
 *
 * @param eye The eye.
 * @returns Lines without colours, none longer than 80 characters but the sentence.
 */
export function describeEye(eye: Eye): string {
  const { cellsOnSquare, typeCellsOnSquare, message } = eyeReport(eye);
  const labels = Array.from(
    cellsOnSquare,
    (cells, square) => cells === 0 ? "blind" : `${cells}/${typeCellsOnSquare[square]}`,
  );
  const width = Math.max(...labels.map((label) => label.length)) + 2;
  const lines = [message, "", "Cells on each square / those for piece types:"];
  for (let rank = 7; rank >= 0; rank--) {
    lines.push(
      `${rank + 1} ` + labels.slice(rank * 8, rank * 8 + 8).map((label) => label.padStart(width)).join(""),
    );
  }
  lines.push("  " + [..."abcdefgh"].map((file) => file.padStart(width)).join(""));
  return lines.join("\n");
}
