import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../experiments/learning_curve.ts";
import { inFolder } from "../_temporary_folder.ts";
import { smallCase } from "./_small_curve.ts";

Deno.test(
  "a learning curve that TensorFlow fits is that of our own kernels",
  () =>
    inFolder(async (folder) => {
      const options = { ...smallCase(folder), sizes: [256], seeds: 1 }, { fit } = options;
      const own = await run(options);
      await assert.rejects(
        run({ ...options, fit: { ...fit, engine: "tensorflow" } }),
        /its engine is undefined/,
      );
      const other = await run({
        ...options,
        fit: { ...fit, engine: "tensorflow" },
        points: join(folder, "other.points.json"),
      });
      assert.match(String(other.settings.arithmetic), /^tensorflow /);
      for (const [i, { reading, scores }] of own.rows.entries()) {
        assert.ok(Math.abs(scores.loss.value - other.rows[i]!.scores.loss.value) < 1e-4, reading);
      }
    }),
);
