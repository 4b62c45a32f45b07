import { join } from "node:path";
import type { FlyBrain } from "../../brain/mod.ts";
import { DataError, type LongWork, removeIfThere } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye } from "../../eye/mod.ts";
import { denseFeatures, type FeatureSource } from "../../readout/mod.ts";
import { loadSafeTensors, saveSafeTensors } from "../run/safetensors.ts";

/** Positions that go through the brain at once, and positions of a file: what a kill costs at most. */
const SHOWN = 512, KEPT = 4096;

/** The folder, within a run's, that holds rates until the probe is fitted. */
const FOLDER = "probe";

/**
 * Shows rows to a brain and keeps the rates in files, so that showing them can be broken off anywhere.
 *
 * @param folder The run's folder.
 * @param stop Asked between two files; nothing is given back after a yes.
 */
export async function showForProbe(
  folder: string,
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  rows: Int32Array,
  { steps, stop, signal, onProgress }: LongWork & {
    readonly steps: readonly number[];
    readonly stop: () => Promise<boolean>;
  },
): Promise<FeatureSource | undefined> {
  const columns = brain.connectome.output.length;
  const rates = new Float32Array(rows.length * columns);
  for (let at = 0; at < rows.length; at += KEPT) {
    if (await stop()) return undefined;
    const part = rows.subarray(at, at + KEPT);
    const path = join(folder, FOLDER, `${String(at).padStart(8, "0")}.safetensors`);
    const length = part.length * columns;
    let known = await keptRates(path, length);
    if (known === undefined) {
      known = new Float32Array(length);
      for (let i = 0; i < part.length; i += SHOWN) {
        signal?.throwIfAborted();
        const shown = drive(eye, positions.board, { rows: part.subarray(i, i + SHOWN) });
        known.set(await brain.read(shown, { steps, signal }), i * columns);
        onProgress?.({
          task: "showing positions for the probe",
          done: at + Math.min(i + SHOWN, part.length),
          total: rows.length,
          unit: "positions",
        });
      }
      await saveSafeTensors(path, {
        tensors: { rates: { shape: [part.length, columns], data: known } },
        metadata: { about: "rates that a run's probe is fitted on; the file goes when it is" },
      });
    }
    rates.set(known, at * columns);
  }
  return denseFeatures(rates, columns, { rows, of: positions.count });
}

/** Throws the files away. */
export async function forgetProbe(folder: string): Promise<void> {
  await removeIfThere(join(folder, FOLDER), { recursive: true });
}

async function keptRates(path: string, length: number): Promise<Float32Array | undefined> {
  try {
    const data = (await loadSafeTensors(path)).tensors["rates"]?.data;
    return data instanceof Float32Array && data.length === length ? data : undefined;
  } catch (error) {
    // What is broken or missing is made again: it is nothing but what the brain says.
    if (error instanceof Deno.errors.NotFound || error instanceof DataError) return undefined;
    throw error;
  }
}
