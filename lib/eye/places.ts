import { SQUARES } from "./_squares.ts";

/** A photoreceptor that has a place on the eye: its type and its column, both eyes laid on top of each other. */
export type PlacedCell = readonly [
  /** `R1-R6`, or a type that starts with `R7` or `R8`. */
  type: string,
  /** First hexagonal coordinate of its column. */
  hex1: number,
  /** Second one. */
  hex2: number,
];

/** Where cells look and what they report there. */
export interface EyePlaces {
  /** `[cells]`: the square, 8 * rank + file. */
  readonly square: Uint8Array;
  /** `[cells]`: the planes, bit `p` for plane `p`. */
  readonly planes: Uint16Array;
}

/** What a cell is good for: telling piece types apart, or own and the opponent's pieces. */
type Role = "type" | "own" | "opponent";

/** Planes 0 to 5: any own piece. */
export const OWN = 0b000000_111111;
/** Planes 6 to 11: any piece of the opponent's. */
export const OPPONENT = 0b111111_000000;
/** A cell of type R1-R6 weighs as much as ten of R7 or R8, which know no piece types (reference, section 2). */
const WEIGHT = { type: 10, own: 1, opponent: 1 } as const;

/**
 * Whether a cell type is a photoreceptor that an eye is made of.
 *
 * @param type For example `R1-R6` or `R7p`.
 */
export function isPhotoreceptor(type: string): boolean {
  return type === "R1-R6" || type.startsWith("R7") || type.startsWith("R8");
}

function roleOf(type: string): Role {
  if (type === "R1-R6") return "type";
  if (type.startsWith("R7")) return "own";
  if (type.startsWith("R8")) return "opponent";
  throw new RangeError(`Cannot place a cell: its type is '${type}', R1-R6, R7 or R8 is wanted`);
}

/** Planes of a piece type, either colour. */
function typePlanes(type: number): number {
  return 1 << type | 1 << type + 6;
}

/** A column of the eye on the way to its square. */
interface Column {
  readonly u: number;
  readonly v: number;
  weight: number;
  square: number;
}

/**
 * The fair eye: it cuts the round eye into 8 bands of equal weight along hex1 + hex2, then each band into 8
 * squares along hex1 - hex2 (reference, section 2). The cells of a column stay together; in each square the
 * R1-R6 cells take the six piece types in turn.
 *
 * A column goes where the weight *before* it points, in exact integers. So a square can stay empty only beside
 * a column that is too heavy: none does where no column carries more than 1/72 of all weight. (A band then holds
 * at least 1/8 - 1/72 = 1/9 of it, so no column is heavier than an eighth of its band either.)
 *
 * @param cells Placed photoreceptors, in the order of their neurons.
 * @throws {RangeError} If one is no R1-R6, R7 or R8.
 *
 * @example 64 columns of equal weight get a square each
 * ```ts
 * import { type PlacedCell, placeFair } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const cells = Array.from({ length: 64 }, (_, i): PlacedCell => ["R7", i % 8, i >> 3]);
 * const { square, planes } = placeFair(cells);
 * assert.equal(new Set(square).size, 64);
 * assert.equal(planes[0], 0b111111); // an R7 reports any own piece
 * ```
 */
export function placeFair(cells: readonly PlacedCell[]): EyePlaces {
  const columns = new Map<string, Column>();
  const columnOf = cells.map(([type, hex1, hex2]) => {
    const key = `${hex1},${hex2}`;
    let column = columns.get(key);
    if (column === undefined) {
      columns.set(key, column = { u: hex1 - hex2, v: hex1 + hex2, weight: 0, square: 0 });
    }
    column.weight += WEIGHT[roleOf(type)];
    return column;
  });
  const bands = cut([...columns.values()].sort((a, b) => a.v - b.v || a.u - b.u));
  for (const [rank, band] of bands.entries()) {
    for (const [file, group] of cut(band.sort((a, b) => a.u - b.u || a.v - b.v)).entries()) {
      for (const column of group) column.square = 8 * rank + file;
    }
  }
  const square = Uint8Array.from(columnOf, (column) => column.square);
  const planes = new Uint16Array(cells.length);
  const turn = new Int32Array(SQUARES);
  for (const [i, [type]] of cells.entries()) {
    const role = roleOf(type);
    planes[i] = role === "type" ? typePlanes(turn[square[i]!]!++ % 6) : role === "own" ? OWN : OPPONENT;
  }
  return { square, planes };
}

/** Cuts columns, in order, into 8 groups of about equal weight. */
function cut(columns: readonly Column[]): Column[][] {
  const total = columns.reduce((sum, { weight }) => sum + weight, 0);
  const groups: Column[][] = Array.from({ length: 8 }, () => []);
  let before = 0;
  for (const column of columns) {
    groups[Math.floor(8 * before / total)]!.push(column);
    before += column.weight;
  }
  return groups;
}

/**
 * The first eye: the file from where a cell's hex1 stands among all cells, the rank from where its hex2 stands
 * (reference, section 2). Corners of the round eye's tilted oval come out empty; it is kept as a control. The
 * R1-R6 cells take the six piece types in turn over the whole list.
 *
 * @param cells Placed photoreceptors, in the order of their neurons.
 * @throws {RangeError} If one is no R1-R6, R7 or R8.
 */
export function placeFirst(cells: readonly PlacedCell[]): EyePlaces {
  const file = eighths(cells.map(([, hex1]) => hex1));
  const rank = eighths(cells.map(([, , hex2]) => hex2));
  let turn = 0;
  return {
    square: Uint8Array.from(cells, (_, i) => 8 * rank[i]! + file[i]!),
    planes: Uint16Array.from(cells, ([type]) => {
      const role = roleOf(type);
      return role === "type" ? typePlanes(turn++ % 6) : role === "own" ? OWN : OPPONENT;
    }),
  };
}

/** Which eighth of the sorted list each value falls in; equal values keep their order. */
function eighths(values: readonly number[]): Uint8Array {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
  const result = new Uint8Array(values.length);
  for (const [place, i] of order.entries()) result[i] = Math.floor(8 * place / values.length);
  return result;
}
