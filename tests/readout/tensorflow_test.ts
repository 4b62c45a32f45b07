import assert from "node:assert/strict";

/** What `_fit_once.ts` prints. */
interface Printed {
  readonly backend: string;
  readonly weight: readonly number[];
}

async function fitOnce(...permissions: string[]): Promise<Printed> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--cached-only", "--no-check", ...permissions, "_fit_once.ts"],
    cwd: new URL(".", import.meta.url),
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  assert.ok(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("fits run on WebAssembly with permission to read and on plain JavaScript without, quietly and alike", async () => {
  const [fast, plain] = await Promise.all([fitOnce("--allow-read"), fitOnce()]);
  assert.equal(fast.backend, "wasm");
  assert.equal(plain.backend, "cpu");
  for (const [i, weight] of fast.weight.entries()) assert.ok(Math.abs(weight - plain.weight[i]!) < 1e-4);
  assert.ok(fast.weight.some((weight) => Math.abs(weight) > 1e-3));
});
