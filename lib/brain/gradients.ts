/** What the backward pass finds, summed over the positions and the steps it walked. */
export interface BrainGradients {
  /** `[connections]`: dL / d theta. */
  readonly theta: Float32Array | Float64Array;
  /** `[neurons]`: dL / d gain. */
  readonly gain: Float64Array;
  /** `[neurons]`: dL / d bias. */
  readonly bias: Float64Array;
  /** Step (1 to `steps`) to `[positions][neurons]`: dL / du at that step. Only the steps walked are there. */
  readonly blame: ReadonlyMap<number, Float32Array | Float64Array>;
  /**
   * For each entry of the drive, in the order of its `neuron`: dL / dx, how the loss changes with what the eye adds to
   * that neuron for that position. There only if asked for.
   */
  readonly drive?: Float64Array;
}

/**
 * dL / d theta from dL / dW, in place: dW / d theta = sign * sigmoid(theta), and sigmoid(theta) = 1 - e^-softplus(theta)
 * (reference, section 6).
 *
 * @param gradient `[connections]`: dL / dW.
 * @param weight `[connections]`: W.
 */
export function thetaGradient<T extends Float32Array | Float64Array>(
  gradient: T,
  weight: Float32Array | Float64Array,
): T {
  for (let k = 0; k < gradient.length; k++) {
    gradient[k]! *= Math.sign(weight[k]!) * -Math.expm1(-Math.abs(weight[k]!));
  }
  return gradient;
}
