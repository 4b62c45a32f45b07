import type { Interval, Scores } from "../lib/readout/mod.ts";
import { table } from "./_table.ts";

/** `19.9 % (18.7 to 21.1)`, with a sign where asked. */
export function percentOf({ value, low, high }: Interval, sign = false): string {
  const part = (share: number) => (sign && share > 0 ? "+" : "") + (100 * share).toFixed(1);
  return `${part(value)} % (${part(low)} to ${part(high)})`;
}

/** `2.963 (2.941 to 2.985)`, with a sign where asked. */
export function natsOf({ value, low, high }: Interval, sign = false): string {
  const part = (nats: number) => (sign && nats > 0 ? "+" : "") + nats.toFixed(3);
  return `${part(value)} (${part(low)} to ${part(high)})`;
}

/** Scores as a table; a line whose name begins with `minus` is a difference and carries signs. */
export function scoresTable(lines: readonly (readonly [name: string, scores: Scores])[]): string {
  return table(
    ["", "top-1", "good moves", "loss"],
    lines.map(([name, { top1, good, loss }]) => {
      const sign = name.startsWith("minus");
      return [name, percentOf(top1, sign), percentOf(good, sign), natsOf(loss, sign)];
    }),
  );
}

/** What the table's numbers are. */
export const SCORES_LEGEND =
  `In brackets: 95 % intervals, games drawn again; a line 'minus' is taken position by position.
top-1: the favourite is the teacher's best move; good moves: within 1 win% of it; loss: policy cross-entropy in nats,
lower is better.`;
