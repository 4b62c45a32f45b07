import { adam, descend, keepWithin, lengthOf } from "./_descend.ts";
import type { FlyBrain } from "./fly_brain.ts";
import type { BrainGradients } from "./gradients.ts";
import { inverseSoftplus, softplus } from "./softplus.ts";

/** How a brain learns. */
export interface OptimiserOptions {
  /** `adam`, or `sgd`: gradient descent with momentum 0.9. */
  readonly method?: "adam" | "sgd";
  /**
   * The leash: how far a strength may get from where it started, as a share of it, between 0 and 1. 0.2 keeps every
   * connection within 20 % of its measured strength. No leash if left out.
   */
  readonly maxChange?: number;
  /** A group's gradient that is longer than this is scaled down to it (1). */
  readonly maxLength?: number;
  /** The connections that learn, each once; all of them by default. The slopes of others are not looked at. */
  readonly connections?: Int32Array;
}

/** Step sizes; 0 leaves a group as it is. */
export interface LearningRates {
  /** For `theta`. */
  readonly synapses: number;
  /** For `gain` and `bias`. */
  readonly neurons: number;
}

/** What an optimiser remembers between steps: to be kept with a checkpoint. */
export interface OptimiserState {
  /** Steps taken. */
  readonly steps: number;
  /** For `theta`, `gain` and `bias`, in this order: Adam's two moments, or the pace alone. */
  readonly moments: readonly (readonly Float32Array[])[];
}

/**
 * Moves what a brain can learn against its gradient, in place (reference, section 7): synapses and neurons are a
 * group each, a group's gradient is at most 1 long, and a leash may keep every strength near where it started. Call
 * `brain.update()` afterwards.
 *
 * @example A connection gets stronger, and no more than the leash allows
 * ```ts
 * import { BrainOptimiser, softplus } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * const brain = { theta: Float64Array.of(-1), gain: Float64Array.of(0.5), bias: Float64Array.of(0.3) };
 * const before = softplus(brain.theta[0]!);
 * const optimiser = new BrainOptimiser(brain, { maxChange: 0.2 });
 * const gradients = { theta: Float64Array.of(-3), gain: new Float64Array(1), bias: new Float64Array(1), blame: new Map() };
 * for (let step = 0; step < 100; step++) optimiser.step(gradients, { synapses: 0.01, neurons: 0 });
 * assert.ok(Math.abs(softplus(brain.theta[0]!) / before - 1.2) < 1e-6);
 * ```
 */
export class BrainOptimiser {
  readonly #brain: Pick<FlyBrain, "theta" | "gain" | "bias">;
  readonly #method: "adam" | "sgd";
  readonly #maxLength: number;
  readonly #connections: Int32Array | undefined;
  readonly #leash: { readonly low: Float32Array; readonly high: Float32Array } | null;
  #steps = 0;
  readonly #moments: Float32Array[][];

  /**
   * Makes an optimiser that has taken no step yet.
   *
   * @param brain Whose `theta`, `gain` and `bias` learn; the leash is tied to its strengths as they are now.
   * @throws {RangeError} If an option is out of range.
   * @throws {TypeError} If there is no such method.
   */
  constructor(brain: Pick<FlyBrain, "theta" | "gain" | "bias">, options: OptimiserOptions = {}) {
    const { method = "adam", maxChange, maxLength = 1 } = options;
    if (method !== "adam" && method !== "sgd") {
      throw new TypeError(`Cannot make an optimiser: there is no method ${method}, adam or sgd is wanted`);
    }
    if (maxChange !== undefined && !(maxChange > 0 && maxChange < 1)) {
      throw new RangeError(
        `Cannot make an optimiser: maxChange is ${maxChange}, a number between 0 and 1 is wanted`,
      );
    }
    if (!(maxLength > 0)) {
      throw new RangeError(
        `Cannot make an optimiser: maxLength is ${maxLength}, a number above 0 is wanted`,
      );
    }
    this.#brain = brain;
    this.#method = method;
    this.#maxLength = maxLength;
    this.#connections = options.connections;
    this.#leash = maxChange === undefined ? null : {
      low: bound(brain.theta, 1 - maxChange),
      high: bound(brain.theta, 1 + maxChange),
    };
    const each = method === "adam" ? 2 : 1;
    this.#moments = [brain.theta, brain.gain, brain.bias].map(({ length }) =>
      Array.from({ length: each }, () => new Float32Array(length))
    );
  }

  /** What it remembers, for a checkpoint: the arrays themselves, not copies. */
  get state(): OptimiserState {
    return { steps: this.#steps, moments: this.#moments };
  }

  /**
   * Goes on from a checkpoint.
   *
   * @throws {RangeError} If the state is of another brain or method.
   */
  restore({ steps, moments }: OptimiserState): void {
    const fits = moments.length === this.#moments.length &&
      this.#moments.every((own, i) =>
        own.length === moments[i]!.length &&
        own.every((values, k) => values.length === moments[i]![k]!.length)
      );
    if (!fits) {
      throw new RangeError(
        "Cannot restore an optimiser: the state has other sizes, that of the same brain and method is wanted",
      );
    }
    this.#steps = steps;
    this.#moments.forEach((own, i) => own.forEach((values, k) => values.set(moments[i]![k]!)));
  }

  /**
   * Takes a step.
   *
   * @param gradients Of the loss, averaged as you like: what `FlyBrain.backward` sums over positions is used as it is.
   * @param rates Step sizes.
   * @returns How long the gradient of each group was, before it was scaled down.
   * @throws {RangeError} If the gradients have other sizes or hold what is no finite number: nothing is changed then.
   */
  step(gradients: BrainGradients, rates: LearningRates): LearningRates {
    const { theta, gain, bias } = this.#brain, only = this.#connections;
    const groups = [
      [{ values: theta, gradient: gradients.theta, moments: this.#moments[0]!, only }],
      [
        { values: gain, gradient: gradients.gain, moments: this.#moments[1]!, only: undefined },
        { values: bias, gradient: gradients.bias, moments: this.#moments[2]!, only: undefined },
      ],
    ];
    const lengths = groups.map((group) => {
      for (const { values, gradient } of group) {
        if (values.length !== gradient.length) {
          throw new RangeError(
            `Cannot take a step: a gradient has ${gradient.length} numbers, ${values.length} are wanted`,
          );
        }
      }
      const length = lengthOf(
        ...group.map(({ gradient, only }) => only === undefined ? gradient : at(gradient, only)),
      );
      if (Number.isFinite(length)) return length;
      throw new RangeError(`Cannot take a step: a gradient is ${length} long, a finite number is wanted`);
    });
    this.#steps++;
    groups.forEach((group, i) => {
      const rate = i === 0 ? rates.synapses : rates.neurons;
      if (rate === 0) return;
      const share = Math.min(1, this.#maxLength / lengths[i]!);
      for (const { values, gradient, moments: [first, second], only } of group) {
        if (second === undefined) descend(values, gradient, share, first!, rate, only);
        else adam(values, gradient, share, first!, second, rate, this.#steps, only);
      }
    });
    if (this.#leash !== null && rates.synapses !== 0) keepWithin(theta, this.#leash.low, this.#leash.high);
    return { synapses: lengths[0]!, neurons: lengths[1]! };
  }
}

/** The numbers at some places. */
function at(values: Float32Array | Float64Array, places: Int32Array): Float64Array {
  return Float64Array.from(places, (place) => values[place]!);
}

/** The theta at which a strength is so many times what it is. */
function bound(theta: Float64Array, times: number): Float32Array {
  return Float32Array.from(theta, (value) => inverseSoftplus(times * softplus(value)));
}
