import { loadPositions } from "../lib/data/mod.ts";
import {
  countCacheJobs,
  enqueueCacheJobs,
  JOB_ROWS,
  planCacheJobs,
  setupDigest,
} from "../lib/training/mod.ts";
import { awaken } from "./_cache_brain.ts";
import {
  BRAIN_HELP,
  BRAIN_OPTIONS,
  QUEUE_HELP,
  QUEUE_OPTIONS,
  readBrain,
  readQueue,
  readStore,
  S3_HELP,
} from "./_cache_options.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";

/** `fly cache enqueue`. */
export const command: Command = {
  name: "cache enqueue",
  summary: "put positions in a queue, for workers on several machines to show to the brain",
  help: `
Usage: deno task fly cache enqueue --connectome FILE [options] POSITIONS...

Cuts positions files into blocks of rows and puts each block whose rates the store does not have into a queue. Workers
('fly cache worker') fill them. Called again, it adds nothing twice and puts failed blocks in anew.

${BRAIN_HELP}
  --rows N           rows of a block (${JOB_ROWS})
${QUEUE_HELP}

File names are looked up by every worker from its own current folder: give names that fit there.
${S3_HELP}

Example: deno task fly cache enqueue --connectome data/fly.arrow --store /mnt/shared/cache data/positions.arrow`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      ...BRAIN_OPTIONS,
      ...QUEUE_OPTIONS,
      rows: { type: "string", default: String(JOB_ROWS) },
    }, ["POSITIONS..."]);
    const rows = readNumber("rows", values.rows, { whole: true, least: 1 });
    const recipe = readBrain(values, positionals);
    const queue = readQueue(values);
    const store = readStore(values.store);
    const signal = interruptSignal();
    // Before a minute of calibration: is the server there?
    await countCacheJobs(queue);
    let setup;
    {
      using bars = new ProgressBars();
      await using awake = await awaken(recipe, { signal, onProgress: bars.report });
      ({ setup } = awake);
    }
    let blocks = 0, enqueued = 0, there = 0;
    for (const path of positionals) {
      const jobs = planCacheJobs(await loadPositions(path), setup, { rows });
      const full = { ...recipe, positions: path, setup: setupDigest(setup) };
      const result = await enqueueCacheJobs(jobs, full, { ...queue, store, signal });
      blocks += jobs.length;
      enqueued += result.enqueued;
      there += result.there;
    }
    const counts = await countCacheJobs(queue);
    const number = (value: number) => value.toLocaleString("en-US");
    console.log(
      `${number(blocks)} blocks: ${number(enqueued)} in the queue, ${number(there)} in ${store.address}`,
    );
    console.log(
      `The queue: ${number(counts.waiting)} waiting, ${number(counts.active)} being filled, ` +
        `${number(counts.done)} done, ${number(counts.failed)} failed`,
    );
  },
};
