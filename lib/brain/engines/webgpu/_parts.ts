import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernel.ts";

/** Bytes of a line in float32. */
export const LINE_BYTES = 4 * LINE_POSITIONS;

/** Neurons cut into runs, so that a state of each can be bound to a kernel whole. */
export interface Parts {
  /** Neurons in all. */
  readonly neurons: number;
  /** Neurons of every part but the last, which may have fewer. */
  readonly size: number;
  /** How many parts. */
  readonly count: number;
}

/** A number, or a line of them, for each neuron: a buffer a part. */
export type Lines = readonly GPUBuffer[];

/**
 * Cuts neurons into parts.
 *
 * @throws {RangeError} If not even one neuron fits.
 */
export function cutParts(neurons: number, steps: number, largestBuffer: number): Parts {
  const bytes = Math.max(LINE_BYTES, 4 * steps);
  const size = Math.min(Math.floor(largestBuffer / bytes), Math.max(neurons, 1));
  if (size < 1) {
    throw new RangeError(
      `Cannot load a brain: a buffer may take ${largestBuffer} bytes, at least ${bytes} are wanted`,
    );
  }
  return { neurons, size, count: Math.ceil(neurons / size) };
}

/** Neurons of a part. */
export function sizeOf({ neurons, size }: Parts, part: number): number {
  return Math.min(size, neurons - part * size);
}

/** Zeros for each neuron of each part. */
export function makeLines(gpu: Gpu, parts: Parts, bytes = LINE_BYTES): Lines {
  return Array.from({ length: parts.count }, (_, part) => gpu.buffer(sizeOf(parts, part) * bytes));
}

/** Writes `[steps][neurons]` numbers, `[steps][part]` for each part. */
export function writeNumbers(gpu: Gpu, parts: Parts, lines: Lines, values: ArrayLike<number>): void {
  const steps = values.length / parts.neurons;
  for (const [part, buffer] of lines.entries()) {
    const first = part * parts.size, count = sizeOf(parts, part);
    const own = new Float32Array(steps * count);
    for (let step = 0, at = 0; step < steps; step++) {
      for (let j = 0; j < count; j++) own[at++] = values[step * parts.neurons + first + j]!;
    }
    gpu.write(buffer, own);
  }
}

/** Brings `[steps][neurons]` numbers back. */
export async function readNumbers(
  gpu: Gpu,
  parts: Parts,
  lines: Lines,
  steps: number,
  action: string,
): Promise<Float32Array> {
  const result = new Float32Array(steps * parts.neurons);
  for (const [part, buffer] of lines.entries()) {
    const first = part * parts.size, count = sizeOf(parts, part);
    const own = await readBuffer(gpu, buffer, 4 * steps * count, action);
    for (let step = 0; step < steps; step++) {
      result.set(own.subarray(step * count, (step + 1) * count), step * parts.neurons + first);
    }
  }
  return result;
}

/** Brings the first bytes of a buffer back. */
export async function readBuffer(
  gpu: Gpu,
  buffer: GPUBuffer,
  bytes: number,
  action: string,
): Promise<Float32Array> {
  let staging: GPUBuffer | undefined;
  try {
    await gpu.submit(action, (encoder) => {
      staging = gpu.staging(bytes);
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, bytes);
    });
    return (await gpu.take(action, staging!)).subarray(0, bytes / 4);
  } finally {
    if (staging !== undefined) gpu.free([staging]);
  }
}
