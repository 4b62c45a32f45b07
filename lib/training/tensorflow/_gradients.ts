import * as tf from "@tensorflow/tfjs-core";

/** Takes a change back through broadcasting: sums over what was repeated. */
function unbroadcast(change: tf.Tensor, like: tf.Tensor): tf.Tensor {
  const axes = tf.broadcast_util.getReductionAxes(like.shape, change.shape);
  return tf.reshape(axes.length === 0 ? change : tf.sum(change, axes), like.shape);
}

type TwoChanges = (
  change: tf.Tensor,
  a: tf.Tensor,
  b: tf.Tensor,
) => readonly [() => tf.Tensor, () => tf.Tensor];

/** Operations with two inputs that are broadcast. */
const BINARY: Readonly<Record<string, TwoChanges>> = {
  [tf.Add]: (change) => [() => change, () => change],
  [tf.Sub]: (change) => [() => change, () => tf.neg(change)],
  [tf.Multiply]: (change, a, b) => [() => tf.mul(change, b), () => tf.mul(change, a)],
  [tf.RealDiv]: (change, a, b) => [
    () => tf.div(change, b),
    () => tf.neg(tf.div(tf.mul(change, a), tf.square(b))),
  ],
  [tf.SquaredDifference]: (change, a, b) => [
    () => tf.mul(change, tf.mul(2, tf.sub(a, b))),
    () => tf.mul(change, tf.mul(2, tf.sub(b, a))),
  ],
};

/** Operations with one input x, from x. */
const OF_INPUT: Readonly<Record<string, (change: tf.Tensor, x: tf.Tensor) => tf.Tensor>> = {
  [tf.Neg]: (change) => tf.neg(change),
  [tf.Identity]: (change) => change,
  [tf.Cast]: (change) => change,
  [tf.Square]: (change, x) => tf.mul(change, tf.mul(2, x)),
  [tf.Log]: (change, x) => tf.div(change, x),
  [tf.Relu]: (change, x) => tf.mul(change, tf.step(x)),
  [tf.Softplus]: (change, x) => tf.mul(change, tf.sigmoid(x)),
  [tf.Reshape]: (change, x) => tf.reshape(change, x.shape),
};

/** Operations with one input, from their result y. */
const OF_OUTPUT: Readonly<Record<string, (change: tf.Tensor, y: tf.Tensor, axis: number) => tf.Tensor>> = {
  [tf.Exp]: (change, y) => tf.mul(change, y),
  [tf.Tanh]: (change, y) => tf.mul(change, tf.sub(1, tf.square(y))),
  [tf.Sigmoid]: (change, y) => tf.mul(change, tf.mul(y, tf.sub(1, y))),
  [tf.LogSoftmax]: (change, y, axis) => tf.sub(change, tf.mul(tf.sum(change, axis, true), tf.exp(y))),
};

let taught = false;

/**
 * Teaches TensorFlow.js the gradients of the operations that a readout and its loss are made of. Its package registers
 * none unless the whole bundle is loaded; what is registered already stays.
 */
export function teachGradients(): void {
  if (taught) return;
  taught = true;
  const register = (config: tf.GradConfig) => {
    if (tf.getGradient(config.kernelName) === undefined) tf.registerGradient(config);
  };
  for (const [kernelName, changes] of Object.entries(BINARY)) {
    register({
      kernelName,
      inputsToSave: ["a", "b"],
      gradFunc: (change, saved) => {
        const [a, b] = saved as [tf.Tensor, tf.Tensor];
        const [forA, forB] = changes(change as tf.Tensor, a, b);
        return { a: () => unbroadcast(forA(), a), b: () => unbroadcast(forB(), b) };
      },
    });
  }
  for (const [kernelName, back] of Object.entries(OF_INPUT)) {
    register({
      kernelName,
      inputsToSave: ["x"],
      gradFunc: (change, saved) => ({ x: () => back(change as tf.Tensor, saved[0]!) }),
    });
  }
  for (const [kernelName, back] of Object.entries(OF_OUTPUT)) {
    const name = kernelName === tf.LogSoftmax ? "logits" : "x";
    register({
      kernelName,
      outputsToSave: [true],
      // Attributes come only where an operation has some, whatever the type says.
      gradFunc: (change, saved, attrs?: tf.NamedAttrMap) => ({
        [name]: () => back(change as tf.Tensor, saved[0]!, (attrs?.["axis"] as number | undefined) ?? -1),
      }),
    });
  }
  for (const kernelName of [tf.Sum, tf.Mean]) {
    register({
      kernelName,
      inputsToSave: ["x"],
      gradFunc: (change, saved, attrs) => {
        const x = saved[0]!, shape = x.shape.slice();
        for (const axis of tf.util.parseAxisParam(attrs["axis"] as number | number[], shape)) shape[axis] = 1;
        const share = kernelName === tf.Mean ? (change as tf.Tensor).size / x.size : 1;
        return {
          x: () => tf.mul(tf.mul(tf.reshape(change as tf.Tensor, shape), share), tf.onesLike(x)),
        };
      },
    });
  }
  register({
    kernelName: tf.Transpose,
    gradFunc: (change, _, attrs) => {
      const order = attrs["perm"] as number[];
      return { x: () => tf.transpose(change as tf.Tensor, order.map((_, axis) => order.indexOf(axis))) };
    },
  });
  register({
    kernelName: tf.BatchMatMul,
    inputsToSave: ["a", "b"],
    gradFunc: (given, saved, attrs) => {
      const [a, b] = saved as [tf.Tensor, tf.Tensor], change = given as tf.Tensor;
      const { transposeA, transposeB } = attrs as { transposeA?: boolean; transposeB?: boolean };
      return {
        a: () =>
          transposeA ? tf.matMul(b, change, transposeB, true) : tf.matMul(change, b, false, !transposeB),
        b: () =>
          transposeB ? tf.matMul(change, a, true, transposeA) : tf.matMul(a, change, !transposeA, false),
      };
    },
  });
}
