/**
 * `deno task bench`: how fast the wasm engine thinks and learns on this machine, on a model fly and on uniform random
 * wiring of the same size, which no order of the neurons can help; what it costs in memory, and how the cost grows with
 * the brain. `deno task bench:peers` compares it with other programs.
 *
 * @module
 */
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { writeFileAtomic } from "flychess/common";
import { growModelFly } from "flychess/connectome";
import { measureBandwidth } from "./_bandwidth.ts";
import { describeCosts, measureCosts } from "./_costs.ts";
import { describe, measureConnectome, type Report, seconds } from "./_rows.ts";
import { BATCH, describeScales, drawScales, measureScales, type Scales } from "./_scales.ts";
import { uniformWiring } from "./_wiring.ts";

const HELP = `Usage: deno task bench [--json FILE] [--quick] [--scale 1] [--seconds 1] [--figure NAME]

  --json FILE    where the numbers go
  --quick        a model fly of scale 1/8 and fewer measurements: under 50 seconds
  --scale N      how large the model fly is; 1 is MaleCNS's size
  --seconds N    how long each measurement takes at least
  --figure NAME  draws how the cost grows with the brain: NAME.svg, from NAME.json (figures/engine_scale)`;

const BATCHES = [16, 32, 64, 128, 256];
const QUICK_BATCHES = [16, 64, 256];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "string" },
      quick: { type: "boolean", default: false },
      scale: { type: "string" },
      seconds: { type: "string" },
      figure: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const [above = 1, below = 1] = (values.scale ?? (values.quick ? "1/8" : "1")).split("/").map(Number);
  const scale = above / below;
  const plan = {
    seconds: Number(values.seconds ?? (values.quick ? 0.3 : 1)),
    batches: values.quick ? QUICK_BATCHES : BATCHES,
  };
  const bandwidth = await measureBandwidth();
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores`;
  console.log(`${machine}; memory is read at ${(bandwidth / 1e9).toFixed(1)} GB/s by all cores together`);
  const [fly, grown] = await seconds(() => growModelFly({ scale }));
  console.log(`the model fly was grown in ${grown.toFixed(1)} s`);
  const reports: Report[] = [];
  for (const connectome of [fly, uniformWiring(fly, 1)]) {
    reports.push(await measureConnectome(connectome, plan));
    console.log(describe(reports.at(-1)!, bandwidth));
  }
  const costs = await measureCosts(fly);
  console.log(describeCosts(costs));
  const scales: Scales = {
    command: ["deno task bench", ...Deno.args].join(" "),
    machine,
    date: new Date().toISOString().slice(0, 10),
    batch: BATCH,
    rows: await measureScales(scale, plan.seconds),
  };
  console.log(describeScales(scales.rows));
  if (values.figure !== undefined) {
    await writeFileAtomic(`${values.figure}.json`, JSON.stringify(scales, null, 2) + "\n");
    await writeFileAtomic(`${values.figure}.svg`, drawScales(scales));
  }
  if (values.json === undefined) return;
  const { command, date } = scales;
  const result = {
    command,
    machine,
    date,
    bandwidth,
    growSeconds: grown,
    costs,
    reports,
    scales: scales.rows,
  };
  await writeFileAtomic(values.json, JSON.stringify(result, null, 2) + "\n");
}

if (import.meta.main) await main();
