"""TensorFlow: its CSR product, one operation after the other.

In a graph (`tf.function`) the same product took 1.4 to 6 times as long; the rest of a step is compiled (XLA), which pays
from 32 positions on.

`tf.sparse.sparse_dense_matmul`, the better known one, takes 2.7 times as long at 16 positions, uses one thread, and
slows down four times from 32 positions on. Neither knows a product that is taken only where connections are, so the
gradient for connections gathers both ends of all of them.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from peer import BIAS, GAIN, LEAK, LEARNING_RATE, WINDOW, serve


def make(brain, threads):
    scale, shift = (tf.unstack(tf.constant(part)) for part in brain.scale_and_shift())
    post = np.repeat(np.arange(brain.neurons, dtype=np.int64), np.diff(brain.row_start))
    indices = tf.constant(np.stack([post, brain.pre.astype(np.int64)], 1))
    shape = (brain.neurons, brain.neurons)

    def matrix(places, values):
        return tf.raw_ops.SparseTensorToCSRSparseMatrix(indices=places, values=values, dense_shape=shape)

    def times(weights, rates):
        return tf.raw_ops.SparseMatrixMatMul(a=weights, b=rates)

    def forward(batch):
        x, weights = tf.constant(brain.seen(batch)), matrix(indices, tf.constant(brain.weight))

        def settle(u, rates, scale, shift):
            return (1 - LEAK) * rates + LEAK * tf.nn.relu(tf.tanh(u * scale + shift))

        if batch >= 32:
            settle = tf.function(settle, jit_compile=True)

        def think():
            rates = settle(x, tf.zeros_like(x), scale[0], shift[0])
            for t in range(1, brain.steps):
                rates = settle(times(weights, rates) + x, rates, scale[t], shift[t])
            return tf.gather(rates, brain.output).numpy()

        return think

    def train(batch):
        x, error = tf.constant(brain.seen(batch)), tf.constant(brain.output_error(batch))
        mean = tf.constant(brain.mean.astype(np.float32)[:, :, None])
        inverse = tf.constant((1 / brain.spread).astype(np.float32)[:, :, None])
        sign = tf.constant(brain.sign.astype(np.float32))
        theta = tf.Variable(brain.theta)
        gain = tf.Variable(tf.fill([brain.neurons, 1], GAIN))
        bias = tf.Variable(tf.fill([brain.neurons, 1], BIAS))
        groups = [theta, gain, bias]
        learner = tf.keras.optimizers.Adam(LEARNING_RATE)
        learner.build(groups)

        order = np.argsort(brain.pre, kind="stable")
        turned = tf.constant(np.stack([brain.pre[order].astype(np.int64), post[order]], 1))
        senders, receivers, order = tf.constant(brain.pre), tf.constant(post), tf.constant(order)

        @tf.custom_gradient
        def product(values, weights, back, rates):
            def gradient(error):
                ends = tf.gather(error, receivers), tf.gather(rates, senders)
                return tf.einsum("kb,kb->k", *ends), None, None, times(back, error)

            return times(weights, rates), gradient

        def step(multiply, rates, t):
            u = x if t == 0 else multiply(rates) + x
            z = gain * ((u - mean[t]) * inverse[t]) + bias
            return (1 - LEAK) * rates + LEAK * tf.nn.relu(tf.tanh(z))

        def learn():
            rates = tf.zeros_like(x)
            values = sign * tf.nn.softplus(theta)
            weights = matrix(indices, values)
            back = matrix(turned, tf.gather(values, order))
            for t in range(brain.steps - WINDOW):
                rates = step(lambda r: times(weights, r), rates, t)
            with tf.GradientTape() as tape:
                values = sign * tf.nn.softplus(theta)
                for t in range(brain.steps - WINDOW, brain.steps):
                    rates = step(lambda r: product(values, weights, back, r), rates, t)
                loss = tf.reduce_sum(tf.gather(rates, brain.output) * error)
            gradients = tape.gradient(loss, groups)
            learner.apply_gradients((tf.clip_by_norm(g, 1.0), group) for g, group in zip(gradients, groups))
            return gradients[0].numpy()

        return learn

    return {"forward": forward, "train": train}


if __name__ == "__main__":
    tf.config.threading.set_intra_op_parallelism_threads(int(sys.argv[2]))
    tf.config.threading.set_inter_op_parallelism_threads(1)
    serve("tensorflow", {"tensorflow": tf.__version__, "numpy": np.__version__}, make)
