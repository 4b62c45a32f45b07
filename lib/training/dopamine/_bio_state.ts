import type { DopamineBrain } from "../../bio/mod.ts";
import type { Homeostasis } from "../../brain/mod.ts";
import { DataError, type JsonValue } from "../../common/mod.ts";
import type { Checkpoint } from "../run/checkpoint.ts";

/** Where a dopamine fly's run is. */
export interface BioState {
  /** Lessons or games so far. */
  readonly given: number;
  /** Whether the end has been judged. */
  readonly done: boolean;
  /** Which of its opponents it plays, from 0. */
  readonly level: number;
  /** Its last results against that one, 1 a win, 0.5 a draw. */
  readonly results: readonly number[];
}

/** What the checkpoint is, for whoever opens it. */
const ABOUT =
  "a dopamine fly of flychess. 'synapses.strength' [Kenyon cells][MBONs] is what it learned, 'synapses.measured' where it " +
  "began: no strength leaves 0 to measured. 'kenyon' and 'mbon' are these cells' places in the connectome; 'valence' " +
  "[MBONs] is 1 approach, -1 avoid, 0 neither; 'reward' and 'punishment' [MBONs] how much of each dopamine reaches them. " +
  "'homeostasis.mean' and 'homeostasis.spread' [steps][neurons]. All else stands in config.json.";

/** The checkpoint of a dopamine fly's run. */
export function toBioCheckpoint(state: BioState, brain: DopamineBrain): Checkpoint {
  const { synapses: { kenyon, mbon, strength, measured }, body, steps } = brain,
    homeostasis = brain.homeostasis!;
  const byStep = (data: Float32Array | Float64Array) => ({ shape: [steps, data.length / steps], data });
  return {
    tensors: {
      "synapses.strength": { shape: [kenyon, mbon], data: strength.slice() },
      "synapses.measured": { shape: [kenyon, mbon], data: measured },
      kenyon: { shape: [kenyon], data: body.kenyon },
      mbon: { shape: [mbon], data: body.mbon },
      valence: { shape: [mbon], data: body.valence },
      reward: { shape: [mbon], data: body.pam },
      punishment: { shape: [mbon], data: body.ppl1 },
      "homeostasis.mean": byStep(homeostasis.mean),
      "homeostasis.spread": byStep(homeostasis.spread),
    },
    metadata: { about: ABOUT },
    state: { ...state, results: [...state.results] },
  };
}

/**
 * Gives a brain what a checkpoint says, and tells where the run was.
 *
 * @throws {DataError} If it is for another brain, or something is missing in it.
 */
export async function fromBioCheckpoint(
  { tensors, state }: Checkpoint,
  brain: DopamineBrain,
): Promise<BioState> {
  const take = (name: string, length: number): Float64Array | Float32Array => {
    const data = tensors[name]?.data;
    if (!(data instanceof Float64Array || data instanceof Float32Array) || data.length !== length) {
      throw new DataError(
        `Cannot go on with the run: its checkpoint has ${data?.length ?? 0} numbers '${name}', ` +
          `${length} are wanted for this brain`,
      );
    }
    return data;
  };
  const { strength } = brain.synapses, neurons = brain.connectome.sign.length;
  const homeostasis: Homeostasis = {
    mean: take("homeostasis.mean", brain.steps * neurons),
    spread: take("homeostasis.spread", brain.steps * neurons),
  };
  strength.set(take("synapses.strength", strength.length));
  await brain.setHomeostasis(homeostasis);
  const at = typeof state === "object" && state !== null && !Array.isArray(state)
    ? state as Readonly<Record<string, JsonValue>>
    : {};
  const { given, done, level, results } = at;
  if (
    typeof given !== "number" || typeof done !== "boolean" || typeof level !== "number" ||
    !Array.isArray(results)
  ) {
    throw new DataError("Cannot go on with the run: its checkpoint has no state of a dopamine fly");
  }
  return { given, done, level, results: results.map(Number) };
}
