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

/** The chance of a rank, and whether it is the least that so few could give: `0.05, the least that 19 can give`. */
export function chanceInWords(chance: number, of: number): string {
  const least = chance <= 1 / of + 1e-9 ? `, the least that ${of - 1} can give` : "";
  return chance.toFixed(2) + least;
}

/** `16,384`, of a number that may be a mean. */
export function wholeNumber(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** `+0.012`, with a true minus below 0. */
export function signedNats(value: number, digits = 3): string {
  return (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);
}

/** `−0.009 (−0.011 to −0.008)`. */
export function signedNatsInBrackets({ value, low, high }: Interval): string {
  return `${signedNats(value)} (${signedNats(low)} to ${signedNats(high)})`;
}
