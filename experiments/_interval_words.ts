import type { Interval } from "flychess/readout";

/** An interval in another unit: 100 times a share is percent. */
export function scaled({ value, low, high }: Interval, times: number): Interval {
  return { value: times * value, low: times * low, high: times * high };
}

/** `3.101 (3.074 to 3.128)`. */
export function inBrackets({ value, low, high }: Interval, digits: number): string {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** `15.4 % (14.2 to 16.6)`. */
export function percentInBrackets({ value, low, high }: Interval): string {
  return `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
}
