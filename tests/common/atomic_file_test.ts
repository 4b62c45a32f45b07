import assert from "node:assert/strict";
import { digest, writeFileAtomic } from "../../lib/common/mod.ts";

Deno.test("`writeFileAtomic()` makes missing folders and leaves nothing but the file", async () => {
  const folder = await Deno.makeTempDir();
  await writeFileAtomic(`${folder}/a/b.txt`, "one");
  await writeFileAtomic(`${folder}/a/b.txt`, new TextEncoder().encode("two"));
  assert.equal(await Deno.readTextFile(`${folder}/a/b.txt`), "two");
  assert.deepEqual([...Deno.readDirSync(`${folder}/a`)].map(({ name }) => name), ["b.txt"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("`writeFileAtomic()` keeps the former file when writing fails", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/b.txt`;
  await writeFileAtomic(path, "whole");
  await assert.rejects(
    writeFileAtomic(path, async (file) => {
      await file.write(new TextEncoder().encode("half"));
      throw new Error("the power went");
    }),
    /the power went/,
  );
  assert.equal(await Deno.readTextFile(path), "whole");
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["b.txt"]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("`digest()` tells parts apart that join to the same bytes", () => {
  assert.notEqual(digest(["ab", "c"]), digest(["a", "bc"]));
  assert.equal(digest(["a", Uint8Array.of(1, 2)]), digest(["a", new Uint16Array([0x0201])]));
  assert.match(digest([]), /^[0-9a-f]{64}$/);
});
