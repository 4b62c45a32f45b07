import { join } from "node:path";
import { readText, writeFileAtomic } from "flychess/common";

/** Seconds by figure. */
type Seconds = Record<string, number>;

/** How long figures took on this machine. */
export class Times {
  readonly #path: string;
  readonly #seconds: Seconds;

  private constructor(path: string, seconds: Seconds) {
    this.#path = path;
    this.#seconds = seconds;
  }

  /**
   * Opens the times that are kept.
   *
   * @param options Those of `--quick` lie apart, or somewhere else altogether.
   */
  static async open({ quick = false, folder = join("runs", "figures") } = {}): Promise<Times> {
    const path = join(folder, quick ? "seconds_quick.json" : "seconds.json");
    const text = await readText(path);
    return new Times(path, text === undefined ? {} : JSON.parse(text));
  }

  /** Seconds that a figure took the last time; undefined where it was never made here. */
  of(name: string): number | undefined {
    return this.#seconds[name];
  }

  /** Keeps how long a figure took. */
  async keep(name: string, seconds: number): Promise<void> {
    this.#seconds[name] = Number(seconds.toFixed(1));
    await writeFileAtomic(this.#path, JSON.stringify(this.#seconds, null, 1) + "\n");
  }
}

/** What is to be done and how long it may take. */
interface Task {
  readonly name: string;
  readonly todo: "make" | "draw" | "none";
  readonly hours?: number;
}

/**
 * How long figures will take, in words: as long as the last time, or else as the experiment says; empty where nothing
 * is known and nothing is to be made.
 */
export function timeOfAll(figures: readonly Task[], times: Pick<Times, "of">): string {
  let seconds = 0, unknown = 0;
  for (const { name, todo, hours } of figures) {
    if (todo !== "make") continue;
    const known = times.of(name) ?? (hours === undefined ? undefined : 3600 * hours);
    if (known === undefined) unknown++;
    else seconds += known;
  }
  return [
    ...seconds > 0 ? [`about ${timeInWords(seconds)}`] : [],
    ...unknown > 0 ? [`${unknown} whose time is not known yet`] : [],
  ].join(" and ");
}

/** `40 s`, `12 min`, `3.5 h`. */
export function timeInWords(seconds: number): string {
  if (seconds < 100) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
