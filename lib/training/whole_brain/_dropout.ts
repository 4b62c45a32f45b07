import { Random } from "../../common/mod.ts";
import type { Drive } from "../../eye/mod.ts";

/**
 * What features are multiplied with in dropout (Srivastava et al. 2014): 0 for a random share, the others are raised so
 * that the mean stays.
 *
 * @param step Which step of learning it is for: the mask depends on nothing else.
 * @returns Nothing where the share is 0.
 */
export function dropoutMask(
  length: number,
  share: number,
  seed: number,
  step: number,
): Float32Array | undefined {
  if (share === 0) return undefined;
  const random = new Random(seed, `dropout ${step}`), mask = new Float32Array(length);
  const limit = share * 2 ** 32, kept = 1 / (1 - share);
  for (let i = 0; i < length; i++) mask[i] = random.uint32() < limit ? 0 : kept;
  return mask;
}

/**
 * A drive with a random share of its lit cells dark, position by position.
 *
 * @param step Which step of learning it is for.
 */
export function darken(drive: Drive, share: number, seed: number, step: number): Drive {
  if (share === 0) return drive;
  const random = new Random(seed, `dark ${step}`), limit = share * 2 ** 32, raised = 1 / (1 - share);
  const value = drive.value?.slice() ?? new Float64Array(drive.neuron.length).fill(1);
  for (let k = 0; k < value.length; k++) value[k] = random.uint32() < limit ? 0 : value[k]! * raised;
  return { ...drive, value };
}
