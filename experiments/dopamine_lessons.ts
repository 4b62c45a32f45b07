/**
 * How well does a dopamine fly learn from a tutor? Gives lessons in batches of 64 and prints pairs right on VAL pairs as they go on.
 *
 *   deno run -A experiments/dopamine_lessons.ts CONNECTOME POSITIONS [--lessons 3200] [--every 640] [--pairs 1024]
 *     [--seed 1] [--rate 0.1] [--drift 0.001] [--share 0.05] [--version sigmoid] [--gated mbon] [--punished app]
 */
import { parseArgs } from "node:util";
import {
  DopamineBrain,
  type GateVersion,
  lessonPairs,
  mushroomBody,
  scorePairs,
  tutor,
} from "../lib/bio/mod.ts";
import { Random } from "../lib/common/mod.ts";
import { loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions } from "../lib/data/mod.ts";
import { drive, eyeFor } from "../lib/eye/mod.ts";
import { trainRows, valRows } from "../lib/training/mod.ts";

const { positionals, values } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    lessons: { type: "string", default: "3200" },
    every: { type: "string", default: "640" },
    pairs: { type: "string", default: "1024" },
    seed: { type: "string", default: "1" },
    rate: { type: "string", default: "0.1" },
    drift: { type: "string", default: "0.001" },
    share: { type: "string", default: "0.05" },
    version: { type: "string", default: "sigmoid" },
    gated: { type: "string", default: "mbon" },
    punished: { type: "string", default: "app" },
  },
});
const BATCH = 64, CALIBRATION = 256;
const seed = Number(values.seed), rate = Number(values.rate), drift = Number(values.drift);
const connectome = await loadConnectome(positionals[0]!), positions = await loadPositions(positionals[1]!);
const eye = eyeFor(connectome);
const body = mushroomBody(connectome, { punished: values.punished === "av" ? "av" : "app" });
const brain = new DopamineBrain(connectome, body, {
  gate: { share: Number(values.share), version: values.version as GateVersion },
  gated: values.gated === "all" ? "all" : "mbon",
});
const rows = new Random(seed, "dopamine lessons").shuffle(trainRows(positions).slice());
await brain.calibrate(drive(eye, positions.board, { rows: rows.subarray(0, CALIBRATION) }));
const held = lessonPairs(positions, valRows(positions).slice(0, Number(values.pairs)), { seed });

console.log(
  `${connectome.name}: ${body.kenyon.length} Kenyon cells, ${body.mbon.length} MBONs; ${body.assumption}`,
);
console.log("lessons  pairs right  cells in common  mean synapse   seconds");
const start = performance.now();
let given = 0;
for (;;) {
  const { right, overlap } = await scorePairs(brain, eye, held);
  const { strength, measured } = brain.synapses;
  const left = strength.reduce((a, b) => a + b, 0) / measured.reduce((a, b) => a + b, 0);
  console.log([
    given.toLocaleString("en").padStart(7),
    `${(100 * right).toFixed(1)} %`.padStart(11),
    `${(100 * overlap).toFixed(1)} %`.padStart(15),
    `${(100 * left).toFixed(1)} %`.padStart(12),
    ((performance.now() - start) / 1000).toFixed(1).padStart(8),
  ].join("  "));
  if (given >= Number(values.lessons)) break;
  for (const until = given + Number(values.every); given < until; given += BATCH) {
    const batch = rows.subarray(CALIBRATION + given, CALIBRATION + given + BATCH);
    await tutor(brain, eye, lessonPairs(positions, batch, { seed }), { rate, drift });
  }
}
