import type { Homeostasis } from "../../brain/mod.ts";
import { DataError, type JsonValue } from "../../common/mod.ts";
import type { Judged, Readout } from "../../readout/mod.ts";
import type { Checkpoint } from "../run/checkpoint.ts";
import type { NamedTensor } from "../run/safetensors.ts";

/** Where a streaming run is. */
export interface StreamState {
  /** `woken`: calibrated, the probe is next; `stream`: batches go by; `done`: all of them have. */
  readonly stage: "woken" | "stream" | "done";
  /** Batches learned from. */
  readonly batch: number;
  /** The last batch after which VAL was checked; -1 before the first check. */
  readonly checked: number;
  /** Policy losses of the batches since then, added up. */
  readonly lossSum: number;
  /** How many those are. */
  readonly lossCount: number;
  /** Lengths of the last batch's gradients: of the readout, the synapses and the neurons. */
  readonly lengths: readonly number[];
}

/** What a streaming run keeps besides what learns. */
export interface StreamKept {
  /** What calibration measured. */
  readonly homeostasis: Homeostasis;
  /** The blind baseline. */
  readonly blind: Readout;
  /** What the probe did with the HOLD rows. */
  readonly probe: Judged | undefined;
}

/** What the checkpoint is, for whoever opens it. */
const ABOUT =
  "a streaming run of flychess. 'readout.weight' [descending neurons][134 columns: from-square 64, " +
  "to-square 64, promotion 5, value 1] and 'readout.bias' read the mean rate of the steps in config.json; '.first' and " +
  "'.second' are the moments of Adam ('.first' alone: the pace of sgd). 'brain.theta' [connections]: a connection's " +
  "strength is log(1 + exp(theta)), in the order of the connectome's rows; 'brain.gain' and 'brain.bias' [neurons]; what " +
  "is absent is as measured. 'homeostasis.mean' and 'homeostasis.spread' [steps][neurons]. 'blind.bias' is the " +
  "blind baseline; 'probe.*' what the probe did with the HOLD rows.";

/** The checkpoint of a streaming run. */
export function toStreamCheckpoint(
  state: StreamState,
  { homeostasis, blind, probe }: StreamKept,
  steps: number,
  learning: { readonly tensors: Readonly<Record<string, NamedTensor>>; readonly steps: number } | undefined,
): Checkpoint {
  const flat = (data: NamedTensor["data"]): NamedTensor => ({ shape: [data.length], data });
  const byStep = (data: Float32Array | Float64Array) => ({ shape: [steps, data.length / steps], data });
  return {
    tensors: {
      "homeostasis.mean": byStep(homeostasis.mean),
      "homeostasis.spread": byStep(homeostasis.spread),
      "blind.bias": flat(blind.bias),
      ...probe === undefined ? {} : {
        "probe.top1": flat(probe.top1),
        "probe.good": flat(probe.good),
        "probe.loss": flat(probe.loss),
        "probe.valueError": flat(probe.valueError),
      },
      ...learning?.tensors,
    },
    metadata: { about: ABOUT },
    state: { ...state, steps: learning?.steps ?? 0 },
  };
}

/**
 * What a checkpoint of a streaming run says.
 *
 * @param rows The HOLD rows, and the game of each: they are the same for every judgement.
 * @throws {DataError} If something is missing in it.
 */
export function fromStreamCheckpoint(
  { tensors, state }: Checkpoint,
  rows: Pick<Judged, "rows" | "game">,
): { state: StreamState; kept: StreamKept; steps: number } {
  const take = <T>(name: string, kinds: readonly (new (length: number) => T)[]): T => {
    const data = tensors[name]?.data;
    for (const kind of kinds) if (data instanceof kind) return data;
    throw new DataError(
      `Cannot go on with the run: its checkpoint has no tensor '${name}' of the kind wanted`,
    );
  };
  const numbers = [Float32Array, Float64Array] as const;
  return {
    state: {
      stage: stageOf(field(state, "stage")),
      batch: number(state, "batch"),
      checked: number(state, "checked"),
      lossSum: number(state, "lossSum"),
      lossCount: number(state, "lossCount"),
      lengths: numbersOf(state, "lengths"),
    },
    steps: number(state, "steps"),
    kept: {
      homeostasis: {
        mean: take<Float32Array | Float64Array>("homeostasis.mean", numbers),
        spread: take<Float32Array | Float64Array>("homeostasis.spread", numbers),
      },
      blind: { features: 0, weight: new Float32Array(0), bias: take("blind.bias", [Float32Array]) },
      probe: tensors["probe.loss"] === undefined ? undefined : {
        ...rows,
        top1: take("probe.top1", [Uint8Array]),
        good: take("probe.good", [Uint8Array]),
        loss: take("probe.loss", [Float64Array]),
        valueError: take("probe.valueError", [Float64Array]),
      },
    },
  };
}

function stageOf(value: JsonValue | undefined): StreamState["stage"] {
  if (value === "woken" || value === "stream" || value === "done") return value;
  throw new DataError(
    `Cannot go on with the run: its checkpoint is at '${value}', a streaming run's is wanted`,
  );
}

function field(of: JsonValue, name: string): JsonValue | undefined {
  return typeof of === "object" && of !== null && !Array.isArray(of)
    ? (of as Readonly<Record<string, JsonValue>>)[name]
    : undefined;
}

function numbersOf(of: JsonValue, name: string): number[] {
  const value = field(of, name);
  if (Array.isArray(value)) return value.map(Number);
  throw new DataError(`Cannot go on with the run: its checkpoint has no numbers '${name}'`);
}

function number(of: JsonValue, name: string): number {
  const value = field(of, name);
  if (typeof value === "number") return value;
  throw new DataError(`Cannot go on with the run: its checkpoint has no number '${name}'`);
}
