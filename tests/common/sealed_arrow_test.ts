import assert from "node:assert/strict";
import * as arrow from "apache-arrow";
import { DataError, openSealedArrow, saveSealedArrow } from "../../lib/common/mod.ts";

function table(): arrow.Table {
  return arrow.tableFromArrays({ a: Int32Array.from({ length: 40 }, (_, i) => i), b: new Float64Array(40) });
}

Deno.test("a sealed file opens with what was put in", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/deep/x.arrow`;
  await saveSealedArrow(path, table(), { "flychess:kind": "a test table", note: "x" });
  const opened = await openSealedArrow(path, "a test table");
  assert.deepEqual([...opened.getChild("a")!.toArray()], [...table().getChild("a")!.toArray()]);
  assert.equal(opened.schema.metadata.get("note"), "x");
  await assert.rejects(openSealedArrow(path, "another kind"), DataError);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("every single flipped bit of a sealed file is noticed", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/x.arrow`;
  await saveSealedArrow(path, table(), { "flychess:kind": "a test table" });
  const bytes = await Deno.readFile(path);
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at]! ^= 1 << (at % 8);
    await Deno.writeFile(path, changed);
    await assert.rejects(openSealedArrow(path, "a test table"), `byte ${at}`);
  }
  for (const length of [0, 5, 100, bytes.length - 1]) {
    await Deno.writeFile(path, bytes.subarray(0, length));
    await assert.rejects(openSealedArrow(path, "a test table"), DataError, `cut to ${length}`);
  }
  await Deno.remove(folder, { recursive: true });
});
