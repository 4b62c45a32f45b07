import type { EyeName } from "../../eye/mod.ts";
import type { JsonValue } from "../../common/mod.ts";

/** What decides the result of a brain that learns through its homeostasis. */
export interface LearnBrainSettings {
  /** Which eye; `auto` by default. */
  readonly eye?: EyeName | undefined;
  /** Steps of a think; 4 by default: enough for the larva, whose descending neurons are few connections from the eye. */
  readonly brainSteps?: number | undefined;
  /** The steps that are read; the last by default. */
  readonly read?: readonly number[] | undefined;
  /** Whether the heads read those steps side by side rather than their mean; false by default. */
  readonly apart?: boolean | undefined;
  /** Training rows at most, from the front; all by default. */
  readonly train?: number | undefined;
  /** Positions of a batch, a multiple of 32; 256 by default. */
  readonly batch?: number | undefined;
  /** Batches to learn from; by default as many as `passes` are. */
  readonly batches?: number | undefined;
  /** Times that every training position is seen; 5 by default. */
  readonly passes?: number | undefined;
  /** Adam's step size for synapses; 0.01 by default, 0 leaves them as measured. */
  readonly synapseStep?: number | undefined;
  /** Adam's step size for gains and biases; 0.003 by default, 0 leaves them as they are. With both 0 only heads learn. */
  readonly neuronStep?: number | undefined;
  /** Adam's step size for the heads; 0.002 by default. */
  readonly headStep?: number | undefined;
  /**
   * Decoupled decay (Loshchilov and Hutter 2019): at every step, strengths go this share of the step size back towards the
   * measured ones and heads towards 0; 0 by default.
   */
  readonly decay?: number | undefined;
  /** The heads' decay where it is another; `decay` by default. */
  readonly headDecay?: number | undefined;
  /** How the brain descends: `adam`, or `sgd`, gradient descent with momentum 0.9; heads always by Adam. `adam` by default. */
  readonly brainOpt?: "adam" | "sgd" | undefined;
  /**
   * The leash: how far a strength may get from the measured one, as a share of it, above 0 and under 1; 0, none, by default.
   */
  readonly maxChange?: number | undefined;
  /** Share of the batches in which synapses still wait: gains, biases and heads go before; 0 by default. */
  readonly synapsesAfter?: number | undefined;
  /** Every neuron's gain where learning begins; 0.5 by default. */
  readonly gain?: number | undefined;
  /** Every neuron's bias where learning begins; 0.3 by default. */
  readonly bias?: number | undefined;
  /** How far a rate moves towards its target each step, above 0 and at most 1; 0.5 by default. */
  readonly leak?: number | undefined;
  /** Share of the rates that heads read which is left out, drawn anew for every position; 0 by default. */
  readonly dropout?: number | undefined;
  /** Share of the eye's lit cells that stay dark, drawn anew for every position while learning; 0 by default. */
  readonly dark?: number | undefined;
  /** What the error of the value weighs beside the policy's; 1 by default. */
  readonly valueWeight?: number | undefined;
  /**
   * What a linear guess of the eye's lit cells weighs beside the moves while learning: half its squared error, summed over
   * cells (those that report the same count once), is walked back into the brain too, so that the board comes through to
   * what is read. The guess itself is no part of what is kept. 0, none, by default.
   */
  readonly echo?: number | undefined;
  /**
   * Judge and keep not what was just learned but its running average, of which every batch leaves this share, under 1: 0.999
   * is about the last 1,000 batches. 0, none, by default.
   */
  readonly average?: number | undefined;
  /** The smallest sigma a neuron may get (0.02: reference, section 3). */
  readonly floor?: number | undefined;
  /** Training positions, at most, that the brain is calibrated on for every check and at the end; 2,048 by default. */
  readonly calibration?: number | undefined;
  /** Batches between two checks on VAL; 250 by default. */
  readonly checkEvery?: number | undefined;
  /** Seed of the order of positions and of the intervals; 1 by default. */
  readonly seed?: number | undefined;
}

/** Settings with nothing left open; how many batches there are is known once there are positions. */
export type ResolvedLearnBrainSettings =
  & {
    readonly [name in Exclude<keyof LearnBrainSettings, "batches">]-?: NonNullable<LearnBrainSettings[name]>;
  }
  & { readonly batches: number | undefined };

/**
 * Fills in what is left open.
 *
 * @throws {RangeError} If a setting is out of range.
 */
export function resolveLearnBrainSettings(settings: LearnBrainSettings): ResolvedLearnBrainSettings {
  const {
    eye = "auto",
    brainSteps = 4,
    read = [brainSteps],
    apart = false,
    train = Infinity,
    batch = 256,
    batches,
    passes = 5,
    synapseStep = 0.01,
    neuronStep = 0.003,
    headStep = 0.002,
    decay = 0,
    headDecay = decay,
    brainOpt = LATER.brainOpt,
    maxChange = LATER.maxChange,
    synapsesAfter = LATER.synapsesAfter,
    gain = LATER.gain,
    bias = LATER.bias,
    leak = LATER.leak,
    dropout = LATER.dropout,
    dark = LATER.dark,
    valueWeight = LATER.valueWeight,
    echo = LATER.echo,
    average = LATER.average,
    floor = 0.02,
    calibration = 2048,
    checkEvery = 250,
    seed = 1,
  } = settings;
  for (
    const [name, value] of Object.entries({
      brainSteps,
      batch,
      batches: batches ?? 1,
      calibration,
      checkEvery,
    })
  ) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`Cannot learn: ${name} is ${value}, a whole number from 1 is wanted`);
    }
  }
  for (
    const [name, value] of Object.entries({
      synapseStep,
      neuronStep,
      headStep,
      decay,
      headDecay,
      valueWeight,
      echo,
      gain,
    })
  ) {
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`Cannot learn: ${name} is ${value}, a number from 0 is wanted`);
    }
  }
  for (const [name, share] of Object.entries({ maxChange, synapsesAfter, dropout, dark, average })) {
    if (!(share >= 0 && share < 1)) {
      throw new RangeError(`Cannot learn: ${name} is ${share}, a share from 0, under 1, is wanted`);
    }
  }
  if (!Number.isFinite(bias) || !(leak > 0 && leak <= 1)) {
    throw new RangeError(
      `Cannot learn: bias is ${bias} and leak ${leak}, a number and one above 0, up to 1, are wanted`,
    );
  }
  if (!(passes > 0 && passes < Infinity)) {
    throw new RangeError(`Cannot learn: passes are ${passes}, a number above 0 is wanted`);
  }
  return {
    eye,
    brainSteps,
    read,
    apart,
    train,
    batch,
    batches,
    passes,
    synapseStep,
    neuronStep,
    headStep,
    decay,
    headDecay,
    brainOpt,
    maxChange,
    synapsesAfter,
    gain,
    bias,
    leak,
    dropout,
    dark,
    valueWeight,
    echo,
    average,
    floor,
    calibration,
    checkEvery,
    seed,
  };
}

/** Settings that came later, as they are where nobody asks for them; runs from before have no such fields. */
const LATER = {
  brainOpt: "adam",
  maxChange: 0,
  synapsesAfter: 0,
  gain: 0.5,
  bias: 0.3,
  leak: 0.5,
  dropout: 0,
  dark: 0,
  valueWeight: 1,
  echo: 0,
  average: 0,
} as const;

/**
 * What a run of `learnBrain` writes into its `config.json` besides the digests of its inputs.
 *
 * @param settings The run's settings.
 * @throws {RangeError} If a setting is out of range.
 */
export function learnBrainRunConfig(
  settings: LearnBrainSettings = {},
): { kind: "brain"; seed: number } & Record<string, JsonValue> {
  const { train, batches, passes, read, headDecay, seed, ...rest } = resolveLearnBrainSettings(settings);
  const later: Readonly<Record<string, unknown>> = LATER;
  const named = Object.entries(rest).filter(([name, value]) => !(name in later) || value !== later[name]);
  return {
    kind: "brain",
    ...Object.fromEntries(named),
    seed,
    ...headDecay === rest.decay ? {} : { headDecay },
    read: [...read],
    train: Number.isFinite(train) ? train : null,
    batches: batches ?? null,
    passes: batches === undefined ? passes : null,
  };
}
