import { type Binding, boolAttribute, DTYPE, typeAttribute } from "../../../common/_tensorflow_addon.ts";

/** A tensor by its number in TensorFlow. */
export type Id = number;

const FLOAT = typeAttribute("T", DTYPE.float);

/** The operations that a brain is made of, float32. Tensors live until their room is disposed or lets them go. */
export class Tensors implements Disposable {
  readonly #binding: Binding;
  readonly #live = new Set<Id>();

  constructor(binding: Binding) {
    this.#binding = binding;
  }

  /** A room for the tensors of one piece of work: `using`. */
  room(): Tensors {
    return new Tensors(this.#binding);
  }

  /** Takes an array in. It is not copied and must not change. */
  float(values: Float32Array, shape: readonly number[]): Id {
    return this.#keep(this.#binding.createTensor(shape, DTYPE.float, values));
  }

  /** Whole numbers that choose rows. */
  int32(values: Int32Array, shape: readonly number[]): Id {
    return this.#keep(this.#binding.createTensor(shape, DTYPE.int32, values));
  }

  /** Whole numbers from 0 to 2^31 - 1 as 64 bits each: the addon takes them as pairs of words, low word first. */
  int64(words: Int32Array, shape: readonly number[]): Id {
    return this.#keep(this.#binding.createTensor(shape, DTYPE.int64, words));
  }

  /** A tensor's numbers, copied. */
  read(id: Id): Float32Array {
    return this.#binding.tensorDataSync(id);
  }

  /** A CSR matrix of these entries (`[entries, 2]` rows and columns, ascending). */
  matrix(indices: Id, values: Id, shape: Id): Id {
    return this.#run("SparseTensorToCSRSparseMatrix", [indices, values, shape]);
  }

  /** CSR matrix times dense. Its CPU kernel uses all cores; that of `SparseTensorDenseMatMul` one. */
  product(matrix: Id, dense: Id): Id {
    const plain = [
      "transpose_a",
      "transpose_b",
      "adjoint_a",
      "adjoint_b",
      "transpose_output",
      "conjugate_output",
    ];
    return this.#run("SparseMatrixMatMul", [matrix, dense], plain.map((name) => boolAttribute(name, false)));
  }

  add(a: Id, b: Id): Id {
    return this.#run("AddV2", [a, b]);
  }

  sub(a: Id, b: Id): Id {
    return this.#run("Sub", [a, b]);
  }

  mul(a: Id, b: Id): Id {
    return this.#run("Mul", [a, b]);
  }

  tanh(x: Id): Id {
    return this.#run("Tanh", [x]);
  }

  relu(x: Id): Id {
    return this.#run("Relu", [x]);
  }

  /** What a change of y = tanh x is for x. */
  tanhGrad(y: Id, change: Id): Id {
    return this.#run("TanhGrad", [y, change]);
  }

  /** What a change of relu x is for x. */
  reluGrad(change: Id, x: Id): Id {
    return this.#run("ReluGrad", [change, x]);
  }

  /** Rows of a matrix. */
  rows(of: Id, which: Id): Id {
    const types = [
      typeAttribute("Tparams", DTYPE.float),
      typeAttribute("Tindices", DTYPE.int32),
      typeAttribute("Taxis", DTYPE.int32),
    ];
    using room = this.room();
    const axis = room.int32(Int32Array.of(0), []);
    return this.#keep(this.#binding.executeOp("GatherV2", types, [of, which, axis], 1)[0]!.id);
  }

  /** Every row's sum. */
  sumRows(of: Id): Id {
    using room = this.room();
    const axis = room.int32(Int32Array.of(1), [1]);
    return this.#run("Sum", [of, axis], [
      boolAttribute("keep_dims", false),
      typeAttribute("Tidx", DTYPE.int32),
    ]);
  }

  /** Lets tensors go before the rest. */
  free(...ids: readonly Id[]): void {
    for (const id of ids) if (this.#live.delete(id)) this.#binding.deleteTensor(id);
  }

  [Symbol.dispose](): void {
    this.free(...this.#live);
  }

  #run(
    name: string,
    inputs: readonly Id[],
    attributes: Parameters<Binding["executeOp"]>[1] = [],
  ): Id {
    return this.#keep(this.#binding.executeOp(name, [FLOAT, ...attributes], inputs, 1)[0]!.id);
  }

  #keep(id: Id): Id {
    this.#live.add(id);
    return id;
  }
}
