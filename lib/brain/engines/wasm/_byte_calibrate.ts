import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import type { Homeostasis } from "../../engine.ts";
import { type ByteLayout, layOutByteCalibration } from "./_byte_layout.ts";
import { type ByteTiling, type ByteWeights, writeByteTiles } from "./_byte_weights.ts";
import type { Crew } from "./_crew.ts";
import { CONTROL, LINE_POSITIONS } from "./_layout.ts";

/** A loaded brain of bytes, as far as calibrating needs it. */
export interface CalibratedBytes {
  readonly crew: Crew;
  readonly module: WebAssembly.Module;
  readonly layout: ByteLayout;
  readonly tiling: ByteTiling;
  readonly weights: ByteWeights;
  readonly gain: Float64Array;
  readonly bias: Float64Array;
}

/**
 * Measures homeostasis in the arithmetic of bytes: what rounding weights and rates adds to every input is then part
 * of the usual input. The memory is its own and given back afterwards.
 */
export async function calibrateByteBrain(
  { crew, module, layout: { neurons, steps, leak }, tiling, weights, gain, bias }: CalibratedBytes,
  drive: Drive,
  { floor, calm, signal, onProgress }: LongWork & { readonly floor: number; readonly calm: boolean },
): Promise<Homeostasis> {
  const { positions } = drive, driven = [...new Set(drive.neuron)];
  const { senders, receivers, quartets, tileBytes } = tiling;
  const { layout, memory } = layOutByteCalibration(
    { neurons, steps, leak, senders, receivers, quartets, tileBytes },
    positions,
    driven.length,
  );
  writeByteTiles(memory, layout, tiling, weights);
  new Float64Array(memory.buffer, layout.gain, neurons).set(gain);
  new Float64Array(memory.buffer, layout.bias, neurons).set(bias);
  const lanes = layout.lines * LINE_POSITIONS;
  const places = new Int32Array(memory.buffer, layout.place, neurons).fill(-1);
  driven.forEach((neuron, k) => places[neuron] = 4 * k * lanes);
  const x = new Float32Array(memory.buffer, layout.drive, driven.length * lanes);
  for (let position = 0; position < positions; position++) {
    for (let k = drive.start[position]!; k < drive.start[position + 1]!; k++) {
      x[places[drive.neuron[k]!]! / 4 + position] = drive.value?.[k] ?? 1;
    }
  }

  const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
  const control = new Int32Array(memory.buffer, 0, 2);
  const room = crew.open({ module, memory, byteCalibration: layout });
  try {
    for (let step = 1; step <= steps; step++) {
      for (const half of ["inputs", "rates"] as const) {
        Atomics.store(control, CONTROL.nextChunk, 0);
        const job = { kind: "calibrate bytes", half, step, floor, calm } as const;
        await crew.deal(room, crew.size, signal, (_task, _area, run) => run(job));
      }
      mean.set(new Float64Array(memory.buffer, layout.mean, neurons), (step - 1) * neurons);
      spread.set(new Float64Array(memory.buffer, layout.spread, neurons), (step - 1) * neurons);
      onProgress?.({ task: "calibrating", done: step, total: steps, unit: "steps" });
    }
  } finally {
    crew.close(room);
  }
  return { mean, spread };
}
