import { basename } from "node:path";
import {
  buildLarva,
  buildMaleCns,
  type Connectome,
  connectomeDigest,
  connectomeFromCsv,
  type LarvaReport,
  type LarvaTransmitters,
  type MaleCnsReport,
  REFERENCE_COUNTS,
  saveConnectome,
} from "../lib/connectome/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { checkOutput } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly connectome build`. */
export const command: Command = {
  name: "connectome build",
  summary: "make a connectome file of the downloaded tables",
  help: `
Usage: deno task fly connectome build --annotations FILE --neurotransmitters FILE --weights FILE --out FILE
       deno task fly connectome build --larva --edges FILE --neurons FILE --out FILE
       deno task fly connectome build --neurons FILE.csv --edges FILE.csv --out FILE

Makes one file of the tables that 'fly connectome download' fetched, or of two of your own: which neurons there are, who connects to whom and
whether a connection excites. It says what was left out and why.

  --annotations FILE         MaleCNS: body annotations (Feather V2)
  --neurotransmitters FILE   MaleCNS: body neurotransmitters
  --weights FILE             MaleCNS: connectome weights, traced only
  --larva                    the larva instead
  --edges FILE               larva: connections, lines of 'sender receiver synapses'; your own: comma-separated, with the
                             columns pre, post, synapses
  --neurons FILE             larva: table of neurons; your own: comma-separated, with the columns id, role (input: it sees
                             the board; output: it is read; else empty) and, if you have them, transmitter, sign, type,
                             superclass, class, region, side, soma_x, soma_y, soma_z, hex1, hex2
  --name NAME                your own: what figures and tables call it (the name of the connectome file)
  --transmitters WHICH       larva, whose tables name no transmitters: 'acetylcholine' (all excite, the default),
                             'class' (local neurons inhibit), or a share that inhibits, such as 'share:0.3'
  --seed NUMBER              larva: draws the share (default: 1)
  --min-synapses NUMBER      leaves out connections with fewer (default: 5, larva and your own 1)
  --out FILE                 the connectome file

Example: deno task fly connectome build --larva --edges data/larva/G_edgelist.txt \\
           --neurons data/larva/meta_data.csv --out data/larva.arrow
`,
  async run(args) {
    const { values } = readOptions(args, {
      annotations: { type: "string" },
      neurotransmitters: { type: "string" },
      weights: { type: "string" },
      larva: { type: "boolean", default: false },
      edges: { type: "string" },
      neurons: { type: "string" },
      transmitters: { type: "string" },
      seed: { type: "string" },
      "min-synapses": { type: "string" },
      name: { type: "string" },
      out: { type: "string" },
    });
    const need = (
      name: "annotations" | "neurotransmitters" | "weights" | "edges" | "neurons" | "out",
    ): string => {
      const value = values[name];
      if (value === undefined) throw new UsageError(`--${name} is missing, a file is wanted`);
      return value;
    };
    const own = !values.larva && (values.neurons !== undefined || values.edges !== undefined);
    const foreign = values.larva
      ? (["annotations", "neurotransmitters", "weights", "name"] as const)
      : own
      ? (["annotations", "neurotransmitters", "weights", "transmitters", "seed"] as const)
      : (["transmitters", "seed", "name"] as const);
    for (const name of foreign) {
      if (values[name] !== undefined) {
        const why = values.larva ? "with --larva" : own ? "with tables of your own" : "without --larva";
        throw new UsageError(`--${name} makes no sense ${why}`);
      }
    }
    const out = need("out");
    await checkOutput(out);
    const minSynapses = values["min-synapses"] === undefined
      ? undefined
      : readNumber("min-synapses", values["min-synapses"], { whole: true, least: 1 });
    const signal = interruptSignal();
    let connectome: Connectome;
    let text: string;
    {
      using bars = new ProgressBars();
      const work = { minSynapses, signal, onProgress: bars.report };
      if (values.larva) {
        const made = await buildLarva({
          edges: need("edges"),
          neurons: need("neurons"),
          transmitters: readTransmitters(values.transmitters, values.seed),
          ...work,
        });
        connectome = made.connectome;
        text = larvaText(made.report);
      } else if (own) {
        const name = values.name ?? basename(out).replace(/\.arrow$/, "");
        connectome = await connectomeFromCsv({ neurons: need("neurons"), edges: need("edges") }, {
          name,
          minSynapses,
        });
        text = ownText(connectome);
      } else {
        const made = await buildMaleCns({
          annotations: need("annotations"),
          neurotransmitters: need("neurotransmitters"),
          weights: need("weights"),
          ...work,
        });
        connectome = made.connectome;
        text = maleCnsText(made.report);
      }
      await saveConnectome(out, connectome);
    }
    console.log(text);
    console.log(`\n${connectome.name} is in ${out}\ndigest ${connectomeDigest(connectome)}`);
  },
};

function readTransmitters(word = "acetylcholine", seed: string | undefined): LarvaTransmitters {
  const share = /^share:(.+)$/.exec(word);
  if (share === null) {
    if (seed !== undefined) throw new UsageError("--seed makes no sense without --transmitters share:NUMBER");
    if (word === "acetylcholine" || word === "class") return word;
    throw new UsageError(`--transmitters is '${word}', acetylcholine, class or share:NUMBER is wanted`);
  }
  return {
    inhibitory: readNumber("transmitters", share[1]!, { least: 0, most: 1 }),
    seed: readNumber("seed", seed ?? "1", { whole: true, least: 0, most: 0xffffffff }),
  };
}

const number = (value: number): string => value.toLocaleString("en-US");

/** Lines of a report: what, how many; the numbers to the right. */
function lines(title: string, rows: readonly (readonly [string, number])[]): string {
  const left = Math.max(...rows.map(([what]) => what.length));
  const right = Math.max(...rows.map(([, value]) => number(value).length));
  return `${title}\n` +
    rows.map(([what, value]) => `  ${what.padEnd(left)}  ${number(value).padStart(right)}`).join("\n");
}

function maleCnsText(report: MaleCnsReport): string {
  const { annotations: bodies, transmitters, weights, photoreceptors, columns } = report;
  const parts = [
    lines("Bodies", [
      ["read", bodies.rows],
      ["left out: glia", bodies.glia],
      ["left out: not traced", bodies.notTraced],
      ["left out: no superclass", bodies.noSuperclass],
      ["left out: a second row of the same body", bodies.repeated],
      ["neurons", bodies.kept],
    ]),
    lines("Transmitters, by what names them", [
      ["consensus", transmitters.consensus],
      ["prediction for the cell type", transmitters.cellType],
      ["the neuron's own prediction", transmitters.own],
      ["none is clear: acetylcholine assumed", transmitters.unclear],
      ["not in the table: acetylcholine assumed", transmitters.absent],
      ["left out: a second row of the same body", transmitters.repeated],
    ]),
    lines("Connections", [
      ["read", weights.rows],
      [`left out: fewer than ${report.minSynapses} synapses`, weights.belowMinimum],
      ["left out: an end is no neuron that is kept", weights.endsNotKept],
      ["left out: a neuron onto itself", weights.selfConnections],
      ["added to another row of the same pair", weights.repeated],
      ["connections", weights.kept],
      ["synapses", weights.synapses],
    ]),
    lines("Eye", [
      ["photoreceptors", photoreceptors.all],
      ["placed on a column", photoreceptors.placed],
      ["other cells with a column", columns.labelled],
      ["different columns", columns.different],
    ]),
  ];
  const found: [string, number][] = [
    ["neurons", bodies.kept],
    ["connections", weights.kept],
    ...Object.entries(report.regions),
    ["photoreceptors placed", photoreceptors.placed],
  ];
  if (!report.published) {
    parts.push(
      lines("Regions", Object.entries(report.regions)),
      "The annotations are not the published ones of MaleCNS v1.0: no comparison with the reference.",
    );
    return parts.join("\n\n");
  }
  const rows = found.map(([what, count]) => {
    const wanted = REFERENCE_COUNTS.get(what);
    const apart = wanted === undefined ? "" : count === wanted ? "same" : number(count - wanted);
    return [what, number(count), wanted === undefined ? "not given" : number(wanted), apart];
  });
  parts.push(table(["Compared with the reference", "here", "reference", "difference"], rows));
  return parts.join("\n\n");
}

function ownText({ neurons, pre, sign, input, output, provenance }: Connectome): string {
  const counted = (what: string) => Number(provenance[what]);
  return [
    lines("Neurons", [
      ["neurons", neurons.id.length],
      ["that inhibit", sign.filter((each) => each < 0).length],
      ["that see the board", input.length],
      ["that are read", output.length],
    ]),
    lines("Connections", [
      ["left out: fewer synapses than the minimum", counted("belowMinimum")],
      ["left out: a neuron onto itself", counted("selfConnectionsDropped")],
      ["added to another row of the same pair", counted("repeatedPairs")],
      ["connections", pre.length],
    ]),
  ].join("\n\n");
}

function larvaText(report: LarvaReport): string {
  const { neurons, connections } = report;
  return [
    lines("Neurons", [
      ["read", neurons.rows],
      ["left out: no connections", neurons.withoutConnections],
      ["neurons", neurons.kept],
    ]),
    lines("Connections", [
      ["read", connections.rows],
      [
        `left out: fewer than ${report.minSynapses} synapse${report.minSynapses === 1 ? "" : "s"}`,
        connections.belowMinimum,
      ],
      ["left out: an end is not in the table of neurons", connections.endsNotKept],
      ["left out: a neuron onto itself", connections.selfConnections],
      ["added to another row of the same pair", connections.repeated],
      ["connections", connections.kept],
      ["synapses", connections.synapses],
    ]),
    report.published
      ? "Neurons, rows and synapses are as many as were published (the files have no checksums)."
      : "Neurons, rows or synapses are not as many as were published.",
    `Transmitters are an assumption: ${JSON.stringify(report.transmitters)}`,
  ].join("\n\n");
}
