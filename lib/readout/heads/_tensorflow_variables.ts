import {
  type Binding,
  boolAttribute,
  DTYPE,
  shapeAttribute,
  stringAttribute,
  typeAttribute,
} from "../../common/_tensorflow_addon.ts";
import { READOUT_COLUMNS } from "../readout.ts";
import type { WeightPart } from "./_machine.ts";
import { type AdamStep, BETA1, BETA2 } from "./_work.ts";

/** A tensor by its number in TensorFlow. */
type Id = number;

const FLOAT = typeAttribute("T", DTYPE.float), OF_FLOATS = typeAttribute("dtype", DTYPE.float);
const PARTS: readonly WeightPart[] = ["weights", "momentum", "variance"];

/** TensorFlow finds variables by name: no two of a process may have the same. */
let variables = 0;

/** The weights of the heads and Adam's past as variables of TensorFlow, `[features][134]`, and what is done to them. */
export class TensorflowVariables implements Disposable {
  readonly #binding: Binding;
  readonly #shape: readonly number[];
  readonly #handles: Readonly<Record<WeightPart, Id>>;
  readonly #decay: Id | undefined;
  readonly #constants: { readonly nothing: Id; readonly beta1: Id; readonly beta2: Id };

  /** @param decay How strongly each feature's weights are held back. */
  constructor(binding: Binding, decay: Float32Array) {
    this.#binding = binding;
    this.#shape = [decay.length, READOUT_COLUMNS];
    const [weights, momentum, variance] = PARTS.map((part) =>
      this.#run("VarHandleOp", [], [
        stringAttribute("container", ""),
        stringAttribute("shared_name", `flychess heads ${variables++}: ${part}`),
        OF_FLOATS,
        shapeAttribute("shape", this.#shape),
      ])
    );
    this.#handles = { weights: weights!, momentum: momentum!, variance: variance! };
    for (const part of PARTS) this.put(part, new Float32Array(decay.length * READOUT_COLUMNS));
    this.#decay = decay.some((each) => each > 0) ? this.#float(decay.slice(), [decay.length, 1]) : undefined;
    const [nothing, beta1, beta2] = [0, BETA1, BETA2].map((each) => this.#number(each));
    this.#constants = { nothing: nothing!, beta1: beta1!, beta2: beta2! };
  }

  /** Features of a batch, `[count][features]`; they are looked at until they are freed. */
  features(values: Float32Array, count: number): Id {
    return this.#float(values, [count, this.#shape[0]!]);
  }

  /** `[count][134]`: scores of a batch. */
  scores(features: Id): Float32Array {
    const weights = this.#read("weights"), product = this.#product(features, weights, false);
    const scores = this.#binding.tensorDataSync(product);
    this.free(weights, product);
    return scores;
  }

  /** A step of Adam against the gradient, which is the features times the scores' errors, and the penalty. */
  learn(features: Id, errors: Float32Array, { rate, epsilon }: AdamStep): void {
    const change = this.#float(errors, [errors.length / READOUT_COLUMNS, READOUT_COLUMNS]);
    let gradient = this.#product(features, change, true);
    if (this.#decay !== undefined) {
      const weights = this.#read("weights"), pull = this.#run("Mul", [weights, this.#decay]);
      const both = this.#run("AddV2", [gradient, pull]);
      // All of them: a variable that is looked at from elsewhere is copied before it changes.
      this.free(weights, pull, gradient);
      gradient = both;
    }
    const { weights, momentum, variance } = this.#handles, { nothing, beta1, beta2 } = this.#constants;
    const [size, floor] = [this.#number(rate), this.#number(epsilon)];
    this.#binding.executeOp(
      "ResourceApplyAdam",
      [FLOAT, boolAttribute("use_locking", false), boolAttribute("use_nesterov", false)],
      // The corrections for a short past are in the rate and epsilon: the powers of beta are given as 0.
      [weights, momentum, variance, nothing, nothing, size, beta1, beta2, floor, gradient],
      0,
    );
    this.free(change, gradient, size, floor);
  }

  /** Copies a part out. */
  take(part: WeightPart): Float32Array {
    const tensor = this.#read(part), numbers = this.#binding.tensorDataSync(tensor);
    this.free(tensor);
    return numbers;
  }

  /** Puts a part in. */
  put(part: WeightPart, from: Float32Array): void {
    // Copied: else the variable could be the array itself, which Adam would change and only this thread may let go.
    const tensor = this.#float(from, this.#shape), own = this.#run("DeepCopy", [tensor]);
    this.#binding.executeOp("AssignVariableOp", [OF_FLOATS], [this.#handles[part], own], 0);
    this.free(tensor, own);
  }

  /** Lets tensors go. */
  free(...ids: readonly Id[]): void {
    for (const id of ids) this.#binding.deleteTensor(id);
  }

  [Symbol.dispose](): void {
    for (const handle of Object.values(this.#handles)) {
      this.#binding.executeOp("DestroyResourceOp", [boolAttribute("ignore_lookup_error", true)], [handle], 0);
    }
    this.free(...Object.values(this.#handles), ...Object.values(this.#constants));
    if (this.#decay !== undefined) this.free(this.#decay);
  }

  #read(part: WeightPart): Id {
    return this.#run("ReadVariableOp", [this.#handles[part]], [OF_FLOATS]);
  }

  /** a b, or aT b. */
  #product(a: Id, b: Id, turned: boolean): Id {
    return this.#run("MatMul", [a, b], [
      FLOAT,
      boolAttribute("transpose_a", turned),
      boolAttribute("transpose_b", false),
    ]);
  }

  #run(name: string, inputs: readonly Id[], attributes: Parameters<Binding["executeOp"]>[1] = [FLOAT]): Id {
    return this.#binding.executeOp(name, attributes, inputs, 1)[0]!.id;
  }

  #float(values: Float32Array, shape: readonly number[]): Id {
    return this.#binding.createTensor(shape, DTYPE.float, values);
  }

  #number(value: number): Id {
    return this.#float(Float32Array.of(value), []);
  }
}
