import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("`fly engines` lists every engine with what it measured or why it is not here, and what `auto` picks", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", `${ROOT}cli.ts`, "engines", "--seconds", "0.05"],
    env: { NO_COLOR: "1" },
  }).output();
  const out = new TextDecoder().decode(stdout);
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.match(out, /^Measured on a model fly \(scale 1\/32\): [\d,]+ neurons, [\d,]+ connections/);
  assert.match(out, /^reference +[\d.,]+ +[\d.,]+$/m);
  // Its rates are the reference's to within float32.
  assert.match(out, /^wasm +[\d.,]+ +[\d.,]+ +\de-[5-9]$/m);
  assert.match(out, /^webgpu +([\d.,]+ +[\d.,]+ +\de-[5-9]|not here)$/m);
  assert.match(out, /^tensorflow +([\d.,]+ +[\d.,]+ +\de-[5-9]|not here)$/m);
  assert.match(out, /^tensorflow +(TensorFlow \d|Cannot make the tensorflow engine: .*setup:tensorflow)/m);
  assert.match(out, /^webgpu +(WebGPU, float32, \S|Cannot start the webgpu engine: \S)/m);
  assert.match(out, /^engine: "auto" picks (wasm|webgpu): .*; picked because \S.*\.$/m);
});
