"""PyTorch: CSR times dense through Intel's MKL, everything else in place."""

import warnings

import numpy as np
import torch
from torch.nn.functional import softplus

from peer import BIAS, GAIN, LEAK, LEARNING_RATE, WINDOW, serve

warnings.filterwarnings("ignore", message="Sparse (CSR|invariant)")


def csr(row_start, columns, values, neurons):
    return torch.sparse_csr_tensor(row_start, columns, values, (neurons, neurons), check_invariants=False)


class Product(torch.autograd.Function):
    """W r, with a gradient for r and for every connection that is there.

    The connections' gradient is taken for all steps of the window at once, when the walk back comes to the first of them:
    one pass over the connections costs 2.1 times less than one a step (16 positions, 6 steps).
    """

    @staticmethod
    def forward(context, values, rates, wiring, slot):
        context.save_for_backward(values)
        context.wiring, context.slot, context.batch = wiring, slot, rates.shape[1]
        wiring.rates[:, slot * rates.shape[1] : (slot + 1) * rates.shape[1]] = rates
        return wiring.matrix(values) @ rates

    @staticmethod
    def backward(context, error):
        (values,) = context.saved_tensors
        wiring, slot, batch = context.wiring, context.slot, context.batch
        wiring.errors[:, slot * batch : (slot + 1) * batch] = error
        by_connection, back = None, None
        if slot == 0:
            found = torch.sparse.sampled_addmm(wiring.zeros, wiring.errors, wiring.rates.t(), beta=0.0)
            by_connection = found.values()
        if context.needs_input_grad[1]:
            back = wiring.transposed(values) @ error
        return by_connection, back, None, None


class Wiring:
    """The connections by receiver and by sender, and what a training step keeps of its window."""

    def __init__(self, brain, batch):
        self.neurons = brain.neurons
        self.rates = torch.empty(brain.neurons, WINDOW * batch)
        self.errors = torch.empty(brain.neurons, WINDOW * batch)
        self.row_start = torch.from_numpy(brain.row_start.copy())
        self.pre = torch.from_numpy(brain.pre.copy())
        post = np.repeat(np.arange(brain.neurons, dtype=np.int32), np.diff(brain.row_start))
        order = np.argsort(brain.pre, kind="stable")
        self.order = torch.from_numpy(order)
        self.post = torch.from_numpy(post[order])
        sent = np.zeros(brain.neurons + 1, np.int32)
        sent[1:] = np.cumsum(np.bincount(brain.pre, minlength=brain.neurons))
        self.column_start = torch.from_numpy(sent)
        self.zeros = self.matrix(torch.zeros(len(brain.pre)))
        self._back = None

    def matrix(self, values):
        return csr(self.row_start, self.pre, values, self.neurons)

    def transposed(self, values):
        # The same for all steps of one walk back.
        if self._back is None or self._back[0] is not values:
            self._back = (values, csr(self.column_start, self.post, values[self.order], self.neurons))
        return self._back[1]

    def forget(self):
        self._back = None


def make(brain, threads):
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    scale, shift = (torch.from_numpy(part) for part in brain.scale_and_shift())
    output = torch.from_numpy(brain.output)

    def forward(batch):
        weights = csr(
            torch.from_numpy(brain.row_start.copy()),
            torch.from_numpy(brain.pre.copy()),
            torch.from_numpy(brain.weight),
            brain.neurons,
        )
        x = torch.from_numpy(brain.seen(batch))
        rates, u = torch.empty_like(x), torch.empty_like(x)

        @torch.inference_mode()
        def think():
            rates.zero_()
            for t in range(brain.steps):
                if t == 0:
                    u.copy_(x)
                else:
                    torch.addmm(x, weights, rates, out=u)
                u.mul_(scale[t]).add_(shift[t]).tanh_().clamp_min_(0)
                rates.lerp_(u, LEAK)
            return rates[output].numpy()

        return think

    def train(batch):
        wiring = Wiring(brain, batch)
        x, error = torch.from_numpy(brain.seen(batch)), torch.from_numpy(brain.output_error(batch))
        mean = torch.from_numpy(brain.mean.astype(np.float32))[:, :, None]
        inverse = torch.from_numpy((1 / brain.spread).astype(np.float32))[:, :, None]
        sign = torch.from_numpy(brain.sign.astype(np.float32))
        theta = torch.from_numpy(brain.theta).requires_grad_()
        gain = torch.full((brain.neurons, 1), GAIN, requires_grad=True)
        bias = torch.full((brain.neurons, 1), BIAS, requires_grad=True)
        learner = torch.optim.Adam([theta, gain, bias], lr=LEARNING_RATE, fused=True)

        def learn():
            learner.zero_grad()
            with torch.no_grad():
                matrix = wiring.matrix(sign * softplus(theta))
                rates, u = torch.zeros_like(x), torch.empty_like(x)
                for t in range(brain.steps - WINDOW):
                    if t == 0:
                        u.copy_(x)
                    else:
                        torch.addmm(x, matrix, rates, out=u)
                    u.sub_(mean[t]).mul_(inverse[t]).mul_(gain).add_(bias).tanh_().clamp_min_(0)
                    rates.lerp_(u, LEAK)
            values = sign * softplus(theta)
            for t in range(brain.steps - WINDOW, brain.steps):
                u = Product.apply(values, rates, wiring, t - (brain.steps - WINDOW)) + x
                z = torch.addcmul(bias, gain, (u - mean[t]) * inverse[t])
                rates = torch.lerp(rates, torch.relu(torch.tanh(z)), LEAK)
            (rates[output] * error).sum().backward()
            wiring.forget()
            found = theta.grad.numpy().copy() if first else None
            for group in (theta, gain, bias):
                torch.nn.utils.clip_grad_norm_([group], 1.0)
            learner.step()
            first.clear()
            return found

        first = [True]
        return learn

    return {"forward": forward, "train": train}


if __name__ == "__main__":
    serve("pytorch", {"torch": torch.__version__, "mkl": str(torch.backends.mkl.is_available())}, make)
