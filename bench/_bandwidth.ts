import { availableParallelism } from "node:os";

/** Bytes that each thread reads: far more than a cache holds. */
const BYTES = 256 * 2 ** 20;
const ROUNDS = 4;

const WORKER = `
  const words = new Float64Array(${BYTES / 8}).fill(1);
  const turn = () => {
    let a = 0, b = 0, c = 0, d = 0;
    for (let i = 0; i < words.length; i += 16) { a += words[i]; b += words[i + 4]; c += words[i + 8]; d += words[i + 12]; }
    return a + b + c + d;
  };
  turn();
  self.postMessage(0);
  self.onmessage = () => {
    let sum = 0;
    for (let round = 0; round < ${ROUNDS}; round++) sum += turn();
    self.postMessage(sum);
  };
`;

/**
 * How many bytes a second this machine reads from memory, all cores reading long arrays of their own: the most that
 * anything bound by memory could move.
 */
export async function measureBandwidth(): Promise<number> {
  const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(url, { type: "module" }));
  const answers = () =>
    Promise.all(workers.map((worker) =>
      new Promise((resolve) => {
        worker.onmessage = resolve;
      })
    ));
  try {
    await answers();
    const done = answers(), start = performance.now();
    for (const worker of workers) worker.postMessage(0);
    await done;
    return workers.length * ROUNDS * BYTES / ((performance.now() - start) / 1000);
  } finally {
    for (const worker of workers) worker.terminate();
    URL.revokeObjectURL(url);
  }
}
