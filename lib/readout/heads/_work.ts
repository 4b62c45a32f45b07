import { type PositionLoss, positionLoss } from "../_legal_softmax.ts";
import type { Deck } from "./deck.ts";
import { CONTROL, type HeadsKernels, type HeadsLayout, PADDED_COLUMNS, TILE } from "./_layout.ts";

/** A worker's share of the memory. */
export interface Bench {
  readonly kernels: HeadsKernels;
  readonly memory: WebAssembly.Memory;
  readonly layout: HeadsLayout;
  /** This worker's number and how many there are. */
  readonly worker: number;
  readonly workers: number;
}

/** What a worker is told first. */
export interface BenchSetup extends Omit<Bench, "kernels"> {
  readonly module: WebAssembly.Module;
}

/** Positions to go through, the same for all workers. */
export interface HeadsJob {
  /** Whether it learns or only looks. */
  readonly learn: boolean;
  /** The positions, and others that are mixed in. */
  readonly deck: Deck;
  readonly extra: Deck | undefined;
  /** Rows of `deck` in order; a number below 0 is row `~number` of `extra`. */
  readonly order: Int32Array<SharedArrayBuffer>;
  /** `[order.length][2]`: policy loss and squared value error, to be filled in. */
  readonly losses: Float64Array<SharedArrayBuffer>;
  /** Positions of a step. */
  readonly batch: number;
  /** Adam's step size, and steps that it took before. */
  readonly rate: number;
  readonly steps: number;
}

/** Adam's decay rates and floor (Kingma and Ba 2015; TensorFlow's epsilon). */
export const BETA1 = 0.9, BETA2 = 0.999;
const EPSILON = 1e-7;

/** Adam's step size and floor, with the corrections for a short past in them. */
export interface AdamStep {
  readonly rate: number;
  readonly epsilon: number;
}

/** Adam's step number `step`, from 1. */
export function adamStep(rate: number, step: number): AdamStep {
  const past = 1 - BETA2 ** step;
  return { rate: rate * Math.sqrt(past) / (1 - BETA1 ** step), epsilon: EPSILON * Math.sqrt(past) };
}

/** How often a worker looks whether the others are there before it sleeps: some microseconds. */
const PATIENCE = 2000;

/**
 * Does this worker's part of a job. All sums are taken in an order that does not depend on who takes which part: a
 * position's scores over the features, a weight's gradient over the batch.
 */
export function workHeads({ kernels, memory, layout, worker, workers }: Bench, job: HeadsJob): void {
  const control = new Int32Array(memory.buffer, 0, 8);
  const { features, weights, scale, shift, scores } = layout;
  const desk = layout.desks[worker]!;
  const bytes = new Uint8Array(memory.buffer, desk.bytes, layout.bytesKept);
  const rows = new Float32Array(
    memory.buffer,
    scores,
    Math.ceil(layout.batch / TILE) * TILE * PADDED_COLUMNS,
  );
  const { order, losses, deck, extra } = job;
  const each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
  let adamSteps = job.steps;

  /** Waits for the others; the last to come clears the counter and decides whether to go on. */
  const meet = (positions: number): boolean => {
    const meeting = Atomics.load(control, CONTROL.meeting);
    if (Atomics.add(control, CONTROL.arrived, 1) === workers - 1) {
      Atomics.store(control, CONTROL.arrived, 0);
      Atomics.store(control, CONTROL.next, 0);
      Atomics.add(control, CONTROL.done, positions);
      if (positions > 0) Atomics.store(control, CONTROL.halt, Atomics.load(control, CONTROL.stop));
      Atomics.add(control, CONTROL.meeting, 1);
      Atomics.notify(control, CONTROL.meeting);
    } else {
      let looks = 0;
      while (Atomics.load(control, CONTROL.meeting) === meeting) {
        if (++looks > PATIENCE) Atomics.wait(control, CONTROL.meeting, meeting);
      }
    }
    return Atomics.load(control, CONTROL.halt) === 0;
  };

  const scoreSix = (start: number, first: number, count: number): void => {
    const most = Math.min(TILE, count - first);
    for (let lane = 0; lane < most; lane++) {
      const row = order[start + first + lane]!;
      const from = row < 0 ? extra! : deck, at = (row < 0 ? ~row : row) * from.columns;
      bytes.set(from.rates.subarray(at, at + from.columns));
      kernels.mix(
        desk.bytes,
        layout.columns,
        layout.kept,
        layout.combinations,
        layout.mixture,
        desk.features,
      );
      const turned = job.learn ? layout.turned + (first + lane) * TILE * 4 : 0;
      kernels.pack(features, desk.features, scale, shift, desk.lanes + lane * 4, turned, count * TILE * 4);
    }
    // Lanes that no position fills hold numbers of earlier ones: their scores are never looked at.
    kernels.score(features, desk.lanes, weights, scores + first * PADDED_COLUMNS * 4);
    for (let lane = 0; lane < most; lane++) {
      const place = start + first + lane, row = order[place]!;
      const at = (first + lane) * PADDED_COLUMNS;
      // The gradient takes the place of the scores, which are no longer needed then.
      const gradient = job.learn ? rows : undefined;
      positionLoss(row < 0 ? extra! : deck, row < 0 ? ~row : row, rows, at, each, gradient, 1 / count);
      losses[2 * place] = each.policy;
      losses[2 * place + 1] = each.value;
    }
  };

  const learnSix = (first: number, count: number): void => {
    const { rate, epsilon } = adamStep(job.rate, adamSteps);
    kernels.learn(
      features,
      first,
      count,
      layout.turned + first * count * 4,
      scores,
      weights,
      layout.momentum,
      layout.variance,
      layout.decay,
      BETA1,
      BETA2,
      rate,
      epsilon,
    );
  };

  for (let start = 0; start < order.length; start += job.batch) {
    const count = Math.min(job.batch, order.length - start);
    for (;;) {
      const first = TILE * Atomics.add(control, CONTROL.next, 1);
      if (first >= count) break;
      scoreSix(start, first, count);
    }
    if (!job.learn) {
      if (!meet(count)) return;
      continue;
    }
    meet(0);
    adamSteps++;
    for (;;) {
      const first = TILE * Atomics.add(control, CONTROL.next, 1);
      if (first >= features) break;
      learnSix(first, count);
    }
    if (!meet(count)) return;
  }
}
