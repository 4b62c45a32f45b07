/**
 * Can Kenyon cells be made to tell positions apart that are one move apart, and does the dopamine fly then learn more? One
 * idea a fly, all on the same held-out pairs, each beside its own logistic ceiling.
 *
 *   deno task experiment pattern_separation --connectome FILE --positions FILE --out figures/pattern_separation_larva
 *
 * @module
 */
import { mushroomBody } from "flychess/bio";
import type { Connectome } from "flychess/connectome";
import type { ExperimentOptions } from "./_experiment.ts";
import { isKept } from "./shared/kept.ts";
import { type Arm, armsOf } from "./separation/arms.ts";
import { type Amounts, heldPairs, measure, type Point } from "./separation/measure.ts";
import { measureLonger, measurePart, measureShared } from "./separation/shared.ts";
import { type ArmNumbers, summarizeArm } from "./separation/summary.ts";

export { figure, tables } from "./separation/figure.ts";

/** What was measured. */
export interface PatternSeparation {
  /** Kenyon cells. */
  readonly kenyon: number;
  /** MBONs. */
  readonly mbon: number;
  /** How valence and dopamine were told. */
  readonly assumption: string;
  /** Held-out pairs. */
  readonly pairs: number;
  readonly amounts: Amounts;
  /** The base first. */
  readonly arms: readonly ArmNumbers[];
  /**
   * Whether the goal is reached: overlap below 60 %, three quarters of the way (with the longer lessons, where there are
   * some), better than the base beyond doubt.
   */
  readonly goal: {
    readonly overlap: boolean;
    readonly way: boolean;
    readonly againstBase: boolean;
  };
}

/** The question, one line. */
export const question =
  "Can Kenyon cells tell positions apart that are one move apart, and does the dopamine fly then learn more?";

/** Why it makes no sense on a connectome. */
export function refuses(connectome: Connectome): string | undefined {
  const found = new Set(connectome.neurons.region.index);
  const has = (name: string) => found.has(connectome.neurons.region.names.indexOf(name));
  return has("Kenyon cell") && has("MBON") ? undefined : "it has no mushroom body";
}

interface Plan {
  readonly amounts: Amounts;
  /** Seeds of the base and of everything together, and of the other arms. */
  readonly seeds: readonly [number, number];
  /** Steps of the short look. */
  readonly short: number;
  /** Arms besides the two, the first of the list; where a look is long, without a ceiling. */
  readonly side: number;
  /** Where set, as many flies with everything together get so many lessons, and are asked about every pair. */
  readonly longer?: { readonly lessons: number; readonly seeds: number };
}

/** A larva's board is at its MBONs after 3 steps, an adult's, with its optic lobes, after 6 (reference, section 3). */
const LARVA_NEURONS = 10_000;

function planOf({ quick, connectome }: ExperimentOptions): Plan {
  const larva = connectome.neurons.id.length < LARVA_NEURONS, short = larva ? 5 : 6;
  if (quick) {
    return { amounts: { lessons: 128, held: 64, val: 16, calibration: 32 }, seeds: [2, 1], short, side: 2 };
  }
  const amounts = larva
    ? { lessons: 16_384, held: 4096, val: 1024, calibration: 128 }
    : { lessons: 2048, held: 4096, val: 512, calibration: 128, parts: 4 };
  return {
    amounts,
    seeds: [8, larva ? 8 : 2],
    short,
    side: Infinity,
    ...larva ? {} : { longer: { lessons: 8192, seeds: 3 } },
  };
}

/** Measures; of what is there so far, arms besides the two with the seeds that they have. */
export async function run(options: ExperimentOptions): Promise<PatternSeparation> {
  const { connectome, positions, seed, keep, soFar } = options;
  const { amounts, seeds, short, side, longer } = planOf(options), arms = armsOf(short);
  const all = async (arm: Arm, count: number) => {
    const { parts } = amounts;
    if (parts !== undefined) return await measureShared(options, arm, count, { ...amounts, parts });
    const points: Point[] = [];
    for (let s = 1; s <= count; s++) points.push(await measure(options, arm, s, amounts));
    return points;
  };
  const [baseArm, ...main] = arms.main, body = mushroomBody(connectome);
  const held = heldPairs(positions, amounts.held, seed);
  const game = Int32Array.from(held.row, (row) => positions.game[row]!);
  const base = await all(baseArm!, seeds[0]);
  const numbers = [summarizeArm(baseArm!, base, null, game)];
  const taughtLonger: ArmNumbers[] = [];
  let together: readonly Point[] = [];
  for (const arm of main) {
    const points = together = await all(arm, seeds[0]);
    numbers.push(summarizeArm(arm, points, base, game));
    if (longer === undefined) continue;
    const more = await measureLonger(options, arm, amounts, points, longer);
    const name = `together, ${longer.lessons.toLocaleString("en-US")} lessons`;
    taughtLonger.push(summarizeArm({ ...arm, name }, more, null, game));
  }
  numbers.push(...taughtLonger);
  const others = arms.side.slice(0, side), found = others.map((): Point[] => []);
  // Seed after seed, so that a run that is stopped has something of everything.
  for (let s = 1; s <= seeds[1]; s++) {
    for (const [i, arm] of others.entries()) {
      const { parts } = amounts, piece = `${arm.name}${parts === undefined ? "" : " part"} ${s}`;
      if (soFar && !await isKept(keep, piece)) continue;
      found[i]!.push(
        parts === undefined
          ? await measure(options, arm, s, amounts)
          : await measurePart(options, arm, s, { ...amounts, parts }),
      );
    }
  }
  others.forEach((arm, i) => {
    const own = found[i]!, first = (points: readonly Point[]) => points.slice(0, own.length);
    if (own.length > 0) numbers.push(summarizeArm(arm, own, first(base), game, first(together)));
  });
  const whole = numbers[1]!;
  return {
    kenyon: body.kenyon.length,
    mbon: body.mbon.length,
    assumption: body.assumption,
    pairs: held.count,
    amounts,
    arms: numbers,
    goal: {
      overlap: whole.overlap.value < 0.6,
      way: (taughtLonger[0] ?? whole).way!.value >= 0.75,
      againstBase: whole.againstBase!.low > 0,
    },
  };
}
