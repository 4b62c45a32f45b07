import type { LongWork } from "../common/mod.ts";
import { drive, type Eye } from "../eye/mod.ts";
import { doses, pairsRight, type PlasticityOptions, RATE, tags, weaken } from "./dopamine.ts";
import type { DopamineBrain, DopamineLookOptions } from "./dopamine_brain.ts";
import { patternOverlap } from "./kenyon_gate.ts";
import type { LessonPairs } from "./lesson_pairs.ts";
import { dopamineNeurons, dosesOf } from "./own_doses.ts";
import { strengthenSilent } from "./silent_synapses.ts";

/** How a batch of lessons is given. */
export interface TutorOptions extends LongWork, PlasticityOptions {
  /** How sharply the fly prefers, above 0 (1). */
  readonly temperature?: number | undefined;
  /** Which Kenyon cells are tagged: `active` ones (the default), or only by what `differs` between the two positions. */
  readonly tagged?: "active" | "differs" | undefined;
  /** Who decides the dose: the `tutor` (the default), or the fly's `own` dopamine neurons (`ownDoses`). */
  readonly dose?: "tutor" | "own" | undefined;
  /** How fast silent cells' synapses grow where dopamine comes, a share of the rate at least 0 (0: `strengthenSilent`). */
  readonly silent?: number | undefined;
}

/** How a fly judged pairs, before any of them taught it something. */
export interface PairScores {
  /** `[pairs]`: approach of the better positions. */
  readonly good: Float64Array;
  /** `[pairs]`: approach of the others. */
  readonly bad: Float64Array;
  /** The share of pairs in which it preferred the better one, a tie counting half. */
  readonly right: number;
  /** Mean share of Kenyon cells that the two positions of a pair have in common, 0 to 1 (`patternOverlap`). */
  readonly overlap: number;
}

/** What a batch of lessons was. */
export interface TutorReport extends PairScores {
  /** `[lessons]`: how much dopamine each was worth, 0 to 1: the sugar, where the fly's own neurons decide. */
  readonly dose: Float64Array;
}

/**
 * Gives a batch of lessons (reference, section 10, which gives 64 at once): the fly looks at both positions of every pair,
 * gets a dose for how wrong it is, sugar after the teacher's move and shock after the other, and its synapses change
 * once, by the average.
 *
 * @param brain Calibrated; its synapses are changed.
 * @param eye Its eye.
 * @param pairs The lessons.
 * @param options How fast it learns.
 * @returns What it thought before.
 * @throws {RangeError} If there is no pair, or an option is out of range.
 *
 * @example Lessons only ever weaken
 * ```ts
 * import { DopamineBrain, lessonPairs, mushroomBody, tutor } from "flychess/bio";
 * import { growModelFly } from "flychess/connectome";
 * import { shippedPositions } from "flychess/data";
 * import { drive, eyeFor } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const fly = await growModelFly({ scale: 1 / 32 }), eye = eyeFor(fly);
 * const pairs = lessonPairs(await shippedPositions(), [0, 1, 2, 3, 4, 5], { seed: 1 });
 * const brain = new DopamineBrain(fly, mushroomBody(fly));
 * await brain.calibrate(drive(eye, pairs.good));
 * await tutor(brain, eye, pairs);
 * const { strength, measured } = brain.synapses;
 * assert.ok(strength.some((now, i) => now < measured[i]!));
 * assert.ok(strength.every((now, i) => now >= 0 && now <= measured[i]!));
 * ```
 */
export async function tutor(
  brain: DopamineBrain,
  eye: Eye,
  pairs: LessonPairs,
  options: TutorOptions = {},
): Promise<TutorReport> {
  const { temperature = 1, tagged = "active", rate, drift, dose: whose = "tutor", silent = 0, ...work } =
    options;
  const own = whose === "own" ? dopamineNeurons(brain.body) : undefined;
  const { scores, good, bad, also } = await look(brain, eye, pairs, { ...work, also: own });
  const byTutor = () => {
    const dose = doses(scores.good, scores.bad, temperature);
    return { sugar: dose, shock: dose };
  };
  const dose = own === undefined ? byTutor() : dosesOf(brain.body, also);
  const [sugar, shock] = tagged === "active" ? [good, bad] : [beyond(good, bad), beyond(bad, good)];
  const tagsOf = (sugar: Float64Array, shock: Float64Array) => ({
    sugar: tags(sugar, dose.sugar),
    shock: tags(shock, dose.shock),
  });
  weaken(brain.synapses, brain.body, tagsOf(sugar, shock), { rate, drift });
  if (silent > 0) {
    const quiet = (activity: Float64Array) => activity.map((value) => 1 - value);
    strengthenSilent(brain.synapses, brain.body, tagsOf(quiet(good), quiet(bad)), {
      rate: silent * (rate ?? RATE),
    });
  }
  return { ...scores, dose: dose.sugar };
}

/**
 * Asks a fly about pairs without teaching it. The same pairs get the same numbers, bit for bit, however often.
 *
 * @param brain Calibrated.
 * @param eye Its eye.
 * @param pairs The pairs, at least one.
 * @throws {RangeError} If there is no pair.
 */
export async function scorePairs(
  brain: DopamineBrain,
  eye: Eye,
  pairs: LessonPairs,
  options: LongWork = {},
): Promise<PairScores> {
  return (await look(brain, eye, pairs, options)).scores;
}

interface PairLook {
  readonly scores: PairScores;
  /** `[pairs][kenyon]`: what Kenyon cells passed on for the better positions. */
  readonly good: Float64Array;
  /** `[pairs][kenyon]`: and for the others. */
  readonly bad: Float64Array;
  /** `[2 * pairs][also]`: what else was asked for. */
  readonly also: Float64Array;
}

async function look(
  brain: DopamineBrain,
  eye: Eye,
  { count, good, bad }: LessonPairs,
  options: DopamineLookOptions,
): Promise<PairLook> {
  if (count < 1) throw new RangeError(`Cannot give lessons: there are ${count} pairs, at least 1 is wanted`);
  const boards = new Uint8Array(good.length + bad.length);
  boards.set(good);
  boards.set(bad, good.length);
  const { approach, kenyon, passed, also } = await brain.look(drive(eye, boards), options);
  const cells = brain.body.kenyon.length;
  let overlap = 0;
  for (let b = 0; b < count; b++) {
    const pattern = (position: number) => ({
      rates: kenyon.subarray(position * cells, (position + 1) * cells),
      passed: passed.subarray(position * cells, (position + 1) * cells),
    });
    overlap += patternOverlap(pattern(b), pattern(count + b));
  }
  const scores = { good: approach.slice(0, count), bad: approach.slice(count) };
  return {
    scores: { ...scores, right: pairsRight(scores.good, scores.bad), overlap: overlap / count },
    good: passed.subarray(0, count * cells),
    bad: passed.subarray(count * cells),
    also,
  };
}

/** How much more the first has of everything. */
function beyond(first: Float64Array, second: Float64Array): Float64Array {
  return first.map((value, i) => Math.max(0, value - second[i]!));
}
