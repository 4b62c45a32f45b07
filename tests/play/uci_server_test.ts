import assert from "node:assert/strict";
import { UciEngine, type UciEngineOptions } from "../../lib/chess/mod.ts";
import {
  EnginePlayer,
  favourites,
  FlyPlayer,
  Game,
  type LoadedFly,
  playMatch,
  randomPlayer,
  serveUci,
} from "../../lib/play/mod.ts";
import { PYTHON, requires } from "../_requirements.ts";
import { smallFly } from "./_flies.ts";

const PROGRAM: UciEngineOptions = {
  path: Deno.execPath(),
  args: ["run", "--quiet", "-A", new URL("_uci_fly.ts", import.meta.url).pathname],
};
const MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

/** Lines in, lines out: the server without a process. */
class Talk implements AsyncDisposable {
  readonly said: string[] = [];
  readonly #input = new TransformStream<string, string>(undefined, { highWaterMark: 100 });
  readonly #writer = this.#input.writable.getWriter();
  readonly #done: Promise<void>;

  constructor(load: (fly: string, threads: number) => Promise<LoadedFly>) {
    this.#done = serveUci(this.#input.readable, {
      name: "talk",
      fly: "small",
      load,
      say: (line) => this.said.push(line),
    });
  }

  write(...lines: string[]): void {
    for (const line of lines) this.#writer.write(line);
  }

  /** Waits for a line that starts so. */
  async hears(start: string, times = 1): Promise<string> {
    for (let i = 0; i < 1000; i++) {
      const found = this.said.filter((line) => line.startsWith(start));
      if (found.length >= times) return found[times - 1]!;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`never heard '${start}', only:\n${this.said.join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.write("quit");
    await this.#done;
    await this.#writer.close().catch(() => {});
  }
}

async function small(): Promise<LoadedFly> {
  const fly = await smallFly();
  return { player: new FlyPlayer(fly), [Symbol.asyncDispose]: () => fly[Symbol.asyncDispose]() };
}

Deno.test("`serveUci()` is an engine that our own driver can play with, ready within a second or so", async () => {
  const started = performance.now();
  await using engine = await UciEngine.start(PROGRAM);
  // 1.0 s is wanted; a busy machine gets more before this counts as broken.
  assert.ok(performance.now() - started < 5000);
  assert.equal(engine.name, "small fly");
  assert.deepEqual([...engine.options.keys()], ["fly", "imagination", "weight", "threads", "multipv"]);
  await using fly = await smallFly();
  const start = new Game().fen;
  const [favourite] = await favourites(fly, start);
  assert.equal(await engine.play(start, { nodes: 1 }), favourite!.uci);
  const lines = await engine.analyse(start, { movetime: 100, multiPv: 3 });
  assert.deepEqual(
    lines.map(({ move }) => move),
    (await favourites(fly, start)).slice(0, 3).map(({ uci }) => uci),
  );
  await engine.setOption("Imagination", true);
  await engine.setOption("Weight", "0.25");
  const [mate] = await engine.analyse(MATE, { depth: 3, multiPv: 2 });
  assert.equal(mate!.move, "a1a8");
  assert.equal(mate!.mate, 1);
  assert.equal(await engine.play("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", { nodes: 1 }), undefined);
});

Deno.test("`serveUci()` plays whole games as an `EnginePlayer`", async () => {
  await using engine = await EnginePlayer.create({ ...PROGRAM, nodes: 1 });
  const match = await playMatch(engine, randomPlayer(), { games: 2, moveLimit: 8, concurrency: 1 });
  assert.equal(match.unfinished, 0);
});

Deno.test("`serveUci()` keeps its move until `stop` where the search is infinite, and answers `isready` meanwhile", async () => {
  await using talk = new Talk(small);
  talk.write("uci", "position startpos moves e2e4", "go infinite");
  await talk.hears("info depth");
  talk.write("isready");
  await talk.hears("readyok");
  assert.ok(!talk.said.some((line) => line.startsWith("bestmove")));
  talk.write("stop");
  const answer = await talk.hears("bestmove");
  const game = new Game();
  game.play("e2e4");
  assert.ok(game.legal.some(({ uci }) => answer === `bestmove ${uci}`));
});

Deno.test("`serveUci()` writes a move's probability, looks only at `searchmoves`, and takes any limit", async () => {
  await using talk = new Talk(small);
  const limits = [
    "depth 1",
    "nodes 5",
    "movetime 10",
    "wtime 1000 btime 1000 winc 10 binc 10 movestogo 3",
    "mate 2",
    "",
  ];
  for (const [i, limit] of limits.entries()) {
    talk.write("position startpos", `go ${limit} searchmoves a2a3 h2h4`);
    assert.match(await talk.hears("bestmove", i + 1), /^bestmove (a2a3|h2h4)$/);
  }
  assert.match(await talk.hears("info string"), /^info string (a2a3 a3|h2h4 h4) probability \d+\.\d %$/);
});

Deno.test("`serveUci()` explains itself with `eval`", async () => {
  await using talk = new Talk(small);
  talk.write(`position fen ${MATE}`, "setoption name Imagination value true", "eval");
  assert.match(await talk.hears("Ra8#"), /1\.000 {2}checkmate$/);
  assert.match(await talk.hears("Plays"), /Ra8#/);
});

Deno.test("`serveUci()` goes on in a game whose draw nobody claimed", async () => {
  await using talk = new Talk(small);
  const shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(3).trim();
  talk.write(`position startpos moves ${shuffle}`, "go nodes 1");
  assert.match(await talk.hears("bestmove"), /^bestmove [a-h][1-8][a-h][1-8]$/);
});

Deno.test("`serveUci()` says what is wrong and goes on", async () => {
  await using talk = new Talk((name) =>
    name === "small" ? small() : Promise.reject(new Error(`no fly ${name}`))
  );
  talk.write("position fen nonsense", "go nodes 1");
  await talk.hears("info string Cannot read the FEN");
  assert.equal(await talk.hears("bestmove"), "bestmove (none)");
  talk.write("position startpos moves e2e5");
  await talk.hears("info string Cannot play e2e5");
  talk.write(
    "setoption name Threads value 0",
    "setoption name Colour value blue",
    "setoption name Weight value -1",
  );
  await talk.hears("info string Cannot set Threads");
  await talk.hears("info string Cannot set Colour");
  await talk.hears("info string Cannot set Weight");
  talk.write("setoption name Fly value other", "isready", "isready");
  await talk.hears("info string no fly other");
  talk.write("setoption name Fly value small", "position startpos", "nonsense", "", "isready", "go depth 1");
  assert.match(await talk.hears("bestmove", 2), /^bestmove [a-h][1-8][a-h][1-8]$/);
});

Deno.test("`serveUci()` gives its fly back at the end and when another is set", async () => {
  let alive = 0;
  let loads = 0;
  const load = async () => {
    alive++;
    loads++;
    const fly = await small();
    return {
      player: fly.player,
      async [Symbol.asyncDispose]() {
        alive--;
        await fly[Symbol.asyncDispose]();
      },
    };
  };
  {
    await using talk = new Talk(load);
    talk.write("isready");
    await talk.hears("readyok");
    talk.write("setoption name Threads value 2", "isready", "isready");
    await talk.hears("readyok", 3);
    assert.deepEqual([alive, loads], [1, 2]);
  }
  assert.equal(alive, 0);
});

Deno.test({
  name: "`serveUci()` plays with python-chess",
  ...requires("python-chess"),
  async fn() {
    const script = `
import sys, chess, chess.engine
engine = chess.engine.SimpleEngine.popen_uci(sys.argv[1:])
engine.configure({"Imagination": True, "Weight": "0.5"})
board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
print(engine.play(board, chess.engine.Limit(time=0.1)).move)
print(len(engine.analyse(chess.Board(), chess.engine.Limit(nodes=1), multipv=4)))
board = chess.Board()
for _ in range(6):
    board.push(engine.play(board, chess.engine.Limit(white_clock=5, black_clock=5)).move)
print(board.ply())
engine.quit()
`;
    const { stdout, stderr } = await new Deno.Command(PYTHON, {
      args: ["-c", script, PROGRAM.path, ...PROGRAM.args!],
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    assert.equal(text.decode(stdout), "a1a8\n4\n6\n", text.decode(stderr));
  },
});
