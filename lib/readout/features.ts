/**
 * What a linear readout looks at: some numbers for every position, handed over in batches so that they need not
 * all be in memory (or exist at all, as for the blind baseline).
 */
export interface FeatureSource {
  /** Positions it knows: rows 0 up to, not including, `rows`. */
  readonly rows: number;
  /** Numbers a position is described by; 0 for the blind baseline. */
  readonly columns: number;
  /**
   * Writes the numbers of some positions.
   *
   * @param rows The positions' rows, in any order, repeats allowed.
   * @param out `[rows.length][columns]`, overwritten; it may be longer.
   * @throws {RangeError} If a row is not known.
   */
  batch(rows: Int32Array, out: Float32Array): void;
}

/** Settings of `denseFeatures`. */
export interface DenseFeaturesOptions {
  /**
   * `[n]`: which position each row of the array belongs to, where only some positions were run through the brain.
   * By default row `i` is position `i`.
   */
  readonly rows?: Int32Array | undefined;
  /** How many positions there are in all; by default no more than are needed to hold `rows`. */
  readonly of?: number | undefined;
}

/**
 * Features that lie in one array, such as the rates of the descending neurons.
 *
 * @param array `[n][columns]`; it is read, not copied.
 * @param columns Numbers a position.
 * @throws {RangeError} If the sizes do not fit, or a position is named twice.
 *
 * @example Rates that were kept for two positions only
 * ```ts
 * import { denseFeatures } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const rates = denseFeatures(new Float32Array([0.1, 0.2, 0.3, 0.4]), 2, { rows: Int32Array.of(7, 3) });
 * const out = new Float32Array(2);
 * rates.batch(Int32Array.of(3), out);
 * assert.deepEqual(out, new Float32Array([0.3, 0.4]));
 * ```
 */
export function denseFeatures(
  array: Float32Array | Float64Array,
  columns: number,
  options: DenseFeaturesOptions = {},
): FeatureSource {
  if (!Number.isInteger(columns) || columns < 1 || array.length % columns !== 0) {
    throw new RangeError(
      `Cannot read features: an array of ${array.length} numbers in ${columns} columns, whole rows are wanted`,
    );
  }
  const length = array.length / columns;
  const place = options.rows === undefined ? undefined : placesOf(options.rows, length, options.of);
  const rows = place?.length ?? options.of ?? length;
  return {
    rows,
    columns,
    batch(wanted, out) {
      for (let i = 0; i < wanted.length; i++) {
        const row = wanted[i]!;
        const at = place === undefined ? row : place[row] ?? -1;
        if (!(at >= 0 && at < length)) throw unknownRow(row, rows);
        const start = at * columns;
        for (let c = 0, to = i * columns; c < columns; c++) out[to + c] = array[start + c]!;
      }
    },
  };
}

function placesOf(rows: Int32Array, length: number, of = 0): Int32Array {
  if (rows.length !== length) {
    throw new RangeError(
      `Cannot read features: ${rows.length} positions for an array of ${length} rows, one each is wanted`,
    );
  }
  let last = -1;
  for (const row of rows) last = Math.max(last, row);
  const place = new Int32Array(Math.max(last + 1, of)).fill(-1);
  rows.forEach((row, at) => {
    if (row < 0 || place[row] !== -1) {
      throw new RangeError(
        `Cannot read features: position ${row} is named at row ${at}, each position from 0 once is wanted`,
      );
    }
    place[row] = at;
  });
  return place;
}

/**
 * No features at all, for a readout that never looks at the board (the blind baseline).
 *
 * @param rows How many positions.
 */
export function noFeatures(rows: number): FeatureSource {
  return { rows, columns: 0, batch: (wanted) => checkRows(wanted, rows) };
}

/**
 * The same numbers for every position: a silenced brain, whose eye gets no drive and whose rates therefore never
 * depend on the board. It goes through the very fit that a seeing brain goes through.
 *
 * @param vector `[columns]`: the rates.
 * @param rows How many positions.
 */
export function constantFeatures(vector: Float32Array | Float64Array, rows: number): FeatureSource {
  return {
    rows,
    columns: vector.length,
    batch(wanted, out) {
      checkRows(wanted, rows);
      for (let i = 0; i < wanted.length; i++) out.set(vector, i * vector.length);
    },
  };
}

function checkRows(wanted: Int32Array, rows: number): void {
  for (const row of wanted) if (row < 0 || row >= rows) throw unknownRow(row, rows);
}

function unknownRow(row: number, rows: number): RangeError {
  return new RangeError(
    `Cannot read features: position ${row} is not among them, one below ${rows} is wanted`,
  );
}
