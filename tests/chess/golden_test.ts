import assert from "node:assert/strict";
import { check } from "../golden_checks/boards.ts";

/** Golden files of this kind. */
function goldens(): { name: string; read: () => Record<string, unknown> }[] {
  const folder = new URL("../golden/", import.meta.url);
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /^boards.*\.json$/.test(name))
    .sort().map((name) => ({ name, read: () => JSON.parse(Deno.readTextFileSync(new URL(name, folder))) }));
}

for (const { name, read } of goldens()) {
  Deno.test(`boards, moves and afterstates are those of ${name}`, () => check(read()));
}

Deno.test("there are golden boards, and a change to one is noticed", () => {
  const [golden] = goldens();
  assert.ok(golden !== undefined);
  const value = golden.read() as { kind: string; cases: { set_bits: number[] }[]; afterstates: unknown[] };
  assert.equal(value.kind, "boards");
  value.cases[0]!.set_bits[0]! += 1;
  assert.throws(() => check(value), assert.AssertionError);
});
