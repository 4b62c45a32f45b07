import assert from "node:assert/strict";
import fc from "fast-check";
import {
  connectomeDigest,
  connectomeFromTables,
  connectomeIds,
  type NeuronColumns,
  type NeuronRecord,
  NO_COLUMN,
} from "../../lib/connectome/mod.ts";
import { SIX, tables } from "./_connectomes.ts";

Deno.test("six neurons written out by hand make a connectome of a known digest", () => {
  const six = connectomeFromTables(SIX.neurons, SIX.edges, SIX.roles, { name: "six neurons" });
  assert.deepEqual([...six.rowStart], [0, 0, 0, 2, 3, 4, 6]);
  assert.deepEqual([...six.pre], [0, 1, 2, 3, 3, 4]);
  assert.deepEqual([...six.synapses], [40, 9, 12, 7, 30, 5]);
  assert.deepEqual([...six.sign], [1, 1, -1, 1, -1, 1]);
  assert.deepEqual([...six.input, ...six.output], [0, 1, 5]);
  assert.deepEqual([...six.neurons.column.slice(0, 6)], [4, 7, 4, 7, NO_COLUMN, NO_COLUMN]);
  assert.deepEqual(
    [...six.neurons.region.index].map((i) => six.neurons.region.names[i]),
    ["photoreceptor", "photoreceptor", "optic lobe", "visual projection", "central brain", "descending"],
  );
  // Another digest here means that every connectome file and every result that names one changes its name.
  assert.equal(connectomeDigest(six), "76629a9c51beb36fc16e557e34c06e5e1805feb3fb437aec62014e51313600af");
});

Deno.test("columns make the same connectome as records", () => {
  fc.assert(fc.property(tables, ({ neurons, edges, roles }) => {
    const column = <K extends keyof NeuronRecord>(name: K) => neurons.map((neuron) => neuron[name]);
    const columns: NeuronColumns = {
      id: Float64Array.from(neurons, ({ id }) => id),
      type: column("type"),
      superclass: column("superclass"),
      class: column("class"),
      transmitter: column("transmitter"),
      region: column("region"),
      side: column("side"),
      sign: Int8Array.from(neurons, ({ sign }) => sign!),
      soma: Float32Array.from(neurons.flatMap(({ soma }) => Array.from(soma ?? [NaN, NaN, NaN]))),
      column: Int16Array.from(neurons.flatMap(({ column }) => Array.from(column ?? [NO_COLUMN, NO_COLUMN]))),
    };
    const fromColumns = connectomeFromTables(columns, {
      pre: Float64Array.from(edges, ({ pre }) => pre),
      post: Float64Array.from(edges, ({ post }) => post),
      synapses: Uint32Array.from(edges, ({ synapses }) => synapses),
    }, roles);
    assert.deepEqual(fromColumns, connectomeFromTables(neurons, edges, roles));
  }));
});

Deno.test("every synapse is kept, but for those of a neuron onto itself", () => {
  fc.assert(fc.property(tables, ({ neurons, edges, roles }) => {
    const ids = connectomeIds(connectomeFromTables(neurons, edges, roles));
    const wanted = new Map<string, number>();
    for (const { pre, post, synapses } of edges) {
      if (pre === post || synapses === 0) continue;
      wanted.set(`${pre} ${post}`, Math.min((wanted.get(`${pre} ${post}`) ?? 0) + synapses, 2 ** 32 - 1));
    }
    assert.deepEqual(new Map(ids.edges.map(([pre, post, n]) => [`${pre} ${post}`, n])), wanted);
    const byIds = [...ids.edges].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    assert.deepEqual(ids.edges, byIds);
    assert.equal(
      ids.self_connections_dropped,
      edges.filter(({ pre, post, synapses }) => pre === post && synapses > 0).length,
    );
  }));
});

Deno.test("what makes no sense is refused by row and by what is wanted", () => {
  const two: NeuronRecord[] = [{ id: 1 }, { id: 2 }];
  const roles = { input: [1], output: [2] };
  const refuse = (message: string, ...args: Parameters<typeof connectomeFromTables>) =>
    assert.throws(() => connectomeFromTables(...args), {
      name: "DataError",
      message: `Cannot make a connectome: ${message}`,
    });
  refuse("there are no neurons, at least one is wanted", [], [], { input: [], output: [] });
  refuse(
    "neurons 0 and 2 have the same id 1, an id of its own for each is wanted",
    [...two, { id: 1 }],
    [],
    roles,
  );
  refuse(
    "neuron 1 has the id 1.5, a whole number of up to 2^53 - 1 is wanted",
    [{ id: 1 }, { id: 1.5 }],
    [],
    roles,
  );
  refuse(
    "edge 0 comes from 7, the id of one of the neurons is wanted",
    two,
    [{ pre: 7, post: 1, synapses: 1 }],
    roles,
  );
  refuse("edge 1 goes to 7, the id of one of the neurons is wanted", two, [
    { pre: 2, post: 1, synapses: 1 },
    { pre: 2, post: 7, synapses: 1 },
  ], roles);
  for (const synapses of [-1, 0.5, NaN, 2 ** 32]) {
    refuse(
      `edge 0 has ${synapses} synapses, a whole number from 0 to 2^32 - 1 is wanted`,
      two,
      [{ pre: 2, post: 1, synapses }],
      roles,
    );
  }
  refuse("the input neuron 9 is not in the table, the id of one of the neurons is wanted", two, [], {
    input: [9],
    output: [],
  });
  refuse("the output neuron 9 is not in the table, the id of one of the neurons is wanted", two, [], {
    input: [],
    output: [2, 9],
  });
  refuse("the sign of neuron 0 is 0, +1 or -1 is wanted", [{ id: 1, sign: 0 }], [], {
    input: [],
    output: [],
  });
  refuse("the soma of neuron 0 has 2 numbers, 3 is wanted", [{ id: 1, soma: [1, 2] }], [], {
    input: [],
    output: [],
  });
  refuse(
    "the column of neuron 0 is 1, 2.5, a pair of column numbers is wanted",
    [{ id: 1, column: [1, 2.5] }],
    [],
    {
      input: [],
      output: [],
    },
  );
  refuse(
    "column 'type' of the neurons has 1 entries, 2 for 2 neurons is wanted",
    { id: [1, 2], type: ["a"] },
    [],
    roles,
  );
  refuse(
    "the edges have 1 senders, 0 receivers and 1 counts, the same number of each is wanted",
    two,
    { pre: [1], post: [], synapses: [1] },
    roles,
  );
  const region = "moon" as NeuronRecord["region"];
  assert.throws(
    () => connectomeFromTables([{ id: 1, region }], [], { input: [], output: [] }),
    /region 'moon'/,
  );
  assert.throws(() => connectomeFromTables(two, [], roles, { minSynapses: 0 }), RangeError);
});

Deno.test("a transmitter is known by any usual name, and one that is not known is refused", () => {
  const make = (transmitter: string, more: Partial<NeuronRecord> = {}) =>
    connectomeFromTables([{ id: 1, transmitter, ...more }, { id: 2 }], [], { input: [1], output: [2] });
  const name = (connectome: ReturnType<typeof make>) => {
    const { names, index } = connectome.neurons.transmitter;
    return names[index[0]!];
  };
  for (
    const [written, called, sign] of [
      ["GABA", "gaba", -1],
      ["Gaba ", "gaba", -1],
      ["GLUT", "glutamate", -1],
      ["Glutamate", "glutamate", -1],
      ["ACh", "acetylcholine", 1],
      ["5-HT", "serotonin", 1],
      ["DA", "dopamine", 1],
      ["OCT", "octopamine", 1],
      ["", "acetylcholine", 1],
      ["unclear", "unclear", 1],
      ["Unknown", "Unknown", 1],
    ] as const
  ) {
    const made = make(written);
    assert.equal(made.sign[0], sign, written);
    assert.equal(name(made), called);
  }
  assert.throws(() => make("gabba"), {
    name: "DataError",
    message: "Cannot make a connectome: neuron 0's transmitter is 'gabba', did you mean 'gaba'? " +
      "One of acetylcholine, gaba, glutamate, histamine, dopamine, serotonin, octopamine or a sign is wanted",
  });
  assert.throws(() => make("glycine"), /transmitter is 'glycine', acetylcholine, .* or a sign is wanted/);
  assert.equal(make("glycine", { sign: -1 }).sign[0], -1);
  assert.equal(name(make("glycine", { sign: -1 })), "glycine");
});

Deno.test("a column with another name is refused, and a missing one is named", () => {
  const two = [{ id: 1 }, { id: 2 }];
  const roles = { input: [1], output: [2] };
  const refuse = (message: string, neurons: object, edges: object) =>
    assert.throws(
      () => connectomeFromTables(neurons as NeuronRecord[], edges as [], roles),
      { name: "DataError", message: `Cannot make a connectome: ${message}` },
    );
  const all = "id, type, superclass, class, transmitter, sign, region, side, soma, column are wanted";
  refuse(
    `neuron 1 has a column 'transmiter', did you mean 'transmitter'? Only ${all}`,
    [{ id: 1 }, { id: 2, transmiter: "gaba" }],
    [],
  );
  refuse(`the neurons have a column 'neurotransmitter', ${all}`, { id: [1, 2], neurotransmitter: [] }, []);
  refuse("the edges have no column 'synapses', pre, post, synapses are wanted", two, [{ pre: 1, post: 2 }]);
  refuse("edge 1 has no 'synapses', pre, post, synapses are wanted", two, [
    { pre: 1, post: 2, synapses: 3 },
    { pre: 1, post: 2 },
  ]);
  refuse("the edges have no column 'synapses', pre, post, synapses are wanted", two, { pre: [1], post: [2] });
  refuse("edge 0 has a column 'weight', pre, post, synapses are wanted", two, [{
    pre: 1,
    post: 2,
    weight: 3,
  }]);
  refuse("the neurons have no column 'id', id is wanted", [{}], []);
});

Deno.test("an id that is a text is shown as one", () => {
  const two: NeuronRecord[] = [{ id: 1 }, { id: 2 }];
  const text = JSON.parse('[{"id":"1"},{"id":"2"}]');
  assert.throws(() => connectomeFromTables(text, [], { input: [], output: [] }), {
    message: 'Cannot make a connectome: neuron 0 has the id "1" (a text, not a number), ' +
      "a whole number of up to 2^53 - 1 is wanted",
  });
  const edge = JSON.parse('[{"pre":"1","post":2,"synapses":3}]');
  assert.throws(
    () => connectomeFromTables(two, edge, { input: [1], output: [2] }),
    /edge 0 comes from "1" \(a text, not a number\), the id/,
  );
  const input = JSON.parse('["1"]');
  assert.throws(() => connectomeFromTables(two, [], { input, output: [2] }), /input neuron "1" \(a text/);
});
