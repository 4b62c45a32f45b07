import assert from "node:assert/strict";
import { partsTable, speedTable } from "../../bench/_fit_table.ts";
import { peersTable } from "../../bench/_peers_table.ts";

Deno.test("docs/engine.md shows the numbers of the committed measurements", async () => {
  const root = new URL("../../", import.meta.url);
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(new URL(`bench/results/${name}.json`, root)));
  const all = await read("fit"), one = await read("fit_one_core");
  const docs = await Deno.readTextFile(new URL("docs/engine.md", root));
  // deno fmt pads the cells: compare without the padding.
  const cells = (text: string) =>
    text.split("\n").filter((line) => line.startsWith("|")).map((line) =>
      line.split("|").map((cell) => cell.trim().replace(/-+/g, "-").replace(/-:$/, "-:")).join("|")
    );
  const written = new Set(cells(docs));
  for (const table of [peersTable(await read("engine")), speedTable(all, one), partsTable(one, 128)]) {
    for (const row of cells(table)) assert.ok(written.has(row), `docs/engine.md has no row '${row}'`);
  }
});
