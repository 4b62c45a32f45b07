import assert from "node:assert/strict";
import * as arrow from "apache-arrow";
import { DataError, type Progress } from "../../lib/common/mod.ts";
import { buildMaleCns, connectomeIds, type MaleCnsReport, NO_COLUMN } from "../../lib/connectome/mod.ts";
import { check } from "../golden_checks/malecns.ts";
import { requires } from "../_requirements.ts";
import { inFolder } from "../_temporary_folder.ts";
import { type Columns, float64, int64, python, utf8, writeTable } from "./_tables.ts";

type Body = {
  id: number | null;
  status?: string | null;
  superclass?: string | null;
  class?: string | null;
  type?: string | null;
  side?: string | null;
  soma?: (number | null)[] | null;
  hex?: [number | null, number | null];
};
type Call = [body: number, consensus: string | null, cellType: string | null, own: string | null];
type Edge = [pre: number | null, post: number | null, weight: number | null];

function annotations(bodies: readonly Body[]): Columns {
  return {
    bodyId: int64(bodies.map(({ id }) => id)),
    status: utf8(bodies.map(({ status = "Traced" }) => status)),
    superclass: utf8(bodies.map(({ superclass = "cb_intrinsic" }) => superclass)),
    class: utf8(bodies.map((body) => body.class ?? null)),
    type: utf8(bodies.map(({ type = null }) => type)),
    somaSide: utf8(bodies.map(({ side = null }) => side)),
    somaLocation: {
      type: new arrow.List(new arrow.Field("item", new arrow.Int64())),
      values: bodies.map(({ soma = null }) =>
        soma && soma.map((axis) => axis === null ? null : BigInt(axis))
      ),
    },
    assignedOlHex1: float64(bodies.map(({ hex }) => hex?.[0] ?? null)),
    assignedOlHex2: float64(bodies.map(({ hex }) => hex?.[1] ?? null)),
  };
}

function calls(rows: readonly Call[]): Columns {
  return {
    body: int64(rows.map(([body]) => body)),
    predicted_nt: utf8(rows.map((row) => row[3])),
    celltype_predicted_nt: utf8(rows.map((row) => row[2])),
    consensus_nt: utf8(rows.map((row) => row[1])),
  };
}

function weights(rows: readonly Edge[]): Columns {
  return {
    body_pre: int64(rows.map(([pre]) => pre)),
    body_post: int64(rows.map(([, post]) => post)),
    weight: int64(rows.map(([, , weight]) => weight)),
  };
}

const A = "a.feather", N = "n.feather", W = "w.feather";

async function build(
  folder: string,
  tables: { bodies: readonly Body[]; calls?: readonly Call[]; edges?: readonly Edge[] },
  options: { minSynapses?: number; signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {},
) {
  await writeTable(`${folder}/${A}`, annotations(tables.bodies), { batchRows: 3 });
  await writeTable(`${folder}/${N}`, calls(tables.calls ?? [[1, null, null, null]]), { packing: "zstd" });
  await writeTable(`${folder}/${W}`, weights(tables.edges ?? [[1, 1, 1]]), { packing: "lz4", batchRows: 4 });
  return await buildMaleCns({
    annotations: `${folder}/${A}`,
    neurotransmitters: `${folder}/${N}`,
    weights: `${folder}/${W}`,
    ...options,
  });
}

function assertAddsUp(report: MaleCnsReport): void {
  const { annotations: a, transmitters: t, weights: w } = report;
  assert.equal(a.glia + a.notTraced + a.noSuperclass + a.repeated + a.kept, a.rows);
  assert.equal(t.consensus + t.cellType + t.own + t.unclear + t.absent, a.kept);
  assert.equal(w.belowMinimum + w.endsNotKept + w.selfConnections + w.repeated + w.kept, w.rows);
  assert.equal(Object.values(report.regions).reduce((sum, count) => sum + count, 0), a.kept);
}

Deno.test("a build of the golden tables gives the golden neurons and connections", async () => {
  await check(new URL("../golden/malecns", import.meta.url).pathname);
});

Deno.test("the golden check notices a difference", async () => {
  await inFolder(async (folder) => {
    const golden = new URL("../golden/malecns", import.meta.url).pathname;
    for (const { name } of Deno.readDirSync(golden)) {
      await Deno.copyFile(`${golden}/${name}`, `${folder}/${name}`);
    }
    const expected = JSON.parse(await Deno.readTextFile(`${folder}/expected.json`));
    expected.edges[7][2]++;
    await Deno.writeTextFile(`${folder}/expected.json`, JSON.stringify(expected));
    await assert.rejects(check(folder), /build\.edges\.7\.2 is \d+, \d+ is wanted/);
  });
});

Deno.test("kept are traced bodies with a superclass that are no glia, in the order of the table", async () => {
  await inFolder(async (folder) => {
    const { connectome, report } = await build(folder, {
      bodies: [
        { id: 9 },
        { id: 1, status: "Glia" },
        { id: 2, status: null },
        { id: 3, status: "Orphan" },
        { id: 4, superclass: null },
        { id: 5, superclass: "" },
        { id: 6, superclass: "ol_glia" },
        { id: 9, type: "a second row" },
        { id: 7, class: "subesophageal ganglia" },
        { id: null, status: "Assign" },
        { id: 5_000_000_000 },
        { id: 2 ** 53 - 1 },
      ],
    });
    assert.deepEqual([...connectome.neurons.id], [9, 7, 5_000_000_000, 2 ** 53 - 1]);
    assert.deepEqual(report.annotations, {
      rows: 12,
      glia: 2,
      notTraced: 3,
      noSuperclass: 2,
      repeated: 1,
      kept: 4,
    });
    assertAddsUp(report);
  });
});

Deno.test("the transmitter is the consensus, else the cell type's, else the own, else acetylcholine", async () => {
  await inFolder(async (folder) => {
    const bodies = [1, 2, 3, 4, 5, 6, 7, 8].map((id): Body => ({ id }));
    bodies[6] = { id: 7, superclass: "ol_sensory", type: "R7p" };
    const { connectome, report } = await build(folder, {
      bodies,
      calls: [
        [8, "octopamine", "gaba", "gaba"],
        [1, "gaba", "acetylcholine", "acetylcholine"],
        [2, "unclear", "glutamate", "acetylcholine"],
        [3, null, null, "histamine"],
        [4, "unclear", "unclear", "unclear"],
        [5, "", "a new word", "dopamine"],
        [7, "histamine", null, null],
        [99, "gaba", "gaba", "gaba"],
        [1, "serotonin", null, null],
      ],
    });
    const { names, index } = connectome.neurons.transmitter;
    assert.deepEqual(
      [...index].map((i) => names[i]),
      [
        "gaba",
        "glutamate",
        "histamine",
        "acetylcholine",
        "dopamine",
        "acetylcholine",
        "histamine",
        "octopamine",
      ],
    );
    assert.deepEqual([...connectome.sign], [-1, -1, -1, 1, 1, 1, 1, 1]);
    assert.deepEqual(report.transmitters, {
      rows: 9,
      consensus: 3,
      cellType: 1,
      own: 2,
      unclear: 1,
      absent: 1,
      repeated: 1,
    });
    assertAddsUp(report);
  });
});

Deno.test("connections: minimum, ends, selves, repeated pairs, counts above 65,535 and ids above 2^32", async () => {
  await inFolder(async (folder) => {
    const far = 2 ** 32 + 1;
    const tables = {
      // 2^32 + 1 and 1 share their lower 32 bits.
      bodies: [{ id: 1 }, { id: far }, { id: 3 }, { id: 4, status: "Orphan" }],
      edges: [
        [1, far, 70_000],
        [far, 1, 5],
        [1, 3, 4],
        [3, 3, 9],
        [1, 1, 4],
        [1, 4, 50],
        [4, 4, 50],
        [3, 77, 50],
        [3, 1, 6],
        [3, 1, 7],
      ] as Edge[],
    };
    const { connectome, report } = await build(folder, tables);
    assert.deepEqual(connectomeIds(connectome).edges, [[1, far, 70_000], [3, 1, 13], [far, 1, 5]]);
    assert.ok(connectome.synapses instanceof Uint32Array);
    assert.deepEqual(report.weights, {
      rows: 10,
      belowMinimum: 2,
      endsNotKept: 3,
      selfConnections: 1,
      repeated: 1,
      kept: 3,
      synapses: 70_018,
    });
    assertAddsUp(report);
    const all = await build(folder, tables, { minSynapses: 1 });
    assert.equal(all.report.weights.selfConnections, 2);
    assert.equal(connectomeIds(all.connectome).self_connections_dropped, 2);
    assert.equal(all.connectome.pre.length, 4);
  });
});

Deno.test("a photoreceptor takes the column of its strongest labelled partner, the lowest id of equals", async () => {
  await inFolder(async (folder) => {
    const eye = (id: number, type: string): Body => ({ id, superclass: "ol_sensory", type });
    const cell = (id: number, hex: [number | null, number | null]): Body => ({
      id,
      superclass: "ol_intrinsic",
      hex,
    });
    const { connectome, report } = await build(folder, {
      bodies: [
        eye(1, "R1-R6"),
        eye(2, "R7_unclear"),
        eye(3, "R8y"),
        eye(4, "HBeyelet"),
        { id: 5, superclass: "ol_intrinsic", type: "R1-R6" },
        eye(6, "R8p"),
        cell(31, [4, 7]),
        cell(30, [12, 13]),
        cell(32, [1, null]),
        { id: 33, superclass: "ol_intrinsic" },
      ],
      edges: [
        // Below the minimum: 4 synapses onto 31 would make 9 with the next row of another cell, and do not count.
        [1, 31, 4],
        [1, 30, 5],
        [2, 31, 8],
        [2, 30, 8],
        [3, 32, 90],
        [3, 33, 90],
        [4, 31, 90],
        [5, 31, 90],
        [6, 3, 90],
        [6, 31, 6],
      ],
    });
    const { column } = connectome.neurons;
    assert.deepEqual([...connectome.input], [0, 1, 2, 5]);
    assert.deepEqual(connectomeIds(connectome).column, { 1: [12, 13], 2: [12, 13], 6: [4, 7] });
    assert.deepEqual(report.photoreceptors, { all: 4, placed: 3 });
    assert.deepEqual(report.columns, { labelled: 2, different: 2 });
    assert.deepEqual([...column.slice(12, 14)], [4, 7]);
    assert.deepEqual([...column.slice(16, 18)], [NO_COLUMN, NO_COLUMN]);
  });
});

Deno.test("side, soma and class may be missing", async () => {
  await inFolder(async (folder) => {
    const { connectome } = await build(folder, {
      bodies: [
        { id: 1, side: "L", soma: [1, 2, 3], class: "Kenyon_Cell", type: "KCg-m" },
        { id: 2, soma: [1, 2] },
        { id: 3, soma: [1, null, 3], superclass: "descending_neuron" },
      ],
    });
    const ids = connectomeIds(connectome);
    assert.deepEqual(ids.side, { 1: "L", 2: null, 3: null });
    assert.deepEqual(ids.soma, { 1: [1, 2, 3], 2: null, 3: null });
    assert.deepEqual([ids.kenyon, ids.descending, ids.edges], [[1], [3], []]);
  });
});

Deno.test("values that make no sense are refused by file, column and row", async () => {
  await inFolder(async (folder) => {
    const bodies = [{ id: 1 }, { id: 2 }];
    const edges = (last: Edge): Edge[] => [[1, 2, 9], [1, 2, 9], [1, 2, 9], [1, 2, 9], last];
    await assert.rejects(build(folder, { bodies: [{ id: null }] }), {
      name: "DataError",
      message: `Cannot read ${folder}/${A}: column 'bodyId' is null in row 0, an id is wanted`,
    });
    await assert.rejects(
      build(folder, { bodies: [{ id: 1 }, { id: 2, hex: [1.5, 2] }] }),
      /column 'assignedOlHex1' is 1\.5 in row 1, a whole column number is wanted/,
    );
    for (const [weight, found] of [[null, "null"], [-3, "-3"], [2 ** 32, "4294967296"]] as const) {
      await assert.rejects(build(folder, { bodies, edges: edges([1, 2, weight]) }), {
        name: "DataError",
        message: `Cannot read ${folder}/${W}: column 'weight' is ${found} in row 4, ` +
          "a count from 0 to 2^32 - 1 is wanted",
      });
    }
    await assert.rejects(build(folder, { bodies: [{ id: 1, status: "Orphan" }] }), DataError);
    await assert.rejects(build(folder, { bodies }, { minSynapses: 0 }), RangeError);
    await assert.rejects(build(folder, { bodies }, { minSynapses: 2.5 }), RangeError);
  });
});

Deno.test("tables in the wrong place are refused by the column they lack", async () => {
  await inFolder(async (folder) => {
    await build(folder, { bodies: [{ id: 1 }] });
    const paths = {
      annotations: `${folder}/${A}`,
      neurotransmitters: `${folder}/${N}`,
      weights: `${folder}/${W}`,
    };
    await assert.rejects(
      buildMaleCns({ ...paths, annotations: paths.weights }),
      /w\.feather: it has no column 'bodyId'/,
    );
    await assert.rejects(
      buildMaleCns({ ...paths, neurotransmitters: paths.annotations }),
      /no column 'body'/,
    );
    await assert.rejects(buildMaleCns({ ...paths, weights: paths.annotations }), /no column 'body_pre'/);
    await assert.rejects(buildMaleCns({ ...paths, weights: `${folder}/none` }), DataError);
  });
});

Deno.test("a build reports progress to the end and stops when it is told to", async () => {
  await inFolder(async (folder) => {
    const bodies = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];
    const last = new Map<string, Progress>();
    await build(folder, { bodies }, { onProgress: (progress) => void last.set(progress.task, progress) });
    assert.ok(last.size >= 4);
    for (const { task, done, total } of last.values()) assert.equal(done, total, task);
    const stop = new AbortController();
    const reason = new Error("enough");
    await assert.rejects(
      build(folder, { bodies }, { signal: stop.signal, onProgress: () => stop.abort(reason) }),
      (error) => error === reason,
    );
  });
});

Deno.test({
  name: "tables of pyarrow with dictionaries, large texts and int32 counts build the same connectome",
  ...requires("python"),
  fn: async () => {
    await inFolder(async (folder) => {
      const golden = new URL("../golden/malecns", import.meta.url).pathname;
      await Deno.copyFile(`${golden}/expected.json`, `${folder}/expected.json`);
      await python(
        `
import glob, os, sys
import pyarrow as pa, pyarrow.feather as feather
for path in glob.glob("${golden}/*.feather"):
    table = feather.read_table(path)
    for i, field in enumerate(table.schema):
        column = table.column(i)
        if field.name in ("status", "superclass", "consensus_nt", "type_pre"):
            column = column.dictionary_encode()
        elif field.type == pa.string():
            column = column.cast(pa.large_string())
        elif field.name == "weight":
            column = column.cast(pa.int32())
        elif field.name == "somaLocation":
            column = column.cast(pa.large_list(pa.int32()))
        table = table.set_column(i, field.name, column)
    feather.write_feather(table, sys.argv[1] + "/" + os.path.basename(path), compression="zstd", chunksize=100)
`,
        folder,
      );
      await check(folder);
    });
  },
});
