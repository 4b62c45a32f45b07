/**
 * How far does the board reach? The four attempts at waking the brain, region by region.
 *
 * @module
 */
import { FlyBrain, type FlyBrainOptions } from "flychess/brain";
import { type Connectome, histamineInhibits } from "flychess/connectome";
import { drive, eyeFor } from "flychess/eye";
import { card, type HeatCell, heatMap } from "flychess/figures";
import { CALIBRATION_POSITIONS, holdRows, trainRows } from "flychess/training";
import {
  everyNeuron,
  gameGroups,
  type RegionSignal,
  signalByRegion,
  spreadRows,
} from "./signal/board_signal.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";

/** Boards that the signal is measured on. */
const BOARDS = { full: 128, quick: 24 } as const;
/** The step that is looked at. */
const STEP = 12;

/** An attempt of the reference's ("The fly was brain dead"). */
interface Attempt {
  /** What is done, as the figure names it. */
  readonly name: string;
  readonly wiring: (connectome: Connectome) => Connectome;
  readonly brain: FlyBrainOptions;
}

/** Before homeostasis a neuron's rate followed its plain input. */
const PLAIN = { homeostasis: "none", gain: 1, bias: 0 } as const;

const ATTEMPTS: readonly Attempt[] = [
  { name: "eye inhibits (histamine)", wiring: histamineInhibits, brain: PLAIN },
  { name: "eye excites", wiring: (same) => same, brain: PLAIN },
  { name: "inputs add up to 10", wiring: (same) => same, brain: { ...PLAIN, inputTotal: 10 } },
  { name: "homeostasis", wiring: (same) => same, brain: {} },
];

/** One attempt's numbers. */
export interface Awakened {
  /** Its name. */
  readonly attempt: string;
  /** Regions in the order of the way through the brain. */
  readonly regions: readonly RegionSignal[];
}

/** What was measured. */
export interface Awakening {
  /** Boards shown, of different games. */
  readonly boards: number;
  /** The step looked at. */
  readonly step: number;
  readonly attempts: readonly Awakened[];
  /** Attempts that make no difference on this brain, and why. */
  readonly leftOut: readonly string[];
}

/** The question, one line. */
export const question = "How far into the brain does the board reach, before and after homeostasis?";

/** Measures. */
export async function run(options: ExperimentOptions): Promise<Awakening> {
  const { connectome, positions, quick, workers, signal, onProgress } = options;
  const eye = eyeFor(connectome), all = everyNeuron(connectome);
  const rows = spreadRows(holdRows(positions), positions, quick ? BOARDS.quick : BOARDS.full);
  const games = gameGroups(positions, rows), shown = drive(eye, positions.board, { rows });
  const usual = drive(eye, positions.board, {
    rows: trainRows(positions).subarray(0, CALIBRATION_POSITIONS),
  });
  const attempts: Awakened[] = [], leftOut: string[] = [];
  const histamine = connectome.neurons.transmitter.names.includes("histamine");
  for (const [i, { name, wiring, brain: settings }] of ATTEMPTS.entries()) {
    signal?.throwIfAborted();
    onProgress?.({ task: "waking the brain", done: i, total: ATTEMPTS.length, unit: "attempts" });
    if (wiring === histamineInhibits && !histamine) {
      leftOut.push(`${name}: no neuron of ${connectome.name} releases it`);
      continue;
    }
    await using brain = await FlyBrain.create(wiring(connectome), {
      steps: STEP,
      ...settings,
      ...(workers === undefined ? {} : { workers }),
    });
    if (settings.homeostasis !== "none") await brain.calibrate(usual, { signal });
    const rates = await brain.read(shown, { neurons: all, steps: [STEP], signal });
    attempts.push({ attempt: name, regions: signalByRegion(connectome, rates, games).regions });
  }
  onProgress?.({ task: "waking the brain", done: ATTEMPTS.length, total: ATTEMPTS.length, unit: "attempts" });
  return { boards: rows.length, step: STEP, attempts, leftOut };
}

/** A signal as short as it can be read. */
function short(value: number): string {
  if (value === 0) return "0";
  return value < 0.001 ? value.toExponential(0).replace("e-", "e−") : value.toFixed(3);
}

/** Decades that the shading tells apart, below a signal of 0.5. */
const DECADES = 5;

/** Draws it. */
export function figure(result: Result<Awakening>): string {
  const { attempts, boards, step, leftOut, connectome } = result;
  const regions = attempts[0]!.regions.map(({ region }) => region);
  const cells = regions.map((_, r) =>
    attempts.map(({ regions }): HeatCell => {
      const { signal: { value, high } } = regions[r]!;
      return {
        shade: value === 0 ? 0 : Math.max(0.02, 1 + Math.log10(value / 0.5) / DECADES),
        text: short(value),
        ...(value < 0.0005 ? {} : { note: `±${(high - value).toFixed(high - value < 0.001 ? 4 : 3)}` }),
      };
    })
  );
  const heard = attempts.map(({ regions }) =>
    regions.find(({ region }) => region === "descending")?.signal.value ?? 0
  );
  const awake = heard.at(-1)!, best = Math.max(...heard.slice(0, -1));
  const times = (awake / best).toPrecision(2);
  const title = awake > best
    ? `Homeostasis brings ${times} times as much of the board to the descending neurons`
    : "Homeostasis brings no more of the board to the descending neurons";
  const wide = 150, width = 130 + attempts.length * wide + 40;
  return card([{
    svg: heatMap(cells, {
      label: `How far the board moves a neuron's rate at step ${step} (standard deviation over boards)`,
      rows: regions.map((region) => region),
      columns: attempts.map(({ attempt }) => attempt),
      columnsOnTop: true,
      cell: { width: wide, height: 34 },
      names: 130,
    }),
    x: 20,
    y: 0,
  }], {
    title,
    caption: [
      `${connectome.name}: ${
        connectome.neurons.toLocaleString("en")
      } neurons; ${boards} held-out boards of different games. Mean over each`,
      "region's neurons, ± half a 95 % interval by game; the shade is logarithmic. Rates lie between 0 and 1.",
      "The title compares homeostasis with the best of the other attempts.",
      ...leftOut.map((each) => `Left out: ${each}.`),
    ],
    alt: `${title}. ` +
      attempts.map((each) =>
        `${each.attempt}: ${
          each.regions.map(({ region, signal }) => `${region} ${short(signal.value)}`).join(", ")
        }`
      ).join("; "),
    width: Math.max(width, 800),
    height: 46 + regions.length * 34 + 12,
  });
}
