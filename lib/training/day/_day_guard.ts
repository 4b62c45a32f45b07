import type { JsonValue, Progress } from "../../common/mod.ts";
import type { DayMachine } from "./day_steps.ts";
import { GUARD_LIMITS, type GuardLimits, shortage } from "./machine_guard.ts";

/** Why a guard breaks off what is being done. */
export class ShortageError extends Error {
  override readonly name = "ShortageError";
}

/** Why work ends early and cleanly. */
export class StopError extends Error {
  override readonly name = "StopError";
}

/** Looks in a row that must find too little: a file that is being copied passes. */
const SHORT_LOOKS = 2;

/** What a guard is built of. */
export interface GuardParts {
  readonly machine: DayMachine;
  readonly limits?: GuardLimits | undefined;
  readonly pollSeconds: number;
  readonly statusSeconds: number;
  readonly stopAsked: () => Promise<boolean>;
  readonly onStatus: (values: Record<string, JsonValue>) => Promise<void>;
}

/**
 * Watches over a piece of work: breaks it off where the machine runs short or a stop is asked, and says every minute
 * how far it is.
 */
export class DayGuard {
  readonly #parts: GuardParts;
  #progress: Progress | undefined;

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /** Takes a report of how far the work is. */
  readonly report = (progress: Progress): void => {
    this.#progress = progress;
  };

  /**
   * Does a piece of work under watch.
   *
   * @throws {StopError} If a stop was asked.
   * @throws {ShortageError} If memory or disk ran short.
   */
  async watch<T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const both = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
    this.#progress = undefined;
    const ended = Promise.withResolvers<void>();
    // A log that cannot be written ends the work, too.
    const poll = this.#poll(doing, controller, ended.promise).catch((error) => controller.abort(error));
    try {
      both.throwIfAborted();
      return await work(both);
    } catch (error) {
      // Whatever the work made of it, the reason is what counts.
      both.throwIfAborted();
      throw error;
    } finally {
      ended.resolve();
      await poll;
    }
  }

  /** What the machine is short of, in words. */
  async short(): Promise<string | undefined> {
    const { machine, limits = GUARD_LIMITS } = this.#parts;
    return shortage(await machine.room(), limits)?.words;
  }

  async #poll(doing: string, controller: AbortController, ended: Promise<void>): Promise<void> {
    const { pollSeconds, statusSeconds, stopAsked } = this.#parts;
    let over = false;
    void ended.then(() => over = true);
    let short = 0;
    for (let waited = statusSeconds; !over; waited += pollSeconds) {
      if (waited >= statusSeconds) {
        waited = 0;
        await this.#say(doing);
      }
      if (!controller.signal.aborted) {
        if (await stopAsked()) controller.abort(new StopError("a stop was asked for"));
        const words = await this.short();
        short = words === undefined ? 0 : short + 1;
        if (words !== undefined && short >= SHORT_LOOKS) controller.abort(new ShortageError(words));
      }
      const timer = Promise.withResolvers<void>();
      const id = setTimeout(timer.resolve, 1000 * pollSeconds);
      await Promise.race([timer.promise, ended]);
      clearTimeout(id);
    }
  }

  async #say(doing: string): Promise<void> {
    const { machine, onStatus } = this.#parts;
    const { freeBytes, availableBytes } = await machine.room();
    const { done = null, total = null, unit = null, task = null } = this.#progress ?? {};
    await onStatus({
      doing,
      task,
      done,
      total,
      unit,
      temperature: await machine.temperature() ?? null,
      share: machine.share(),
      freeBytes,
      availableBytes,
    });
  }
}
