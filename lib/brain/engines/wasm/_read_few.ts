import type { Crew } from "./_crew.ts";
import { CONTROL, type ThinkLayout } from "./_layout.ts";
import { narrowStates } from "./_narrow_step.ts";
import type { Reading } from "./_readings.ts";

/** A brain and who works on it. */
export interface Shared {
  readonly crew: Crew;
  readonly room: number;
  readonly memory: WebAssembly.Memory;
  readonly layout: ThinkLayout;
}

/**
 * Thinks about up to 16 positions, each step's rows split between the workers. Their drive lies in the first area
 * already, in lines of `width` numbers.
 *
 * @returns `[positions][neurons read]`.
 */
export async function readFew(
  { crew, room, memory: { buffer }, layout }: Shared,
  { plan, rows, slots, steps }: Reading,
  positions: number,
  width: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  // Sums are rounded as the kernels round them: a position has the same bits as among 16.
  const sums = new Float32Array(rows.length * width);
  for (let step = 1; step <= plan.steps.length; step++) {
    Atomics.store(new Int32Array(buffer, 0, 2), CONTROL.nextChunk, 0);
    await crew.deal(room, crew.size, signal, (_task, _area, run) => run({ kind: "narrow", step, width }));
    if (!steps.has(step)) continue;
    const state = new Float32Array(buffer, narrowStates(layout, step).after, layout.neurons * width);
    rows.forEach((row, k) => {
      for (let lane = 0; lane < positions; lane++) sums[k * width + lane]! += state[row * width + lane]!;
    });
  }
  const share = Math.fround(1 / steps.size), result = new Float32Array(positions * slots.length);
  for (let lane = 0; lane < positions; lane++) {
    for (let i = 0; i < slots.length; i++) {
      result[lane * slots.length + i] = sums[slots[i]! * width + lane]! * share;
    }
  }
  return result;
}
