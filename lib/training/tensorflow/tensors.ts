/**
 * A tensor of TensorFlow.js.
 *
 * @internal TensorFlow.js documents what it can do.
 */
export type Tensor = import("@tensorflow/tfjs-core").Tensor;

/**
 * A tensor of TensorFlow.js with rows and columns.
 *
 * @internal TensorFlow.js documents what it can do.
 */
export type Tensor2D = import("@tensorflow/tfjs-core").Tensor2D;

/**
 * One number, as a tensor of TensorFlow.js.
 *
 * @internal TensorFlow.js documents what it can do.
 */
export type Scalar = import("@tensorflow/tfjs-core").Scalar;
