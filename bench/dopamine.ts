/**
 * How fast lessons go through a dopamine fly's brain, and how near each precision is to float64: every brain with the
 * homeostasis that it measured itself.
 *
 *   deno run -A bench/dopamine.ts [--connectome FILE] [--positions FILE] [--pairs 64] [--calibration 64] [--out FILE]
 */
import process from "node:process";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { DopamineBrain, lessonPairs, mushroomBody, scorePairs, tutor } from "../lib/bio/mod.ts";
import { writeFileAtomic } from "../lib/common/mod.ts";
import { connectomeDigest, growModelFly, loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, shippedPositions } from "../lib/data/mod.ts";
import { drive, eyeFor } from "../lib/eye/mod.ts";
import { holdRows, trainRows } from "../lib/training/mod.ts";

const { values } = parseArgs({
  options: {
    connectome: { type: "string" },
    positions: { type: "string" },
    pairs: { type: "string", default: "64" },
    calibration: { type: "string", default: "64" },
    out: { type: "string" },
  },
});
/** Timed batches; the best counts. */
const ROUNDS = 5;
const connectome = values.connectome === undefined
  ? growModelFly({ scale: 1, seed: 1 })
  : await loadConnectome(values.connectome);
const positions = values.positions === undefined
  ? await shippedPositions()
  : await loadPositions(values.positions);
const eye = eyeFor(connectome), body = mushroomBody(connectome), count = Number(values.pairs);
const rows = trainRows(positions).subarray(0, Number(values.calibration));
const calibration = drive(eye, positions.board, { rows });
const pairs = lessonPairs(positions, holdRows(positions).subarray(0, count), { seed: 1 });
const lesson = lessonPairs(positions, trainRows(positions).subarray(256, 256 + 64), { seed: 1 });

interface Row {
  readonly precision: string;
  /** Positions a second of 64 lessons, the best batch. */
  readonly perSecond: number;
  /** The same a second of processor time, all threads together. */
  readonly perProcessorSecond: number;
  /** Largest and mean difference of approach from float64's, and pairs judged otherwise. */
  readonly largest: number;
  readonly mean: number;
  readonly otherwise: number;
  readonly flippedAgain: number;
}

const table: Row[] = [];
let truth: { good: Float64Array; bad: Float64Array } | undefined;
for (const precision of ["float64", "float32", "int16"] as const) {
  await using brain = new DopamineBrain(connectome, body, { precision });
  await brain.calibrate(calibration);
  const found = await scorePairs(brain, eye, pairs), again = await scorePairs(brain, eye, pairs);
  truth ??= found;
  const apart = [...found.good, ...found.bad].map((value, i) =>
    Math.abs(value - (i < pairs.count ? truth!.good[i]! : truth!.bad[i - pairs.count]!))
  );
  const wins = ({ good, bad }: NonNullable<typeof truth>) =>
    [...good].map((value, b) => Math.sign(value - bad[b]!));
  const flips = (one: number[], other: number[]) => one.filter((sign, b) => sign !== other[b]).length;
  let perSecond = 0, perProcessorSecond = 0;
  // float64 is slow and no candidate.
  for (let round = 0; round < (precision === "float64" ? 1 : ROUNDS); round++) {
    const start = performance.now(), used = process.cpuUsage();
    await tutor(brain, eye, lesson, { rate: 0, drift: 0 });
    const { user, system } = process.cpuUsage(used);
    perSecond = Math.max(perSecond, 2 * lesson.count / ((performance.now() - start) / 1000));
    perProcessorSecond = Math.max(perProcessorSecond, 2 * lesson.count / ((user + system) / 1e6));
  }
  const row = {
    precision,
    perSecond,
    perProcessorSecond,
    largest: Math.max(...apart),
    mean: apart.reduce((a, b) => a + b) / apart.length,
    otherwise: flips(wins(found), wins(truth)),
    flippedAgain: flips(wins(found), wins(again)),
  };
  table.push(row);
  console.log(JSON.stringify(row));
}
const result = {
  command: `deno run -A bench/dopamine.ts ${Deno.args.join(" ")}`,
  machine: { model: cpus()[0]?.model ?? "unknown", cores: availableParallelism(), load: Deno.loadavg()[0] },
  connectome: { name: connectome.name, digest: connectomeDigest(connectome) },
  positions: positions.digest,
  pairs: pairs.count,
  calibration: rows.length,
  table,
};
if (values.out !== undefined) await writeFileAtomic(values.out, JSON.stringify(result, null, 2) + "\n");
