/** Rates that follow from the row, so that a test knows what a block must hold. */
export function fakeRates(rows: Int32Array, columns: number): Uint8Array {
  return Uint8Array.from(
    { length: rows.length * columns },
    (_, i) => rows[Math.floor(i / columns)]! * 31 + i % columns,
  );
}
