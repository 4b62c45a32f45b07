/**
 * What a cheaper arithmetic does to moves: the model fly reads the shipped positions in float32, a readout is fitted on
 * that, and the same readout then judges the rates of the other arithmetic on the 4,096 HOLD positions.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { writeFileAtomic } from "flychess/common";
import { growModelFly } from "flychess/connectome";
import { shippedPositions } from "flychess/data";
import { drive, eyeFor } from "flychess/eye";
import { type Engine, FlyBrain, type Homeostasis, referenceEngine, wasmEngine } from "flychess/brain";
import {
  applyReadout,
  denseFeatures,
  fitProbe,
  judgeScores,
  movesOf,
  pairedDifference,
  type Readout,
  READOUT_COLUMNS,
} from "flychess/readout";
import { table } from "../cli/_table.ts";

const HELP = `Usage: deno run -A bench/precision.ts [--scale 1/8] [--fit 8192] [--reference 0] [--json FILE]

  --scale N      how large the model fly is
  --fit N        positions that the readout is fitted on
  --reference N  HOLD positions that the float64 reference thinks about too (it is slow)
  --json FILE    where the numbers go`;

/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;
/** Steps read, as the reference's day-long fly does. */
const STEPS = [9, 10, 11, 12];

/** How one arithmetic differs from float32, with the readout fitted on float32. */
export interface Effect {
  /** HOLD positions judged. */
  readonly positions: number;
  /** Share of favourites that are the teacher's. */
  readonly top1: number;
  /** Policy loss, in nats. */
  readonly loss: number;
  /** Mean difference of the loss to float32, position by position. */
  readonly lossDifference: number;
  /** Its 95 % interval, whole games drawn again. */
  readonly lossInterval: readonly [low: number, high: number];
  /** Share of positions with the same favourite as in float32. */
  readonly sameFavourite: number;
  /** Largest difference of a rate. */
  readonly largestRate: number;
  /** Mean difference of a rate. */
  readonly meanRate: number;
  /** Largest difference of a move's probability. */
  readonly largestProbability: number;
  /** Mean difference of a move's probability. */
  readonly meanProbability: number;
}

type Positions = Awaited<ReturnType<typeof shippedPositions>>;

export function compare(
  readout: Readout,
  rates: ArrayLike<number>[],
  positions: Positions,
  rows: Int32Array,
): Effect {
  const [exact, other] = rates.map((values) =>
    applyReadout(readout, denseFeatures(Float32Array.from(values), readout.features, { rows }), rows)
  );
  const difference = { largestRate: 0, meanRate: 0, largestProbability: 0, meanProbability: 0 };
  for (let i = 0; i < rates[0]!.length; i++) {
    const off = Math.abs(rates[0]![i]! - rates[1]![i]!);
    difference.largestRate = Math.max(difference.largestRate, off);
    difference.meanRate += off / rates[0]!.length;
  }
  let moves = 0, same = 0;
  for (let i = 0; i < rows.length; i++) {
    const [at, to] = [i * READOUT_COLUMNS, (i + 1) * READOUT_COLUMNS];
    const wanted = movesOf(exact!.subarray(at, to), positions, rows[i]!);
    const found = movesOf(other!.subarray(at, to), positions, rows[i]!);
    if (wanted[0]!.move === found[0]!.move) same++;
    const likely = new Map(found.map(({ move, probability }) => [move, probability]));
    for (const { move, probability } of wanted) {
      const off = Math.abs(probability - likely.get(move)!);
      difference.largestProbability = Math.max(difference.largestProbability, off);
      difference.meanProbability += off;
      moves++;
    }
  }
  difference.meanProbability /= moves;
  const judged = judgeScores(other!, positions, rows), count = rows.length;
  const { loss } = pairedDifference(judged, judgeScores(exact!, positions, rows));
  return {
    positions: count,
    top1: judged.top1.reduce((sum, one) => sum + one, 0) / count,
    loss: judged.loss.reduce((sum, loss) => sum + loss, 0) / count,
    lossDifference: loss.value,
    lossInterval: [loss.low, loss.high],
    sameFavourite: same / count,
    ...difference,
  };
}

function range(from: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => from + i);
}

/** Measures every arithmetic. */
export async function measurePrecision(
  { scale, fit, reference }: { scale: number; fit: number; reference: number },
): Promise<Record<string, Effect>> {
  const positions = await shippedPositions(), connectome = growModelFly({ scale });
  const eye = eyeFor(connectome), first = positions.hold + positions.val;
  const calibration = drive(eye, positions.board, { rows: range(first, CALIBRATION) });
  let exactly: Homeostasis | undefined;
  const think = async (engine: Engine, rows: Int32Array, homeostasis?: Homeostasis) => {
    await using brain = await FlyBrain.create(connectome, { engine });
    if (homeostasis === undefined) await brain.calibrate(calibration, { calm: true });
    else await brain.setHomeostasis(homeostasis);
    exactly ??= brain.homeostasis ?? undefined;
    return await brain.read(drive(eye, positions.board, { rows }), { steps: STEPS });
  };
  const hold = range(0, positions.hold), train = range(first, Math.min(fit, positions.count - first));
  const both = Int32Array.of(...hold, ...train), columns = connectome.output.length;
  const exact = await think(wasmEngine(), both);
  const short = await think(wasmEngine({ precision: "int16" }), hold);
  const bytes = await think(wasmEngine({ precision: "int8" }), hold);
  const strange = await think(wasmEngine({ precision: "int8" }), hold, exactly);
  const readout = await fitProbe(denseFeatures(exact, columns, { rows: both }), positions, train);
  const held = exact.subarray(0, hold.length * columns);
  const effects: Record<string, Effect> = {
    float32: compare(readout, [held, held], positions, hold),
    int16: compare(readout, [held, short], positions, hold),
    int8: compare(readout, [held, bytes], positions, hold),
    "int8, homeostasis of float32": compare(readout, [held, strange], positions, hold),
    "float32, kept as bytes": compare(
      readout,
      [held, held.map((rate) => Math.round(255 * rate) / 255)],
      positions,
      hold,
    ),
  };
  if (reference > 0) {
    const rows = hold.subarray(0, reference), truth = await think(referenceEngine(), rows);
    effects["float64 reference"] = compare(
      readout,
      [exact.subarray(0, truth.length), truth],
      positions,
      rows,
    );
  }
  return effects;
}

function number(text: string): number {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      scale: { type: "string", default: "1/8" },
      fit: { type: "string", default: "8192" },
      reference: { type: "string", default: "0" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    Deno.exit();
  }
  const effects = await measurePrecision({
    scale: number(values.scale),
    fit: number(values.fit),
    reference: number(values.reference),
  });
  console.log(table(
    [
      "Rates in",
      "Positions",
      "Top-1",
      "Loss",
      "less float32's, 95 %",
      "Same favourite",
      "Rates, mean",
      "largest",
      "Chances, mean",
      "largest",
    ],
    Object.entries(effects).map(([name, effect]) => [
      name,
      effect.positions.toLocaleString("en"),
      `${(100 * effect.top1).toFixed(2)} %`,
      effect.loss.toFixed(4),
      `${effect.lossDifference.toFixed(5)} (${
        effect.lossInterval.map((end) => end.toFixed(5)).join(" to ")
      })`,
      `${(100 * effect.sameFavourite).toFixed(2)} %`,
      effect.meanRate.toExponential(1),
      effect.largestRate.toExponential(1),
      effect.meanProbability.toExponential(1),
      effect.largestProbability.toExponential(1),
    ]),
  ));
  if (values.json !== undefined) {
    await writeFileAtomic(
      values.json,
      JSON.stringify({ command: ["bench/precision.ts", ...Deno.args], effects }, null, 2) + "\n",
    );
  }
}
