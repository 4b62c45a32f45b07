import {
  connectomeDigest,
  growModelFly,
  type HopHistogram,
  type ModelFlyFigure,
  type ModelFlyReport,
  modelFlyReport,
  saveConnectome,
} from "../lib/connectome/mod.ts";
import { eyeFor, eyeReport } from "../lib/eye/mod.ts";
import { type Command, readNumber, readOptions, readSeed } from "./_command.ts";
import { checkOutput } from "./_output_file.ts";
import { ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly connectome grow`. */
export const command: Command = {
  name: "connectome grow",
  summary: "grow a model fly: MaleCNS's populations, eye and paths at any scale, without a download",
  help: `
Usage: deno task fly connectome grow [options]

Grows a model fly, a nervous system with the populations, transmitters, eye and paths published for MaleCNS v1.0 and
otherwise drawn by chance, and sets what came out beside what is published. It is not a fly's brain: whatever is
measured on it says "model fly". 'fly connectome download' gets the real one.

  --scale N     size, 1 is as large as MaleCNS; 1/8 and 0.125 are the same (1/8)
  --seed N      another seed grows another fly of the same kind (1)
  --out FILE    keeps it in an Arrow file, for example brain.arrow (not kept if left out)
  --table       prints the comparison as a Markdown page, the one in docs/model-fly.md

Example: deno task fly connectome grow --scale 1 --seed 1 --out data/model-fly.arrow
`,
  async run(args) {
    const { values } = readOptions(args, {
      scale: { type: "string", default: "1/8" },
      seed: { type: "string", default: "1" },
      out: { type: "string" },
      table: { type: "boolean", default: false },
    });
    const scale = readNumber("scale", values.scale, { least: 1 / 256, most: 1 });
    const seed = readSeed(values.seed);
    if (values.out !== undefined) await checkOutput(values.out);
    const started = performance.now();
    using bars = new ProgressBars();
    const fly = growModelFly({ scale, seed }, { onProgress: bars.report });
    bars[Symbol.dispose]();
    const seconds = (performance.now() - started) / 1_000;
    if (values.out !== undefined) await saveConnectome(values.out, fly);
    const report = modelFlyReport(fly);
    const eye = eyeReport(eyeFor(fly)).message;
    if (values.table) {
      console.log(page(report, eye, values.scale, seed));
      return;
    }
    console.log(`${report.name}, grown in ${seconds.toFixed(1)} seconds\n`);
    console.log(table(HEAD, report.figures.map(cells)));
    console.log(`\nHops (connections from sender to receiver)\n${table(HOPS_HEAD, hops(report))}`);
    console.log(
      `\nConnections that a neuron receives\n${table(["share of neurons", "at most"], degrees(report))}`,
    );
    console.log(`\nMost synapses of a connection: ${number(report.mostSynapses)}`);
    console.log(`\n${eye}`);
    console.log(`\n${floors(report)}`);
    console.log(`\ndigest ${connectomeDigest(fly)}`);
    if (values.out !== undefined) console.log(`kept in ${values.out}`);
  },
};

const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
const percent = (share: number): string => `${(100 * share).toFixed(share < 0.01 ? 3 : 1)} %`;

const HEAD = ["", "MaleCNS v1.0", "model fly", "of it"];

function cells({ figure, published, grown, share }: ModelFlyFigure): string[] {
  const write = share ? percent : number;
  if (typeof published !== "number") return [figure, published.map(write).join(" to "), write(grown), ""];
  return [figure, write(published), write(grown), `${(100 * grown / published).toFixed(1)} %`];
}

const HOPS_HEAD = ["hops", "from the eye", "eye to descending", "to descending"];

function hops({ fromEye, eyeToDescending, toDescending }: ModelFlyReport): string[][] {
  const all: HopHistogram[] = [fromEye, eyeToDescending, toDescending];
  const most = Math.max(...all.map(({ counts }) => counts.length));
  return [
    ...Array.from(
      { length: most },
      (_, h) => [String(h), ...all.map(({ counts }) => number(counts[h] ?? 0))],
    ),
    ["out of reach", ...all.map(({ unreachable }) => number(unreachable))],
    ["median", ...all.map(({ median }) => number(median))],
  ];
}

function degrees({ inDegree }: ModelFlyReport): string[][] {
  return inDegree.map(([share, degree]) => [percent(share), number(degree)]);
}

function floors({ floors }: ModelFlyReport): string {
  if (floors.length === 0) return "No floor was needed: every population has its full size.";
  const rows = floors.map(({ population, scaled, kept }) => [population, number(scaled), number(kept)]);
  return `Populations kept above what the scale alone would leave\n${
    table(["population", "by scale", "kept"], rows)
  }`;
}

/** The comparison as Markdown. */
function page(report: ModelFlyReport, eye: string, scale: string, seed: number): string {
  const markdown = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    [head, head.map((_, i) => i === 0 ? "---" : "---:"), ...rows].map((row) => `| ${row.join(" | ")} |`).join(
      "\n",
    );
  return [
    `<!-- deno task fly connectome grow --scale ${scale} --seed ${seed} --table -->`,
    markdown(HEAD, report.figures.map(cells)),
    "Hops, counted in connections from sender to receiver: from the nearest photoreceptor to every neuron and to every " +
    "descending neuron, and from every neuron to the nearest descending neuron.",
    markdown(HOPS_HEAD, hops(report)),
    "Connections that a neuron receives: so many neurons receive at most so many.",
    markdown(["share of neurons", "connections"], degrees(report)),
    `The strongest connection has ${number(report.mostSynapses)} synapses. ${eye}`,
  ].join("\n\n");
}
