import assert from "node:assert/strict";
import { peersTable } from "../../bench/_peers_table.ts";

Deno.test("docs/engine.md shows the numbers of the committed comparison with other libraries", async () => {
  const root = new URL("../../", import.meta.url);
  const results = JSON.parse(await Deno.readTextFile(new URL("bench/results/engine.json", root)));
  const docs = await Deno.readTextFile(new URL("docs/engine.md", root));
  // deno fmt pads the cells: compare without the padding.
  const cells = (text: string) =>
    text.split("\n").filter((line) => line.startsWith("|")).map((line) =>
      line.split("|").map((cell) => cell.trim().replace(/-+/g, "-").replace(/-:$/, "-:")).join("|")
    );
  const written = new Set(cells(docs));
  for (const row of cells(peersTable(results))) {
    assert.ok(written.has(row), `docs/engine.md has no row '${row}'`);
  }
});
