import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { tensorflowEngine } from "../../lib/brain/mod.ts";
import { requires } from "../_requirements.ts";

Deno.test({
  name: "the tensorflow engine does what `_tensorflow_cases.ts` asks of it",
  ...requires("tensorflow"),
  async fn() {
    // In a process of their own: TensorFlow cannot be loaded after a GPU driver that brings another LLVM.
    const cases = fileURLToPath(new URL("_tensorflow_cases.ts", import.meta.url));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", cases],
      env: { NO_COLOR: "1" },
    }).output();
    const out = new TextDecoder().decode(stdout);
    assert.equal(code, 0, out + new TextDecoder().decode(stderr));
    assert.match(out, /^ok \| \d+ passed/m);
  },
});

Deno.test("the tensorflow engine says what to do where it is not set up, and refuses no positions", () => {
  assert.throws(() => tensorflowEngine({ folder: "/nowhere" }), /setup:tensorflow/);
  for (const batch of [0, -1, 1.5]) assert.throws(() => tensorflowEngine({ batch }), RangeError);
});
