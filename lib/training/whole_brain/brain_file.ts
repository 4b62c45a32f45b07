import { FlyBrain, type FlyBrainOptions } from "../../brain/mod.ts";
import { DataError } from "../../common/mod.ts";
import { type Connectome, connectomeDigest } from "../../connectome/mod.ts";
import { loadSafeTensors, type NamedTensor, saveSafeTensors } from "../run/safetensors.ts";

/** What the file is, for whoever opens it. */
const ABOUT =
  "a brain of flychess. 'theta' [connections]: a connection's strength is log(1 + exp(theta)), in the " +
  "order of the connectome's rows; 'gain' and 'bias' [neurons]; 'homeostasis.mean' and 'homeostasis.spread' " +
  "[steps][neurons].";

/**
 * Saves what a brain has learned and its homeostasis, without its wiring.
 *
 * @param path Where the file goes; any program that knows safetensors opens it.
 * @param brain Calibrated.
 * @throws {RangeError} If the brain is not calibrated.
 */
export async function saveBrain(path: string, brain: FlyBrain): Promise<void> {
  const { theta, gain, bias, steps, leak, homeostasis } = brain;
  if (homeostasis === null) {
    throw new RangeError("Cannot save a brain: it is not calibrated, one that is is wanted");
  }
  const flat = (data: Float64Array): NamedTensor => ({ shape: [data.length], data });
  const byStep = (data: Float32Array | Float64Array) => ({ shape: [steps, data.length / steps], data });
  await saveSafeTensors(path, {
    tensors: {
      theta: flat(theta),
      gain: flat(gain),
      bias: flat(bias),
      "homeostasis.mean": byStep(homeostasis.mean),
      "homeostasis.spread": byStep(homeostasis.spread),
    },
    metadata: {
      about: ABOUT,
      connectome: connectomeDigest(brain.connectome),
      steps: String(steps),
      leak: String(leak),
    },
  });
}

/**
 * Makes the brain that `saveBrain` saved.
 *
 * @param path The file.
 * @param connectome Its wiring.
 * @param options The engine; steps and leak are the file's.
 * @returns The brain, ready to be asked; dispose it when done.
 * @throws {DataError} If it is no such file, was changed, or belongs to another connectome.
 */
export async function loadBrain(
  path: string,
  connectome: Connectome,
  options: FlyBrainOptions = {},
): Promise<FlyBrain> {
  const { tensors, metadata } = await loadSafeTensors(path);
  const found = connectomeDigest(connectome);
  if (metadata["connectome"] !== found) {
    throw new DataError(
      `Cannot load the brain of ${path}: the connectome is ${found.slice(0, 12)}, ${
        metadata["connectome"]?.slice(0, 12) ?? "none"
      } it was saved with is wanted`,
    );
  }
  const take = (name: string): Float32Array | Float64Array => {
    const data = tensors[name]?.data;
    if (data instanceof Float32Array || data instanceof Float64Array) return data;
    throw new DataError(`Cannot load the brain of ${path}: it has no tensor '${name}'`);
  };
  const brain = await FlyBrain.create(connectome, {
    ...options,
    steps: Number(metadata["steps"]),
    leak: Number(metadata["leak"]),
  });
  try {
    for (const name of ["theta", "gain", "bias"] as const) {
      const data = take(name);
      if (data.length !== brain[name].length) {
        throw new DataError(
          `Cannot load the brain of ${path}: '${name}' has ${data.length} numbers, ${
            brain[name].length
          } are wanted`,
        );
      }
      brain[name].set(data);
    }
    await brain.setHomeostasis({ mean: take("homeostasis.mean"), spread: take("homeostasis.spread") });
    return brain;
  } catch (error) {
    await brain[Symbol.asyncDispose]();
    throw error;
  }
}
