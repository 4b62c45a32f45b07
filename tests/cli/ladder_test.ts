import assert from "node:assert/strict";
import { join } from "node:path";
import { requires } from "../_requirements.ts";

const CLI = new URL("../../cli.ts", import.meta.url).pathname;

async function ladder(cwd: string): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", CLI, "ladder", "random/50", "--games", "2", "--nodes", "20"],
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
