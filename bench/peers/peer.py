"""What every peer shares: the brain as arrays, and a loop that measures when asked.

A peer is started by `bench/peers.ts` as `python peer_NAME.py FOLDER THREADS`. The folder holds

    connectome.arrow    the wiring, one row a neuron (written by saveConnectome)
    homeostasis.arrow   columns `mean`, `spread`: [steps][neurons], float64
    drive.arrow         column `neuron`: for every position, the neurons that see something
    error.arrow         column `error`: [positions][outputs], what the training step walks back

It reads one request a line from standard input, as JSON, and answers each with one line of JSON. Files of answers
are raw little-endian float32.
"""

import json
import os
import sys
import time
from dataclasses import dataclass

import numpy as np
import pyarrow.ipc

LEAK = 0.5
GAIN = 0.5
BIAS = 0.3
WINDOW = 6
LEARNING_RATE = 1e-4
WEAKEST = 1e-4
"""No connection starts weaker than this."""


@dataclass
class Brain:
    """A frozen brain: rows are receiving neurons."""

    neurons: int
    steps: int
    row_start: np.ndarray
    pre: np.ndarray
    strength: np.ndarray
    """[connections], above 0."""
    sign: np.ndarray
    """[connections]: the sender's."""
    output: np.ndarray
    mean: np.ndarray
    """[steps, neurons]."""
    spread: np.ndarray
    """[steps, neurons]."""
    drive: list
    """For every position, the driven neurons."""
    error: np.ndarray
    """[positions, outputs]."""

    @property
    def weight(self):
        """[connections], float32."""
        return (self.sign * self.strength).astype(np.float32)

    @property
    def theta(self):
        """[connections], float32: softplus(theta) is the strength."""
        return (self.strength + np.log(-np.expm1(-self.strength))).astype(np.float32)

    def seen(self, batch):
        """[neurons, batch], float32: what the eye adds; positions repeat where there are not as many."""
        x = np.zeros((self.neurons, batch), np.float32)
        for at in range(batch):
            x[self.drive[at % len(self.drive)], at] = 1
        return x

    def scale_and_shift(self):
        """Homeostasis, gain and bias as one multiply-add a step: [steps, neurons, 1] each, float32."""
        scale = GAIN / self.spread
        shift = BIAS - scale * self.mean
        return scale.astype(np.float32)[:, :, None], shift.astype(np.float32)[:, :, None]

    def output_error(self, batch):
        """[outputs, batch], float32."""
        rows = np.arange(batch) % len(self.error)
        return np.ascontiguousarray(self.error[rows].T)


def read_brain(folder):
    """Reads a brain and works out how strong its connections are: their share of the log synapse counts."""

    def table(name):
        with pyarrow.memory_map(os.path.join(folder, name)) as source:
            return pyarrow.ipc.open_file(source).read_all()

    def column(of, name):
        return of[name].combine_chunks()

    wiring = table("connectome.arrow")
    received = column(wiring, "pre")
    row_start = received.offsets.to_numpy()
    pre = received.values.to_numpy()
    logs = np.log1p(column(wiring, "synapses").values.to_numpy().astype(np.float64))
    rows = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    totals = np.bincount(rows, logs, minlength=len(row_start) - 1)
    neurons = len(row_start) - 1
    homeostasis = table("homeostasis.arrow")
    output = np.flatnonzero(column(wiring, "output").to_numpy(zero_copy_only=False))
    lit = column(table("drive.arrow"), "neuron")
    starts, lit = lit.offsets.to_numpy(), lit.values.to_numpy()
    return Brain(
        neurons=neurons,
        steps=homeostasis.num_rows // neurons,
        row_start=row_start,
        pre=pre,
        strength=np.maximum(logs / totals[rows], WEAKEST),
        sign=column(wiring, "sign").to_numpy()[pre],
        output=output,
        mean=column(homeostasis, "mean").to_numpy().reshape(-1, neurons),
        spread=column(homeostasis, "spread").to_numpy().reshape(-1, neurons),
        drive=[lit[a:b] for a, b in zip(starts[:-1], starts[1:])],
        error=column(table("error.arrow"), "error").to_numpy().reshape(-1, len(output)),
    )


def serve(name, versions, make):
    """Answers requests until standard input ends.

    `make(brain, threads)` gives the things that this peer can do: a dictionary from `forward` or `train` to a function of
    the batch that gives a function without arguments. The latter does the work once; `forward` gives the outputs' rates
    [outputs, batch], `train` the gradient of theta [connections].
    """
    folder, threads = sys.argv[1], int(sys.argv[2])
    brain = read_brain(folder)
    can = make(brain, threads)
    ready = {}
    print(json.dumps({"ready": name, "versions": versions, "can": sorted(can)}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        key = (request["do"], request["batch"])
        if key not in ready:
            # One at a time: what a training step keeps is large.
            ready.clear()
            ready[key] = can[request["do"]](request["batch"])
            answers = ready[key]()
            if "answers" in request:
                np.ascontiguousarray(answers, dtype="<f4").tofile(request["answers"])
        act = ready[key]
        done, start, processor = 0, time.perf_counter(), time.process_time()
        while done == 0 or time.perf_counter() - start < request["seconds"]:
            act()
            done += request["batch"]
        print(
            json.dumps(
                {
                    "positions": done,
                    "seconds": time.perf_counter() - start,
                    "processorSeconds": time.process_time() - processor,
                }
            ),
            flush=True,
        )
