import {
  type Connectome,
  connectomeDigest,
  connectomeIds,
  countColumns,
  hopHistogram,
  hopsFrom,
  loadConnectome,
  type NameColumn,
  NO_COLUMN,
  pathShare,
} from "../lib/connectome/mod.ts";
import { type Command, readOptions, UsageError } from "./_command.ts";

/** Steps of a think, the longest walk that matters. */
const STEPS = 12;

/** `fly connectome show`. */
export const command: Command = {
  name: "connectome show",
  summary: "say what is in a connectome file",
  help: `
Usage: deno task fly connectome show FILE [options]

  --json   the same as JSON
  --ids    with --json: also every neuron and connection by body id (large)

Example: deno task fly connectome show brain.arrow
`,
  async run(args) {
    const { values, positionals } = readOptions(args, {
      json: { type: "boolean", default: false },
      ids: { type: "boolean", default: false },
    }, ["FILE"]);
    if (values.ids && !values.json) throw new UsageError("--ids makes no sense without --json");
    const connectome = await loadConnectome(positionals[0]!);
    if (values.ids) await printIds(connectome);
    else if (values.json) console.log(JSON.stringify(summary(connectome), null, 2));
    else console.log(text(connectome));
  },
};

/** Some 200 MB for MaleCNS: written in pieces, because one text of that length takes several times as much memory. */
async function printIds(connectome: Connectome): Promise<void> {
  const { edges, ...rest } = connectomeIds(connectome);
  const writer = Deno.stdout.writable.getWriter();
  const encoder = new TextEncoder();
  await writer.write(encoder.encode(`${JSON.stringify(rest).slice(0, -1)},"edges":[`));
  for (let at = 0; at < edges.length; at += 100_000) {
    const piece = JSON.stringify(edges.slice(at, at + 100_000)).slice(1, -1);
    await writer.write(encoder.encode(at === 0 ? piece : `,${piece}`));
  }
  await writer.write(encoder.encode("]}\n"));
  writer.releaseLock();
}

interface Summary {
  readonly name: string;
  readonly digest: string;
  readonly neurons: number;
  readonly connections: number;
  readonly synapses: number;
  readonly excitatory: number;
  readonly regions: Readonly<Record<string, number>>;
  readonly transmitters: Readonly<Record<string, number>>;
  /** Different eye columns by side. */
  readonly columns: Readonly<Record<string, number>>;
  readonly inputs: number;
  readonly inputsPlaced: number;
  readonly outputs: number;
  /** From the nearest input neuron to each output neuron. */
  readonly hops: {
    readonly shortest: number | null;
    readonly median: number | null;
    readonly unreachable: number;
    readonly outputsAt: readonly number[];
  };
  readonly pathShare: number | null;
  readonly provenance: Readonly<Record<string, unknown>>;
}

function counts({ names, index }: NameColumn): Record<string, number> {
  const found = new Array<number>(names.length).fill(0);
  for (const i of index) found[i]!++;
  const sorted = names.map((name, i): [string, number] => [name || "not known", found[i]!])
    .filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return Object.fromEntries(sorted);
}

function summary(connectome: Connectome): Summary {
  const { neurons, sign, synapses, input, output, pre } = connectome;
  let total = 0;
  for (const count of synapses) total += count;
  const hops = hopHistogram(hopsFrom(connectome, input), output);
  const shortest = hops.counts.findIndex((count) => count > 0);
  return {
    name: connectome.name,
    digest: connectomeDigest(connectome),
    neurons: sign.length,
    connections: pre.length,
    synapses: total,
    excitatory: sign.reduce((sum, s) => sum + (s > 0 ? 1 : 0), 0),
    regions: counts(neurons.region),
    transmitters: counts(neurons.transmitter),
    columns: countColumns(connectome),
    inputs: input.length,
    inputsPlaced: input.reduce((sum, i) => sum + (neurons.column[2 * i] === NO_COLUMN ? 0 : 1), 0),
    outputs: output.length,
    hops: {
      shortest: shortest < 0 ? null : shortest,
      median: Number.isNaN(hops.median) ? null : hops.median,
      unreachable: hops.unreachable,
      outputsAt: hops.counts,
    },
    pathShare: pre.length === 0 ? null : pathShare(connectome, STEPS),
    provenance: connectome.provenance,
  };
}

const number = (value: number): string => value.toLocaleString("en-US");
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function block(title: string, rows: readonly (readonly [string, string, string?])[]): string {
  const left = Math.max(...rows.map(([what]) => what.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  const lines = rows.map(([what, value, note]) =>
    `  ${what.padEnd(left)}  ${value.padStart(right)}${note === undefined ? "" : `  ${note}`}`
  );
  return `${title}\n${lines.join("\n")}`;
}

const SIDES: Readonly<Record<string, string>> = { L: "left", R: "right", M: "in the middle" };

function columnLines(columns: Readonly<Record<string, number>>): [string, string][] {
  const entries = Object.entries(columns).sort(([a], [b]) => a < b ? -1 : 1);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return [
    ["different columns", number(total)],
    ...entries.map((
      [side, count],
    ): [string, string] => [`  ${SIDES[side] ?? "side not known"}`, number(count)]),
  ];
}

function text(connectome: Connectome): string {
  const found = summary(connectome);
  const shares = (entries: Readonly<Record<string, number>>) =>
    Object.entries(entries).map(([name, count]): [string, string, string] => [
      name,
      number(count),
      percent(count / found.neurons).padStart(7),
    ]);
  const { shortest, median, unreachable, outputsAt } = found.hops;
  return [
    found.name,
    block("Size", [
      ["neurons", number(found.neurons)],
      ["that excite", number(found.excitatory)],
      ["connections", number(found.connections)],
      ["synapses", number(found.synapses)],
    ]),
    block("Neurons by region", shares(found.regions)),
    block("Neurons by transmitter", shares(found.transmitters)),
    block("Eye", [
      ["input neurons (photoreceptors)", number(found.inputs)],
      ["placed on a column of the eye", number(found.inputsPlaced)],
      ...columnLines(found.columns),
    ]),
    block("From the eye to the output (descending) neurons", [
      ["output neurons", number(found.outputs)],
      ["hops at the shortest", shortest === null ? "none" : number(shortest)],
      ["hops, median", median === null ? "none" : String(median)],
      ...outputsAt.flatMap((count, hop): [string, string][] =>
        count === 0 ? [] : [[`${hop} hop${hop === 1 ? "" : "s"} away`, number(count)]]
      ),
      ["out of reach", number(unreachable)],
      [
        `connections on a path within ${STEPS} steps`,
        found.pathShare === null ? "none" : percent(found.pathShare),
      ],
    ]),
    `digest ${found.digest}`,
  ].join("\n\n");
}
