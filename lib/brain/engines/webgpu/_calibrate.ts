import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import type { Homeostasis } from "../../engine.ts";
import { LINE_POSITIONS } from "./_kernel.ts";
import { LINE_BYTES, makeLines, readNumbers } from "./_parts.ts";
import { type Numbers, recordInputs, recordRates, rowCounts, type Stage } from "./_resident.ts";
import { putDrive, SparseLines } from "./_sparse.ts";

/** Measures homeostasis: all positions stay on the GPU, a state of rates and one of inputs for every 32. */
export async function calibrate(
  stage: Stage,
  numbers: Pick<Numbers, "gain" | "bias">,
  drive: Drive,
  { steps, floor, calm, signal, onProgress }:
    & LongWork
    & { readonly steps: number; readonly floor: number; readonly calm: boolean },
): Promise<Homeostasis> {
  const { gpu, parts } = stage, { positions } = drive, action = "calibrate";
  const room: GPUBuffer[] = [], lists: SparseLines[] = [];
  const take = (bytes?: number) => {
    const lines = makeLines(gpu, parts, bytes);
    room.push(...lines);
    return lines;
  };
  try {
    const own = await gpu.guard(action, () => ({
      numbers: { ...numbers, mean: take(4 * steps), spread: take(4 * steps) },
      around: take(4),
      sums: take(4),
      batches: Array.from({ length: Math.ceil(positions / LINE_POSITIONS) }, (_, batch) => {
        const first = batch * LINE_POSITIONS, count = Math.min(LINE_POSITIONS, positions - first);
        const list = new SparseLines(gpu, parts);
        lists.push(list);
        putDrive(list, drive, first, count);
        return { drive: list, positions: count, rates: take(LINE_BYTES), input: take(LINE_BYTES) };
      }),
    }));
    const { mean, spread } = own.numbers;
    const rows = rowCounts(parts);
    for (let step = 1; step <= steps; step++) {
      signal?.throwIfAborted();
      await gpu.submit(action, (encoder) => {
        for (const batch of own.batches) recordInputs(stage, encoder, { step, ...batch });
        const pass = encoder.beginComputePass();
        for (const [part, count] of rows.entries()) {
          const offset = (step - 1) * count, sum = own.sums[part]!, around = own.around[part]!;
          const each = (kernel: "sumInputs" | "sumSquares", arrays: [GPUBuffer, GPUBuffer]) =>
            own.batches.forEach(({ input, positions }, batch) =>
              gpu.dispatch(pass, kernel, {
                params: { count, offset, positions, first: batch === 0 ? 1 : 0 },
                buffers: [input[part]!, ...arrays],
              })
            );
          each("sumInputs", [around, sum]);
          gpu.dispatch(pass, "finishMean", {
            params: { count, offset, positions },
            buffers: [around, sum, mean[part]!],
          });
          each("sumSquares", [mean[part]!, sum]);
          gpu.dispatch(pass, "finishSpread", {
            params: { count, offset, positions, floor, calm: calm ? 1 : 0 },
            buffers: [sum, spread[part]!],
          });
        }
        for (const batch of own.batches) recordRates(stage, pass, { step, numbers: own.numbers, ...batch });
        pass.end();
      });
      await gpu.settled(action);
      onProgress?.({ task: "calibrating", done: step, total: steps, unit: "steps" });
    }
    return {
      mean: await readNumbers(gpu, parts, mean, steps, action),
      spread: await readNumbers(gpu, parts, spread, steps, action),
    };
  } finally {
    gpu.free(room);
    for (const list of lists) list.free();
  }
}
