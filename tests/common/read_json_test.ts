import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError, readJson } from "../../lib/common/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

Deno.test("`readJson()` reads a file, knows of no file, and says what is wanted where a file is no JSON", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "note.json");
  assert.equal(await readJson(path, "a match"), undefined);
  await Deno.writeTextFile(path, '{"games": [1, null]}\n');
  assert.deepEqual(await readJson(path, "a match"), { games: [1, null] });
  await Deno.writeTextFile(path, '{"games": [1,');
  await assert.rejects(readJson(path, "a match"), (error: Error) => {
    assert.ok(error instanceof DataError);
    assert.equal(error.message, `Cannot read ${path}: it is no JSON, a match is wanted`);
    return true;
  });
  await assert.rejects(readJson(folder.path, "a match"), (error) => !(error instanceof DataError));
});
