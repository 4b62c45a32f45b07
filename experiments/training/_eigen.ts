/** Sweeps over all pairs; a matrix of a hundred rows is done after about ten. */
const SWEEPS = 60;

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations (Golub and Van Loan, Matrix Computations,
 * section 8.5), largest first. For matrices of a few hundred rows.
 *
 * @param matrix `[size][size]`, not changed.
 * @returns `vectors[k]` belongs to `values[k]`; each has length 1 and its largest component is positive.
 */
export function symmetricEigen(
  matrix: readonly ArrayLike<number>[],
): { readonly values: number[]; readonly vectors: Float64Array[] } {
  const size = matrix.length;
  const a = matrix.map((row) => Float64Array.from(row));
  const v = Array.from({ length: size }, (_, i) => new Float64Array(size).fill(0).fill(1, i, i + 1));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0, all = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        all += a[i]![j]! ** 2;
        if (i !== j) off += a[i]![j]! ** 2;
      }
    }
    if (off <= 1e-30 * all) break;
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) {
        const apq = a[p]![q]!;
        if (apq === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * apq);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1), s = t * c;
        for (let k = 0; k < size; k++) {
          const akp = a[k]![p]!, akq = a[k]![q]!;
          a[k]![p] = c * akp - s * akq;
          a[k]![q] = s * akp + c * akq;
        }
        for (let k = 0; k < size; k++) {
          const apk = a[p]![k]!, aqk = a[q]![k]!;
          a[p]![k] = c * apk - s * aqk;
          a[q]![k] = s * apk + c * aqk;
          const vkp = v[k]![p]!, vkq = v[k]![q]!;
          v[k]![p] = c * vkp - s * vkq;
          v[k]![q] = s * vkp + c * vkq;
        }
      }
    }
  }
  const order = Array.from(a.keys()).sort((i, j) => a[j]![j]! - a[i]![i]!);
  return {
    values: order.map((i) => a[i]![i]!),
    vectors: order.map((i) => {
      const vector = Float64Array.from(v, (row) => row[i]!);
      const largest = vector.reduce((most, each) => Math.abs(each) > Math.abs(most) ? each : most, 0);
      return largest < 0 ? vector.map((each) => -each) : vector;
    }),
  };
}
