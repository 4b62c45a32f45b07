import type { BrainModel } from "../../engine.ts";
import type { Id, Tensors } from "./_tensors.ts";

/** A brain as tensors: homeostasis, gain and bias are one multiply-add a step. */
export interface Resident {
  /** W as CSR. */
  readonly matrix: Id;
  /** W the other way round as CSR, made when first asked for. */
  readonly transposed: () => Id;
  /** By step from 0, `[neurons, 1]`: alpha / sigma. */
  readonly scale: readonly Id[];
  /** By step from 0, `[neurons, 1]`: beta - scale mu. */
  readonly shift: readonly Id[];
  /** By step from 0, `[neurons, 1]`: mu. */
  readonly mean: readonly Id[];
  /** The share that a rate keeps, and the share that it gives away. */
  readonly stays: Id;
  readonly leak: Id;
}

/** The numbers of one step: scale and shift, `[neurons]`. */
export function foldStep(
  { neurons, gain, bias }: Pick<BrainModel, "neurons" | "gain" | "bias">,
  mean: Float64Array | Float32Array | null,
  spread: Float64Array | Float32Array | null,
): { scale: Float32Array; shift: Float32Array } {
  const scale = new Float32Array(neurons), shift = new Float32Array(neurons);
  for (let j = 0; j < neurons; j++) {
    const factor = gain[j]! / (spread?.[j] ?? 1);
    scale[j] = factor;
    shift[j] = bias[j]! - factor * (mean?.[j] ?? 0);
  }
  return { scale, shift };
}

/** Puts a brain into tensors. */
export function settleIn(tensors: Tensors, model: BrainModel): Resident {
  const { neurons, steps, leak, mean, spread } = model;
  const scale: Id[] = [], shift: Id[] = [], means: Id[] = [];
  for (let step = 0; step < steps; step++) {
    const part = [step * neurons, (step + 1) * neurons] as const;
    const folded = foldStep(model, mean?.subarray(...part) ?? null, spread?.subarray(...part) ?? null);
    scale.push(tensors.float(folded.scale, [neurons, 1]));
    shift.push(tensors.float(folded.shift, [neurons, 1]));
    const usual = new Float32Array(neurons);
    if (mean !== null) usual.set(mean.subarray(...part));
    means.push(tensors.float(usual, [neurons, 1]));
  }
  let transposed: Id | undefined;
  return {
    matrix: matrixOf(tensors, neurons, model.rowStart, model.pre, Float32Array.from(model.weight)),
    transposed: () => transposed ??= transposedOf(tensors, model),
    scale,
    shift,
    mean: means,
    stays: tensors.float(Float32Array.of(1 - leak), []),
    leak: tensors.float(Float32Array.of(leak), []),
  };
}

function matrixOf(
  tensors: Tensors,
  neurons: number,
  rowStart: Int32Array,
  column: Int32Array,
  values: Float32Array,
): Id {
  // Rows and columns as 64 bits each, low word first.
  const words = new Int32Array(4 * column.length);
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      words[4 * k] = row;
      words[4 * k + 2] = column[k]!;
    }
  }
  using room = tensors.room();
  return tensors.matrix(
    room.int64(words, [column.length, 2]),
    room.float(values, [column.length]),
    room.int64(Int32Array.of(neurons, 0, neurons, 0), [2]),
  );
}

function transposedOf(tensors: Tensors, { neurons, rowStart, pre, weight }: BrainModel): Id {
  const start = new Int32Array(neurons + 1);
  for (const sender of pre) start[sender + 1]! += 1;
  for (let i = 0; i < neurons; i++) start[i + 1]! += start[i]!;
  const next = start.slice(0, neurons);
  const post = new Int32Array(pre.length), values = new Float32Array(pre.length);
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const at = next[pre[k]!]!++;
      post[at] = row;
      values[at] = weight[k]!;
    }
  }
  return matrixOf(tensors, neurons, start, post, values);
}
