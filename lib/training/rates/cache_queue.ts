import type { JobsOptions, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { DataError, digest, type LongWork } from "../../common/mod.ts";
import type { BlockStore } from "./block_store.ts";
import { type CacheJob, doCacheJob, type JobOutcome } from "./cache_jobs.ts";
import type { ShowRows } from "./rates_cache.ts";

/** A queue of cache jobs on a Redis or Valkey server. */
export interface QueueSettings {
  /** The server, for example `redis://localhost:6379`. */
  readonly redis: string;
  /** The queue's name there; `flychess-cache` by default. */
  readonly queue?: string | undefined;
}

/** How workers take jobs and lose them. */
export interface WorkerOptions<R> extends QueueSettings, LongWork {
  /** Where blocks go. */
  readonly store: BlockStore;
  /** Makes of a recipe what gives rates; called for every job. */
  readonly show: (recipe: R, job: CacheJob, signal: AbortSignal | undefined) => Promise<ShowRows>;
  /** Whether to end when nothing is left in the queue, instead of waiting for more; false by default. */
  readonly drain?: boolean;
  /** A worker that gives no sign of life for so many seconds loses its job to another; 30 by default. */
  readonly lockSeconds?: number;
  /** Told of every job that was done. */
  readonly onJob?: (job: CacheJob, outcome: JobOutcome, seconds: number) => void;
  /** Told of jobs that failed (each is tried three times) and of a server that cannot be reached. */
  readonly onTrouble?: (problem: string) => void;
}

/** The queue's name where none is given. */
export const CACHE_QUEUE = "flychess-cache";

/** Errors may pass (a folder that is not mounted yet); killed workers do not count as tries. */
const JOB_OPTIONS: JobsOptions = { attempts: 3, backoff: { type: "exponential", delay: 2000 } };

/** What is written in the queue. */
interface QueuedJob<R> {
  readonly job: CacheJob;
  readonly recipe: R;
}

/** How many jobs a queue has. */
export interface QueueCounts {
  /** Jobs nobody works on. */
  readonly waiting: number;
  /** Jobs being done. */
  readonly active: number;
  /** Jobs done. */
  readonly done: number;
  /** Jobs that failed three times. */
  readonly failed: number;
}

/**
 * Puts jobs in the queue whose blocks the store does not have. A job that is there is not put in twice; one that failed
 * is tried again.
 *
 * @param jobs The jobs.
 * @param recipe Whatever workers need to know to fill them; plain JSON.
 * @param settings The queue, and the store.
 * @returns How many are in the queue now because of this call, and how many were done before.
 * @throws {Error} If the server cannot be reached.
 */
export async function enqueueCacheJobs<R>(
  jobs: readonly CacheJob[],
  recipe: R,
  settings: QueueSettings & { readonly store: BlockStore } & LongWork,
): Promise<{ enqueued: number; there: number }> {
  await using open = await openQueue<R>(settings);
  const { queue } = open;
  let enqueued = 0;
  let there = 0;
  for (const job of jobs) {
    settings.signal?.throwIfAborted();
    const progress = { task: "enqueuing", done: enqueued + there, total: jobs.length, unit: "blocks" };
    settings.onProgress?.(progress);
    if (await settings.store.has(job.block, settings.signal)) {
      there++;
      continue;
    }
    enqueued++;
    // The name may hold characters that an id may not.
    const jobId = digest([job.block]);
    const known = await queue.getJob(jobId);
    if (known !== undefined) {
      // Done, yet without a block: somebody deleted it. Failed: the reason may have passed.
      if (!await known.isCompleted() && !await known.isFailed()) continue;
      await known.remove();
    }
    await queue.add("fill", { job, recipe }, { ...JOB_OPTIONS, jobId });
  }
  settings.onProgress?.({ task: "enqueuing", done: jobs.length, total: jobs.length, unit: "blocks" });
  return { enqueued, there };
}

/** How many jobs a queue has. */
export async function countCacheJobs(settings: QueueSettings): Promise<QueueCounts> {
  await using open = await openQueue<unknown>(settings);
  return await countsOf(open.queue);
}

/**
 * Takes jobs from the queue and does them, one at a time, until it is told to stop. When it is killed, its job goes to
 * another worker after `lockSeconds`; when it is told to stop, at once.
 *
 * @param options The queue, the store, what gives rates, and when to end.
 * @returns How many jobs it did and how many failed for good while it watched.
 * @throws {DataError} If this machine's files do not fit a job; the job goes back to the queue for others.
 * @throws {Error} If the server cannot be reached at the start; later it waits for it to come back.
 */
export async function workOnCache<R>(options: WorkerOptions<R>): Promise<{ done: number; failed: number }> {
  const { signal, store, show, drain = false, lockSeconds = 30, onJob, onTrouble } = options;
  await using open = await openQueue<R>(options);
  const { queue, connection } = open;
  const { Worker, WaitingError } = await import("bullmq");
  let done = 0;
  let failed = 0;
  let busy = false;
  let unfit: DataError | undefined;
  const worker = new Worker<QueuedJob<R>>(
    queue.name,
    async (queued, token) => {
      busy = true;
      const started = performance.now();
      const { job, recipe } = queued.data;
      try {
        signal?.throwIfAborted();
        const rows = await show(recipe, job, signal);
        const outcome = await doCacheJob(job, store, rows, signal);
        done++;
        onJob?.(job, outcome, (performance.now() - started) / 1000);
      } catch (error) {
        // Wrong files or another brain: this worker is of no use, and would only spoil jobs that others can do.
        if (error instanceof DataError) unfit = error;
        else if (!signal?.aborted) throw error;
        // Given back at once, and not as a failed try.
        await queued.moveToWait(token);
        throw new WaitingError();
      } finally {
        busy = false;
      }
    },
    {
      connection,
      concurrency: 1,
      autorun: false,
      lockDuration: 1000 * lockSeconds,
      stalledInterval: 1000 * Math.max(1, lockSeconds / 2),
      // Workers may be killed as often as one likes.
      maxStalledCount: 1_000_000,
    },
  );
  worker.on("error", (error) => onTrouble?.(error.message));
  worker.on("failed", (queued, error) => {
    const tries = queued?.attemptsMade ?? 0;
    const last = tries >= (JOB_OPTIONS.attempts ?? 1);
    if (last) failed++;
    onTrouble?.(`${queued?.data.job.block ?? "a job"} failed (try ${tries}): ${error.message}`);
  });
  const running = worker.run();
  try {
    while (!signal?.aborted && unfit === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      if (!drain || busy) continue;
      const { waiting, active } = await countsOf(queue);
      if (waiting === 0 && active === 0) break;
    }
  } finally {
    await worker.close();
    await running;
  }
  if (unfit !== undefined) throw unfit;
  return { done, failed };
}

async function countsOf<R>(queue: Queue<QueuedJob<R>>): Promise<QueueCounts> {
  const counts = await queue.getJobCounts("wait", "delayed", "prioritized", "active", "completed", "failed");
  return {
    waiting: (counts["wait"] ?? 0) + (counts["delayed"] ?? 0) + (counts["prioritized"] ?? 0),
    active: counts["active"] ?? 0,
    done: counts["completed"] ?? 0,
    failed: counts["failed"] ?? 0,
  };
}

/** A queue and its connection. */
interface OpenQueue<R> extends AsyncDisposable {
  readonly queue: Queue<QueuedJob<R>>;
  readonly connection: Redis;
}

async function openQueue<R>({ redis, queue: name = CACHE_QUEUE }: QueueSettings): Promise<OpenQueue<R>> {
  let url: URL;
  try {
    url = new URL(redis);
  } catch {
    throw new RangeError(`Cannot open a queue on ${redis}: an address like redis://localhost:6379 is wanted`);
  }
  // The client below would try for ever without a word.
  try {
    const port = Number(url.port || 6379);
    (await Deno.connect({ hostname: url.hostname || "localhost", port })).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot reach the queue's server at ${url.host}: ${why}`, { cause: error });
  }
  // Loaded here: whoever trains on one machine needs no client for a queue.
  const [{ Queue }, { Redis }] = await Promise.all([import("bullmq"), import("ioredis")]);
  // Without a limit of retries: a server that is started again is waited for.
  const connection = new Redis(redis, { maxRetriesPerRequest: null });
  const queue = new Queue<QueuedJob<R>>(name, { connection });
  return {
    queue,
    connection,
    async [Symbol.asyncDispose]() {
      await queue.close();
      connection.disconnect();
    },
  };
}
