import assert from "node:assert/strict";
import { join } from "node:path";
import { EngineError } from "../../lib/chess/mod.ts";
import {
  EnginePlayer,
  type EnginePlayerOptions,
  greedyPlayer,
  makePgn,
  type Player,
  playMatch,
  randomPlayer,
} from "../../lib/play/mod.ts";
import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

/** How long Stockfish is paused, milliseconds: FLYCHESS_PAUSE_MS=15000 tries it as a machine that sleeps would. */
const PAUSE = Number(Deno.env.get("FLYCHESS_PAUSE_MS") ?? 1200);
const STOCKFISH = "PATH=$PATH:/usr/games; echo $$ >> pids; exec stockfish";

/** Stockfish that writes its process's number into a file first, and the numbers so far. */
async function stockfish(folder: string, options: Partial<EnginePlayerOptions> = {}) {
  const player = await EnginePlayer.create({
    path: "/bin/sh",
    args: ["-c", `cd '${folder}'; ${STOCKFISH}`],
    nodes: 500,
    ...options,
  });
  const pids = () => Deno.readTextFileSync(join(folder, "pids")).trim().split("\n").map(Number);
  return { player, pids };
}

/** A player who does something before a move, once. */
function meddler(player: Player, ply: number, meddle: () => void): Player {
  let done = false;
  return {
    name: player.name,
    choose(game, options) {
      if (!done && game.moves.length >= ply) {
        done = true;
        meddle();
      }
      return player.choose(game, options);
    },
  };
}

/** Whether a process still runs; one that has ended and was not waited for does not. */
function runs(pid: number): boolean {
  try {
    return !/\) Z /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

const linux = Deno.build.os === "linux" ? requires("stockfish") : { ignore: true };

Deno.test({
  name: "`playMatch()` goes on after Stockfish was paused in the middle of a game",
  ...linux,
  async fn() {
    using folder = new TemporaryFolder();
    const { player, pids } = await stockfish(folder.path);
    let started: number[];
    {
      await using engine = player;
      let paused = 0;
      const greedy = meddler(greedyPlayer(), 6, () => {
        const pid = pids()[0]!;
        Deno.kill(pid, "SIGSTOP");
        const before = performance.now();
        setTimeout(() => {
          Deno.kill(pid, "SIGCONT");
          paused = performance.now() - before;
        }, PAUSE);
      });
      const match = await playMatch(engine, greedy, { games: 2, concurrency: 1, moveLimit: 30 });
      assert.ok(paused >= PAUSE - 1, "the pause ended before the match");
      assert.equal(match.unfinished, 0);
      assert.ok(match.games[0]!.moves.length > 7);
      started = pids();
      assert.equal(started.length, 1, "one process for both games");
    }
    assert.deepEqual(started.filter(runs), []);
  },
});

Deno.test({
  name:
    "`playMatch()` ends a game whose Stockfish never comes back, says so, and plays the next with a fresh one",
  ...linux,
  async fn() {
    using folder = new TemporaryFolder();
    const { player, pids } = await stockfish(folder.path, { timeout: 1500 });
    await using engine = player;
    const greedy = meddler(greedyPlayer(), 6, () => Deno.kill(pids()[0]!, "SIGSTOP"));
    const match = await playMatch(engine, greedy, { games: 3, concurrency: 1, moveLimit: 30 });
    const [first, ...others] = match.games;
    assert.deepEqual([first!.ending, first!.result], ["player failed", "*"]);
    assert.match(first!.detail!, /it has not answered '\w+.*' in 1.5 seconds/);
    assert.match(makePgn(first!), /has\s+not\s+answered/);
    assert.equal(match.unfinished, 1);
    assert.ok(others.every(({ ending }) => ending !== "player failed"));
    const started = pids();
    assert.equal(started.length, 2, "a fresh process for the games after");
    assert.ok(!runs(started[0]!), "the one that hung was ended");
  },
});

Deno.test({
  name: "`playMatch()` ends a game whose Stockfish is killed, says so, and plays the next with a fresh one",
  ...linux,
  async fn() {
    using folder = new TemporaryFolder();
    const { player, pids } = await stockfish(folder.path);
    await using engine = player;
    const greedy = meddler(greedyPlayer(), 6, () => Deno.kill(pids()[0]!, "SIGKILL"));
    const match = await playMatch(engine, greedy, { games: 2, concurrency: 1, moveLimit: 30 });
    assert.deepEqual([match.games[0]!.ending, match.games[0]!.result], ["player failed", "*"]);
    assert.match(match.games[0]!.detail!, /it has ended \(by SIGKILL\)/);
    assert.equal(match.unfinished, 1);
    assert.notEqual(match.games[1]!.ending, "player failed");
    assert.equal(pids().length, 2);
  },
});

Deno.test({
  name: "`playMatch()` says which program is gone where a second Stockfish is wanted and there is none",
  ...linux,
  async fn() {
    using folder = new TemporaryFolder();
    const script = join(folder.path, "engine");
    await Deno.writeTextFile(script, `#!/bin/sh\ncd '${folder.path}'; ${STOCKFISH}\n`, { mode: 0o755 });
    await using engine = await EnginePlayer.create({ path: script, nodes: 500 });
    await Deno.remove(script);
    // Two games at once want two processes; the program can be started no more.
    const match = await playMatch(engine, randomPlayer(), { games: 3, concurrency: 3, moveLimit: 10 });
    const failed = match.games.filter(({ ending }) => ending === "player failed");
    assert.ok(failed.length >= 1 && failed.length < 3, `${failed.length} games failed`);
    assert.equal(match.unfinished, failed.length);
    for (const { detail } of failed) assert.match(detail!, /engine: there is no such program/);
  },
});

Deno.test("`EnginePlayer.create()` says which program is missing, before any game", async () => {
  await assert.rejects(EnginePlayer.create({ path: "/nowhere/stockfish" }), (error: Error) => {
    assert.ok(error instanceof EngineError);
    assert.match(error.message, /Cannot start \/nowhere\/stockfish: there is no such program/);
    return true;
  });
});

Deno.test("`playMatch()` lets an engine that plays an illegal move lose that game, and asks it again in the next", async () => {
  // It plays e2e4, always: legal once.
  const script = new URL("../chess/_fake_engine.ts", import.meta.url).pathname;
  await using engine = await EnginePlayer.create({
    path: Deno.execPath(),
    args: ["run", "--quiet", "--no-config", script, "good"],
  });
  const openings = [{ name: "none", moves: [] }];
  const match = await playMatch(engine, randomPlayer(), { games: 3, concurrency: 1, openings });
  assert.deepEqual(match.games.map(({ ending }) => ending), Array(3).fill("illegal move"));
  assert.deepEqual(match.games.map(({ result }) => result), ["0-1", "1-0", "0-1"]);
  assert.deepEqual([match.wins, match.losses, match.unfinished], [0, 3, 0]);
  assert.match(match.games[0]!.detail!, /^Fake 1, .+ played e2e4 in '.+', which is not legal$/);
});
