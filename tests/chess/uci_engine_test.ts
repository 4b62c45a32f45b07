import assert from "node:assert/strict";
import { EngineClock } from "../../lib/chess/_engine_clock.ts";
import { EngineError, START_FEN, UciEngine, type UciEngineOptions } from "../../lib/chess/mod.ts";
import { requires } from "../_requirements.ts";

const FAKE = new URL("./_fake_engine.ts", import.meta.url).pathname;

function fake(way: string, options: Partial<UciEngineOptions> & { log?: string } = {}): Promise<UciEngine> {
  const { log, ...rest } = options;
  const args = ["run", "-A", "--no-config", "--no-lock", FAKE, way, ...(log === undefined ? [] : [log])];
  return UciEngine.start({ path: Deno.execPath(), args, ...rest });
}

Deno.test("an engine says its name and options", async () => {
  await using engine = await fake("good");
  assert.equal(engine.name, "Fake 1");
  assert.deepEqual([...engine.options.values()], [
    { name: "Debug Log File", type: "string", default: "" },
    { name: "Threads", type: "spin", default: "1", min: 1, max: 4 },
    { name: "MultiPV", type: "spin", default: "1", min: 1, max: 3 },
    { name: "Style", type: "combo", default: "Solid", values: ["Solid", "Very Risky"] },
    { name: "Ponder", type: "check", default: "false" },
    { name: "Clear Hash", type: "button" },
  ]);
});

Deno.test("options that an engine does not have, or not with such a value, are refused", async () => {
  await using engine = await fake("good");
  const cases: readonly (readonly [string, string | number | boolean, ErrorConstructor, RegExp])[] = [
    ["Contempt", 3, RangeError, /Fake 1 has none of that name, only Debug Log File, Threads/],
    ["Threads", 0, RangeError, /Threads: 0 is given, a whole number from 1 to 4 is wanted/],
    ["Threads", 1.5, RangeError, /1\.5 is given/],
    ["Threads", NaN, RangeError, /NaN is given/],
    ["Threads", "two", TypeError, /'two' is given, a number is wanted/],
    ["Ponder", 1, TypeError, /true or false is wanted/],
    ["Style", "Wild", RangeError, /one of Solid, Very Risky is wanted/],
    ["Debug Log File", "a\nquit", RangeError, /control character/],
    ["Clear Hash", false, TypeError, /true \(press it\) is wanted/],
  ];
  for (const [name, value, kind, message] of cases) {
    await assert.rejects(engine.setOption(name, value), (error) => {
      assert.ok(error instanceof kind, String(error));
      assert.match(error.message, message);
      return true;
    });
  }
  await assert.rejects(fake("good", { options: { Threads: 5 } }), /whole number from 1 to 4/);
  await assert.rejects(fake("good", { timeout: 0 }), /the timeout is 0, milliseconds above 0 are wanted/);
});

Deno.test("what is sent is what was asked for", async () => {
  const log = await Deno.makeTempFile();
  {
    await using engine = await fake("good", { log, options: { threads: 2, Style: "Very Risky" } });
    await engine.setOption("clear hash", true);
    await engine.setOption("Debug Log File", "");
    await engine.newGame();
    await engine.analyse(START_FEN, { nodes: 100, multiPv: "all" });
    await engine.analyse(START_FEN, { nodes: 100, depth: 3, multiPv: 3 });
    await engine.play(START_FEN, { movetime: 50, moves: ["e2e4", "e7e5"] });
  }
  assert.deepEqual((await Deno.readTextFile(log)).trim().split("\n").filter((line) => line !== "isready"), [
    "uci",
    "setoption name Threads value 2",
    "setoption name Style value Very Risky",
    "setoption name Clear Hash",
    "setoption name Debug Log File value <empty>",
    "ucinewgame",
    "setoption name MultiPV value 3",
    `position fen ${START_FEN}`,
    "go nodes 100",
    `position fen ${START_FEN}`,
    "go nodes 100 depth 3",
    "setoption name MultiPV value 1",
    `position fen ${START_FEN} moves e2e4 e7e5`,
    "go movetime 50",
    "quit",
  ]);
  await Deno.remove(log);
});

Deno.test("an analysis gives the last depth at which every move was searched", async () => {
  await using engine = await fake("good");
  assert.deepEqual(await engine.analyse(START_FEN, { nodes: 12, multiPv: 3 }), [
    { move: "d2d4", cp: 30, depth: 2, pv: ["d2d4", "g8f6"] },
    { move: "e2e4", cp: 20, depth: 2, pv: ["e2e4"] },
    { move: "f2f3", mate: -3, depth: 2, pv: ["f2f3"] },
  ]);
});

Deno.test("a move to play is the engine's best, undefined where the game is over", async () => {
  await using engine = await fake("good");
  assert.equal(await engine.play(START_FEN, { nodes: 1 }), "e2e4");
  assert.equal(await engine.play(START_FEN, { depth: 7 }), "d2d4");
  await using over = await fake("over");
  assert.equal(await over.play(START_FEN, { nodes: 1 }), undefined);
  assert.deepEqual(await over.analyse(START_FEN, { nodes: 1 }), []);
});

Deno.test("a search without a limit, or with nonsense, is refused and the engine goes on", async () => {
  await using engine = await fake("good");
  await assert.rejects(
    engine.analyse(START_FEN, {}),
    /no limit is given, nodes, depth or movetime is wanted/,
  );
  await assert.rejects(engine.analyse(START_FEN, { nodes: 0 }), /nodes is 0/);
  await assert.rejects(engine.analyse(START_FEN, { nodes: 1, multiPv: 4 }), /Fake 1 scores from 1 to 3/);
  await assert.rejects(engine.analyse("8/8\nquit", { nodes: 1 }), /is no FEN/);
  await assert.rejects(engine.play(START_FEN, { nodes: 1, moves: ["e2e4\nquit"] }), /is no move/);
  assert.equal(await engine.play(START_FEN, { nodes: 1 }), "e2e4");
});

Deno.test("a missing program is named", async () => {
  await assert.rejects(UciEngine.start({ path: "/nowhere/stockfish" }), {
    name: "EngineError",
    message:
      "Cannot start /nowhere/stockfish: there is no such program, a UCI engine such as Stockfish is wanted",
  });
});

for (
  const [way, message] of [
    ["dies at once", /it has ended \(status 1\)/],
    ["mute", /it has not answered 'uci' in 0\.7 seconds/],
    ["chatters", /it has not answered 'uci' in 0\.7 seconds/],
    ["endless", /it prints a line without end/],
    ["deaf", /it has not answered 'uci' in 0\.7 seconds/],
  ] as const
) {
  Deno.test(`an engine that ${way === "mute" ? "is mute" : way} instead of greeting is given up`, async () => {
    await assert.rejects(fake(way, { timeout: 700 }), (error) => {
      assert.ok(error instanceof EngineError, String(error));
      assert.match(error.message, message);
      return true;
    });
  });
}

for (
  const [way, message] of [
    ["dies", /it has ended \(status 3\).*; its last words: out of cheese/],
    ["hangs", /it has not answered 'go nodes 9' in 1\.5 seconds/],
    ["garbage", /its best move is 'banana'/],
    ["unscored", /it gave a best move without scoring any/],
  ] as const
) {
  Deno.test(`an engine that ${way} in a search is given up, and later calls say why`, async () => {
    await using engine = await fake(way, { timeout: 1500 });
    await assert.rejects(engine.analyse(START_FEN, { nodes: 9 }), { name: "EngineError", message });
    await assert.rejects(engine.analyse(START_FEN, { nodes: 9 }), { name: "EngineError", message });
    await assert.rejects(engine.newGame(), { name: "EngineError", message });
  });
}

Deno.test("a search that shows signs of life may take longer than the timeout", async () => {
  await using engine = await fake("slow", { timeout: 600 });
  assert.equal((await engine.analyse(START_FEN, { nodes: 9 }))[0]?.move, "e2e4");
});

Deno.test("a search stops when it is told to, and the engine can be asked again", async () => {
  await using engine = await fake("endures");
  const controller = new AbortController();
  const search = engine.analyse(START_FEN, { nodes: 9, signal: controller.signal });
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await assert.rejects(search, /enough/);
  await engine.newGame();
});

Deno.test("calls made at once are answered in turn, and a closed engine refuses more", async () => {
  const engine = await fake("good");
  const answers = await Promise.all([
    engine.play(START_FEN, { nodes: 1 }),
    engine.analyse(START_FEN, { nodes: 1, multiPv: 3 }),
    engine.play(START_FEN, { depth: 7 }),
  ]);
  assert.deepEqual([answers[0], answers[1].length, answers[2]], ["e2e4", 3, "d2d4"]);
  await engine.close();
  await engine.close();
  await assert.rejects(engine.newGame(), /it has been closed/);
});

Deno.test("time in which this program stood still does not make an engine late", async () => {
  let late = false;
  const clock = new EngineClock(500, () => late = true);
  const wake = performance.now() + 900;
  while (performance.now() < wake); // nothing runs meanwhile, as in a computer that sleeps
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.equal(late, false);
  clock.restart();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(late, true);
});

Deno.test("Stockfish finds a mate, and the same answer twice", requires("stockfish"), async () => {
  const path = await Deno.stat("/usr/games/stockfish").then(() => "/usr/games/stockfish", () => "stockfish");
  await using engine = await UciEngine.start({ path, options: { Threads: 1, Hash: 1 } });
  assert.match(engine.name, /Stockfish/);
  const mate = await engine.analyse("7k/8/6K1/8/8/8/8/R7 w - - 0 1", { nodes: 2000, multiPv: "all" });
  assert.deepEqual([mate[0]?.move, mate[0]?.mate, mate.length], ["a1a8", 1, 20]);
  assert.deepEqual(await engine.analyse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", { nodes: 100 }), []);
  const twice = [];
  for (let i = 0; i < 2; i++) {
    await engine.newGame();
    twice.push(await engine.analyse(START_FEN, { nodes: 3000, multiPv: "all" }));
  }
  assert.deepEqual(twice[0], twice[1]);
  assert.equal(twice[0]?.length, 20);
});
