/** A UCI engine of a small model fly: what `fly uci` is, without its files. */
import { TextLineStream } from "../../cli/_lines.ts";
import { FlyPlayer, serveUci } from "../../lib/play/mod.ts";
import { smallFly } from "./_flies.ts";

const encoder = new TextEncoder();
await serveUci(Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()), {
  name: "small fly",
  fly: "small",
  say: (line) => void Deno.stdout.writeSync(encoder.encode(line + "\n")),
  async load(name) {
    if (name !== "small") throw new Error(`Cannot load ${name}: there is no such fly`);
    const fly = await smallFly();
    return { player: new FlyPlayer(fly), [Symbol.asyncDispose]: () => fly[Symbol.asyncDispose]() };
  },
});
