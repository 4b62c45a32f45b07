/**
 * A worker for tests, as a process of its own that can be killed: takes jobs from the queue at the first argument, writes
 * to the folder at the second, and says what it does, a line a job.
 */
import { openBlockStore } from "../../lib/training/rates/block_store.ts";
import { workOnCache } from "../../lib/training/rates/cache_queue.ts";
import { fakeRates } from "./_fake_rates.ts";

const [redis = "", folder = "", name = ""] = Deno.args;
const controller = new AbortController();
Deno.addSignalListener("SIGTERM", () => controller.abort(new Error("told to stop")));
await workOnCache<{ milliseconds: number }>({
  redis,
  store: openBlockStore(folder),
  drain: true,
  lockSeconds: 2,
  signal: controller.signal,
  show: ({ milliseconds }, job, signal) => {
    console.log(`${name} takes ${job.block}`);
    return Promise.resolve(async (rows) => {
      // Killed anywhere in here.
      for (let slept = 0; slept < milliseconds; slept += 20) {
        signal?.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return fakeRates(rows, job.columns);
    });
  },
  onJob: (job, outcome) => console.log(`${name} ${outcome} ${job.block}`),
  onTrouble: (problem) => console.log(`${name} trouble ${problem}`),
});
Deno.exit(0);
