import type { Positions } from "../../data/positions.ts";
import { type PositionLoss, positionLoss, VALUE_COLUMN } from "../../readout/_legal_softmax.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import { type BatchKernels, KernelRoom } from "./batch/kernels.ts";

/** Columns with their padding, in panels of 8. */
const PADDED = 136, PANEL = 8;

/** What is done to every feature: times `scale`, plus `shift`. */
export interface FeatureScaling {
  /** `[features]`. */
  readonly scale: Float64Array;
  /** `[features]`. */
  readonly shift: Float64Array;
}

/** How gradients of a batch are taken. */
export interface BatchHeadOptions {
  /** `[positions][features]`: what scaled features are multiplied with, as in dropout; nothing by default. */
  readonly mask?: Float32Array | undefined;
  /** What the value's error weighs beside the policy's, from 0; 1 by default. */
  readonly value?: number | undefined;
}

/** The heads' gradients for a batch, of the mean loss over its positions. */
export interface BatchHeadGradients {
  /** Mean policy loss, in nats. */
  readonly policy: number;
  /** `[features][134]`: dL / d weight on scaled features. */
  readonly weight: Float32Array;
  /** `[134]`. */
  readonly bias: Float32Array;
  /** `[positions][features]`: dL / d rate. */
  readonly rates: Float64Array;
}

/**
 * Measures what brings features to mean 0 and about unit spread.
 *
 * @param rates `[positions][scaled features]`.
 * @param features How many a position has.
 * @param least Added to every deviation, so that a feature that hardly moves is not blown up.
 */
export function batchScaling(
  rates: Float32Array | Float64Array,
  features: number,
  least: number,
): FeatureScaling {
  const scale = new Float64Array(features), shift = new Float64Array(features);
  const count = rates.length / features;
  for (let f = 0; f < features; f++) {
    let sum = 0, squares = 0;
    for (let at = f; at < rates.length; at += features) sum += rates[at]!;
    const mean = sum / count;
    for (let at = f; at < rates.length; at += features) squares += (rates[at]! - mean) ** 2;
    scale[f] = 1 / (Math.sqrt(squares / count) + least);
    shift[f] = -mean * scale[f]!;
  }
  return { scale, shift };
}

/**
 * The four linear heads on scaled rates, with the gradients of weights, biases and rates for a batch: float32 with SIMD,
 * on the calling thread.
 */
export class BatchHeads {
  /** What is done to features. */
  readonly scaling: FeatureScaling;
  /** `[features][134]`: weights on scaled features, all 0 at first. Whoever learns changes them in place. */
  readonly weight: Float32Array;
  /** `[134]`. */
  readonly bias: Float32Array = new Float32Array(READOUT_COLUMNS);
  readonly #batch: number;
  readonly #features: number;
  /** Features with padding. */
  readonly #padded: number;
  /** Numbers from one feature's line to the next: not a power of two, so that lines do not share a place in the cache. */
  readonly #line: number;
  readonly #room = new KernelRoom();
  readonly #kernels: BatchKernels;
  readonly #at: Readonly<Record<"x" | "weight" | "slope" | "scores" | "turned" | "blame", number>>;

  /** @param batch Positions a batch: a multiple of 32. */
  constructor(scaling: FeatureScaling, batch: number) {
    this.scaling = scaling;
    this.#batch = batch;
    const features = this.#features = scaling.scale.length;
    const padded = this.#padded = Math.ceil(features / 4) * 4, line = this.#line = batch + 16;
    this.weight = new Float32Array(features * READOUT_COLUMNS);
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
   * @param rows The positions' rows, as many as the batch has.
   * @param options How it is done.
   */
  gradients(
    rates: Float32Array | Float64Array,
    positions: Positions,
    rows: Int32Array,
    { mask, value = 1 }: BatchHeadOptions = {},
  ): BatchHeadGradients {
    const { scale, shift } = this.scaling, at = this.#at, line = this.#line;
    const batch = this.#batch, features = this.#features, padded = this.#padded;
    const x = this.#room.floats(at.x, padded * line);
    for (let b = 0; b < batch; b++) {
      for (let f = 0, from = b * features; f < features; f++, from++) {
        const each = rates[from]! * scale[f]! + shift[f]!;
        x[f * line + b] = mask === undefined ? each : each * mask[from]!;
      }
    }
    const weight = this.#room.floats(at.weight, padded * PADDED);
    for (let f = 0; f < features; f++) {
      for (let c = 0, from = f * READOUT_COLUMNS; c < READOUT_COLUMNS; c++, from++) {
        weight[placeOf(padded, f, c)] = this.weight[from]!;
      }
    }
    const scores = this.#room.floats(at.scores, batch * PADDED);
    for (let b = 0; b < batch; b++) scores.set(this.bias, b * PADDED);
    this.#kernels.score(padded, batch, 4 * line, at.x, at.weight, at.scores);

    const own = new Float32Array(READOUT_COLUMNS), error = new Float32Array(READOUT_COLUMNS);
    const each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
    const turned = this.#room.floats(at.turned, PADDED * line), bias = new Float32Array(READOUT_COLUMNS);
    let policy = 0;
    for (let b = 0; b < batch; b++) {
      own.set(scores.subarray(b * PADDED, b * PADDED + READOUT_COLUMNS));
      positionLoss(positions, rows[b]!, own, 0, each, error, 1 / batch);
      policy += each.policy / batch;
      error[VALUE_COLUMN]! *= value;
      scores.set(error, b * PADDED);
      for (let c = 0; c < READOUT_COLUMNS; c++) {
        bias[c]! += error[c]!;
        turned[c * line + b] = error[c]!;
      }
    }
    this.#kernels.weightSlope(padded, batch, 4 * line, at.x, at.scores, at.slope);
    this.#kernels.blame(padded, batch, 4 * line, at.weight, at.turned, at.blame);
    const slope = this.#room.floats(at.slope, padded * PADDED), found = new Float32Array(this.weight.length);
    for (let f = 0; f < features; f++) {
      for (let c = 0, to = f * READOUT_COLUMNS; c < READOUT_COLUMNS; c++, to++) {
        found[to] = slope[placeOf(padded, f, c)]!;
      }
    }
    const blame = this.#room.floats(at.blame, padded * line), back = new Float64Array(batch * features);
    for (let b = 0; b < batch; b++) {
      for (let f = 0, to = b * features; f < features; f++, to++) {
        back[to] = blame[f * line + b]! * scale[f]! * (mask?.[to] ?? 1);
      }
    }
    return { policy, weight: found, bias, rates: back };
  }

  /** What the heads are as a readout of plain rates. */
  get readout(): Readout {
    const { scale, shift } = this.scaling, features = this.#features;
    const weight = new Float32Array(this.weight.length), bias = Float64Array.from(this.bias);
    for (let f = 0; f < features; f++) {
      for (let c = 0, at = f * READOUT_COLUMNS; c < READOUT_COLUMNS; c++, at++) {
        weight[at] = this.weight[at]! * scale[f]!;
        bias[c]! += this.weight[at]! * shift[f]!;
      }
    }
    return { features, weight, bias: Float32Array.from(bias) };
  }
}

/** Where the weight of a feature and a column stands in [panel][features][8]. */
function placeOf(features: number, feature: number, column: number): number {
  const within = column % PANEL;
  return (((column - within) / PANEL) * features + feature) * PANEL + within;
}
