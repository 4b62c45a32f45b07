import assert from "node:assert/strict";
import { join } from "node:path";
import { connectomeFromCsv, connectomeFromTables } from "../../lib/connectome/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const NEURONS = `id,role,transmitter,superclass,soma_x,soma_y,soma_z,hex1,hex2,note
11,input,,sensory,1,2,3,4,7,"seen, once"
21,,gaba,,,,,,,
31,output,,descending_neuron,,,,,,
`;
const EDGES = "pre,post,synapses\n11,21,12\n21,31,7\n11,31,3\n21,21,2\n";

async function read(neurons: string, edges: string) {
  using folder = new TemporaryFolder();
  const files = { neurons: join(folder.path, "neurons.csv"), edges: join(folder.path, "edges.csv") };
  await Deno.writeTextFile(files.neurons, neurons);
  await Deno.writeTextFile(files.edges, edges);
  return await connectomeFromCsv(files, { name: "mine" });
}

Deno.test("`connectomeFromCsv()` makes of two files what `connectomeFromTables()` makes of the same records", async () => {
  const made = await read(NEURONS, EDGES);
  const wanted = connectomeFromTables(
    [
      { id: 11, superclass: "sensory", soma: [1, 2, 3], column: [4, 7] },
      { id: 21, transmitter: "gaba" },
      { id: 31, superclass: "descending_neuron" },
    ],
    [
      { pre: 11, post: 21, synapses: 12 },
      { pre: 21, post: 31, synapses: 7 },
      { pre: 11, post: 31, synapses: 3 },
      { pre: 21, post: 21, synapses: 2 },
    ],
    { input: [11], output: [31] },
    { name: "mine" },
  );
  assert.deepEqual(made, wanted);
});

Deno.test("`connectomeFromCsv()` names the file, the line and what is wanted", async () => {
  await assert.rejects(
    read(NEURONS.replace("role", "part"), EDGES),
    /neurons\.csv: there is no column 'role'/,
  );
  await assert.rejects(read(NEURONS.replace("31,output", "31,legs"), EDGES), /line 4 role is 'legs', input/);
  await assert.rejects(
    read(NEURONS, EDGES.replace("31,7", "31,seven")),
    /edges\.csv: on line 3 synapses is 'seven'/,
  );
  await assert.rejects(read(NEURONS, EDGES.replace("31,7", "31")), /line 3 there are 2 cells, 3/);
  await assert.rejects(
    read(NEURONS.replace("\n11,", "\n720575940600000001,"), EDGES),
    /line 2 id is 720575940600000001, a whole number of up to 2\^53/,
  );
  await assert.rejects(read(NEURONS, EDGES.replace("11,31", "11,32")), /32/);
});
