import assert from "node:assert/strict";
import { tensorflowEngine } from "../../lib/brain/mod.ts";
import { passInOwnProcess } from "../_own_process.ts";
import { requires } from "../_requirements.ts";

Deno.test({
  name: "the tensorflow engine does what `_tensorflow_cases.ts` asks of it",
  ...requires("tensorflow"),
  fn: () => passInOwnProcess(new URL("_tensorflow_cases.ts", import.meta.url)),
});

Deno.test("the tensorflow engine says what to do where it is not set up, and refuses no positions", () => {
  assert.throws(() => tensorflowEngine({ folder: "/nowhere" }), /setup:tensorflow/);
  for (const batch of [0, -1, 1.5]) assert.throws(() => tensorflowEngine({ batch }), RangeError);
});
