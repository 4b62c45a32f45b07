import { TextLineStream } from "./_lines.ts";
import { FlyPlayer, serveUci } from "../lib/play/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { loadFly } from "./_load_fly.ts";
import { runReady } from "./_run_ready.ts";

/** `fly uci` */
export const command: Command = {
  name: "uci",
  summary: "play from any chess program: the fly as a UCI engine",
  help: `
Usage: deno task fly uci --run NAME [options]

Speaks the UCI protocol on standard input and output, so that Cute Chess, Arena, lichess-bot or python-chess can play
against the fly of a run. A large fly goes on loading after 'readyok'; its first move waits for it.

  --run NAME         a folder in runs/ made by 'fly train' or 'fly train cached', or its path
  --connectome FILE  the connectome that it was fitted with (a model fly at scale 1/8, grown here)
  --positions FILE   the positions that it was fitted with (those that come with the library)
  --imagination      also looks at the board after each of its moves; programs can set it, too
  --weight N         how far it trusts what it imagines, a number or inf (1)
  --threads N        processor cores (1)

Besides the protocol: 'eval' prints what the fly considers.

Example: deno task --quiet fly uci --run cached --imagination`,

  async run(args) {
    const { values } = readOptions(args, {
      run: { type: "string" },
      connectome: { type: "string" },
      positions: { type: "string" },
      imagination: { type: "boolean", default: false },
      weight: { type: "string", default: "1" },
      threads: { type: "string", default: "1" },
    });
    if (!values.run) throw new UsageError("--run NAME is wanted");
    const threads = readNumber("threads", values.threads, { whole: true, least: 1, most: 64 });
    const weight = values.weight === "inf" ? Infinity : readNumber("weight", values.weight, { least: 0 });
    const { connectome, positions, imagination, run } = values;
    // Before the first word of the protocol: a chess program shows an engine that does not start, and hides what it says later.
    if (await runReady(run) === "dopamine") {
      throw new UsageError(
        `the fly of run '${run}' learned by dopamine and does not speak UCI, a run of 'fly train' or 'fly train cached' is wanted`,
      );
    }
    for (const file of [connectome, positions]) if (file !== undefined) await Deno.stat(file);
    const encoder = new TextEncoder();
    await serveUci(
      Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()),
      {
        name: "flychess",
        fly: run,
        imagination,
        weight,
        threads,
        say: (line) => void Deno.stdout.writeSync(encoder.encode(line + "\n")),
        async load(name, workers) {
          const fly = await loadFly(name, { connectome, positions, workers });
          return {
            player: new FlyPlayer(fly, { name }),
            [Symbol.asyncDispose]: () => fly[Symbol.asyncDispose](),
          };
        },
      },
    );
  },
};
