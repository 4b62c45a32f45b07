import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError, exists, readJson, readText } from "../../lib/common/mod.ts";
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

Deno.test("`readText()` and `exists()` know of no file, and pass on every other trouble", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "note.txt");
  assert.equal(await readText(path), undefined);
  assert.equal(await exists(path), false);
  await Deno.writeTextFile(path, "");
  assert.equal(await readText(path), "");
  assert.equal(await exists(path), true);
  assert.equal(await exists(folder.path), true);
  await assert.rejects(readText(folder.path));
  await assert.rejects(exists(join(path, "below a file")), Deno.errors.NotADirectory);
});
