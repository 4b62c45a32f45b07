import assert from "node:assert/strict";
import { buildMaleCns, growModelFly } from "../../lib/connectome/mod.ts";
import { writeTableSet } from "../../bench/_table_set.ts";
import { requires } from "../_requirements.ts";
import { inFolder } from "../_temporary_folder.ts";
import { python } from "../connectome/_tables.ts";

const fly = growModelFly({ scale: 1 / 64 });

Deno.test("a build of the benchmark's tables makes the wiring that they were written from", async () => {
  await inFolder(async (folder) => {
    const { rows, ...paths } = await writeTableSet(folder, fly, 1);
    const { connectome, report } = await buildMaleCns(paths);
    assert.deepEqual(connectome.rowStart, fly.rowStart);
    assert.deepEqual(connectome.pre, fly.pre);
    assert.deepEqual([...connectome.synapses], [...fly.synapses]);
    assert.deepEqual(connectome.neurons.id, fly.neurons.id);
    assert.equal(report.weights.rows, rows);
    assert.equal(report.weights.belowMinimum, rows - fly.pre.length);
    assert.ok(rows > 3 * fly.pre.length, "most rows are weaker than what is kept");
  });
});

Deno.test({
  name: "pyarrow reads the benchmark's tables, sorted by weight as the published ones are",
  ...requires("python"),
  fn: async () => {
    await inFolder(async (folder) => {
      const { rows } = await writeTableSet(folder, fly, 1);
      const answer = await python(
        `
import sys, pyarrow.feather as feather
tables = [feather.read_table(f"{sys.argv[1]}/{name}.feather") for name in ("annotations", "neurotransmitters", "weights")]
for table in tables: table.validate(full=True)
weight = tables[2]["weight"].to_numpy()
print(tables[2].num_rows, all(weight[:-1] >= weight[1:]), tables[2].column_names)
`,
        folder,
      );
      assert.equal(
        answer.trim(),
        `${rows} True ['body_pre', 'body_post', 'weight', 'type_pre', 'type_post']`,
      );
    });
  },
});
