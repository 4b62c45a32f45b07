import assert from "node:assert/strict";
import { notebookCode } from "../../notebooks/_check.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("the cells of the first notebook run one after the other and end with a move", async () => {
  const code = notebookCode(await Deno.readTextFile(new URL("notebooks/01_first_look.ipynb", ROOT)));
  const file = new URL("notebooks/01_first_look.run.ts", ROOT).pathname;
  await Deno.writeTextFile(file, code);
  try {
    const { code: status, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "--allow-read", "--allow-env", "--allow-sys", file],
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(status, 0, new TextDecoder().decode(stderr));
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    assert.match(lines[0]!, /^model fly \(scale 1\/64, seed 1\): [\d,]+ neurons/);
    assert.equal(lines.filter((line) => /^\S+ +\d+\.\d %$/.test(line)).length, 5);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("notebooks are kept without outputs, so that a change to one can be read", async () => {
  for await (const { name } of Deno.readDir(new URL("notebooks", ROOT))) {
    if (!name.endsWith(".ipynb")) continue;
    const { cells } = JSON.parse(await Deno.readTextFile(new URL(`notebooks/${name}`, ROOT)));
    for (const cell of cells) {
      if (cell.cell_type === "code") assert.deepEqual(cell.outputs, [], `${name} has outputs`);
    }
  }
});
