import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The addon's file in the folder that `deno task setup:tensorflow` fills. */
export const ADDON = "tfjs_binding.node";

/** Types of tensors, as TensorFlow numbers them (`TF_DataType`). */
export const DTYPE = { float: 1, int32: 3, int64: 9 } as const;

/** Kinds of attributes, as TensorFlow numbers them (`TF_AttrType`). */
const ATTRIBUTE = { string: 0, bool: 3, type: 4, shape: 5 } as const;

/** An attribute of an operation. */
export interface Attribute {
  readonly name: string;
  readonly type: number;
  readonly value: number | boolean | string | readonly number[];
}

/** A tensor that an operation gave. */
interface Output {
  readonly id: number;
}

/** What the addon of `@tensorflow/tfjs-node` 4.22 exports, as far as it is used here. */
export interface Binding {
  /** TensorFlow's version. */
  readonly TF_Version: string;
  /** Takes an array in without copying it: it must not change while the tensor lives. */
  createTensor(shape: readonly number[], dtype: number, values: Float32Array | Int32Array): number;
  deleteTensor(id: number): void;
  tensorDataSync(id: number): Float32Array;
  executeOp(
    name: string,
    attributes: readonly Attribute[],
    inputs: readonly number[],
    outputs: number,
  ): readonly Output[];
  isUsingGpuDevice(): boolean;
}

/** An attribute that is a type. */
export function typeAttribute(name: string, value: number): Attribute {
  return { name, type: ATTRIBUTE.type, value };
}

/** An attribute that is true or false. */
export function boolAttribute(name: string, value: boolean): Attribute {
  return { name, type: ATTRIBUTE.bool, value };
}

/** An attribute that is a name. */
export function stringAttribute(name: string, value: string): Attribute {
  return { name, type: ATTRIBUTE.string, value };
}

/** An attribute that is the shape of a tensor. */
export function shapeAttribute(name: string, value: readonly number[]): Attribute {
  return { name, type: ATTRIBUTE.shape, value };
}

/** Where the addon is unless said otherwise: `.tensorflow` in the repository. */
export function defaultFolder(): string {
  const url = new URL("../../.tensorflow", import.meta.url);
  return url.protocol === "file:" ? fileURLToPath(url) : ".tensorflow";
}

/** Loaded once a path: TensorFlow sets its process up only once. */
const loaded = new Map<string, Binding>();

/**
 * Loads the addon.
 *
 * @throws {Error} If it is not there or does not load, saying what to do.
 */
export function loadBinding(folder: string): Binding {
  const path = join(folder, ADDON);
  const known = loaded.get(path);
  if (known !== undefined) return known;
  if (existsSync(path) && otherLlvm()) {
    throw new Error(
      "Cannot make the tensorflow engine: this process has loaded a GPU driver that would crash TensorFlow " +
        "(Mesa's, with an LLVM of its own), make the tensorflow engine before anything looks for a GPU",
    );
  }
  let binding: unknown;
  try {
    binding = createRequire(import.meta.url)(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(
      `Cannot make the tensorflow engine: ${path} does not load (${reason}), ` +
        "run 'deno task setup:tensorflow' first (it needs a Python with tensorflow-cpu or tensorflow)",
    );
  }
  if (!isBinding(binding)) {
    throw new Error(
      `Cannot make the tensorflow engine: ${path} is not the addon of tfjs-node that is wanted`,
    );
  }
  loaded.set(path, binding);
  return binding;
}

/**
 * Whether a library named LLVM is loaded: TensorFlow carries LLVM too, and the two share symbols that exist once a process.
 * Loading TensorFlow second ends in a segmentation fault (seen with Mesa's lavapipe, LLVM 15); the other way round works.
 */
function otherLlvm(): boolean {
  try {
    return /\/libLLVM[-.\d]/.test(readFileSync("/proc/self/maps", "utf8"));
  } catch {
    return false; // another system, or no leave to look
  }
}

function isBinding(value: unknown): value is Binding {
  const wanted = ["createTensor", "deleteTensor", "tensorDataSync", "executeOp", "isUsingGpuDevice"];
  return typeof value === "object" && value !== null &&
    wanted.every((name) => typeof Reflect.get(value, name) === "function") &&
    typeof Reflect.get(value, "TF_Version") === "string";
}
