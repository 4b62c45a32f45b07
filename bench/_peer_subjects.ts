import { FlyBrain, wasmEngine } from "flychess/brain";
import { connectomeDigest, growModelFly, loadConnectome, saveConnectome } from "flychess/connectome";
import type { Drive } from "flychess/eye";
import { randomDrive } from "./_boards.ts";
import { outputError, writePeerFolder } from "./_peer_folder.ts";
import { uniformWiring } from "./_wiring.ts";

/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;
/** Positions that are shown: as many as the largest batch. */
export const SHOWN = 256;

/** Which wiring is measured. */
export const SUBJECTS = ["modelFly", "uniformWiring"] as const;

/** Our arithmetics beside float32, each an entrant of its own. */
export const NARROW = ["int16", "int8"] as const;

/** A brain that we and the peers have the same of. */
export interface Subject extends AsyncDisposable {
  /** What its connectome is called. */
  readonly name: string;
  /** The connectome's digest. */
  readonly digest: string;
  /** Our brain, calibrated. */
  readonly brain: FlyBrain;
  /** The same in fewer bits, calibrated in the arithmetic it runs in. */
  readonly narrow: Readonly<Record<typeof NARROW[number], FlyBrain>>;
  /** The first of the positions that all are shown. */
  drive(positions: number): Drive;
  /** What the training step walks back, `[positions][outputs]`. */
  error(positions: number): Float32Array;
  /** Where the peers find the same. */
  readonly folder: string;
}

/**
 * Makes a subject and the files that the peers read.
 *
 * Calibrated `calm` and with a floor of 0.1 under sigma in place of 0.02: inputs that hardly move would otherwise blow up
 * differences of rounding, up to 11 times a step, and the answers of two correct programs could be 1e-3 apart. It
 * changes no measured time.
 *
 * @param which One of `SUBJECTS`.
 * @param scale The model fly's; 1 is as large as MaleCNS.
 * @param root The folder to write under.
 */
export async function makeSubject(
  which: typeof SUBJECTS[number],
  scale: number,
  root: string,
): Promise<Subject> {
  const folder = `${root}/${which}`, path = `${folder}/connectome.arrow`;
  const fly = growModelFly({ scale });
  await saveConnectome(path, which === "modelFly" ? fly : uniformWiring(fly, 1));
  const connectome = await loadConnectome(path);
  const stack = new AsyncDisposableStack();
  try {
    const calibrated = async (precision: "float32" | typeof NARROW[number]) => {
      const made = stack.use(await FlyBrain.create(connectome, { engine: wasmEngine({ precision }) }));
      await made.calibrate(randomDrive(connectome, CALIBRATION, 1), { calm: true, floor: 0.1 });
      return made;
    };
    const brain = await calibrated("float32");
    const narrow = { int16: await calibrated("int16"), int8: await calibrated("int8") };
    const all = randomDrive(connectome, SHOWN, 2), outputs = connectome.output.length;
    const errors = outputError(SHOWN, outputs, 3);
    await writePeerFolder(folder, brain, all, errors);
    return {
      name: connectome.name,
      digest: connectomeDigest(connectome),
      brain,
      narrow,
      folder,
      drive(positions) {
        const start = all.start.slice(0, positions + 1);
        return { positions, start, neuron: all.neuron.subarray(0, start[positions]) };
      },
      error: (positions) => errors.subarray(0, positions * outputs),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
