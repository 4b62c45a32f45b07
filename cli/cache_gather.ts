import { loadPositions } from "../lib/data/mod.ts";
import { JOB_ROWS, planCacheJobs, showFromStore } from "../lib/training/mod.ts";
import { RatesCache } from "../lib/training/rates/rates_cache.ts";
import { awaken } from "./_cache_brain.ts";
import { BRAIN_HELP, BRAIN_OPTIONS, readBrain, readStore, S3_HELP } from "./_cache_options.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";

/** `fly cache gather`. */
export const command: Command = {
  name: "cache gather",
  summary: "bring the blocks of all workers into a cache on this machine, ready to be fitted on",
  help: `
Usage: deno task fly cache gather --connectome FILE --cache FOLDER [options] POSITIONS...

Reads the blocks that workers wrote, checks their SHA-256 and fills a cache of rates with them, as if this machine had
shown the positions to the brain itself. The brain is made only to be sure that it is the same one.

${BRAIN_HELP}
  --rows N           rows of a block, as they were enqueued (${JOB_ROWS})
  --store PLACE      where the blocks are: a folder, or s3://BUCKET/PREFIX (FLYCHESS_STORE, else data/cache-store)
  --cache FOLDER     the cache to be filled

${S3_HELP}

Example: deno task fly cache gather --connectome data/fly.arrow --cache data/cache data/positions.arrow`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      ...BRAIN_OPTIONS,
      rows: { type: "string", default: String(JOB_ROWS) },
      store: { type: "string" },
      cache: { type: "string" },
    }, ["POSITIONS..."]);
    if (!values.cache) throw new UsageError("--cache FOLDER is wanted");
    const rows = readNumber("rows", values.rows, { whole: true, least: 1 });
    const recipe = readBrain(values, positionals);
    const store = readStore(values.store);
    const signal = interruptSignal();
    using bars = new ProgressBars();
    const work = { signal, onProgress: bars.report };
    let setup;
    {
      await using awake = await awaken(recipe, work);
      ({ setup } = awake);
    }
    using cache = await RatesCache.open(values.cache, setup);
    for (const path of positionals) {
      const positions = await loadPositions(path);
      await cache.fill(
        positions,
        showFromStore(planCacheJobs(positions, setup, { rows }), store, signal),
        work,
      );
    }
    bars[Symbol.dispose]();
    const held = cache.blocks.reduce((sum, { rows }) => sum + rows, 0);
    console.log(
      `${values.cache}: ${held.toLocaleString("en-US")} positions, ${(cache.bytes / 1e9).toFixed(2)} GB`,
    );
  },
};
