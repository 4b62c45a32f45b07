/**
 * How steep may the cut among Kenyon cells be? Three versions of it: how many comparisons of pairs a rounding error turns
 * over, and how much Kenyon cells move the MBONs next to everything else.
 *
 *   deno task experiment dopamine_cut --connectome FILE --positions FILE
 *
 * @module
 */
import { DopamineBrain, type DopamineBrainOptions, gateOf, type KenyonGate, scorePairs } from "flychess/bio";
import { initialStrengths } from "flychess/brain";
import { Random } from "flychess/common";
import { drive, type Eye } from "flychess/eye";
import { bootstrapMeans, type Interval } from "flychess/readout";
import { awakeFly, budgetOf, heldPairs, LARGE } from "./dopamine/arms.ts";
import { figure } from "./dopamine/cut_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { refuses } from "./dopamine/compare.ts";

/** One version of the cut. */
export interface DopamineCut {
  readonly key: string;
  readonly name: string;
  /** Comparisons that come out the other way when the same pairs are scored again: nothing is added. */
  readonly again: number;
  /** The same with an error on every Kenyon cell's rate at every step, each time another. */
  readonly flips: Interval;
  /** How much Kenyon cells move an MBON's last input over the positions, by everything else's: the median over MBONs. */
  readonly moves: number;
  /** Pairs right, untrained. */
  readonly pairs: Interval;
  /** Share of Kenyon cells in common. */
  readonly overlap: number;
  /** What all Kenyon cells together pass on, a share of their rates: the sparser, the less. */
  readonly passes: number;
}

/** What `dopamine_cut.json` holds besides its origin. */
export interface DopamineCuts {
  /** Pairs scored. */
  readonly count: number;
  /** Size of the error: a standard deviation, in rate. */
  readonly error: number;
  readonly cuts: readonly DopamineCut[];
}

/** What a rounding error in float32 comes to by the end of a sum of a few thousand. */
const ERROR = 1e-6;

const CUTS: readonly (Pick<DopamineCut, "key" | "name"> & DopamineBrainOptions)[] = [
  { key: "step", name: "hard step", gate: { version: "step" } },
  { key: "subtract", name: "subtraction", gate: { version: "subtract" } },
  { key: "sigmoid", name: "steep sigmoid", gate: { version: "sigmoid" } },
  { key: "all", name: "on all outputs", gate: { version: "sigmoid" }, gated: "all" },
  { key: "none", name: "no cut", gate: { version: "step", share: 1 } },
];

/** Measures. */
export async function run(options: ExperimentOptions): Promise<DopamineCuts> {
  const { positions, connectome, seed, quick, signal, onProgress } = options, budget = budgetOf(options);
  const large = connectome.pre.length > LARGE;
  const pairs = heldPairs(positions, quick ? 24 : large ? 128 : 1024, seed, "random");
  const game = Int32Array.from(pairs.row, (row) => positions.game[row]!);
  const cuts: DopamineCut[] = [];
  for (const { key, name, ...brainOptions } of CUTS) {
    let noise:
      | ((rates: Float64Array, moment: { readonly step: number; readonly position: number }) => void)
      | undefined;
    const clean = gateOf(brainOptions.gate as Parameters<typeof gateOf>[0]);
    const gate: KenyonGate = {
      name: clean.name,
      pass(rates, out, moment) {
        noise?.(rates, moment);
        clean.pass(rates, out, moment);
      },
    };
    const { brain, eye } = await awakeFly(options, budget, {
      brain: { ...brainOptions, gate, precision: "float32" },
    });
    await using _brain = brain;
    const score = async (dice?: number) => {
      noise = dice === undefined ? undefined : (rates, { step, position }) => {
        const random = new Random(dice, `rounding ${step} ${position}`);
        for (let k = 0; k < rates.length; k++) rates[k]! += ERROR * random.normal();
      };
      const scores = await scorePairs(brain, eye, pairs, { signal });
      noise = undefined;
      return { ...scores, wins: scores.good.map((value, b) => Math.sign(value - scores.bad[b]!)) };
    };
    const [first, second, one, other] = [
      await score(),
      await score(),
      await score(2 * seed),
      await score(2 * seed + 1),
    ];
    const right = first!.wins.map((sign) => (sign + 1) / 2);
    const flipped = one!.wins.map((sign, b) => Number(sign !== other!.wins[b]));
    const [flips, good] = bootstrapMeans([flipped, right], game, { seed });
    cuts.push({
      key,
      name,
      again: first!.wins.filter((sign, b) => sign !== second!.wins[b]).length / pairs.count,
      flips: flips!,
      moves: await shareOfInput(options, brain, eye, pairs.good, brainOptions),
      pairs: good!,
      overlap: first!.overlap,
      passes: await sharePassed(brain, eye, pairs.good),
    });
    onProgress?.({ task: "cutting", done: cuts.length, total: CUTS.length, unit: "versions" });
  }
  return { count: pairs.count, error: ERROR, cuts };
}

/** What Kenyon cells pass on after the last step, a share of their rates, over all positions. */
async function sharePassed(brain: DopamineBrain, eye: Eye, boards: Uint8Array): Promise<number> {
  const { kenyon, passed } = await brain.look(drive(eye, boards));
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  return sum(passed) / sum(kenyon);
}

/**
 * For each MBON the standard deviation over positions of what it gets from Kenyon cells at the last step, by that of all
 * else it gets; the median.
 */
async function shareOfInput(
  { connectome, workers }: ExperimentOptions,
  brain: DopamineBrain,
  eye: Eye,
  boards: Uint8Array,
  brainOptions: DopamineBrainOptions,
): Promise<number> {
  const { rowStart, pre, sign } = connectome, { kenyon, mbon } = brain.body, { strength } = brain.synapses;
  const steps = brain.steps - 1, size = steps * sign.length;
  await using earlier = new DopamineBrain(connectome, brain.body, {
    ...brainOptions,
    precision: "float32",
    workers: brain.connectome.pre.length > LARGE ? workers : 0,
    steps,
  });
  const { mean, spread } = brain.homeostasis!;
  await earlier.setHomeostasis({ mean: mean.subarray(0, size), spread: spread.subarray(0, size) });
  const isKenyon = new Set(kenyon), weight = initialStrengths(connectome);
  const senders = [...new Set(mbon.values().flatMap((j) => pre.subarray(rowStart[j]!, rowStart[j + 1]!)))]
    .filter((neuron) => !isKenyon.has(neuron));
  const placeOf = new Map(senders.map((neuron, i) => [neuron, i]));
  const positions = boards.length / 96, all = senders.length + kenyon.length;
  const rates = await earlier.read(drive(eye, boards), Int32Array.from([...senders, ...kenyon]));
  const ratios: number[] = [];
  const own = Array.from({ length: mbon.length }, () => new Float64Array(positions));
  const rest = Array.from({ length: mbon.length }, () => new Float64Array(positions));
  for (let position = 0; position < positions; position++) {
    const seen = rates.subarray(position * all, (position + 1) * all), cells = seen.subarray(senders.length);
    // With the cut on all outputs what Kenyon cells send elsewhere is no part of an MBON's input.
    earlier.gate.pass(cells, cells, { step: steps, position });
    mbon.forEach((j, n) => {
      for (let k = 0; k < kenyon.length; k++) {
        own[n]![position]! += strength[k * mbon.length + n]! * cells[k]!;
      }
      for (let k = rowStart[j]!; k < rowStart[j + 1]!; k++) {
        const from = placeOf.get(pre[k]!);
        if (from !== undefined) rest[n]![position]! += weight[k]! * sign[pre[k]!]! * seen[from]!;
      }
    });
  }
  for (let n = 0; n < mbon.length; n++) {
    const [kc, other] = [deviation(own[n]!), deviation(rest[n]!)];
    if (kc > 0 && other > 0) ratios.push(kc / other);
  }
  ratios.sort((a, b) => a - b);
  return ratios[ratios.length >> 1] ?? NaN;
}

function deviation(list: Float64Array): number {
  const mean = list.reduce((a, b) => a + b, 0) / list.length;
  return Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length);
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] =
  "How steep may the cut among Kenyon cells be before rounding decides?";
