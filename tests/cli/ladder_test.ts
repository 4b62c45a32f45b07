import assert from "node:assert/strict";
import { join } from "node:path";
import { requires } from "../_requirements.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

async function ladder(cwd: string, ...more: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "--no-check",
      "-A",
      CLI,
      "ladder",
      "random/50",
      "--games",
      "2",
      "--nodes",
      "20",
      ...more,
    ],
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test({
  name: "`fly ladder` keeps every match, plays only what is missing, and prints the same table again",
  ...requires("stockfish"),
  async fn() {
    const cwd = await Deno.makeTempDir();
    try {
      const first = await ladder(cwd);
      assert.equal(first.code, 0, first.err);
      assert.match(first.out, /^sf-elo:lowest +\d{4} +anchor/m);
      assert.match(first.out, /^random\/50 /m);
      const folder = join(cwd, "runs", "ladder");
      const matches = [...Deno.readDirSync(folder)].map(({ name }) => name)
        .filter((name) => name !== "ladder.json").sort();
      assert.equal(matches.length, 5 + 6);
      const written = matches.map((name) => Deno.statSync(join(folder, name)).mtime!.getTime());
      // A weakened Stockfish throws its own dice; these two throw ours.
      const missing = matches.findIndex((name) =>
        /"pairing":\["greedy","random"\]/.test(Deno.readTextFileSync(join(folder, name)))
      );
      Deno.removeSync(join(folder, matches[missing]!));
      const again = await ladder(cwd);
      assert.equal(again.out, first.out);
      matches.forEach((name, i) => {
        if (i === missing) return;
        assert.equal(
          Deno.statSync(join(folder, name)).mtime!.getTime(),
          written[i],
          `${name} was played again`,
        );
      });
      Deno.writeTextFileSync(join(folder, matches[0]!), "{");
      const broken = await ladder(cwd);
      assert.equal(broken.code, 1);
      assert.match(broken.err, /it is no JSON, a match is wanted/);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
});

Deno.test({
  name:
    "`fly ladder --adaptive` plays where it tells most, until intervals are narrow or the games are spent",
  ...requires("stockfish"),
  async fn() {
    const cwd = await Deno.makeTempDir();
    try {
      const wide = await ladder(cwd, "--games", "3", "--adaptive", "100000");
      assert.equal(wide.code, 0, wide.err);
      assert.match(wide.out, /^22 games; 3 for each of 11 pairings are 33\.$/m);
      const narrow = await ladder(cwd, "--games", "3", "--adaptive", "1");
      assert.match(narrow.out, /^34 games; 3 for each of 11 pairings are 33\.$/m);
      // Kept games lead to the same choices and the same table.
      const folder = join(cwd, "runs", "ladder");
      const files = [...Deno.readDirSync(folder)].length;
      assert.equal((await ladder(cwd, "--games", "3", "--adaptive", "1")).out, narrow.out);
      assert.equal([...Deno.readDirSync(folder)].length, files);
      const { pairings } = JSON.parse(await Deno.readTextFile(join(folder, "ladder.json")));
      type Sums = { first: string; second: string; wins: number; draws: number; losses: number };
      const more = pairings.filter(({ wins, draws, losses }: Sums) => wins + draws + losses > 2);
      assert.ok(more.length >= 1);
      assert.ok(more.some(({ first }: Sums) => first === "random/50"), "games of the player asked about");
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  },
});
