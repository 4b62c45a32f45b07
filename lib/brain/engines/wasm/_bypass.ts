import type { Bypass, BypassMoment } from "../../engine.ts";
import type { Job } from "./_job.ts";
import { areaParts, LINE_POSITIONS, SHORT_ONE, SHORT_POSITIONS } from "./_layout.ts";
import type { Lit } from "./_light.ts";

/** Where the lines are that a bypass takes from and adds to. */
export interface Lines {
  /** Numbers in a line. */
  readonly lanes: number;
  /** `[from]`: where each line of rates starts in a state. */
  readonly from: Int32Array;
  /** What is added to inputs. */
  readonly x: Float32Array;
  /** `[to]`: where each line starts in it. */
  readonly to: Int32Array;
}

/** Makes what carries a state over to the inputs of the next step: on top of what the eye adds there, as it is now. */
export function passLines(
  bypass: Bypass,
  { lanes, from, x, to }: Lines,
): (state: Float32Array | Int16Array, moment: BypassMoment) => void {
  const rates = new Float32Array(from.length * lanes), input = new Float32Array(to.length * lanes);
  const seen = new Float32Array(input.length);
  to.forEach((at, i) => seen.set(x.subarray(at, at + lanes), i * lanes));
  return (state, moment) => {
    const one = state instanceof Int16Array ? SHORT_ONE : 1;
    for (let i = 0; i < from.length; i++) {
      for (let lane = 0; lane < lanes; lane++) rates[i * lanes + lane] = state[from[i]! + lane]! / one;
    }
    bypass.pass(rates, input, moment);
    for (let i = 0; i < to.length; i++) {
      for (let lane = 0; lane < lanes; lane++) {
        x[to[i]! + lane] = seen[i * lanes + lane]! + input[i * lanes + lane]!;
      }
    }
  };
}

/** A line of positions through all steps up to `last`, with the bypass between them; their drive is in the area. */
export async function thinkAround(
  { memory: { buffer }, layout, numbering: { place } }: Lit,
  bypass: Bypass,
  { first, count, area, last }: {
    readonly first: number;
    readonly count: number;
    readonly area: number;
    readonly last: number;
  },
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const { neurons, short } = layout, { odd, even, drive } = areaParts(layout, area);
  const lanes = short ? SHORT_POSITIONS : LINE_POSITIONS;
  const x = new Float32Array(buffer, drive, neurons * lanes);
  const starts = (list: Int32Array) => list.map((neuron) => place[neuron]! * lanes);
  const to = starts(bypass.to), seen = new Float32Array(to.length * lanes);
  to.forEach((at, i) => seen.set(x.subarray(at, at + lanes), i * lanes));
  const pass = passLines(bypass, { lanes, from: starts(bypass.from), x, to });
  try {
    for (let step = 1; step <= last; step++) {
      await run({ kind: "think", area, first: step, last: step });
      if (step === last) break;
      const at = step % 2 === 1 ? odd : even;
      const state = short
        ? new Int16Array(buffer, at, neurons * lanes)
        : new Float32Array(buffer, at, neurons * lanes);
      pass(state, { step, first, count, lanes });
    }
  } finally {
    to.forEach((at, i) => x.set(seen.subarray(i * lanes, (i + 1) * lanes), at));
  }
}
