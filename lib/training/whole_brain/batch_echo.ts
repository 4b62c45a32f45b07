import { READOUT_COLUMNS } from "../../readout/mod.ts";
import type { FeatureScaling } from "./batch_heads.ts";
import { type BatchKernels, KernelRoom } from "./batch/kernels.ts";

/** Columns of the kernels with their padding, in panels of 8. */
const PADDED = 136, PANEL = 8;

/** An echo's gradients for a batch, of the mean over its positions. */
export interface BatchEchoGradients {
  /** Mean squared error of a cell; what always says the mean has the cell's variance. */
  readonly squared: number;
  /** `[groups][features][134]`: dL / d weight on scaled features. */
  readonly weight: Float32Array;
  /** `[groups][134]`. */
  readonly bias: Float32Array;
  /** `[positions][features]`: dL / d rate. */
  readonly rates: Float64Array;
}

/**
 * A linear guess, from what heads read, of which cells of the eye were lit: half the squared error, summed over cells. Walked
 * back into the brain it asks that the board comes through, whatever the moves are. It is no part of the readout and is
 * left behind when learning is done. Float32 with SIMD, on the calling thread.
 */
export class BatchEcho {
  /** `[groups][features][134]`: weights on scaled features, 134 cells a group, all 0 at first. */
  readonly weight: Float32Array;
  /** `[groups][134]`. */
  readonly bias: Float32Array;
  readonly #scaling: FeatureScaling;
  readonly #batch: number;
  readonly #cells: number;
  readonly #groups: number;
  readonly #padded: number;
  readonly #line: number;
  readonly #room = new KernelRoom();
  readonly #kernels: BatchKernels;
  readonly #at: Readonly<Record<"x" | "weight" | "slope" | "scores" | "turned" | "blame", number>>;

  /**
   * @param batch Positions a batch: a multiple of 32.
   * @param cells How many cells the eye has.
   */
  constructor(scaling: FeatureScaling, batch: number, cells: number) {
    this.#scaling = scaling;
    this.#batch = batch;
    this.#cells = cells;
    const features = scaling.scale.length, groups = this.#groups = Math.ceil(cells / READOUT_COLUMNS);
    const padded = this.#padded = Math.ceil(features / 4) * 4, line = this.#line = batch + 16;
    this.weight = new Float32Array(groups * features * READOUT_COLUMNS);
    this.bias = new Float32Array(groups * READOUT_COLUMNS);
    this.#at = {
      x: this.#room.take(padded * line),
      weight: this.#room.take(padded * PADDED),
      slope: this.#room.take(padded * PADDED),
      scores: this.#room.take(batch * PADDED),
      turned: this.#room.take(PADDED * line),
      blame: this.#room.take(padded * line),
    };
    this.#kernels = this.#room.open();
  }

  /**
   * The gradients for a batch.
   *
   * @param rates `[positions][features]`.
   * @param lit `[positions][cells]`: 1 where a cell is lit.
   */
  gradients(rates: Float32Array | Float64Array, lit: Uint8Array): BatchEchoGradients {
    const { scale, shift } = this.#scaling, features = scale.length;
    const at = this.#at, line = this.#line, batch = this.#batch, padded = this.#padded, cells = this.#cells;
    const x = this.#room.floats(at.x, padded * line);
    for (let b = 0; b < batch; b++) {
      for (let f = 0, from = b * features; f < features; f++, from++) {
        x[f * line + b] = rates[from]! * scale[f]! + shift[f]!;
      }
    }
    const weight = this.#room.floats(at.weight, padded * PADDED);
    const slope = this.#room.floats(at.slope, padded * PADDED);
    const scores = this.#room.floats(at.scores, batch * PADDED);
    const turned = this.#room.floats(at.turned, PADDED * line);
    const blame = this.#room.floats(at.blame, padded * line);
    const found = new Float32Array(this.weight.length), bias = new Float32Array(this.bias.length);
    const back = new Float64Array(batch * features);
    let squared = 0;
    for (let g = 0; g < this.#groups; g++) {
      const first = g * READOUT_COLUMNS, columns = Math.min(READOUT_COLUMNS, cells - first);
      const own = g * features * READOUT_COLUMNS;
      for (let f = 0; f < features; f++) {
        for (let c = 0, from = own + f * READOUT_COLUMNS; c < READOUT_COLUMNS; c++, from++) {
          weight[placeOf(padded, f, c)] = this.weight[from]!;
        }
      }
      scores.fill(0);
      this.#kernels.score(padded, batch, 4 * line, at.x, at.weight, at.scores);
      for (let b = 0; b < batch; b++) {
        for (let c = 0, to = b * PADDED; c < columns; c++, to++) {
          const off = scores[to]! + this.bias[first + c]! - lit[b * cells + first + c]!;
          squared += off * off;
          const error = scores[to] = off / batch;
          bias[first + c]! += error;
          turned[c * line + b] = error;
        }
        for (let c = columns; c < PADDED; c++) scores[b * PADDED + c] = turned[c * line + b] = 0;
      }
      this.#kernels.weightSlope(padded, batch, 4 * line, at.x, at.scores, at.slope);
      this.#kernels.blame(padded, batch, 4 * line, at.weight, at.turned, at.blame);
      for (let f = 0; f < features; f++) {
        for (let c = 0, to = own + f * READOUT_COLUMNS; c < READOUT_COLUMNS; c++, to++) {
          found[to] = slope[placeOf(padded, f, c)]!;
        }
      }
      for (let b = 0; b < batch; b++) {
        for (let f = 0, to = b * features; f < features; f++, to++) {
          back[to]! += blame[f * line + b]! * scale[f]!;
        }
      }
    }
    return { squared: squared / (batch * cells), weight: found, bias, rates: back };
  }
}

/** Where the weight of a feature and a column stands in [panel][features][8]. */
function placeOf(features: number, feature: number, column: number): number {
  const within = column % PANEL;
  return (((column - within) / PANEL) * features + feature) * PANEL + within;
}
