import { workOnCache } from "../lib/training/mod.ts";
import { BrainShelf, type CacheRecipe } from "./_cache_brain.ts";
import { QUEUE_HELP, QUEUE_OPTIONS, readQueue, readStore, S3_HELP } from "./_cache_options.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";

/** `fly cache worker`. */
export const command: Command = {
  name: "cache worker",
  summary: "take blocks from the queue, show them to the brain, write the rates to the store",
  help: `
Usage: deno task fly cache worker [options]

Works until Ctrl-C or SIGTERM, which give its block back at once. Start as many as you like, on as many machines; kill
them when you like: a block that a killed worker had begun goes to another one after half a minute, and every block is
written once.

${QUEUE_HELP}
  --drain            end when the queue is empty
  --lock SECONDS     a worker silent for so long loses its block (30)

${S3_HELP}

Example: deno task fly cache worker --redis redis://10.0.0.5:6379 --store /mnt/shared/cache`,

  async run(args) {
    const { values } = readOptions(args, {
      ...QUEUE_OPTIONS,
      drain: { type: "boolean", default: false },
      lock: { type: "string", default: "30" },
    });
    const lockSeconds = readNumber("lock", values.lock, { least: 1 });
    const store = readStore(values.store);
    const queue = readQueue(values);
    const stop = new AbortController();
    const end = () => stop.abort(new DOMException("Interrupted", "AbortError"));
    Deno.addSignalListener("SIGINT", end);
    Deno.addSignalListener("SIGTERM", end);
    await using shelf = new BrainShelf();
    console.log(
      `Waiting for blocks of '${queue.queue}' at ${new URL(queue.redis).host}, writing to ${store.address}`,
    );
    try {
      const { done, failed } = await workOnCache<CacheRecipe>({
        ...queue,
        store,
        lockSeconds,
        drain: values.drain,
        signal: stop.signal,
        show: (recipe, job, signal) => shelf.show(recipe, job, { signal }),
        onJob: ({ block, rows }, outcome, seconds) => {
          const speed = Math.round(rows / seconds).toLocaleString("en-US");
          const detail = outcome === "filled" ? `, ${speed} positions a second` : "";
          console.log(`${block}: ${outcome}, ${seconds.toFixed(1)} s${detail}`);
        },
        onTrouble: (problem) => console.error(problem),
      });
      console.log(`${done.toLocaleString("en-US")} blocks done`);
      if (failed > 0) {
        throw new Error(`${failed} blocks failed three times; 'fly cache enqueue' tries them again`);
      }
    } finally {
      Deno.removeSignalListener("SIGINT", end);
      Deno.removeSignalListener("SIGTERM", end);
    }
  },
};
