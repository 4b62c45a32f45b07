import assert from "node:assert/strict";

import { TemporaryFolder } from "../_temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

async function fly(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", `${ROOT}cli.ts`, ...args],
    env: { NO_COLOR: "1" },
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("`fly match` prints the score and how the games ended, and refuses a player that is none", async () => {
  const { code, out } = await fly("match", "greedy", "random", "--games", "4");
  assert.equal(code, 0);
  assert.match(out, /^greedy against random: \d won, \d drawn, \d lost, a score of \d+\.\d %\n/);
  assert.match(out, /^ending +games +won +drawn +lost +moves +material$/m);
  using folder = new TemporaryFolder();
  const pgn = `${folder.path}/new/folder/games.pgn`;
  const kept = await fly("match", "greedy", "random", "--games", "1", "--pgn", pgn);
  assert.match(kept.out, new RegExp(`^The games were written to ${pgn}\\.$`, "m"));
  assert.match(await Deno.readTextFile(pgn), /^\[Event /);
  assert.match(kept.err, /^playing: 1 game$/m);
  const wrong = await fly("match", "greedy", "nobody");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /'nobody' is no player/);
});
