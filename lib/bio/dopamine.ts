/** The synapses from Kenyon cells onto MBONs, which can learn. */
export interface PlasticSynapses {
  /** Kenyon cells. */
  readonly kenyon: number;
  /** MBONs. */
  readonly mbon: number;
  /** `[kenyon][mbon]`: the strength the connectome gives, at least 0; no synapse is ever stronger. */
  readonly measured: Float64Array;
  /** `[kenyon][mbon]`: the strength now, from 0 to measured. Changed by lessons. */
  readonly strength: Float64Array;
}

/** How much of each kind of dopamine reaches every MBON. */
export interface DopamineReach {
  /** `[mbon]`: reward, 0 to 1. */
  readonly pam: ArrayLike<number>;
  /** `[mbon]`: punishment, 0 to 1. */
  readonly ppl1: ArrayLike<number>;
}

/** Tags of one change: how much of each kind of dopamine met each Kenyon cell's activity, all at least 0. */
export interface Tags {
  /** `[kenyon]`: with reward. */
  readonly sugar: ArrayLike<number>;
  /** `[kenyon]`: with punishment. */
  readonly shock: ArrayLike<number>;
}

/** eta where none is given (reference, section 10). */
export const RATE = 0.1;

/** How fast synapses change. */
export interface PlasticityOptions {
  /** Share of the measured strength that a full dose on a full tag takes, at least 0: eta (0.1). */
  readonly rate?: number | undefined;
  /** Share of the way back to the measured strength after every change, 0 to 1: kappa (0.001). */
  readonly drift?: number | undefined;
}

/** A difference of approach larger than this makes no other dose (reference, section 10). */
const LARGEST_DIFFERENCE = 30;

/**
 * The dose of lessons: the chance that the fly would still prefer the bad position, so that a lesson it gets right
 * stops teaching (reference, section 10): sigmoid((approach(bad) - approach(good)) / temperature).
 *
 * @param good `[lessons]`: approach of the position after the teacher's move.
 * @param bad `[lessons]`: approach of the position after the other move.
 * @param temperature How sharply the fly prefers, above 0 (1).
 * @returns `[lessons]`: 0 to 1.
 * @throws {RangeError} If the lists differ in length or the temperature is not above 0.
 *
 * @example The less it is right, the more it is taught
 * ```ts
 * import { doses } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const [right, undecided, wrong] = doses([3, 0, 0], [0, 0, 3]);
 * assert.ok(right! < 0.05);
 * assert.equal(undecided, 0.5);
 * assert.ok(wrong! > 0.95);
 * ```
 */
export function doses(good: ArrayLike<number>, bad: ArrayLike<number>, temperature = 1): Float64Array {
  checkPairs("tell the dose", good, bad);
  if (!(temperature > 0)) {
    throw new RangeError(`Cannot tell the dose: the temperature is ${temperature}, above 0 is wanted`);
  }
  return Float64Array.from(good, (value, b) => {
    const wrong = (bad[b]! - value) / temperature;
    return 1 / (1 + Math.exp(-Math.min(Math.max(wrong, -LARGEST_DIFFERENCE), LARGEST_DIFFERENCE)));
  });
}

/**
 * Tags of a batch of lessons: every Kenyon cell's activity times the lesson's dose, averaged (reference, section 10).
 *
 * @param activity `[lessons][kenyon]`: what the cells passed on.
 * @param dose `[lessons]`.
 * @returns `[kenyon]`.
 * @throws {RangeError} If the activity does not fit that many lessons, or there is none.
 */
export function tags(activity: ArrayLike<number>, dose: ArrayLike<number>): Float64Array {
  const lessons = dose.length, kenyon = activity.length / lessons;
  if (lessons === 0 || !Number.isInteger(kenyon)) {
    throw new RangeError(
      `Cannot tag Kenyon cells: there are ${activity.length} numbers for ${lessons} lessons, ` +
        "a multiple of at least 1 lesson is wanted",
    );
  }
  const tag = new Float64Array(kenyon);
  for (let b = 0; b < lessons; b++) {
    for (let k = 0; k < kenyon; k++) tag[k]! += dose[b]! * activity[b * kenyon + k]!;
  }
  for (let k = 0; k < kenyon; k++) tag[k]! /= lessons;
  return tag;
}

/**
 * One change by the three-factor rule (reference, section 10): where a tagged Kenyon cell meets dopamine that
 * reaches an MBON, their synapse loses a share of its measured strength; then every synapse drifts a little back.
 * Sugar works through PAM, shock through PPL1. Whatever the tags, a synapse stays between 0 and its measured strength.
 *
 * @param synapses Their strength is changed in place.
 * @param reach Which MBONs the dopamine reaches.
 * @param tagged Sugar and shock.
 * @param options How fast.
 * @throws {RangeError} If the sizes do not fit, or a tag, a rate or a drift is out of range.
 *
 * @example Sugar weakens the tagged cell's synapse onto the MBON that PAM reaches
 * ```ts
 * import { weaken } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const synapses = {
 *   kenyon: 2,
 *   mbon: 1,
 *   measured: Float64Array.of(0.5, 0.5),
 *   strength: Float64Array.of(0.5, 0.5),
 * };
 * weaken(synapses, { pam: [1], ppl1: [0] }, { sugar: [1, 0], shock: [0, 1] }, { drift: 0 });
 * assert.deepEqual([...synapses.strength], [0.45, 0.5]);
 * ```
 */
export function weaken(
  synapses: PlasticSynapses,
  reach: DopamineReach,
  tagged: Tags,
  options: PlasticityOptions = {},
): void {
  const { rate = RATE, drift = 0.001 } = options;
  const { kenyon, mbon, measured, strength } = synapses;
  const { sugar, shock } = tagged, { pam, ppl1 } = reach;
  check(synapses, reach, tagged, rate, drift);
  for (let k = 0; k < kenyon; k++) {
    for (let n = 0; n < mbon; n++) {
      const at = k * mbon + n, full = measured[at]!;
      const weaker = strength[at]! - rate * full * (sugar[k]! * pam[n]! + shock[k]! * ppl1[n]!);
      const back = weaker + drift * (full - weaker);
      // Not a number where the dose is beyond all numbers: the synapse is gone.
      strength[at] = back > 0 ? Math.min(back, full) : 0;
    }
  }
}

/**
 * How often a fly prefers the better position of a pair; a tie counts half (reference, section 10).
 *
 * @param good `[pairs]`: approach of the better positions.
 * @param bad `[pairs]`: approach of the others.
 * @returns 0 to 1; a coin gets 0.5.
 * @throws {RangeError} If the lists differ in length or are empty.
 */
export function pairsRight(good: ArrayLike<number>, bad: ArrayLike<number>): number {
  checkPairs("count pairs", good, bad);
  let right = 0;
  for (let b = 0; b < good.length; b++) right += good[b]! > bad[b]! ? 1 : good[b] === bad[b] ? 0.5 : 0;
  return right / good.length;
}

function checkPairs(action: string, good: ArrayLike<number>, bad: ArrayLike<number>): void {
  if (good.length !== bad.length || good.length === 0) {
    throw new RangeError(
      `Cannot ${action}: there are ${good.length} good and ${bad.length} bad positions, ` +
        "as many of both are wanted, and at least 1",
    );
  }
}

function check(
  { kenyon, mbon, measured, strength }: PlasticSynapses,
  { pam, ppl1 }: DopamineReach,
  { sugar, shock }: Tags,
  rate: number,
  drift: number,
): void {
  const wrong = (found: string): never => {
    throw new RangeError(`Cannot weaken synapses: ${found}`);
  };
  for (
    const [name, list, wanted] of [["strengths", strength, kenyon * mbon], [
      "measured strengths",
      measured,
      kenyon * mbon,
    ]] as const
  ) {
    if (list.length !== wanted) wrong(`there are ${list.length} ${name}, ${wanted} are wanted`);
  }
  const lists = [["sugar", sugar, kenyon], ["shock", shock, kenyon], ["PAM", pam, mbon], [
    "PPL1",
    ppl1,
    mbon,
  ]];
  for (const [name, list, wanted] of lists as [string, ArrayLike<number>, number][]) {
    if (list.length !== wanted) wrong(`${name} has ${list.length} numbers, ${wanted} are wanted`);
    for (let i = 0; i < list.length; i++) {
      if (!(list[i]! >= 0)) wrong(`${name} ${i} is ${list[i]}, a number of at least 0 is wanted`);
    }
  }
  if (!(rate >= 0 && rate < Infinity)) wrong(`the rate is ${rate}, a number of at least 0 is wanted`);
  if (!(drift >= 0 && drift <= 1)) wrong(`the drift is ${drift}, a number from 0 to 1 is wanted`);
}
