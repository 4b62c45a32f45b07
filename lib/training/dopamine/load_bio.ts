import { DataError } from "../../common/mod.ts";
import { type Connectome, connectomeDigest } from "../../connectome/mod.ts";
import { eyeFor, type EyeName } from "../../eye/mod.ts";
import type { DopamineFly } from "../../play/mod.ts";
import { fromBioCheckpoint } from "./_bio_state.ts";
import { makeBioBrain } from "./bio_brain.ts";
import type { BioSettings } from "./bio_settings.ts";
import { readCheckpoint } from "../run/checkpoint.ts";
import { readRunConfig, type RunConfig } from "../run/run_config.ts";

/**
 * The dopamine fly of a run of `fly train-bio`, as its last checkpoint has it. Dispose of its brain.
 *
 * @param folder The run's folder.
 * @param connectome The connectome that it was taught with.
 * @param options Threads that think.
 * @throws {DataError} If it is another kind of run, or of another connectome, or has no checkpoint.
 */
export async function loadDopamineFly(
  folder: string,
  connectome: Connectome,
  options: { readonly workers?: number | undefined } = {},
): Promise<DopamineFly> {
  const wrong = (found: string): never => {
    throw new DataError(`Cannot load the dopamine fly of ${folder}: ${found}`);
  };
  const config = await readRunConfig(folder);
  if (config?.kind !== "bio") return wrong(`it is no run of 'fly train-bio'`);
  const digest = connectomeDigest(connectome), wanted = config.inputs["connectome"];
  if (digest !== wanted) {
    wrong(
      `the connectome is ${digest.slice(0, 12)}, ${
        wanted?.slice(0, 12) ?? "another"
      } it was taught with is wanted`,
    );
  }
  const checkpoint = await readCheckpoint(folder);
  if (checkpoint === undefined) return wrong("it has no checkpoint yet");
  const { count: _count, minutes: _minutes, ...settings } = config as RunConfig & BioSettings;
  const brain = makeBioBrain(connectome, settings, options.workers);
  await fromBioCheckpoint(checkpoint, brain);
  return { eye: eyeFor(connectome, settings.eye as EyeName), brain };
}
