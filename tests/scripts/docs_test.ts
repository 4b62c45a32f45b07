import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../../deno.json" with { type: "json" };
import { TemporaryFolder } from "../_temporary_folder.ts";

Deno.test("`deno task docs` writes a front page that leads to every room", async () => {
  using folder = new TemporaryFolder();
  const script = fileURLToPath(new URL("../../scripts/docs.ts", import.meta.url));
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, "--output", folder.path],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const front = await Deno.readTextFile(join(folder.path, "index.html"));
  for (const name of Object.keys(config.exports).filter((each) => each !== ".")) {
    const room = name.slice(2);
    assert.match(front, new RegExp(`href="./${room}/index.html">${room}</a></h2>\n<p>\\S.{60}`));
    assert.ok(Deno.statSync(join(folder.path, room, "index.html")).isFile);
  }
});
