import assert from "node:assert/strict";
import { loadBinding } from "../../lib/common/_tensorflow_addon.ts";
import { passInOwnProcess } from "../_own_process.ts";
import { requires } from "../_requirements.ts";

Deno.test({
  name: "heads that are trained on TensorFlow do what `_tensorflow_heads_cases.ts` asks of them",
  ...requires("tensorflow"),
  fn: () => passInOwnProcess(new URL("_tensorflow_heads_cases.ts", import.meta.url)),
});

Deno.test("where TensorFlow is not linked, whoever asks for it is told what to do", () => {
  assert.throws(
    () => loadBinding("/nowhere"),
    /\/nowhere\/tfjs_binding.node does not load .*run 'deno task setup:tensorflow' first/,
  );
});
