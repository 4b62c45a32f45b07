import type { EyeName } from "../../eye/mod.ts";
import { PROBE } from "../../readout/mod.ts";
import type { JsonValue } from "../../common/mod.ts";

/** What decides the result of a streaming run. What is left out has the reference's value (sections 3, 6 and 7). */
export interface StreamSettings {
  /** Which eye; `auto`: the fair eye where there are columns, else the larva's. */
  readonly eye?: EyeName | undefined;
  /** The steps whose mean is read; the last by default. */
  readonly steps?: readonly number[] | undefined;
  /** Whether neurons that the board does not reach get sigma 1 when the brain is calibrated; false by default. */
  readonly calm?: boolean | undefined;
  /** Training rows at most, from the front; all by default. */
  readonly train?: number | undefined;
  /** Positions of the probe; 50,000 by default, or as many as there are. */
  readonly probe?: number | undefined;
  /** Positions of a batch; 128 by default. */
  readonly batch?: number | undefined;
  /** Batches to learn from. By default `minutes` says; 0 is the probe alone. */
  readonly batches?: number | undefined;
  /** Minutes to learn for, after the probe; 25 by default. They are turned into batches once, from measured speed. */
  readonly minutes?: number | undefined;
  /** Step size of the readout; 3e-4 by default, 0 leaves it as the probe fitted it. */
  readonly readoutStep?: number | undefined;
  /** Step size of the synapses; 0 by default: as measured. */
  readonly synapseStep?: number | undefined;
  /** Step size of the neurons' gains and biases; 0 by default. */
  readonly neuronStep?: number | undefined;
  /** How the brain moves: `adam`, or `sgd` with momentum 0.9. */
  readonly brainOptimiser?: "adam" | "sgd" | undefined;
  /** The leash: how far a synapse's strength may get from the measured one, as a share of it; none by default. */
  readonly maxChange?: number | undefined;
  /** Steps that an error walks back; 6 by default. */
  readonly window?: number | undefined;
  /** Batches between two checks on VAL; 250 by default. */
  readonly checkEvery?: number | undefined;
  /** Batches between two snapshots of the readout; 0, none, by default. */
  readonly snapshotEvery?: number | undefined;
  /** Seed of the order of positions and of the intervals; 1 by default. */
  readonly seed?: number | undefined;
}

/** Settings with nothing left open. */
export interface ResolvedStreamSettings {
  readonly eye: EyeName;
  readonly steps: readonly number[];
  readonly calm: boolean;
  readonly train: number;
  readonly probe: number;
  readonly batch: number;
  readonly batches: number | undefined;
  readonly minutes: number;
  readonly readoutStep: number;
  readonly synapseStep: number;
  readonly neuronStep: number;
  readonly brainOptimiser: "adam" | "sgd";
  readonly maxChange: number | undefined;
  readonly window: number;
  readonly checkEvery: number;
  readonly snapshotEvery: number;
  readonly seed: number;
}

/**
 * Fills in what is left open.
 *
 * @throws {RangeError} If a setting is out of range.
 */
export function resolveStreamSettings(settings: StreamSettings): ResolvedStreamSettings {
  const {
    eye = "auto",
    steps = [12],
    calm = false,
    train = Infinity,
    probe = PROBE.positions,
    batch = 128,
    batches,
    minutes = 25,
    readoutStep = 3e-4,
    synapseStep = 0,
    neuronStep = 0,
    brainOptimiser = "adam",
    maxChange,
    window = 6,
    checkEvery = 250,
    snapshotEvery = 0,
    seed = 1,
  } = settings;
  const whole = {
    probe,
    batch,
    checkEvery,
    snapshotEvery: snapshotEvery + 1,
    batches: (batches ?? 0) + 1,
    window,
  };
  for (const [name, value] of Object.entries(whole)) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`Cannot train: ${name} is ${settings[name as "probe"]}, a whole number is wanted`);
    }
  }
  for (const [name, value] of Object.entries({ minutes, readoutStep, synapseStep, neuronStep })) {
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(`Cannot train: ${name} is ${value}, a number from 0 is wanted`);
    }
  }
  return {
    eye,
    steps,
    calm,
    train,
    probe,
    batch,
    batches,
    minutes,
    readoutStep,
    synapseStep,
    neuronStep,
    brainOptimiser,
    maxChange,
    window,
    checkEvery,
    snapshotEvery,
    seed,
  };
}

/**
 * What a streaming run writes into its `config.json` besides the digests of its inputs and the engine.
 *
 * @param settings The run's settings.
 * @throws {RangeError} If a setting is out of range.
 */
export function streamRunConfig(
  settings: StreamSettings = {},
): { kind: "stream"; seed: number } & Record<string, JsonValue> {
  const { train, batches, minutes, maxChange, steps, ...rest } = resolveStreamSettings(settings);
  return {
    kind: "stream",
    ...rest,
    steps: [...steps],
    train: Number.isFinite(train) ? train : null,
    batches: batches ?? null,
    minutes: batches === undefined ? minutes : null,
    maxChange: maxChange ?? null,
  };
}
