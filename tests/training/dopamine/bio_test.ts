import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError, digest } from "../../../lib/common/mod.ts";
import { connectomeDigest, growModelFly } from "../../../lib/connectome/mod.ts";
import { selectRows, shippedPositions } from "../../../lib/data/mod.ts";
import { Game, playMatch, randomPlayer } from "../../../lib/play/mod.ts";
import { DopaminePlayer } from "../../../lib/play/mod.ts";
import {
  type BioOptions,
  type BioOutcome,
  bioRunConfig,
  loadDopamineFly,
  openRun,
  readCheckpoint,
  readLog,
  trainBio,
} from "../../../lib/training/mod.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";

const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
const shipped = await shippedPositions();
const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const positions = selectRows(shipped, [
  ...rows(0, 40),
  ...rows(shipped.hold, 30),
  ...rows(shipped.hold + shipped.val, 300),
]);
const LESSONS: BioOptions = {
  count: 90,
  batch: 16,
  checkEvery: 30,
  checkRows: 10,
  moveRows: 3,
  holdRows: 30,
  rate: 1,
  share: 0.3,
  saveSeconds: 0,
  workers: 0,
};
const GAMES: BioOptions = { ...LESSONS, lessons: "games", count: 3, moveLimit: 3, checkEvery: 2 };

async function train(folder: string, options: BioOptions): Promise<BioOutcome | undefined> {
  const inputs = { connectome: connectomeDigest(connectome), positions: positions.digest };
  await using run = await openRun(folder, { ...bioRunConfig(options), inputs });
  return await trainBio(run, connectome, positions, options);
}

/** The SHA-256 of a run's checkpoint. */
async function digestOf(folder: string): Promise<string> {
  return digest([await Deno.readFile(join(folder, "checkpoint.safetensors"))]);
}

for (const [name, options] of [["lessons", LESSONS], ["games", GAMES]] as const) {
  Deno.test(`${name}: a run stopped at every check, and one interrupted, end with the same bits`, async () => {
    using whole = new TemporaryFolder(), stopped = new TemporaryFolder(), broken = new TemporaryFolder();
    const wanted = await train(whole.path, options), stop = join(stopped.path, "stop");
    let outcome: BioOutcome | undefined, stops = 0;
    while (outcome === undefined) {
      outcome = await train(stopped.path, {
        ...options,
        onCheck: ({ given }) => {
          if (given >= options.count!) return;
          stops++;
          Deno.writeTextFileSync(stop, "");
        },
      });
      if (outcome === undefined) Deno.removeSync(stop);
    }
    assert.ok(stops > 1);
    assert.deepEqual(outcome.scores, wanted!.scores);
    assert.equal(await digestOf(stopped.path), await digestOf(whole.path));

    const interrupt = new AbortController();
    const interrupted = train(broken.path, {
      ...options,
      saveSeconds: 1000,
      signal: interrupt.signal,
      onCheck: ({ given }) => given > 0 && interrupt.abort(new Error("enough")),
    });
    await assert.rejects(interrupted, /enough/);
    await train(broken.path, options);
    assert.equal(await digestOf(broken.path), await digestOf(whole.path));

    const checks = (folder: string) =>
      readLog(folder).then((log) =>
        log.filter(({ event }) => event !== "checkpoint").map(({ time: _, ...rest }) => rest)
      );
    assert.deepEqual(await checks(broken.path), await checks(whole.path));
    assert.deepEqual(await checks(stopped.path), await checks(whole.path));
    // Once more after its end, it only says the same again.
    assert.deepEqual((await train(whole.path, options))!.scores, wanted!.scores);
  });
}

Deno.test("the checkpoint holds the plastic matrix, weakened and never out of bounds, and the fly plays with it", async () => {
  using folder = new TemporaryFolder();
  const { scores } = (await train(folder.path, LESSONS))!;
  assert.equal(scores.counts.moves, 3);
  const { tensors } = (await readCheckpoint(folder.path))!;
  const [strength, measured] = ["strength", "measured"].map((name) => tensors[`synapses.${name}`]!.data);
  assert.ok(strength!.some((now, i) => now < measured![i]!));
  assert.ok(strength!.every((now, i) => now >= 0 && now <= measured![i]!));

  const fly = await loadDopamineFly(folder.path, connectome, { workers: 0 });
  await using brain = fly.brain;
  assert.deepEqual([...brain.synapses.strength], [...strength!]);
  const player = new DopaminePlayer(fly, { name: "bio" });
  const match = await playMatch(player, randomPlayer(), { games: 2, moveLimit: 3 });
  assert.equal(match.unfinished, 0);
  const start = new Game(), { approach, probability } = await player.think(start);
  const most = approach.indexOf(Math.max(...approach));
  assert.equal((await player.choose(start)).move, start.legal[most]!.uci);
  assert.ok(Math.abs(probability.reduce((a, b) => a + b) - 1) < 1e-12);
});

Deno.test("a dopamine fly does not go back to a position while it has another move", async () => {
  using folder = new TemporaryFolder();
  await train(folder.path, { ...LESSONS, count: 16, moveRows: 0 });
  const fly = await loadDopamineFly(folder.path, connectome, { workers: 0 });
  await using _brain = fly.brain;
  const player = new DopaminePlayer(fly);
  // White's rook and king have gone to and fro: what it likes best is seen to have been there.
  const game = new Game({ start: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" });
  const favourite = (await player.choose(game)).move;
  const { from, to } = game.legal.find(({ uci }) => uci === favourite)!;
  const square = (at: number) => "abcdefgh"[at % 8]! + (Math.floor(at / 8) + 1);
  game.play(favourite);
  game.play("e8e7");
  game.play(square(to) + square(from));
  game.play("e7e8");
  assert.notEqual((await player.choose(game)).move, favourite);
  assert.equal((await new DopaminePlayer(fly, { mayGoBack: true }).choose(game)).move, favourite);
});

Deno.test("a dopamine fly that is drawn to what is new tires of a move that it has just seen", async () => {
  using folder = new TemporaryFolder();
  await train(folder.path, { ...LESSONS, count: 16, moveRows: 0 });
  const fly = await loadDopamineFly(folder.path, connectome, { workers: 0 });
  await using _brain = fly.brain;
  const used = new DopaminePlayer(fly, { mayGoBack: true, novelty: 1000 });
  const game = new Game({ start: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" });
  const first = await used.think(game), favourite = game.legal[first.chosen]!;
  // Nothing was met yet: everything is as new as can be, and thinking twice is no meeting.
  assert.deepEqual((await used.think(game)).approach, first.approach);
  const square = (at: number) => "abcdefgh"[at % 8]! + (Math.floor(at / 8) + 1);
  for (const move of [favourite.uci, "e8e7", square(favourite.to) + square(favourite.from), "e7e8"]) {
    if (game.board.side === "white" && move !== favourite.uci) await used.think(game);
    game.play(move);
  }
  const again = await used.think(game);
  const most = Math.max(...first.approach.map((value, i) => value - again.approach[i]!));
  assert.ok(most > 0 && again.approach[first.chosen]! < first.approach[first.chosen]! - 0.5 * most);
});

Deno.test("minutes are turned into lessons once, and finding out how many changes nothing", async () => {
  using timed = new TemporaryFolder(), counted = new TemporaryFolder();
  const { count: _, ...open } = LESSONS, plans: number[] = [];
  const minutes = {
    ...open,
    minutes: 0.002,
    checkEvery: 1000,
    onPlan: (plan: { count: number }) => plans.push(plan.count),
  };
  const outcome = (await train(timed.path, minutes))!;
  await train(timed.path, minutes);
  assert.equal(plans[0], plans[1]);
  assert.equal(outcome.given, plans[0]);
  await train(counted.path, { ...open, count: plans[0], checkEvery: 1000 });
  const strengths = [timed, counted].map(async ({ path }) =>
    (await readCheckpoint(path))!.tensors["synapses.strength"]!.data
  );
  assert.deepEqual(await strengths[0], await strengths[1]);
});

Deno.test("another connectome, another kind of run and odd settings are refused", async () => {
  using folder = new TemporaryFolder();
  await train(folder.path, { ...LESSONS, count: 16, moveRows: 0 });
  const other = growModelFly({ scale: 1 / 64, seed: 2 });
  await assert.rejects(loadDopamineFly(folder.path, other), DataError);
  await assert.rejects(
    loadDopamineFly(join(folder.path, "none"), connectome),
    /it is no run of 'fly train-bio'/,
  );
  await assert.rejects(train(folder.path, { ...LESSONS, count: 32, moveRows: 0 }), /count/);
  assert.throws(() => bioRunConfig({ batch: 0 }), RangeError);
  assert.throws(() => bioRunConfig({ rate: -1 }), RangeError);
  assert.throws(() => bioRunConfig({ count: 1.5 }), RangeError);
  assert.throws(() => bioRunConfig({ lessons: "books" as "games" }), TypeError);
});
