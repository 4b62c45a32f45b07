import { join } from "node:path";
import { downloadFiles } from "../lib/common/mod.ts";
import { chessbenchShard, describeFiles, type DownloadFile, parseShards } from "../lib/data/mod.ts";
import { type Command, readOptions, UsageError } from "./_command.ts";
import { orMirror, retryLine } from "./_downloads.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly data download`. */
export const command: Command = {
  name: "data download",
  summary: "download shards of ChessBench: real positions, the chance to win after every move",
  goesOn: true,
  help: `
Usage: deno task fly data download chessbench --shards LIST [options]

Downloads shards of ChessBench (MIT licence, no account needed; 1,024 shards of about 70 MB and 515,000 positions each)
and checks their sizes, and their checksums where the server knows them. A download that breaks off is tried again up to
5 times, 30 seconds to 8 minutes apart, and goes on where it stopped, also when you start the command again. Files that
are there and right are not fetched again.

  --shards LIST  which shards, from 0 to 1023: 0-5 are the first six, 0,7 two of them
  --list         only list the shards with their sizes, fetch nothing
  --out FOLDER   where the files go (data/chessbench)
  --from URL     a mirror: the files come from URL/NAME

Example: deno task fly data download chessbench --shards 0-5`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      shards: { type: "string" },
      list: { type: "boolean", default: false },
      out: { type: "string", default: join("data", "chessbench") },
      from: { type: "string" },
    }, ["chessbench"]);
    if (positionals[0] !== "chessbench") {
      throw new UsageError(`there is no set '${positionals[0]}' to be downloaded, chessbench is wanted`);
    }
    if (values.shards === undefined) throw new UsageError("--shards LIST is wanted, for example 0-5");
    const files = shardsOf(values.shards);
    const signal = interruptSignal();
    const { from } = values;
    using bars = new ProgressBars();
    const work = { signal, from, onProgress: bars.report };
    const described = await orMirror(() =>
      describeFiles(files, { ...work, onRetry: (trouble) => console.error(retryLine(trouble)) })
    );
    bars[Symbol.dispose]();
    const size = (bytes: number | undefined) => bytes?.toLocaleString("en-US") ?? "not said";
    const sizes = described.map(({ bytes }) => bytes ?? 0);
    const sum = sizes.reduce((total, bytes) => total + bytes, 0);
    if (values.list) {
      console.log(table(["shard", "bytes", "checksum"], [
        ...described.map(({ name, bytes, sha256 }) => [name, size(bytes), sha256 ? "SHA-256" : "none"]),
        [`${described.length} shards`, size(sum), ""],
      ]));
      return;
    }
    console.error(`${described.length} shards, ${size(sum)} bytes`);
    const done = await orMirror(() =>
      downloadFiles(described, values.out, {
        ...work,
        onRetry: (trouble) => console.error(retryLine(trouble)),
      })
    );
    bars[Symbol.dispose]();
    console.log(table(
      ["shard", "bytes", "", "checksum"],
      done.map(({ bytes, skipped, verified }, i) => [
        described[i]!.name,
        size(bytes),
        skipped ? "was there" : "downloaded",
        verified ? "right" : "none published",
      ]),
    ));
    console.log(
      `\nNext: deno task fly data prepare ${join(values.out, "*.zst")} --out data/positions.arrow`,
    );
  },
};

function shardsOf(list: string): DownloadFile[] {
  try {
    return parseShards(list).map(chessbenchShard);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}
