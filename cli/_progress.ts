import cliProgress from "cli-progress";
import process from "node:process";
import type { Progress } from "../lib/common/mod.ts";

/** Draws progress reports as bars on the error stream; on anything but a terminal, one line a task. */
export class ProgressBars implements Disposable {
  #bar: cliProgress.SingleBar | undefined;
  #task = "";
  #finished = false;
  #quiet = false;
  readonly #terminal = Deno.stderr.isTerminal();

  /** Takes one report. Bound, so that it can be handed over as `onProgress`. */
  readonly report = (progress: Progress): void => {
    if (progress.task !== this.#task) {
      this.#stop();
      this.#task = progress.task;
      this.#finished = false;
      if (this.#terminal) {
        this.#bar = new cliProgress.SingleBar({
          format: "{task} |{bar}| {percentage}% {value}/{total} {unit}, {eta_formatted} left",
          barsize: 24,
          hideCursor: true,
          stream: process.stderr,
        }, cliProgress.Presets.rect);
        this.#bar.start(progress.total ?? 0, 0, { task: progress.task, unit: progress.unit });
      }
    }
    if (this.#bar) {
      if (progress.total !== undefined) this.#bar.setTotal(progress.total);
      this.#bar.update(progress.done, { unit: progress.unit });
    } else if (!this.#finished && progress.total !== undefined && progress.done >= progress.total) {
      this.#finished = true;
      if (!this.#quiet) console.error(finishedLine(progress));
    }
  };

  /** A table begins: on anything but a terminal no line goes between its rows from here on. */
  quiet(): void {
    this.#quiet = true;
  }

  #stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  /** Leaves the last bar as it stands and gives the cursor back. */
  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** `playing: 1 game`, `reading: 1,024 positions`. */
export function finishedLine({ task, done, unit }: Progress): string {
  const one = () => unit.replace(/ies$/, "y").replace(/(ss|x|ch)es$/, "$1").replace(/([^s])s$/, "$1");
  return `${task}: ${done.toLocaleString("en-US")} ${done === 1 ? one() : unit}`;
}

/** An `AbortSignal` that the first Ctrl-C sets off; a second one ends the program at once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    Deno.removeSignalListener("SIGINT", stop);
    controller.abort(new DOMException("Interrupted", "AbortError"));
  };
  Deno.addSignalListener("SIGINT", stop);
  return controller.signal;
}
