import type { Interval, Scores } from "../lib/readout/mod.ts";
import { table } from "./_table.ts";

/** `19.9 % (18.7 to 21.1)`; of a difference of shares, `+1.9 points (+0.7 to +3.1)`. */
export function percentOf({ value, low, high }: Interval, difference = false): string {
  const part = (share: number) => (difference && share > 0 ? "+" : "") + (100 * share).toFixed(1);
  return `${part(value)} ${difference ? "points" : "%"} (${part(low)} to ${part(high)})`;
}

/** `2.963 (2.941 to 2.985)`, with a sign where asked. */
export function natsOf({ value, low, high }: Interval, sign = false): string {
  const part = (nats: number) => (sign && nats > 0 ? "+" : "") + nats.toFixed(3);
  return `${part(value)} (${part(low)} to ${part(high)})`;
}

/** Scores as a table; a line whose name begins with `minus` is a difference: signed, shares in percent points. */
export function scoresTable(lines: readonly (readonly [name: string, scores: Scores])[]): string {
  return table(
    ["", "top-1", "good moves", "loss"],
    lines.map(([name, { top1, good, loss }]) => {
      const difference = name.startsWith("minus");
      return [name, percentOf(top1, difference), percentOf(good, difference), natsOf(loss, difference)];
    }),
  );
}

/** What the table's numbers are. */
export const SCORES_LEGEND =
  `In brackets: 95 % intervals, games drawn again; a line 'minus' is taken position by position,
in percent points where it is of shares.
top-1: the favourite is the teacher's best move; good moves: within 1 win% of it; loss: policy cross-entropy in nats,
lower is better.`;
