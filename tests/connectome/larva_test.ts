import assert from "node:assert/strict";
import { buildLarva, connectomeIds, type LarvaTransmitters } from "../../lib/connectome/mod.ts";
import { inFolder } from "../_temporary_folder.ts";

const NEURONS = `skid,name,class1,merge_class,simple_group,hemisphere
29,"KC, the ""first""",KC,KC-1claw,KCs,R
30,ORN 42a,sens,sens-ORN,sensories,L
31,Rh6,sens,sens-photoRh6,sensories,R
32,,MBON,MBON-av,MBONs,L
33,DAN,MBIN,MBIN-DAN,MBINs,L
34,"a name
of two lines",dVNC,dVNC,dVNCs,C
35,x,dSEZ,dSEZ,dSEZs,R
36,y,pLN,pLN,LNs,R
37,z,LHN,LHN,LHNs,L
38,alone,PN,PN,PNs,L
39,ring gland,RGN,RGN,RGNs,L
`;
const EDGES = `30 29 9.0
31 29 1.0
29 32 4
32 34 2.0
33 32 1.0
36 35 3.0
37 36 1.0

37 37 8.0
30 39 1
`;

async function build(
  options: { transmitters?: LarvaTransmitters; minSynapses?: number } = {},
  edges = EDGES,
  neurons = NEURONS,
) {
  let made: Awaited<ReturnType<typeof buildLarva>> | undefined;
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/e.txt`, edges);
    await Deno.writeTextFile(`${folder}/n.csv`, neurons);
    made = await buildLarva({ edges: `${folder}/e.txt`, neurons: `${folder}/n.csv`, ...options });
  });
  return made!;
}

Deno.test("the larva's roles and regions come from `simple_group`; neurons without connections are left out", async () => {
  const { connectome, report } = await build();
  const { neurons } = connectome;
  assert.deepEqual([...neurons.id], [29, 30, 31, 32, 33, 34, 35, 36, 37, 39]);
  assert.deepEqual([...neurons.region.index].map((i) => neurons.region.names[i]), [
    "Kenyon cell",
    "sensory",
    "sensory",
    "MBON",
    "DAN",
    "descending",
    "descending",
    "central brain",
    "central brain",
    "other",
  ]);
  const ids = connectomeIds(connectome);
  assert.deepEqual([ids.photoreceptors, ids.descending, ids.kenyon], [[30, 31], [34, 35], [29]]);
  assert.deepEqual(ids.side[34], "M");
  assert.equal(neurons.type.names[neurons.type.index[2]!], "sens-photoRh6");
  assert.deepEqual(ids.edges[1], [30, 29, 9]);
  assert.deepEqual(report.neurons, { rows: 11, withoutConnections: 1, kept: 10 });
  assert.deepEqual(report.connections, {
    rows: 9,
    belowMinimum: 0,
    endsNotKept: 0,
    selfConnections: 1,
    repeated: 0,
    kept: 8,
    synapsesRead: 30,
    synapses: 22,
  });
  assert.equal(report.published, false);
  assert.equal(ids.self_connections_dropped, 1);
});

Deno.test("a minimum leaves out connections, not neurons", async () => {
  const { connectome, report } = await build({ minSynapses: 3 });
  assert.equal(connectome.sign.length, 10);
  assert.deepEqual([report.connections.kept, report.connections.belowMinimum], [3, 5]);
});

Deno.test("the assumption about the larva's transmitters is selectable and stated", async () => {
  const all = await build();
  assert.ok(all.connectome.sign.every((sign) => sign === 1));
  assert.match(String(all.connectome.provenance["assumption"]), /every neuron excites/);
  const byClass = await build({ transmitters: "class" });
  assert.deepEqual(
    Object.entries(connectomeIds(byClass.connectome).sign).filter(([, sign]) => sign < 0).map(([id]) => id),
    ["36"],
  );
  assert.equal(connectomeIds(byClass.connectome).transmitter[33], "dopamine");
  const half = { inhibitory: 0.5, seed: 3 } as const;
  const drawn = await build({ transmitters: half });
  const ids = connectomeIds(drawn.connectome);
  assert.equal(Object.values(ids.sign).filter((sign) => sign < 0).length, 4);
  assert.deepEqual([ids.sign[30], ids.sign[31]], [1, 1]);
  assert.deepEqual(connectomeIds((await build({ transmitters: half })).connectome).sign, ids.sign);
  assert.match(String(drawn.connectome.provenance["assumption"]), /share of 0\.5 .* seed 3/);
  await assert.rejects(build({ transmitters: { inhibitory: 1.5, seed: 1 } }), RangeError);
});

Deno.test("a table whose index has no name, with more columns, a byte order mark and CRLF, is read alike", async () => {
  const lines = NEURONS.replace("a name\nof two lines", "one line").trimEnd().split("\n");
  const other = "\ufeff" + lines.map((line, i) => {
    const first = i === 0 ? line.replace("skid", "") : line;
    return `${first},${i === 0 ? "extra" : "1.5"}`;
  }).join("\r\n");
  const { connectome } = await build({}, EDGES.replaceAll("\n", "\r\n").replaceAll(" ", "\t"), other);
  assert.deepEqual(connectome.pre, (await build()).connectome.pre);
  assert.deepEqual(connectome.neurons, (await build()).connectome.neurons);
});

Deno.test("ends that the table does not list are counted, lines that make no sense are refused by number", async () => {
  const { report } = await build({}, `${EDGES}30 99 5\n98 99 7\n`);
  assert.equal(report.connections.endsNotKept, 2);
  await assert.rejects(build({}, `${EDGES}30 29\n`), {
    name: "DataError",
    message: /e\.txt: line 11 is '30 29', 'sender receiver synapses' in whole numbers is wanted/,
  });
  await assert.rejects(build({}, "30 29 -1\n"), /line 1 is/);
  await assert.rejects(build({}, "30 29 1.5\n"), /line 1 is/);
  await assert.rejects(build({}, "1 2 3\n"), /none of the ids/);
  await assert.rejects(build({}, EDGES, "skid,name,hemisphere\n1,a,L\n"), /no column 'simple_group'/);
  await assert.rejects(build({}, EDGES, "name,simple_group\na,KCs\n"), /no column 'skid'/);
  await assert.rejects(build({}, EDGES, `${NEURONS}40,x\n`), /line 14 has 2 cells and the id '40', 6 cells/);
  await assert.rejects(build({}, EDGES, `${NEURONS}x,x,x,x,x,x\n`), /line 14 has 6 cells and the id 'x'/);
  await assert.rejects(build({}, EDGES, `${NEURONS}40,"x,x,x,x,x\n`), /the quote on line 14 is never closed/);
  await assert.rejects(build({}, EDGES, `${NEURONS}29,x,x,x,KCs,L\n`), /the same id 29/);
  await assert.rejects(buildLarva({ edges: "/nowhere/e", neurons: "/nowhere/n" }), {
    name: "DataError",
    message: "Cannot read /nowhere/e: there is no such file, a list of connections is wanted",
  });
});
