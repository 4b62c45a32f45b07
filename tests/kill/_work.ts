import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { growModelFly, saveConnectome } from "../../lib/connectome/mod.ts";
import { chessbenchShard, savePositions, selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { randomGame, writeShard } from "../data/_shards.ts";
import type { Killable } from "./_kill.ts";

/** A kind of work that may be killed. */
export interface KillWork {
  /** Its name. */
  readonly name: string;
  /** Its share of all kills. */
  readonly share: number;
  /** What it needs from outside. */
  readonly needs?: string;
  /** Makes what it works on. */
  readonly open: (folder: string) => Promise<Killable & AsyncDisposable>;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RUN = ["run", "-q", "--no-check", "-A", "--config", join(ROOT, "deno.json")];

/** A script beside this one, run with a folder as its first argument. */
function script(name: string, file: string, share: number, ...words: string[]): KillWork {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const args = (folder: string) => [...RUN, path, folder, ...words];
  return { name, share, open: () => Promise.resolve({ name, args, ...NOTHING_TO_CLOSE }) };
}

const NOTHING_TO_CLOSE: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/** Shards of ChessBench's names on a slow server that can go on in the middle of a file, as real ones do. */
async function serveShards(folder: string): Promise<{ url: string } & AsyncDisposable> {
  await Deno.mkdir(folder, { recursive: true });
  for (let shard = 0; shard < 3; shard++) {
    const rows = Array.from({ length: 6 }, (_, i) => randomGame(100 * shard + i + 1, 40)).flat();
    await writeShard(join(folder, chessbenchShard(shard).name), rows);
  }
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const bytes = await Deno.readFile(folder + new URL(request.url).pathname);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "")?.[1] ?? 0);
    const headers = {
      "content-length": String(bytes.length - from),
      etag: '"1"',
      ...from === 0 ? {} : { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` },
    };
    if (request.method === "HEAD") return new Response(null, { headers });
    let at = from;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.enqueue(bytes.slice(at, at += 4000));
        if (at >= bytes.length) controller.close();
      },
    });
    return new Response(body, { status: from === 0 ? 200 : 206, headers });
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Some of the shipped positions, HOLD and VAL among them. */
async function saveFew(path: string, train: number): Promise<void> {
  const shipped = await shippedPositions();
  const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
  const few = [...rows(0, 60), ...rows(shipped.hold, 60), ...rows(shipped.hold + shipped.val, train)];
  await savePositions(path, selectRows(shipped, few));
}

/** All work that `deno task test:kill` kills. */
export const KILL_WORK: readonly KillWork[] = [
  script("stream: calibrate, probe, learn, check", "_stream_process.ts", 0.25),
  script("cached: cache, fit", "_cached_process.ts", 0.25),
  {
    ...script("cached: cache, fit on TensorFlow", "_cached_process.ts", 0.05, "tensorflow"),
    needs: "tensorflow",
  },
  script("brain: calibrate, learn, check", "_brain_process.ts", 0.1),
  script("bio: calibrate, lessons, check", "_bio_process.ts", 0.05),
  {
    name: "download",
    share: 0.1,
    async open(folder) {
      const server = await serveShards(join(folder, "server"));
      const words = ["data", "download", "chessbench", "--shards", "0-2", "--from", server.url, "--out"];
      return {
        name: "download",
        args: (at) => [...RUN, join(ROOT, "cli.ts"), ...words, join(at, "shards")],
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: "curriculum",
    share: 0.1,
    needs: "stockfish",
    async open(folder) {
      const positions = join(folder, "main.arrow");
      await saveFew(positions, 600);
      const words = [
        "data",
        "curriculum",
        "--relabel",
        "60",
        "--endgames",
        "60",
        "--depth",
        "2",
        "--positions",
      ];
      return {
        name: "curriculum",
        args: (at) => [...RUN, join(ROOT, "cli.ts"), ...words, positions, "--out", join(at, "lessons.arrow")],
        // Labels wait there, in as many files as there were starts.
        mayDiffer: /^lessons\.part\//,
        ...NOTHING_TO_CLOSE,
      };
    },
  },
  {
    name: "day: download, cache, fit, throw away",
    share: 0.15,
    async open(folder) {
      const server = await serveShards(join(folder, "server"));
      const fly = join(folder, "fly.arrow"), positions = join(folder, "positions.arrow");
      await saveConnectome(fly, growModelFly({ scale: 1 / 64, seed: 1 }));
      await saveFew(positions, 400);
      const words = ["train", "day", "--connectome", fly, "--positions", positions, "--name", "day"];
      words.push("--shards", "0-2", "--from", server.url, "--fit-every-shards", "2", "--passes", "3");
      words.push("--min-free-gb", "0.1", "--min-memory-gb", "0.05");
      return {
        name: "day",
        args: () => [...RUN, join(ROOT, "cli.ts"), ...words],
        cwd: (at) => at,
        // It says so every time that it is started.
        mayRepeat: ["started"],
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
];
