import { DataError, type JsonValue } from "../../common/mod.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import type { CachedFitState } from "./cached_fit.ts";
import type { NamedTensor, RunCheckpoint } from "./cached_run_folder.ts";

/** What became of a fit of a cached run. */
export interface FitOutcome {
  /** Its name. */
  readonly name: string;
  /** The lowest VAL loss, in nats. */
  readonly valLoss: number;
  /** Passes made. */
  readonly passes: number;
}

/** Where a cached run is. */
export interface CachedRunState {
  /** The fits that have ended. */
  readonly ended: readonly FitOutcome[];
  /** The readout of the mean of the steps with the lowest VAL loss so far. */
  readonly mean: Readout | undefined;
  /** The readout with the lowest VAL loss so far. */
  readonly best: Readout | undefined;
  /** The fit that goes on, after its last pass. */
  readonly fit: CachedFitState | undefined;
}

/** The state as the checkpoint of a run. */
export function toCheckpoint(state: CachedRunState): RunCheckpoint {
  const { ended, mean, best, fit } = state;
  const tensors: Record<string, NamedTensor> = {};
  const put = (name: string, data: Float32Array, rows = 1) => {
    tensors[name] = { shape: rows === 1 ? [data.length] : [rows, data.length / rows], data };
  };
  for (const [name, readout] of Object.entries({ mean, best })) {
    if (readout === undefined) continue;
    put(`${name}.weight`, readout.weight, readout.features);
    put(`${name}.bias`, readout.bias);
  }
  if (fit !== undefined) {
    const rows = fit.best.length / READOUT_COLUMNS;
    put("fit.weight", fit.heads.weight, rows);
    put("fit.momentum", fit.heads.momentum, rows);
    put("fit.variance", fit.heads.variance, rows);
    put("fit.best", fit.best, rows);
    put("fit.scale", fit.scaling.scale);
    put("fit.shift", fit.scaling.shift);
  }
  return {
    tensors,
    metadata: {
      about:
        "a cached run of flychess: 'best' is the readout with the lowest VAL loss, [features][134 columns] " +
        "(from-square 64, to-square 64, promotion 5, value 1), of rates from 0 to 1; 'fit' is where a fit that goes on " +
        "stands, on scaled features, the bias in the last row",
    },
    state: {
      ended: ended.map(({ name, valLoss, passes }) => ({ name, valLoss, passes })),
      fit: fit === undefined ? null : {
        bestLoss: fit.bestLoss,
        passes: fit.passes,
        misses: fit.misses,
        rate: fit.rate,
        steps: fit.heads.steps,
      },
    },
  };
}

/**
 * The state in the checkpoint of a run.
 *
 * @throws {DataError} If something is missing in it.
 */
export function fromCheckpoint({ tensors, state }: RunCheckpoint): CachedRunState {
  const take = (name: string): Float32Array => {
    const data = tensors[name]?.data;
    if (data instanceof Float32Array) return data;
    throw new DataError(`Cannot go on with the run: its checkpoint has no float32 tensor '${name}'`);
  };
  const readout = (name: string): Readout | undefined => {
    const weight = tensors[`${name}.weight`];
    if (weight === undefined) return undefined;
    return { features: weight.shape[0]!, weight: take(`${name}.weight`), bias: take(`${name}.bias`) };
  };
  const ended = field(state, "ended"), fit = field(state, "fit");
  return {
    ended: Array.isArray(ended)
      ? ended.map((each) => ({
        name: String(field(each, "name")),
        valLoss: number(each, "valLoss"),
        passes: number(each, "passes"),
      }))
      : [],
    mean: readout("mean"),
    best: readout("best"),
    fit: fit === null || fit === undefined ? undefined : {
      heads: {
        weight: take("fit.weight"),
        momentum: take("fit.momentum"),
        variance: take("fit.variance"),
        steps: number(fit, "steps"),
      },
      best: take("fit.best"),
      bestLoss: number(fit, "bestLoss"),
      passes: number(fit, "passes"),
      misses: number(fit, "misses"),
      rate: number(fit, "rate"),
      scaling: { scale: take("fit.scale"), shift: take("fit.shift") },
    },
  };
}

function field(of: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof of === "object" && of !== null && !Array.isArray(of)
    ? (of as Readonly<Record<string, JsonValue>>)[name]
    : undefined;
}

function number(of: JsonValue, name: string): number {
  const value = field(of, name);
  if (typeof value === "number") return value;
  throw new DataError(`Cannot go on with the run: its checkpoint has no number '${name}'`);
}
