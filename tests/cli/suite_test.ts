import assert from "node:assert/strict";
import { join } from "node:path";
import { loadSuite, packSuite } from "../../lib/rating/mod.ts";
import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

async function fly(cwd: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", `${ROOT}cli.ts`, ...args],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("`fly suite` prints players beside the random and the greedy mover", async () => {
  using folder = new TemporaryFolder();
  const suite = await loadSuite();
  const small = join(folder.path, "small.gz");
  await Deno.writeFile(small, await packSuite({ ...suite, positions: suite.positions.slice(0, 40) }));
  const json = join(folder.path, "out.json");
  const { code, out, err } = await fly(folder.path, "suite", "random", "--suite", small, "--json", json);
  assert.equal(code, 0, err);
  assert.match(out, /^40 positions of \d+ games, every legal move scored by Stockfish/);
  assert.match(out, /^random, on average +\d+ \(\d+ to \d+\)/m);
  assert.match(out, /^greedy +\d+ \(\d+ to \d+\) +\d+\.\d \(/m);
  assert.match(out, /^random +\d+ \(/m);
  const { players } = JSON.parse(await Deno.readTextFile(json));
  assert.deepEqual(players.map(({ player }: { player: string }) => player), [
    "random, on average",
    "greedy",
    "random",
  ]);
  assert.equal((await fly(folder.path, "suite", "nobody", "--suite", small)).code, 2);
});

Deno.test({
  name: "`fly data suite` goes on after a kill and ends with the same file; `fly match --grade` grades games",
  ...requires("stockfish"),
  async fn() {
    using folder = new TemporaryFolder();
    const words = ["data", "suite", "--positions", "3", "--nodes", "3000", "--out"];
    const one = join(folder.path, "one"), other = join(folder.path, "other");
    assert.match(
      (await fly(folder.path, ...words, one)).out,
      /^3 positions of \d games, scored by Stockfish/,
    );
    const { positions } = await loadSuite(join(one, "positions.jsonl.gz"));
    await Deno.mkdir(other);
    // What a kill leaves: one whole line and half of another.
    const line = JSON.stringify(positions[0]) + "\n";
    await Deno.writeTextFile(join(other, "suite-3000.part"), line + line.slice(0, 30));
    assert.equal((await fly(folder.path, ...words, other)).code, 0);
    assert.deepEqual(
      await Deno.readFile(join(other, "positions.jsonl.gz")),
      await Deno.readFile(join(one, "positions.jsonl.gz")),
    );
    assert.deepEqual([...Deno.readDirSync(other)].map(({ name }) => name), ["positions.jsonl.gz"]);
    const match = await fly(folder.path, "match", "greedy", "random", "--games", "1", "--grade", "200");
    assert.match(match.out, /^game +player +moves +accuracy +best +good +inaccuracy +mistake +blunder$/m);
    assert.match(match.out, /^Accuracy, the mean of the games: greedy \d+\.\d %, random \d+\.\d %\.$/m);
  },
});
