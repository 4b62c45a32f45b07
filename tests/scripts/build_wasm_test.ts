import assert from "node:assert/strict";
import { buildKernels, KERNEL_SETS, kernelsFile } from "../../scripts/build_wasm.ts";

for (const [name, set] of Object.entries(KERNEL_SETS)) {
  Deno.test(`the committed kernels of the ${name} are what their source compiles to, byte for byte`, async () => {
    assert.equal(await Deno.readTextFile(kernelsFile(set)), await buildKernels(set));
  });
}
