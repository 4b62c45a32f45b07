import type { BrainModel } from "../../engine.ts";
import type { Id, Tensors } from "./_tensors.ts";

/** Connections gathered at once: both ends of 64 positions take 2 x 32 MB. */
const CHUNK = 1 << 17;

/** Adds up dL / dW, connection by connection, a chunk at a time: nothing of size connections x batch is ever there. */
export class ConnectionErrors implements Disposable {
  readonly #tensors: Tensors;
  readonly #chunks: readonly {
    readonly post: Id;
    readonly pre: Id;
    readonly first: number;
    readonly sum: Float64Array;
  }[];

  constructor(tensors: Tensors, { rowStart, pre, neurons }: BrainModel) {
    this.#tensors = tensors;
    const post = new Int32Array(pre.length);
    for (let row = 0; row < neurons; row++) post.fill(row, rowStart[row], rowStart[row + 1]);
    const chunks = [];
    for (let first = 0; first < pre.length; first += CHUNK) {
      const to = Math.min(first + CHUNK, pre.length), shape = [to - first];
      chunks.push({
        first,
        post: tensors.int32(post.slice(first, to), shape),
        pre: tensors.int32(pre.slice(first, to), shape),
        sum: new Float64Array(to - first),
      });
    }
    this.#chunks = chunks;
  }

  /** Adds a step: the receivers' errors times the senders' rates before it, `[neurons, batch]` each. */
  add(inputError: Id, before: Id): void {
    for (const { post, pre, sum } of this.#chunks) {
      using room = this.#tensors.room();
      const products = room.mul(room.rows(inputError, post), room.rows(before, pre));
      const values = room.read(room.sumRows(products));
      for (let k = 0; k < values.length; k++) sum[k]! += values[k]!;
    }
  }

  /** `[connections]`: the sum. */
  sum(connections: number): Float32Array {
    const result = new Float32Array(connections);
    for (const { first, sum } of this.#chunks) result.set(sum, first);
    return result;
  }

  [Symbol.dispose](): void {
    this.#tensors[Symbol.dispose]();
  }
}
