import { join } from "node:path";
import { DataError, downloadFiles, type LongWork, readText, writeFileAtomic } from "../../common/mod.ts";
import type { DownloadOptions } from "../../common/mod.ts";
import type { FlyBrain } from "../../brain/mod.ts";
import {
  describeFiles,
  type DownloadFile,
  excludeHeldOut,
  loadPositions,
  preparePositions,
  savePositions,
  selectRows,
} from "../../data/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { Eye } from "../../eye/mod.ts";
import { judge, saveReadout, summarize } from "../../readout/mod.ts";
import { fromCheckpoint, toCheckpoint } from "../cached/_cached_checkpoint.ts";
import { readDeck } from "../cached/_cached_decks.ts";
import { type CachedFitSettings, fitCached, LONG_FIT } from "../cached/cached_fit.ts";
import { cachedFeatures } from "../cached/cached_features.ts";
import { cacheSetup, showAsBytes } from "../rates/cache_rates.ts";
import type { DaySteps, FitMemory } from "./day_steps.ts";
import { type CacheLimits, RatesCache, type ShowRows } from "../rates/rates_cache.ts";
import { holdRows, trainRows } from "../read_rows.ts";
import type { Throttle } from "./throttle.ts";

/**
 * A shard: a file to be downloaded, or one that is here and stays: a source file, or an `.arrow` file of positions that were
 * prepared already.
 */
export type DayShard = DownloadFile | { readonly name: string; readonly path: string };

/** What a long run works with. */
export interface DayMaterial {
  /** The run's folder. */
  readonly folder: string;
  /** A calibrated brain. */
  readonly brain: FlyBrain;
  /** Its eye. */
  readonly eye: Eye;
  /** Positions that are here from the start; their HOLD and VAL rows judge every fit. */
  readonly positions: Positions;
  /** Lessons in finishing, if there are any. */
  readonly curriculum?: Positions | undefined;
  /** The shards, in the order they are taken. */
  readonly shards: readonly DayShard[];
  /** The steps read, whose mean the readout sees; the last by default. */
  readonly steps?: readonly number[] | undefined;
  /** How the readout is fitted; `LONG_FIT` with a tenth of each batch from the curriculum by default. */
  readonly fit?: Partial<CachedFitSettings> | undefined;
  /** How much room the cache may take. */
  readonly limits?: CacheLimits | undefined;
  /** Holds the work to a temperature. */
  readonly throttle?: Throttle | undefined;
  /** A mirror of the shards, and what waits between tries. */
  readonly download?: Pick<DownloadOptions, "from" | "clock"> | undefined;
  /** Lets the fly play after a fit. */
  readonly rate?: DaySteps["rate"];
}

/** Positions between two rests of the throttle: about a second's work. */
const AT_ONCE = 512;

/** What is remembered of a shard that was prepared. */
interface Prepared {
  readonly digest: string;
  readonly count: number;
}

/**
 * The pieces of a real long run: ChessBench's shards, the brain, the cache of its rates, a fit of the mean of the steps.
 * In the run's folder lie `cache/`, `shards/` (prepared positions; those of retired blocks are thrown away) and, after the
 * first fit, `readout.arrow`.
 *
 * @param material What it works with.
 * @returns The pieces; dispose them when done.
 * @throws {DataError} If the cache is broken or another brain's.
 */
export async function daySteps(material: DayMaterial): Promise<DaySteps & AsyncDisposable> {
  const { folder, brain, eye, positions, curriculum, throttle, steps = [12], limits = {} } = material;
  const kept = { steps, apart: false };
  const cache = await RatesCache.open(join(folder, "cache"), cacheSetup(brain, eye, kept));
  const shardFolder = join(folder, "shards");
  const byName = new Map(material.shards.map((shard) => [shard.name, shard]));
  const rawPath = (name: string) => {
    const shard = byName.get(name);
    return shard !== undefined && "path" in shard ? shard.path : join(folder, "downloads", name);
  };
  const preparedPath = (digest: string) => join(shardFolder, `${digest.slice(0, 16)}.arrow`);

  const fillIn = async (these: Positions, work: LongWork) => {
    const show = showAsBytes(brain, eye, these, kept, { signal: work.signal });
    const paced: ShowRows = async (rows) => {
      const bytes = new Uint8Array(rows.length * cache.columns);
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        bytes.set(await show(rows.subarray(at, at + AT_ONCE)), at * cache.columns);
        await throttle?.pace(work.signal);
      }
      return bytes;
    };
    await cache.fill(these, paced, { ...limits, ...work });
    for (const { positions: digest } of cache.retired) {
      if (cache.blocks.some((block) => block.positions === digest)) continue;
      await Deno.remove(preparedPath(digest)).catch(() => {});
    }
  };

  /** The positions of a shard, from the disk if they were prepared before. */
  const prepare = async (name: string, work: LongWork): Promise<Prepared & { positions?: Positions }> => {
    const note = join(shardFolder, `${name}.json`);
    const known = await readPrepared(note);
    if (known !== undefined) return known;
    const notIn = curriculum === undefined ? [positions] : [positions, curriculum];
    const made = await preparedFrom(rawPath(name), notIn, work);
    await savePositions(preparedPath(made.digest), made);
    const prepared = { digest: made.digest, count: made.count };
    await writeFileAtomic(note, JSON.stringify(prepared) + "\n");
    return { ...prepared, positions: made };
  };

  const positionsOf = async (digest: string): Promise<Positions> => {
    if (digest === positions.digest) return positions;
    return await loadPositions(preparedPath(digest), { verify: false });
  };

  return {
    shards: material.shards.map(({ name }) => name),
    async ready(work) {
      await fillIn(positions, work);
      if (curriculum !== undefined) await fillIn(curriculum, work);
      return positions.count;
    },
    async download(name, work) {
      const shard = byName.get(name)!;
      if ("path" in shard || await readPrepared(join(shardFolder, `${name}.json`)) !== undefined) return;
      const options = { ...material.download, ...work };
      const [described] = await describeFiles([shard], options);
      await downloadFiles([described ?? shard], join(folder, "downloads"), options);
    },
    async fill(name, work) {
      const { digest, count, positions: made } = await prepare(name, work);
      const gone = cache.retired.some((block) => block.positions === digest);
      if (!gone) await fillIn(made ?? await loadPositions(preparedPath(digest)), work);
      return count;
    },
    async discard(name) {
      const shard = byName.get(name)!;
      if ("path" in shard) return;
      for (const ending of ["", ".part", ".version.part"]) {
        await Deno.remove(rawPath(name) + ending).catch(() => {});
      }
    },
    async fit(fits, memory, keep, work) {
      const { signal } = work;
      const { best: start, fit: state } = memory === undefined
        ? { best: undefined, fit: undefined }
        : fromCheckpoint({ ...memory, metadata: {} });
      const val = await readDeck(cache, positions, positions.hold, positions.val, { signal });
      const lessons = curriculum === undefined ? undefined : await (async () => {
        const first = curriculum.hold + curriculum.val;
        return await readDeck(cache, curriculum, first, curriculum.count - first, { signal });
      })();
      const blocks = cache.blocks.filter(({ held, positions: of }) => !held && of !== curriculum?.digest);
      const remember = (next: Parameters<typeof toCheckpoint>[0]): FitMemory => {
        const { tensors, state } = toCheckpoint(next);
        return { tensors, state };
      };
      const none = { ended: [], mean: undefined };
      const settings = { ...LONG_FIT, curriculumShare: 0.1, ...material.fit };
      const { readout, valLoss, passes } = await fitCached(
        { cache, blocks, positionsOf, val, curriculum: lessons },
        settings,
        {
          ...work,
          state,
          start,
          onPass: async (report, fit) => {
            await keep(remember({ ...none, best: start, fit }), { ...report });
            await throttle?.pace(signal);
          },
        },
      );
      await saveReadout(join(folder, "readout.arrow"), readout, {
        connectome: cache.key.connectome,
        positions: positions.digest,
        eye: eye.name,
        engine: brain.engineDescription,
        read: cache.key.read,
        fits: String(fits + 1),
      });
      const rows = holdRows(positions);
      const features = await cachedFeatures(cache, positions, 0, positions.hold, { signal });
      const { top1, good, loss } = summarize(judge(readout, features, positions, rows), {
        seed: settings.seed,
      });
      const trained = blocks.reduce((sum, block) => sum + block.rows, 0);
      return {
        valLoss,
        values: { passes, trained, holdTop1: top1.value, holdGood: good.value, holdLoss: loss.value },
        memory: remember({ ...none, best: readout, fit: undefined }),
      };
    },
    rate: material.rate,
    [Symbol.asyncDispose]: () => Promise.resolve(cache[Symbol.dispose]()),
  };
}

/** What of a file may be trained on: none of the rows that are held out, there or elsewhere. */
async function preparedFrom(path: string, notIn: readonly Positions[], work: LongWork): Promise<Positions> {
  if (!path.endsWith(".arrow")) {
    return (await preparePositions({ train: [path], hold: 0, val: 0, notIn }, work)).positions;
  }
  const found = excludeHeldOut(await loadPositions(path), notIn);
  return selectRows(found, trainRows(found));
}

async function readPrepared(path: string): Promise<Prepared | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    const { digest, count } = JSON.parse(text);
    if (typeof digest === "string" && typeof count === "number") return { digest, count };
  } catch {
    // Said below.
  }
  throw new DataError(
    `Cannot read ${path}: it does not say which positions it stands for; delete it and start again`,
  );
}
