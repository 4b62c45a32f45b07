/**
 * Where does the error go on its way back? d loss / d input of every neuron at every one of the twelve steps, for positions
 * of HOLD, with homeostasis as measured and with calm homeostasis, which gives neurons that no board reaches a sigma of 1
 * instead of the floor.
 *
 * @module
 */
import { type FlyBrain, wasmEngine } from "flychess/brain";
import { connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { drive, eyeFor } from "flychess/eye";
import { fitProbe, type Readout, READOUT_COLUMNS } from "flychess/readout";
import { holdRows, type SafeTensors, trainRows, wake } from "flychess/training";
import { checkGain, FLOOR, type GainCheck, reachOf } from "./blame/gain.ts";
import { outputGradient } from "./blame/gradient.ts";
import { type BlamePictures, blamePictures } from "./blame/pictures.ts";
import { type BlameWalk, regionMembers, STEPS, summarizeWalk } from "./blame/walk.ts";
import type { ExperimentOptions } from "./_experiment.ts";
import { kept } from "./shared/kept.ts";
import { deckFeatures, frontOf, lookAt } from "./shared/looks.ts";

export { figure } from "./blame/figure.ts";

/** The question. */
export const question =
  "Where does the error go on its way back through the twelve steps, and why does it grow?";

/** What `blame` measures. */
export interface BlameNumbers {
  readonly settings: {
    readonly train: number;
    readonly positions: number;
    readonly games: number;
    readonly window: number;
  };
  readonly neurons: Readonly<Record<string, number>>;
  /** By step: share of neurons that no board reaches, and share of all whose sigma is the floor. */
  readonly reach: readonly { readonly step: number; readonly unreached: number; readonly atFloor: number }[];
  readonly walks: readonly BlameWalk[];
  readonly gain: GainCheck;
  /** Mean policy loss of the positions. */
  readonly loss: number;
  /** The largest difference that calm homeostasis makes to a rate that is read. */
  readonly calmChanges: number;
  /** Where the error is in the brain as measured; null where no cell bodies are known, missing in older results. */
  readonly pictures?: BlamePictures | null;
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<BlameNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const large = connectome.pre.length > 1_000_000;
  const positions = frontOf(options.positions, {
    hold: 512,
    val: 0,
    train: quick ? 512 : large ? 2048 : 8192,
  });
  const eye = eyeFor(connectome, "auto"), train = trainRows(positions), work = { signal, onProgress };
  const waking = {
    engine: wasmEngine({ precision: "float32" }),
    ...workers === undefined ? {} : { workers },
    calibrationPositions: Math.min(256, train.length),
    ...work,
  };
  await using measured = await wake(connectome, eye, positions, waking);
  const readout = await probeOf(measured);
  const rows = rowsOfGames(positions, quick ? 4 : 16);
  const shown = drive(eye, positions.board, { rows });
  const rates = await measured.read(shown, work);
  const { gradient, loss } = outputGradient(readout, rates, positions, rows);

  const walk = async (brain: FlyBrain, homeostasis: BlameWalk["homeostasis"]) => {
    const { blame } = await brain.backward(shown, gradient, { window: STEPS, blame: true, ...work });
    return { blame, walk: summarizeWalk(blame, connectome, homeostasis) };
  };
  const first = await walk(measured, "as measured");
  const gain = (reached: Uint8Array[]) => checkGain(measured, first.blame, gradient, reached);
  await using calm = await wake(connectome, eye, positions, { ...waking, calm: true });
  const reach = reachOf(measured, calm);
  const second = await walk(calm, "calm");
  const calmRates = await calm.read(shown, work);
  const size = connectome.sign.length;
  return {
    settings: {
      train: train.length,
      positions: rows.length,
      games: new Set(Array.from(rows, (row) => positions.game[row])).size,
      window: STEPS,
    },
    neurons: Object.fromEntries(regionMembers(connectome).map(({ name, members }) => [name, members.length])),
    reach: reach.map((unreached, t) => ({
      step: t + 1,
      unreached: share(unreached),
      atFloor: share(
        Uint8Array.from(
          { length: size },
          (_, j) => measured.homeostasis!.spread[t * size + j]! <= FLOOR * 1.000001 ? 1 : 0,
        ),
      ),
    })),
    walks: [first.walk, second.walk],
    gain: gain(reach),
    loss,
    calmChanges: rates.reduce((most, rate, i) => Math.max(most, Math.abs(rate - calmRates[i]!)), 0),
    pictures: blamePictures(connectome, first.blame),
  };

  /** The probe's readout, kept: the look is the longest part. */
  async function probeOf(brain: FlyBrain): Promise<Readout> {
    const inputs = {
      connectome: connectomeDigest(connectome),
      positions: positions.digest,
      eye: eye.name,
      seed,
    };
    const file = await kept(keep, "probe", inputs, async (): Promise<SafeTensors> => {
      const deck = await lookAt(brain, eye, positions, { steps: [STEPS], ...work });
      const { weight, bias } = await fitProbe(deckFeatures(deck), positions, train, { seed, ...work });
      return {
        tensors: {
          weight: { shape: [connectome.output.length, READOUT_COLUMNS], data: weight },
          bias: { shape: [READOUT_COLUMNS], data: bias },
        },
        metadata: {},
      };
    });
    return {
      features: connectome.output.length,
      weight: Float32Array.from(file.tensors["weight"]!.data as Float32Array),
      bias: Float32Array.from(file.tensors["bias"]!.data as Float32Array),
    };
  }
}

/** Rows of HOLD, each of another game. */
function rowsOfGames(positions: Positions, count: number): Int32Array {
  const seen = new Set<number>();
  return holdRows(positions).filter((row) => {
    const game = positions.game[row]!;
    if (seen.size === count || game >= 0 && seen.has(game)) return false;
    seen.add(game >= 0 ? game : -1 - row);
    return true;
  });
}

function share(flags: Uint8Array): number {
  return flags.reduce((sum, each) => sum + each, 0) / flags.length;
}
