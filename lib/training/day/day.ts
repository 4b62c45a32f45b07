import { DataError, type LongWork } from "../../common/mod.ts";
import { DayGuard, ShortageError, StopError } from "./_day_guard.ts";
import { dayCheckpoint, type DayState, type FitMemory, readDayCheckpoint } from "./_day_state.ts";
import { messageOf, planFits, roundSeconds, unlessAborted } from "./_day_helpers.ts";
import type { RunFolder } from "../cached/cached_run_folder.ts";
import type { DayOptions, DayOutcome, DaySettings, DaySteps, LogValues } from "./day_steps.ts";

/**
 * The long run (reference, "A day on a laptop"): shard after shard is downloaded, the next one while the brain works on
 * the last, shown to the brain and thrown away; every few hours the readout is fitted on everything, and the fly is rated.
 *
 * A checkpoint follows every piece of work, so that a run that was killed goes on with the piece it was at. Hours are
 * turned into a number of shards once, after the first one, so that when it fits does not depend on stops.
 *
 * @param run Its folder.
 * @param steps What it does.
 * @param settings How often it fits.
 * @param options The machine, and how it is watched over.
 * @throws {DataError} If the checkpoint is of another kind of run, or a fit finds broken data.
 * @throws {Error} If memory or disk stay short for an hour; the run may be started again later.
 */
export async function runDay(
  run: RunFolder,
  steps: DaySteps,
  settings: DaySettings,
  options: DayOptions,
): Promise<DayOutcome> {
  const checkpoint = await run.checkpoint();
  const { state, memory } = readDayCheckpoint(checkpoint);
  const first = checkpoint === undefined && steps.ready !== undefined;
  const from = { state: first ? { ...state, stage: "ready" as const } : state, memory };
  return await new Day(run, steps, settings, options, from).toItsEnd();
}

/** A long run under way. */
class Day {
  readonly #run: RunFolder;
  readonly #steps: DaySteps;
  readonly #settings: DaySettings;
  readonly #options: DayOptions;
  readonly #guard: DayGuard;
  readonly #downloads = new Map<number, Promise<{ seconds: number } | { error: unknown }>>();
  #state: DayState;
  #memory: FitMemory | undefined;
  /** Log and checkpoint belong together: one write at a time. */
  #writing: Promise<void> = Promise.resolve();

  constructor(
    run: RunFolder,
    steps: DaySteps,
    settings: DaySettings,
    options: DayOptions,
    from: { state: DayState; memory: FitMemory | undefined },
  ) {
    this.#run = run;
    this.#steps = steps;
    this.#settings = settings;
    this.#options = options;
    this.#state = from.state;
    this.#memory = from.memory;
    this.#guard = new DayGuard({
      machine: options.machine,
      limits: options.limits,
      pollSeconds: options.pollSeconds ?? 2,
      statusSeconds: options.statusSeconds ?? 60,
      stopAsked: () => run.stopAsked(),
      onStatus: (values) => this.#write(() => run.log("status", values)),
    });
  }

  async toItsEnd(): Promise<DayOutcome> {
    const { stage, shard, fits, positions } = this.#state;
    await this.#write(() => this.#run.log("started", { stage, shard, fits, positions }));
    // Killed between the checkpoint and the throwing away.
    if (shard > 0) await this.#steps.discard(this.#steps.shards[shard - 1]!);
    const ending = new AbortController();
    try {
      for (let short = 0; this.#state.stage !== "done";) {
        const { stage } = this.#state;
        try {
          if (stage === "ready") await this.#ready();
          else if (stage === "fill") await this.#fill(ending.signal);
          else if (stage === "fit") await this.#fit();
          else await this.#rate();
          short = 0;
        } catch (error) {
          if (!(error instanceof ShortageError)) throw error;
          if (++short > (this.#options.patience ?? 12)) throw error;
          await this.#write(() => this.#run.log("trouble", { what: error.message, waiting: true }));
          await this.#guardedWait("waiting for room");
        }
      }
      const { fits, positions } = this.#state;
      await this.#save(this.#state, "done", { fits, positions });
      return { ended: "done", state: this.#state };
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      await this.#save(this.#state, "stopped", { stage: this.#state.stage });
      return { ended: "stopped", state: this.#state };
    } finally {
      ending.abort(new StopError("the run ends"));
      await Promise.all(this.#downloads.values());
    }
  }

  /** Writes a line about what was done, and that it was done; killed between the two, the line is taken back. */
  async #save(state: DayState, event: string, values: LogValues): Promise<void> {
    await this.#write(async () => {
      await this.#run.log(event, values);
      await this.#run.save(dayCheckpoint(state, this.#memory));
    });
    this.#state = state;
  }

  async #write(work: () => Promise<void>): Promise<void> {
    const written = this.#writing.then(work);
    this.#writing = written.catch(() => {});
    await written;
  }

  #work(signal: AbortSignal): LongWork {
    return {
      signal,
      onProgress: (progress) => {
        this.#guard.report(progress);
        this.#options.onProgress?.(progress);
      },
    };
  }

  /** Starts a download, unless it is under way. */
  #fetch(number: number, ending: AbortSignal): Promise<{ seconds: number } | { error: unknown }> {
    const known = this.#downloads.get(number);
    if (known !== undefined) return known;
    const { signal: outer } = this.#options;
    const signal = outer === undefined ? ending : AbortSignal.any([ending, outer]);
    const download = async () => {
      const started = performance.now();
      try {
        await this.#steps.download(this.#steps.shards[number]!, { signal });
        return { seconds: (performance.now() - started) / 1000 };
      } catch (error) {
        return { error };
      }
    };
    const result = download();
    this.#downloads.set(number, result);
    return result;
  }

  async #ready(): Promise<void> {
    const doing = "showing the first positions to the brain";
    const { signal } = this.#options;
    const positions = await this.#guard.watch(
      doing,
      signal,
      (signal) => this.#steps.ready!(this.#work(signal)),
    );
    await this.#save({ ...this.#state, stage: "fit", positions }, "ready", { positions });
  }

  async #fill(ending: AbortSignal): Promise<void> {
    const state = this.#state;
    const { shards } = this.#steps;
    const { shard: number } = state;
    const shard = shards[number];
    if (shard === undefined) {
      const left = state.sinceFit > 0;
      return await this.#save({ ...state, stage: left ? "fit" : "done" }, "no more shards", {
        shards: number,
      });
    }
    const download = this.#fetch(number, ending);
    const arrived = await this.#guard.watch(
      `downloading ${shard}`,
      this.#options.signal,
      (signal) => unlessAborted(download, signal),
    );
    if ("error" in arrived) {
      this.#downloads.delete(number);
      const { error } = arrived;
      if (error instanceof DataError) return await this.#skip(error);
      await this.#write(() => this.#run.log("trouble", { shard, what: messageOf(error), waiting: true }));
      return await this.#guardedWait(`waiting to download ${shard} again`);
    }
    if (number + 1 < shards.length) void this.#fetch(number + 1, ending);
    const started = performance.now();
    let positions: number;
    try {
      positions = await this.#guard.watch(
        `showing ${shard} to the brain`,
        this.#options.signal,
        (signal) => this.#steps.fill(shard, this.#work(signal)),
      );
    } catch (error) {
      if (error instanceof DataError) return await this.#skip(error);
      throw error;
    }
    const seconds = (performance.now() - started) / 1000;
    const shardsPerFit = state.shardsPerFit || planFits(this.#settings, Math.max(seconds, arrived.seconds));
    const sinceFit = state.sinceFit + 1;
    await this.#save(
      {
        ...state,
        stage: sinceFit >= shardsPerFit ? "fit" : "fill",
        shard: number + 1,
        sinceFit,
        positions: state.positions + positions,
        shardsPerFit,
      },
      "filled",
      {
        shard,
        rows: positions,
        positions: state.positions + positions,
        seconds: roundSeconds(seconds),
        downloadSeconds: roundSeconds(arrived.seconds),
        shardsPerFit,
      },
    );
    this.#downloads.delete(number);
    await this.#steps.discard(shard);
  }

  async #skip(error: DataError): Promise<void> {
    const state = this.#state;
    const shard = this.#steps.shards[state.shard]!;
    await this.#save(
      { ...state, shard: state.shard + 1, skipped: [...state.skipped, state.shard] },
      "trouble",
      { shard, what: error.message, skipped: true },
    );
    await this.#steps.discard(shard);
  }

  async #fit(): Promise<void> {
    const started = performance.now();
    const { fits } = this.#state;
    const { valLoss, values, memory } = await this.#guard.watch(
      `fitting the readout, fit ${fits + 1}`,
      this.#options.signal,
      (signal) =>
        this.#steps.fit(
          fits,
          this.#memory,
          async (memory, values = {}) => {
            this.#memory = memory;
            await this.#save(this.#state, "pass", { fit: fits + 1, ...values });
          },
          this.#work(signal),
        ),
    );
    this.#memory = memory;
    const { bestLoss, positions } = this.#state;
    const best = Math.min(valLoss, bestLoss ?? Infinity);
    const state: DayState = { ...this.#state, sinceFit: 0, fits: fits + 1, bestLoss: best };
    const seconds = roundSeconds((performance.now() - started) / 1000);
    await this.#save(
      { ...state, stage: this.#steps.rate === undefined ? this.#afterRating(state) : "rate" },
      "fitted",
      { fit: fits + 1, positions, valLoss, bestLoss: best, seconds, ...values },
    );
  }

  async #rate(): Promise<void> {
    const { fits } = this.#state;
    let values: LogValues;
    try {
      values = await this.#guard.watch(
        `playing for a rating, fit ${fits}`,
        this.#options.signal,
        (signal) => this.#steps.rate!(fits, this.#work(signal)),
      );
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      if (error instanceof StopError || error instanceof ShortageError) throw error;
      values = { trouble: messageOf(error) };
    }
    await this.#save({ ...this.#state, stage: this.#afterRating(this.#state) }, "rated", {
      fit: fits,
      ...values,
    });
  }

  #afterRating({ fits, shard }: DayState): DayState["stage"] {
    const enough = fits >= (this.#settings.fits ?? Infinity);
    return enough || shard >= this.#steps.shards.length ? "done" : "fill";
  }

  async #guardedWait(doing: string): Promise<void> {
    const until = performance.now() + 1000 * (this.#options.waitSeconds ?? 300);
    for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
      this.#options.signal?.throwIfAborted();
      if (await this.#run.stopAsked()) throw new StopError(`a stop was asked for while ${doing}`);
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 1000)));
    }
  }
}
