import type { LongWork } from "../common/mod.ts";
import { drive, type Eye } from "../eye/mod.ts";
import type { DopamineBrain } from "./dopamine_brain.ts";
import type { LessonPairs } from "./lesson_pairs.ts";
import type { MushroomBody } from "./mushroom_body.ts";

/** Dopamine of a batch of lessons. */
export interface PairDoses {
  /** `[lessons]`: with the sugar after the better position, 0 to 1. */
  readonly sugar: Float64Array;
  /** `[lessons]`: with the shock after the other one, 0 to 1. */
  readonly shock: Float64Array;
}

/**
 * Doses that the fly's own dopamine neurons decide, where `doses` asks the tutor: sugar is worth what its reward neurons do
 * not say already when it sees the better position, 1 - their mean rate, and a shock what its punishment neurons do not say
 * of the other. They hear the MBONs through the wiring as measured, so that what was learned comes back to them
 * (Felsenberg et al. 2017). That a full dose is a rate of 1 is an assumption.
 *
 * @param brain Calibrated; its body names its dopamine neurons.
 * @param eye Its eye.
 * @param pairs The lessons.
 * @throws {RangeError} If the body has no dopamine neurons of one kind.
 *
 * @example What dopamine neurons say themselves is no news
 * ```ts
 * import { DopamineBrain, lessonPairs, mushroomBody, ownDoses } from "flychess/bio";
 * import { growModelFly } from "flychess/connectome";
 * import { shippedPositions } from "flychess/data";
 * import { drive, eyeFor } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const fly = await growModelFly({ scale: 1 / 32 }), eye = eyeFor(fly);
 * const pairs = lessonPairs(await shippedPositions(), [0, 1, 2, 3], { seed: 1 });
 * const brain = new DopamineBrain(fly, mushroomBody(fly));
 * await brain.calibrate(drive(eye, pairs.good));
 * const { sugar, shock } = await ownDoses(brain, eye, pairs);
 * assert.ok([...sugar, ...shock].every((dose) => dose >= 0 && dose <= 1));
 * ```
 */
export async function ownDoses(
  brain: DopamineBrain,
  eye: Eye,
  { good, bad }: LessonPairs,
  options: LongWork = {},
): Promise<PairDoses> {
  const neurons = dopamineNeurons(brain.body), boards = new Uint8Array(good.length + bad.length);
  boards.set(good);
  boards.set(bad, good.length);
  return dosesOf(brain.body, await brain.read(drive(eye, boards), neurons, options));
}

/**
 * The dopamine neurons of a body, those of reward first.
 *
 * @throws {RangeError} If it has none of one kind.
 */
export function dopamineNeurons(
  { reward = new Int32Array(0), punishment = new Int32Array(0) }: MushroomBody,
): Int32Array {
  if (reward.length === 0 || punishment.length === 0) {
    throw new RangeError(
      `Cannot ask the fly's own dopamine neurons: there are ${reward.length} of reward and ${punishment.length} of ` +
        "punishment, at least 1 of each is wanted",
    );
  }
  return Int32Array.from([...reward, ...punishment]);
}

/**
 * Doses from what dopamine neurons fire.
 *
 * @param body Whose they are.
 * @param rates `[2 * lessons][neurons]`: of `dopamineNeurons`, for the better positions and then for the others.
 */
export function dosesOf({ reward, punishment }: MushroomBody, rates: Float64Array): PairDoses {
  const kinds = [reward!.length, punishment!.length] as const, all = kinds[0] + kinds[1];
  const count = rates.length / all / 2;
  const news = (first: number, from: number, neurons: number) => {
    const doses = new Float64Array(count);
    for (let b = 0; b < count; b++) {
      for (let n = 0; n < neurons; n++) doses[b]! += (1 - rates[(first + b) * all + from + n]!) / neurons;
    }
    return doses;
  };
  return { sugar: news(0, 0, kinds[0]), shock: news(count, kinds[0], kinds[1]) };
}
