import { COLUMNS } from "./_published.ts";

/** The columns of one eye. Column `c` has the coordinates `h1[c]`, `h2[c]`. */
export interface EyeColumns {
  /** `[columns]`: hex1. */
  readonly h1: Int16Array;
  /** `[columns]`: hex2. */
  readonly h2: Int16Array;
  /** The column at a place of the lattice, or -1. */
  at(h1: number, h2: number): number;
}

/**
 * The outline of the right eye of MaleCNS: for hex1 = 1 to 36 the first and last hex2 (optic lobe annotations of
 * the male fly, Nern et al. 2025, CC BY 4.0). One column inside, 1/9, has no labelled cell.
 */
const OUTLINE: readonly (readonly [number, number])[] = [
  [7, 10],
  [5, 13],
  [4, 15],
  [3, 18],
  [2, 20],
  [1, 22],
  [1, 24],
  [1, 26],
  [1, 28],
  [1, 29],
  [1, 30],
  [1, 31],
  [1, 32],
  [2, 32],
  [2, 33],
  [3, 33],
  [3, 34],
  [4, 34],
  [4, 35],
  [5, 35],
  [6, 36],
  [7, 36],
  [8, 37],
  [9, 37],
  [10, 38],
  [11, 38],
  [11, 39],
  [13, 39],
  [14, 39],
  [15, 39],
  [16, 39],
  [18, 38],
  [19, 38],
  [21, 38],
  [23, 36],
  [26, 35],
];

/** Across the eye: neighbouring columns (+-1, 0), (0, +-1) and +-(1, 1) are one apart in these coordinates. */
export function acrossEye(h1: number, h2: number): readonly [number, number] {
  return [(h1 - h2) * Math.sqrt(3) / 2, (h1 + h2) / 2];
}

/** The lattice place nearest to a point of `acrossEye`. */
export function nearestPlace(x: number, y: number): readonly [number, number] {
  const half = x / Math.sqrt(3);
  return [Math.round(y + half), Math.round(y - half)];
}

function columnsOf(places: readonly (readonly [number, number])[]): EyeColumns {
  const sorted = [...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const h1 = Int16Array.from(sorted, (p) => p[0]);
  const h2 = Int16Array.from(sorted, (p) => p[1]);
  const side = Math.max(...h1, ...h2) + 1;
  const grid = new Int16Array(side * side).fill(-1);
  for (let c = 0; c < sorted.length; c++) grid[h1[c]! * side + h2[c]!] = c;
  return {
    h1,
    h2,
    at: (a, b) => a < 0 || b < 0 || a >= side || b >= side ? -1 : grid[a * side + b]!,
  };
}

/** Distance from the middle of an oval of the eye's proportions, in which its edge is about 1. */
function fromMiddle(h1: number, h2: number): number {
  const [x, y] = acrossEye(h1 - 18.6, h2 - 20.3);
  return Math.hypot(x / 15.3, y / 18.6);
}

/**
 * The columns of both eyes at a scale: at 1 the real outline, below it smaller ovals of a multiple of 64 columns,
 * so that every square of the board can have as many as every other.
 */
export function eyeColumns(scale: number): { readonly L: EyeColumns; readonly R: EyeColumns } {
  const real = OUTLINE.flatMap(([first, last], i) =>
    Array.from({ length: last - first + 1 }, (_, k) => [i + 1, first + k] as const)
  ).filter(([h1, h2]) => !(h1 === 1 && h2 === 9));
  const outward = [...real].sort((a, b) => fromMiddle(...a) - fromMiddle(...b) || a[0] - b[0] || a[1] - b[1]);
  if (scale === 1) return { L: columnsOf(outward.slice(0, COLUMNS.L)), R: columnsOf(real) };
  const wanted = 64 * Math.max(1, Math.round(COLUMNS.R * scale / 64));
  const places = outward.slice(0, wanted);
  const low1 = Math.min(...places.map((p) => p[0])) - 1;
  const low2 = Math.min(...places.map((p) => p[1])) - 1;
  const moved = columnsOf(places.map(([h1, h2]) => [h1 - low1, h2 - low2]));
  return { L: moved, R: moved };
}
