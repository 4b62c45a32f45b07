import type { DaySettings } from "./day_steps.ts";

/** What a promise gives, or the signal's reason if it is set off before. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** An error in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Seconds as they are logged. */
export const roundSeconds = (seconds: number): number => Number(seconds.toFixed(1));

/** How many shards fit between two fits. */
export function planFits({ shardsPerFit, fitEveryHours = 6 }: DaySettings, secondsPerShard: number): number {
  return shardsPerFit ?? Math.max(1, Math.round(3600 * fitEveryHours / Math.max(secondsPerShard, 1e-3)));
}
