"""SciPy: CSR times dense, rows split over threads (its product lets go of the interpreter's lock)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import scipy
from scipy.sparse import csr_matrix

from peer import LEAK, serve


def make(brain, threads):
    pool = ThreadPoolExecutor(threads)
    scale, shift = brain.scale_and_shift()
    # As many connections for each thread.
    cuts = np.searchsorted(brain.row_start, np.linspace(0, len(brain.pre), threads + 1)[1:-1])
    bounds = [0, *cuts.tolist(), brain.neurons]
    parts = []
    for low, high in zip(bounds[:-1], bounds[1:]):
        a, b = brain.row_start[low], brain.row_start[high]
        part = csr_matrix((high - low, brain.neurons), dtype=np.float32)
        part.data, part.indices = brain.weight[a:b], brain.pre[a:b]
        part.indptr = brain.row_start[low : high + 1] - a
        parts.append((low, high, part))

    def forward(batch):
        x = brain.seen(batch)

        def think():
            before, after = np.zeros_like(x), np.empty_like(x)

            def step(part, t):
                low, high, weights = part
                u = x[low:high].copy() if t == 0 else weights @ before
                if t > 0:
                    u += x[low:high]
                u *= scale[t, low:high]
                u += shift[t, low:high]
                np.tanh(u, out=u)
                np.maximum(u, 0, out=u)
                u *= LEAK
                np.multiply(before[low:high], 1 - LEAK, out=after[low:high])
                after[low:high] += u

            for t in range(brain.steps):
                list(pool.map(lambda part: step(part, t), parts))
                before, after = after, before
            return before[brain.output]

        return think

    return {"forward": forward}


if __name__ == "__main__":
    serve("scipy", {"scipy": scipy.__version__, "numpy": np.__version__}, make)
