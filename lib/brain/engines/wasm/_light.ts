import type { Drive } from "../../../eye/mod.ts";
import type { Part } from "./_backward.ts";
import { areaParts, type ThinkLayout } from "./_layout.ts";
import type { Numbering } from "./_model_memory.ts";

/** A brain whose areas hold drives. */
export interface Lit {
  readonly memory: WebAssembly.Memory;
  readonly layout: ThinkLayout;
  readonly numbering: Numbering;
}

/**
 * Puts the drive of some positions into an area, in lines of `wide` numbers, or takes it out again: only those
 * numbers, never the whole state.
 */
export function light(
  { memory, layout, numbering: { place } }: Lit,
  { start, neuron, value }: Drive,
  { first, count, area, wide }: Part & { readonly wide: number },
  on: boolean,
): void {
  const x = new Float32Array(memory.buffer, areaParts(layout, area).drive, layout.neurons * wide);
  for (let lane = 0; lane < count; lane++) {
    for (let k = start[first + lane]!; k < start[first + lane + 1]!; k++) {
      x[place[neuron[k]!]! * wide + lane] = on ? value?.[k] ?? 1 : 0;
    }
  }
}
