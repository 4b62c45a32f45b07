/** The mean of numbers. */
export function mean(of: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < of.length; i++) sum += of[i]!;
  return sum / of.length;
}
