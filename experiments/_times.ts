import { join } from "node:path";
import { readText } from "./_make_figure.ts";
import { writeFileAtomic } from "flychess/common";

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

  /** Opens the times that are kept. */
  static async open(path: string = join("runs", "figures", "times.json")): Promise<Times> {
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

/** `40 s`, `12 min`, `3.5 h`. */
export function timeInWords(seconds: number): string {
  if (seconds < 100) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
