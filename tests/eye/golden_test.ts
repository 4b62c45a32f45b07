import assert from "node:assert/strict";
import { check } from "../golden_checks/eye.ts";

/** Golden files of this kind. */
function goldens(): { name: string; read: () => Record<string, unknown> }[] {
  const folder = new URL("../golden/", import.meta.url);
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /^eye.*\.json$/.test(name))
    .sort().map((name) => ({ name, read: () => JSON.parse(Deno.readTextFileSync(new URL(name, folder))) }));
}

for (const { name, read } of goldens()) {
  Deno.test(`both eyes place every cell as in ${name}`, () => check(read()));
}

Deno.test("there are golden eyes, and a change to one is noticed", () => {
  const [golden] = goldens();
  assert.ok(golden !== undefined);
  const value = golden.read() as { kind: string; fair: { square: number }[] };
  assert.equal(value.kind, "eye");
  value.fair[0]!.square ^= 1;
  assert.throws(() => check(value), assert.AssertionError);
});
