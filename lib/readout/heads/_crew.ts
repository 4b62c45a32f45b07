import { CONTROL } from "./_layout.ts";
import type { BenchSetup, HeadsJob } from "./_work.ts";

/** Starts threads on a memory. */
export function hire(count: number, setup: Omit<BenchSetup, "worker">): Worker[] {
  return Array.from({ length: count }, (_, worker) => {
    const each = new Worker(new URL("./_worker.ts", import.meta.url), { type: "module", name: "heads" });
    each.postMessage({ setup: { ...setup, worker } satisfies BenchSetup });
    return each;
  });
}

/**
 * Has all threads do a job together. An aborted signal stops them after the batch that they are at.
 *
 * @param report Called ten times a second.
 * @throws {Error} If one of them fails; the others then wait for it without end.
 */
export async function doTogether(
  workers: readonly Worker[],
  job: HeadsJob,
  control: Int32Array,
  signal: AbortSignal | undefined,
  report: () => void,
): Promise<void> {
  const stop = () => void Atomics.store(control, CONTROL.stop, 1);
  signal?.addEventListener("abort", stop);
  const timer = setInterval(report, 100);
  try {
    await Promise.all(workers.map((worker) =>
      new Promise<void>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<{ error: string | null }>) =>
          data.error === null ? resolve() : reject(new Error(`Cannot train heads: ${data.error}`));
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(`Cannot train heads: a worker died (${event.message})`));
        };
        worker.postMessage({ job });
      })
    ));
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
}
