import type { Connectome } from "flychess/connectome";
import type { Eye } from "flychess/eye";
import type { Deck } from "flychess/readout";

/** Regions whose neurons are visual. */
const VISUAL = ["photoreceptor", "optic lobe", "visual projection"];

/**
 * The share of the neurons read that hear a visual neuron directly; where there are none (a larva's tables name no visual
 * system), one of the eye's cells.
 */
export function hearingShare(connectome: Connectome, eye: Eye): number {
  const { neurons, rowStart, pre, output } = connectome;
  const { names, index } = neurons.region;
  const visual = Uint8Array.from(index, (region) => VISUAL.includes(names[region]!) ? 1 : 0);
  if (!visual.includes(1)) { for (const cell of eye.cell) visual[cell] = 1; }
  let hearing = 0;
  for (const j of output) {
    if (pre.subarray(rowStart[j]!, rowStart[j + 1]!).some((sender) => visual[sender] === 1)) hearing++;
  }
  return hearing / output.length;
}

/** Neurons of a region. */
export function neuronsOf({ neurons }: Connectome, region: string): Int32Array {
  const { names, index } = neurons.region, wanted = names.indexOf(region);
  return Int32Array.from(index.keys()).filter((i) => index[i] === wanted);
}

/**
 * How much the board moves some neurons: the standard deviation of each one's rate from board to board, mean of the
 * neurons; 0 to 0.5.
 *
 * @param rates `[positions][columns]`.
 */
export function spreadOf(rates: ArrayLike<number>, columns: number): number {
  const positions = rates.length / columns;
  let total = 0;
  for (let c = 0; c < columns; c++) {
    let sum = 0, square = 0;
    for (let at = c; at < rates.length; at += columns) {
      sum += rates[at]!;
      square += rates[at]! ** 2;
    }
    const mean = sum / positions;
    total += Math.sqrt(Math.max(0, square / positions - mean * mean));
  }
  return columns === 0 ? 0 : total / columns;
}

/** The same for what a deck keeps of its first rows. */
export function deckSpread({ rates, columns }: Deck, rows: number): number {
  return spreadOf(rates.subarray(0, rows * columns), columns) / 255;
}
