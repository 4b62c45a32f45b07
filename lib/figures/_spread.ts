/** Moves names apart that would stand on each other, as little as needed, in their order. */
export function spread<T extends { readonly y: number }>(items: readonly T[], gap: number): T[] {
  const sorted = [...items].sort((a, b) => a.y - b.y).map((item) => ({ ...item }));
  for (let round = 0; round < 50; round++) {
    for (let i = 1; i < sorted.length; i++) {
      const one = sorted[i - 1]!, other = sorted[i]!, short = gap - (other.y - one.y);
      if (short <= 1e-9 * gap) continue;
      sorted[i - 1] = { ...one, y: one.y - short / 2 };
      sorted[i] = { ...other, y: other.y + short / 2 };
    }
  }
  return sorted;
}
