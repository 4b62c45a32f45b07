import type { Deck } from "./deck.ts";
import { type Readout, READOUT_COLUMNS } from "../readout.ts";

/** How the rates of several steps, kept apart as bytes, become features. */
export interface Mixture {
  /** Descending neurons. */
  readonly columns: number;
  /** Steps kept apart. */
  readonly kept: number;
  /** 1: their mean alone. `kept`: all that they say, side by side. */
  readonly combinations: number;
}

/** What is done to every feature: times `scale`, plus `shift`. */
export interface Scaling {
  /** `[columns * combinations]`. */
  readonly scale: Float32Array;
  /** `[columns * combinations]`. */
  readonly shift: Float32Array;
}

/** A feature that moves less than the step from one byte to the next is not blown up to the size of the others. */
const LEAST_SPREAD = 1 / 255;

/** Positions that means and deviations are taken of. */
const MEASURED = 16_384;

/**
 * `[combinations][kept]`: what each step's rate counts for. The first row is the mean of the steps; the others are the
 * cosines of the discrete cosine transform (Ahmed, Natarajan and Rao 1974): slope, curvature and so on, at right angles to
 * it, so that a readout of all of them contains that of the mean and can be held near it.
 */
export function mixtureRows({ kept, combinations }: Pick<Mixture, "kept" | "combinations">): Float64Array {
  const rows = new Float64Array(combinations * kept);
  for (let k = 0; k < combinations; k++) {
    for (let s = 0; s < kept; s++) {
      rows[k * kept + s] = k === 0 ? 1 / kept : 2 * Math.cos(Math.PI * k * (s + 0.5) / kept) / kept;
    }
  }
  return rows;
}

/**
 * Means and deviations of the features over positions spread evenly over a deck: what brings every feature to mean 0 and
 * deviation 1, so that one step size and one penalty suit all neurons.
 *
 * @param deck The positions.
 * @param first The first row that may be looked at; rows before it are held out.
 */
export function measureScaling(mixture: Mixture, deck: Deck, first = 0): Scaling {
  const { columns, kept, combinations } = mixture;
  const rows = mixtureRows(mixture);
  const sum = new Float64Array(columns * combinations), square = new Float64Array(columns * combinations);
  const stride = Math.max(1, Math.floor((deck.count - first) / MEASURED));
  let count = 0;
  for (let row = first; row < deck.count; row += stride, count++) {
    const at = row * columns * kept;
    for (let k = 0; k < combinations; k++) {
      for (let j = 0; j < columns; j++) {
        let value = 0;
        for (let s = 0; s < kept; s++) value += rows[k * kept + s]! * deck.rates[at + s * columns + j]!;
        sum[k * columns + j]! += value;
        square[k * columns + j]! += value * value;
      }
    }
  }
  const scale = new Float32Array(sum.length), shift = new Float32Array(sum.length);
  for (let f = 0; f < sum.length; f++) {
    const mean = sum[f]! / count / 255;
    const variance = Math.max(0, square[f]! / count / 255 ** 2 - mean * mean);
    scale[f] = 1 / Math.max(LEAST_SPREAD, Math.sqrt(variance));
    shift[f] = -mean * scale[f]!;
  }
  return { scale, shift };
}

/** Features as they are: rates from 0 to 1. */
export function plainScaling({ columns, combinations }: Mixture): Scaling {
  return {
    scale: new Float32Array(columns * combinations).fill(1),
    shift: new Float32Array(columns * combinations),
  };
}

/**
 * Weights on scaled features as a readout of plain rates: of the mean of the steps, or of all steps side by side
 * (`[kept][columns]` features).
 *
 * @param weights `[columns * combinations + 1][134]`, the bias last.
 */
export function unscaleReadout(mixture: Mixture, { scale, shift }: Scaling, weights: Float32Array): Readout {
  const { columns, kept, combinations } = mixture;
  const steps = combinations === 1 ? 1 : kept;
  const rows = combinations === 1 ? Float64Array.of(1) : mixtureRows(mixture);
  const weight = new Float64Array(steps * columns * READOUT_COLUMNS);
  const last = columns * combinations * READOUT_COLUMNS;
  const bias = Float64Array.from(weights.subarray(last, last + READOUT_COLUMNS));
  for (let k = 0; k < combinations; k++) {
    for (let j = 0; j < columns; j++) {
      const f = k * columns + j, from = f * READOUT_COLUMNS;
      for (let c = 0; c < READOUT_COLUMNS; c++) {
        bias[c]! += shift[f]! * weights[from + c]!;
        const plain = scale[f]! * weights[from + c]!;
        for (let s = 0; s < steps; s++) {
          weight[(s * columns + j) * READOUT_COLUMNS + c]! += rows[k * steps + s]! * plain;
        }
      }
    }
  }
  return { features: steps * columns, weight: Float32Array.from(weight), bias: Float32Array.from(bias) };
}

/**
 * A readout of plain rates as weights on scaled features: the other way round. A readout of the mean serves as the start of
 * one that reads the steps side by side.
 *
 * @throws {RangeError} If the readout is for other features.
 */
export function scaleReadout(mixture: Mixture, { scale, shift }: Scaling, readout: Readout): Float32Array {
  const { columns, kept, combinations } = mixture;
  const ofMean = readout.features === columns;
  if (!ofMean && (combinations === 1 || readout.features !== columns * kept)) {
    throw new RangeError(
      `Cannot start from a readout of ${readout.features} features: one of ${
        columns * combinations
      } is wanted`,
    );
  }
  const rows = mixtureRows(mixture);
  const weights = new Float64Array((columns * combinations + 1) * READOUT_COLUMNS);
  const last = columns * combinations * READOUT_COLUMNS;
  weights.set(readout.bias, last);
  for (let k = 0; k < (ofMean ? 1 : combinations); k++) {
    let square = 0;
    for (let s = 0; s < kept; s++) square += rows[k * kept + s]! ** 2;
    for (let j = 0; j < columns; j++) {
      const f = k * columns + j;
      for (let c = 0; c < READOUT_COLUMNS; c++) {
        let plain = 0;
        if (ofMean) plain = readout.weight[j * READOUT_COLUMNS + c]!;
        else {
          for (let s = 0; s < kept; s++) {
            plain += readout.weight[(s * columns + j) * READOUT_COLUMNS + c]! * rows[k * kept + s]! / square;
          }
        }
        weights[f * READOUT_COLUMNS + c] = plain / scale[f]!;
        weights[last + c]! -= plain / scale[f]! * shift[f]!;
      }
    }
  }
  return Float32Array.from(weights);
}
