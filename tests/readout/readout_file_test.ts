import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError, Random } from "../../lib/common/mod.ts";
import { loadReadout, type Readout, READOUT_COLUMNS, saveReadout } from "../../lib/readout/mod.ts";
import { inFolder } from "../_temporary_folder.ts";

function randomReadout(features: number): Readout {
  const random = new Random(features);
  const draw = (length: number) => Float32Array.from({ length }, () => random.normal());
  return { features, weight: draw(features * READOUT_COLUMNS), bias: draw(READOUT_COLUMNS) };
}

Deno.test("a saved readout loads equal, with what was written beside it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "readout.arrow");
    for (const features of [0, 1, 37]) {
      const readout = randomReadout(features);
      await saveReadout(path, readout, { connectome: "abc", seed: "7" });
      assert.deepEqual(await loadReadout(path), { readout, metadata: { connectome: "abc", seed: "7" } });
    }
  }));

Deno.test("a saved readout notices any changed byte", () =>
  inFolder(async (folder) => {
    const path = join(folder, "readout.arrow");
    await saveReadout(path, randomReadout(2));
    const bytes = await Deno.readFile(path);
    const random = new Random(1);
    for (let i = 0; i < 60; i++) {
      const changed = bytes.slice();
      changed[random.int(bytes.length)]! ^= 1 << random.int(8);
      await Deno.writeFile(path, changed);
      await assert.rejects(loadReadout(path), DataError);
    }
  }));

Deno.test("`loadReadout()` refuses a file that is something else", () =>
  inFolder(async (folder) => {
    const path = join(folder, "readout.arrow");
    await Deno.writeTextFile(path, "not an Arrow file at all");
    await assert.rejects(loadReadout(path), DataError);
  }));
