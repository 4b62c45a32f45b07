import { instantiate, type Kernels, plainKernels } from "./engines/wasm/_instantiate.ts";

/** Numbers at once: their strengths and slopes stay in a core's own cache. */
const CHUNK = 8192;
const PAGE_BYTES = 65536;

let tools: { readonly kernels: Kernels; readonly memory: WebAssembly.Memory } | undefined;

function open(): NonNullable<typeof tools> {
  if (tools === undefined) {
    const pages = 3 * 8 * CHUNK / PAGE_BYTES;
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    tools = { kernels: instantiate(plainKernels(), memory), memory };
  }
  return tools;
}

/**
 * `softplus` and its slope, `sigmoid`, of many numbers, several times as fast as one by one and within 1e-15 of them,
 * relative. The same bits on every machine.
 *
 * @param theta Any finite numbers from -700 up.
 * @param take Gets each piece: where it starts, and the strengths and slopes from there on. The arrays are used again.
 */
export function bulkSoftplus(
  theta: Float64Array,
  take: (from: number, strength: Float64Array, slope: Float64Array) => void,
): void {
  const { kernels, memory } = open();
  const part = (index: number) => new Float64Array(memory.buffer, 8 * CHUNK * index, CHUNK);
  const [values, strength, slope] = [part(0), part(1), part(2)];
  for (let from = 0; from < theta.length; from += CHUNK) {
    const count = Math.min(CHUNK, theta.length - from);
    values.set(theta.subarray(from, from + count));
    kernels.strengths(count + count % 2, 0, 8 * CHUNK, 16 * CHUNK, 0);
    take(from, strength.subarray(0, count), slope.subarray(0, count));
  }
}
