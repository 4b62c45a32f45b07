import assert from "node:assert/strict";

/**
 * Runs a file of tests in a process of its own: TensorFlow cannot be loaded after a GPU driver that brings another LLVM.
 *
 * @param cases The file.
 */
export async function passInOwnProcess(cases: URL): Promise<void> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", cases.href],
    env: { NO_COLOR: "1" },
  }).output();
  const out = new TextDecoder().decode(stdout);
  assert.equal(code, 0, out + new TextDecoder().decode(stderr));
  assert.match(out, /^ok \| \d+ passed/m);
}
