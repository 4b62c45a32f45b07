/**
 * Solves `matrix x = right` for a symmetric positive definite matrix (Cholesky).
 *
 * @param matrix `[size][size]`; only the lower half is read, and it is overwritten.
 * @param right `[size]`; overwritten with the solution.
 * @returns Whether the matrix was positive definite; if not, `right` is of no use.
 */
export function solvePositive(matrix: Float64Array, right: Float64Array): boolean {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i * size + k]! * matrix[j * size + k]!;
      if (i !== j) {
        matrix[i * size + j] = sum / matrix[j * size + j]!;
      } else {
        if (!(sum > 0)) return false;
        matrix[i * size + i] = Math.sqrt(sum);
      }
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * right[k]!;
    right[i] = sum / matrix[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < size; k++) sum -= matrix[k * size + i]! * right[k]!;
    right[i] = sum / matrix[i * size + i]!;
  }
  return true;
}
