/** One line of a run's log, as JSON gives it. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Minutes without a line after which something is wrong: a fit's pass over a day's positions takes less. */
export const QUIET_MINUTES = 45;

/** What ends a run on purpose. */
const ENDINGS = new Set(["done", "stopped", "finished", "ended", "complete"]);

/** Lines that only say that a run lives. */
const HEARTBEATS = new Set(["status", "progress", "checkpoint"]);

/** Names of a held-out loss, best first. */
const LOSSES = ["valLoss", "val_loss", "bestLoss", "loss"];

/** How many of the last events are listed. */
const LAST_EVENTS = 8;

/**
 * Draws a run from its log alone: what it does, how far it is, the best so far, the machine, and what happened last.
 *
 * @param name The run's name.
 * @param lines Its log, oldest line first.
 * @param now Milliseconds since 1970.
 */
export function watchFrame(name: string, lines: readonly LogLine[], now: number): string {
  const last = lines.at(-1);
  if (last === undefined) return `${name}: nothing in its log yet`;
  const ended = ENDINGS.has(String(last["event"]));
  const rows: [string, string][] = [];
  const quiet = now - timeOf(last);
  rows.push(["run", `${name}, ${ended ? `ended (${last["event"]})` : "last sign of life"} ${ago(quiet)}`]);
  if (!ended) rows.push(["doing", doing(lines)]);
  const far = soFar(lines);
  if (far !== "") rows.push(["so far", far]);
  const best = bestOf(lines);
  if (best !== undefined) rows.push(["best", best]);
  const elo = lastWith(lines, "elo");
  if (elo !== undefined) rows.push(["rating", `Elo ${number(elo["elo"])}`]);
  const machine = machineOf(lines);
  if (machine !== "") rows.push(["machine", machine]);
  const text = rows.map(([word, value]) => `${word.padEnd(8)} ${value}`);
  if (!ended && quiet > 60_000 * QUIET_MINUTES) {
    text.push(
      "",
      `WARNING: not a word for ${
        Math.floor(quiet / 60_000)
      } minutes. The run hangs, or its process is gone; ` +
        "started again, it goes on where it was.",
    );
  }
  const events = lines.filter(({ event }) => !HEARTBEATS.has(String(event))).slice(-LAST_EVENTS);
  if (events.length > 0) text.push("", ...events.map(eventLine));
  return text.join("\n");
}

function timeOf({ time }: LogLine): number {
  if (typeof time === "string") return Date.parse(time);
  // Seconds or milliseconds since 1970.
  if (typeof time === "number") return time < 1e11 ? 1000 * time : time;
  return NaN;
}

function doing(lines: readonly LogLine[]): string {
  const last = lines.findLast(({ doing, done, batch, pass }) =>
    doing !== undefined || typeof done === "number" || typeof batch === "number" || typeof pass === "number"
  );
  if (last === undefined) return String(lines.at(-1)!["event"]);
  const what = String(last["doing"] ?? last["task"] ?? last["fit"] ?? last["event"]);
  const [done, total] = [last["done"] ?? last["batch"], last["total"] ?? last["batches"]];
  if (typeof done !== "number") {
    return typeof last["pass"] === "number" ? `${what}: pass ${number(last["pass"])}` : what;
  }
  const unit = String(last["unit"] ?? (last["batch"] === undefined ? "" : "batches"));
  if (typeof total !== "number" || total <= 0) return `${what}: ${number(done)} ${unit}`.trimEnd();
  const percent = Math.floor(100 * done / total);
  const filled = Math.floor(20 * Math.min(1, done / total));
  const bar = `[${"=".repeat(filled)}${" ".repeat(20 - filled)}]`;
  const speed = speedOf(lines, last);
  const pace = speed === undefined
    ? ""
    : `, ${number(speed)} a second, ${duration(1000 * (total - done) / speed)} left`;
  return `${what}\n${" ".repeat(9)}${bar} ${percent} %, ${number(done)} of ${number(total)} ${unit}`
    .trimEnd() + pace;
}

/** Units a second between a line and the one before it about the same piece of work. */
function speedOf(lines: readonly LogLine[], last: LogLine): number | undefined {
  const count = "done" in last ? "done" : "batch";
  const before = lines.slice(0, lines.indexOf(last)).findLast((line) => typeof line[count] === "number");
  if (before === undefined || before["doing"] !== last["doing"] || before["task"] !== last["task"]) {
    return undefined;
  }
  const units = Number(last[count]) - Number(before[count]);
  const seconds = (timeOf(last) - timeOf(before)) / 1000;
  return units > 0 && seconds > 0 ? units / seconds : undefined;
}

function soFar(lines: readonly LogLine[]): string {
  const parts: string[] = [];
  const positions = lastWith(lines, "positions");
  if (positions !== undefined) parts.push(`${number(positions["positions"])} positions`);
  const filled = lines.filter(({ event }) => event === "filled").length;
  if (filled > 0) parts.push(counted(filled, "shard"));
  const fits = lines.filter(({ event }) => event === "fitted").length;
  if (fits > 0) parts.push(counted(fits, "fit"));
  const first = timeOf(lines[0]!);
  if (Number.isFinite(first)) parts.push(`${duration(timeOf(lines.at(-1)!) - first)} since its first line`);
  return parts.join(", ");
}

function bestOf(lines: readonly LogLine[]): string | undefined {
  const field = LOSSES.find((name) => lines.some((line) => typeof line[name] === "number"));
  if (field === undefined) return undefined;
  const measured = lines.filter((line) => typeof line[field] === "number");
  const losses = measured.map((line) => Number(line[field]));
  const lowest = Math.min(...losses);
  const at = measured[losses.indexOf(lowest)]!;
  const name = field === "loss" ? "loss" : "VAL loss";
  const blind = lastWith(measured, "blindLoss");
  return `${name} ${lowest.toFixed(4)} (${clock(at)}), last ${losses.at(-1)!.toFixed(4)}` +
    (blind === undefined ? "" : `, blind ${Number(blind["blindLoss"]).toFixed(4)}`) +
    `  ${sparkline(losses.slice(-40))}`;
}

/** A curve of one line, high values high. */
function sparkline(values: readonly number[]): string {
  const low = Math.min(...values), high = Math.max(...values);
  if (values.length < 2 || low === high) return "";
  return values.map((value) => "▁▂▃▄▅▆▇█"[Math.round(7 * (value - low) / (high - low))]).join("");
}

function machineOf(lines: readonly LogLine[]): string {
  const status = lastWith(lines, "freeBytes") ?? lastWith(lines, "temperature");
  if (status === undefined) return "";
  const { temperature, share, freeBytes, availableBytes } = status;
  const gigabytes = (bytes: number) => `${number(bytes / 1e9, 1)} GB`;
  return [
    typeof temperature === "number" ? `${temperature.toFixed(1)} °C` : "no temperature",
    ...typeof share === "number"
      ? [share === 0 ? "stopped to cool down" : `works ${Math.round(100 * share)} % of the time`]
      : [],
    ...typeof freeBytes === "number" ? [`${gigabytes(freeBytes)} of disk free`] : [],
    ...typeof availableBytes === "number" ? [`${gigabytes(availableBytes)} of memory free`] : [],
  ].join(", ");
}

function eventLine(line: LogLine): string {
  const { event, time: _time, ...values } = line;
  const told = Object.entries(values).filter(([, value]) => typeof value !== "object").map(([name, value]) =>
    `${name} ${typeof value === "number" ? short(value) : value}`
  );
  return `${clock(line)}  ${String(event).padEnd(10)} ${told.join(", ")}`.trimEnd().slice(0, 160);
}

function lastWith(lines: readonly LogLine[], name: string): LogLine | undefined {
  return lines.findLast((line) => typeof line[name] === "number");
}

function clock(line: LogLine): string {
  const time = new Date(timeOf(line));
  if (Number.isNaN(time.getTime())) return "--:--";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${
    two(time.getMinutes())
  }`;
}

function number(value: unknown, digits = 0): string {
  return Number(value).toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** Step sizes are small, positions many. */
function short(value: number): string {
  return Number.isInteger(value)
    ? number(value)
    : value.toLocaleString("en-US", { maximumSignificantDigits: 5 });
}

function counted(count: number, thing: string): string {
  return `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.round(milliseconds / 1000))} s`;
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function ago(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? `${duration(milliseconds)} ago` : "at an unknown time";
}
