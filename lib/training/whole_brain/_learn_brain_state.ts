import { DataError, type JsonValue } from "../../common/mod.ts";

/** What a run of `learnBrain` remembers besides tensors. */
export interface LearnBrainState {
  readonly batch: number;
  readonly checked: number;
  readonly lossSum: number;
  readonly bestLoss: number | null;
  readonly bestBatch: number;
  readonly done: boolean;
}

/**
 * Reads it from a checkpoint.
 *
 * @throws {DataError} If it is another kind of run's.
 */
export function stateOf(state: JsonValue): LearnBrainState {
  const fields = typeof state === "object" && state !== null && !Array.isArray(state)
    ? state as Readonly<Record<string, JsonValue>>
    : {};
  const number = (name: string): number => {
    const value = fields[name];
    if (typeof value === "number") return value;
    throw new DataError(`Cannot go on with the run: its checkpoint has no number '${name}'`);
  };
  return {
    batch: number("batch"),
    checked: number("checked"),
    lossSum: number("lossSum"),
    bestLoss: fields["bestLoss"] === null ? null : number("bestLoss"),
    bestBatch: number("bestBatch"),
    done: fields["done"] === true,
  };
}
