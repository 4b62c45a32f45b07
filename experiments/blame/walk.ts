import { type Connectome, REGIONS } from "flychess/connectome";

/** Steps of a think. */
export const STEPS = 12;

/** One step of the way back. */
export interface BlameStep {
  /** 1 to 12; the way back begins at 12. */
  readonly step: number;
  /** |d loss / d input|, mean of all neurons and positions. */
  readonly mean: number;
  /** The same of each region. */
  readonly regions: Readonly<Record<string, number>>;
  /** How many times as large as a step later. Null at the last step. */
  readonly growth: number | null;
}

/** The same error on its way back through a brain with one kind of homeostasis. */
export interface BlameWalk {
  readonly homeostasis: "as measured" | "calm";
  readonly steps: readonly BlameStep[];
  /** Mean growth a step (geometric) from step 12 to step 1: of all positions together, and the least and most of one. */
  readonly growth: { readonly mean: number; readonly least: number; readonly most: number };
  /** Mean growth a step over the three fastest steps in a row. */
  readonly fastest: { readonly growth: number; readonly from: number; readonly to: number };
}

/** The neurons of every region that has some. */
export function regionMembers(connectome: Connectome): { name: string; members: Int32Array }[] {
  const { names, index } = connectome.neurons.region;
  return REGIONS.map((name) => ({
    name,
    members: Int32Array.from(index.keys()).filter((i) => names[index[i]!] === name),
  })).filter(({ members }) => members.length > 0);
}

/**
 * Sums up a walk back.
 *
 * @param blame `[positions][neurons]` by step.
 */
export function summarizeWalk(
  blame: ReadonlyMap<number, Float32Array | Float64Array>,
  connectome: Connectome,
  homeostasis: BlameWalk["homeostasis"],
): BlameWalk {
  const size = connectome.sign.length, count = blame.get(STEPS)!.length / size;
  const meanOf = (of: Float32Array | Float64Array, b: number, members?: Int32Array) => {
    let sum = 0;
    if (members === undefined) { for (let j = 0; j < size; j++) sum += Math.abs(of[b * size + j]!); }
    else for (const j of members) sum += Math.abs(of[b * size + j]!);
    return sum / (members?.length ?? size);
  };
  const over = (step: number, members?: Int32Array) => {
    let sum = 0;
    for (let b = 0; b < count; b++) sum += meanOf(blame.get(step)!, b, members);
    return sum / count;
  };
  const each = regionMembers(connectome), steps: BlameStep[] = [];
  for (let step = STEPS; step >= 1; step--) {
    const mean = over(step), before = steps.at(-1)?.mean;
    steps.push({
      step,
      mean,
      regions: Object.fromEntries(each.map(({ name, members }) => [name, over(step, members)])),
      growth: before === undefined ? null : mean / before,
    });
  }
  const root = (ratio: number) => ratio ** (1 / (STEPS - 1));
  const own = Array.from(
    { length: count },
    (_, b) => root(meanOf(blame.get(1)!, b) / meanOf(blame.get(STEPS)!, b)),
  );
  const runs = steps.slice(0, -3).map(({ step, mean }, i) => ({
    from: step,
    to: step - 3,
    growth: (steps[i + 3]!.mean / mean) ** (1 / 3),
  }));
  return {
    homeostasis,
    steps,
    growth: {
      mean: root(steps.at(-1)!.mean / steps[0]!.mean),
      least: Math.min(...own),
      most: Math.max(...own),
    },
    fastest: runs.reduce((best, each) => each.growth > best.growth ? each : best),
  };
}
