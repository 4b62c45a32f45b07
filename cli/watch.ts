import { join } from "node:path";
import { DataError } from "../lib/common/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { interruptSignal } from "./_progress.ts";
import { type LogLine, QUIET_MINUTES, watchFrame } from "./_watch_frame.ts";

/** `fly watch`. */
export const command: Command = {
  name: "watch",
  summary: "draw a run live from its log: what it does, how far, the best so far, the machine",
  help: `
Usage: deno task fly watch --run NAME [options]

Reads nothing but runs/NAME/log.jsonl and changes nothing, so that it may be started and ended while the run works. Warns
when a run has not said a word for ${QUIET_MINUTES} minutes. Ends with Ctrl-C.

  --run NAME     the run, or a path to its folder
  --once         print it once and end; the exit status is 1 if there is a warning
  --every N      seconds between two looks (2)

Example: deno task fly watch --run day`,

  async run(args) {
    const { values } = readOptions(args, {
      run: { type: "string" },
      once: { type: "boolean", default: false },
      every: { type: "string", default: "2" },
    });
    if (!values.run) throw new UsageError("--run NAME is wanted");
    const every = readNumber("every", values.every, { least: 0.1 });
    const folder = values.run.includes("/") ? values.run : join("runs", values.run);
    const path = join(folder, "log.jsonl");
    if (values.once) {
      const frame = watchFrame(values.run, await readLines(path), Date.now());
      console.log(frame);
      if (frame.includes("WARNING")) throw new Error("The run is quiet.");
      return;
    }
    const signal = interruptSignal();
    const clear = Deno.stdout.isTerminal() ? "\x1b[2J\x1b[H" : "";
    for (let shown = ""; !signal.aborted;) {
      const frame = watchFrame(values.run, await readLines(path), Date.now());
      if (clear !== "" || frame !== shown) console.log(clear + frame);
      shown = frame;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000 * every);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  },
};

/** The whole lines of a log; the run may be writing the last one. */
async function readLines(path: string): Promise<LogLine[]> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new DataError(`Cannot watch ${path}: there is no such file, the log of a run is wanted`);
  }
  const lines: LogLine[] = [];
  for (const line of text.split("\n")) {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === "object" && value !== null) lines.push(Object.fromEntries(Object.entries(value)));
    } catch {
      // Half a line is whole at the next look.
    }
  }
  return lines;
}
