import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { loadBinding } from "../../lib/common/_tensorflow_addon.ts";
import { requires } from "../_requirements.ts";

Deno.test({
  name: "heads that are trained on TensorFlow do what `_tensorflow_heads_cases.ts` asks of them",
  ...requires("tensorflow"),
  async fn() {
    // In a process of their own: TensorFlow cannot be loaded after a GPU driver that brings another LLVM.
    const cases = fileURLToPath(new URL("_tensorflow_heads_cases.ts", import.meta.url));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", cases],
      env: { NO_COLOR: "1" },
    }).output();
    const out = new TextDecoder().decode(stdout);
    assert.equal(code, 0, out + new TextDecoder().decode(stderr));
    assert.match(out, /^ok \| \d+ passed/m);
  },
});

Deno.test("where TensorFlow is not linked, whoever asks for it is told what to do", () => {
  assert.throws(
    () => loadBinding("/nowhere"),
    /\/nowhere\/tfjs_binding.node does not load .*run 'deno task setup:tensorflow' first/,
  );
});
