import { breather } from "../../../common/_breather.ts";
import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import type { Bypass, Homeostasis } from "../../engine.ts";
import { type Lines, passLines } from "./_bypass.ts";
import { type CalibrationLayout, layOutCalibration } from "./_calibration_layout.ts";
import type { Crew } from "./_crew.ts";
import {
  CONTROL,
  LINE_BYTES,
  LINE_POSITIONS,
  PAIR_BYTES,
  SHORT_POSITIONS,
  type ThinkLayout,
} from "./_layout.ts";
import type { Numbering } from "./_model_memory.ts";

/** A step's inputs come in at least so many pieces for each worker, so that none waits long for the last one. */
const PIECES = 4;

/** A loaded brain, as far as calibrating needs it. */
export interface Calibrated {
  readonly crew: Crew;
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly layout: ThinkLayout;
  readonly connections: number;
  readonly numbering: Numbering;
  readonly gain: Float64Array;
  readonly bias: Float64Array;
}

/**
 * Measures homeostasis in a memory of its own, which is given back afterwards. Workers split each step twice: its
 * inputs by positions and, if there are few of them, bands of tiles, then, when all are there, means, deviations and
 * new rates by rows.
 */
export async function calibrate(
  brain: Calibrated,
  drive: Drive,
  { floor, calm, signal, onProgress }: LongWork & { readonly floor: number; readonly calm: boolean },
  bypass?: Bypass,
): Promise<Homeostasis> {
  const { crew, module, connections, numbering: { order, place } } = brain;
  const { neurons, steps, leak, short, tiling } = brain.layout;
  const { positions } = drive;
  const driven = [...new Set([...drive.neuron, ...(bypass?.to ?? [])])];
  const { layout, memory } = layOutCalibration({
    neurons,
    leak,
    connections,
    tiling,
    positions,
    driven: driven.length,
    short,
  });
  const bytes = new Uint8Array(memory.buffer);
  copyTiles(brain, memory, layout);
  if (short) bytes.set(new Uint8Array(brain.memory.buffer, brain.layout.units, 4 * neurons), layout.units);
  const gain = new Float64Array(memory.buffer, layout.gain, neurons);
  const bias = new Float64Array(memory.buffer, layout.bias, neurons);
  for (let at = 0; at < neurons; at++) {
    gain[at] = brain.gain[order[at]!]!;
    bias[at] = brain.bias[order[at]!]!;
  }
  const rates = layout.lines * (short ? SHORT_POSITIONS : LINE_POSITIONS);
  const places = new Int32Array(memory.buffer, layout.place, neurons).fill(-1);
  driven.forEach((neuron, k) => places[place[neuron]!] = 4 * k * rates);
  const x = new Float32Array(memory.buffer, layout.drive, driven.length * rates);
  for (let position = 0; position < positions; position++) {
    for (let k = drive.start[position]!; k < drive.start[position + 1]!; k++) {
      x[places[place[drive.neuron[k]!]!]! / 4 + position] = drive.value?.[k] ?? 1;
    }
  }

  const passes = bypass === undefined ? [] : passesOf(layout, memory, places, { bypass, place, positions });

  const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
  const means = new Float64Array(memory.buffer, layout.mean, neurons);
  const spreads = new Float64Array(memory.buffer, layout.spread, neurons);
  const control = new Int32Array(memory.buffer, 0, 2), breathe = breather(signal);
  const parts = Math.min(tiling.bands, Math.ceil(PIECES * crew.size / layout.lines));
  const room = crew.open({ module, memory, calibration: layout });
  try {
    for (let step = 1; step <= steps; step++) {
      for (const half of ["inputs", "rates"] as const) {
        Atomics.store(control, CONTROL.nextChunk, 0);
        await crew.deal(
          room,
          crew.size,
          signal,
          (_task, _area, run) => run({ kind: "calibrate", half, step, parts, floor, calm }),
        );
      }
      for (let at = 0; at < neurons; at++) {
        mean[(step - 1) * neurons + order[at]!] = means[at]!;
        spread[(step - 1) * neurons + order[at]!] = spreads[at]!;
      }
      if (step < steps) {
        for (const [line, pass] of passes.entries()) {
          await breathe();
          pass(step, line);
        }
      }
      onProgress?.({ task: "calibrating", done: step, total: steps, unit: "steps" });
    }
  } finally {
    crew.close(room);
  }
  return { mean, spread };
}

/** For each line of positions what carries its rates over to the inputs of the next step. */
function passesOf(
  { lines, neurons, rates, drive, short }: CalibrationLayout,
  { buffer }: WebAssembly.Memory,
  places: Int32Array,
  { bypass, place, positions }: {
    readonly bypass: Bypass;
    readonly place: Int32Array;
    readonly positions: number;
  },
): ((step: number, line: number) => void)[] {
  const lanes = short ? SHORT_POSITIONS : LINE_POSITIONS, bytes = neurons * LINE_BYTES;
  return Array.from({ length: lines }, (_, line) => {
    const state = short
      ? new Int16Array(buffer, rates + line * bytes, neurons * lanes)
      : new Float32Array(buffer, rates + line * bytes, neurons * lanes);
    const around: Lines = {
      lanes,
      from: Int32Array.from(bypass.from, (neuron) => place[neuron]! * lanes),
      x: new Float32Array(buffer, drive),
      to: Int32Array.from(bypass.to, (neuron) => places[place[neuron]!]! / 4 + line * lanes),
    };
    const first = line * lanes, count = Math.min(lanes, positions - first);
    const pass = passLines(bypass, around);
    return (step) => pass(state, { step, first, count, lanes });
  });
}

/** Copies the tiles; their table gets the new addresses. Within a tile all places are relative. */
function copyTiles(brain: Calibrated, memory: WebAssembly.Memory, layout: CalibrationLayout): void {
  const { tiles, tileTable, tiling: { columns, bands, groups } } = brain.layout;
  const size = (brain.connections + groups) * PAIR_BYTES, words = 2 * (columns * bands + 1);
  new Uint8Array(memory.buffer, layout.tiles, size).set(new Uint8Array(brain.memory.buffer, tiles, size));
  const from = new Uint32Array(brain.memory.buffer, tileTable, words);
  const into = new Uint32Array(memory.buffer, layout.tileTable, words);
  for (let k = 0; k < words; k += 2) {
    into[k] = from[k]! - tiles + layout.tiles;
    into[k + 1] = from[k + 1]!;
  }
}
