/**
 * A chance to win as tenths of a percent: 100 times the chance, as a double, rounded to one decimal the way Python's
 * `round(x, 1)` does it, since ChessBench's users round so. That is the decimal nearest to the double's exact value;
 * where two are equally near, which only happens at x.25 and x.75 exactly, the one with the even digit: x.2 and x.8.
 *
 * @param probability From 0 to 1.
 * @returns From 0 to 1000.
 */
export function winTenths(probability: number): number {
  const percent = 100 * probability;
  const tenths = percent * 10;
  const below = Math.floor(tenths);
  // Multiplying by 10 rounds too: near the middle between two tenths it may land on the wrong side.
  if (Math.abs(tenths - below - 0.5) > 1e-9) return Math.round(tenths);
  if (percent * 4 === Math.floor(percent * 4)) return below + (below & 1);
  // `toFixed` compares exactly (ECMA-262, Number.prototype.toFixed).
  return Math.round(Number(percent.toFixed(1)) * 10);
}
