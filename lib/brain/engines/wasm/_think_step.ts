import type { Kernels } from "./_instantiate.ts";
import { shortStep } from "./_short_step.ts";
import { areaParts, backParts, LINE_BYTES, STEP, STEP_WORDS, type ThinkLayout } from "./_layout.ts";

/** Sixteen positions through the steps from `first` to `last`. */
export interface ThinkJob {
  readonly kind: "think";
  /** Which worker's area. */
  readonly area: number;
  /** First step, from 1. */
  readonly first: number;
  /** Last step. */
  readonly last: number;
  /** How many steps before `last` keep rates and inputs for the way back; none if left out. */
  readonly window?: number;
}

/** Where the states of a step lie. */
export interface StepStates {
  /** Rates before; 0 at the first step, before which all rates are 0. */
  readonly before: number;
  /** Inputs u; where they are not kept, the place of `after`. */
  readonly inputs: number;
  /** Rates after. */
  readonly after: number;
}

/** Where a think that keeps its last `window` steps puts everything. */
export function statesOf(
  layout: ThinkLayout,
  { area, last, window = 0 }: Pick<ThinkJob, "area" | "last" | "window">,
  step: number,
): StepStates {
  const { odd, even } = areaParts(layout, area), wide = layout.neurons * LINE_BYTES;
  const kept = backParts(layout, area), from = window === 0 ? Infinity : last - window;
  const after = (at: number) => {
    if (at === 0) return 0;
    return at >= from && at < last ? kept.rates + (at - from) * wide : at % 2 === 1 ? odd : even;
  };
  return {
    before: after(step - 1),
    inputs: step > from ? kept.inputs + (step - from - 1) * wide : after(step),
    after: after(step),
  };
}

/** A step's word in the plan table. */
export function planWord(
  memory: WebAssembly.Memory,
  layout: Pick<ThinkLayout, "table">,
  step: number,
): (name: keyof typeof STEP) => number {
  const words = new Uint32Array(memory.buffer, layout.table + 4 * (step - 1) * STEP_WORDS, STEP_WORDS);
  return (name) => words[STEP[name]]!;
}

/** A tile: where its groups start and end, and how many pairs come before it. */
export interface Tile {
  readonly start: number;
  readonly end: number;
  readonly pairs: number;
}

/** Tile by tile, column after column. */
export function* tilesOf(
  memory: WebAssembly.Memory,
  { tileTable, tiling: { columns, bands } }: Pick<ThinkLayout, "tileTable" | "tiling">,
): Generator<Tile & { readonly column: number; readonly band: number }> {
  const table = new Uint32Array(memory.buffer, tileTable, 2 * (columns * bands + 1));
  for (let at = 0; at < columns * bands; at++) {
    const column = Math.floor(at / bands), band = at % bands;
    yield { column, band, start: table[2 * at]!, end: table[2 * at + 2]!, pairs: table[2 * at + 1]! };
  }
}

/** One step of a think. */
export function thinkStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  job: ThinkJob,
  step: number,
): void {
  const { leak, neurons, readRows } = layout;
  const { drive, sums } = areaParts(layout, job.area);
  const states = statesOf(layout, job, step), { before, inputs, after } = states;
  const row = 4 * (step - 1) * neurons;
  const scale = layout.scale + row, shift = layout.shift + row;
  const word = planWord(memory, layout, step);
  if (layout.short) return shortStep(kernels, memory, layout, job, step);
  if (word("tiled") !== 0) {
    tiledStep(kernels, memory, layout, states, step, drive);
  } else {
    kernels.fill(word("constant"), word("constantCount"), layout.constants + row, after);
    for (const [kind, x] of [["driven", drive], ["plain", 0]] as const) {
      const rows = word(kind), count = word(`${kind}Count`);
      const { pairs, rowStart, silence } = layout;
      kernels.step(rows, count, pairs, rowStart, scale, shift, leak, before, inputs, after, x, silence);
    }
  }
  const collect = word("collect");
  if (collect !== 0) kernels.collect(readRows, word("readCount"), after, sums, collect === 2);
}

/** A step that computes every row, or those of the bands from `first` up to `end`. */
export function tiledStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { before, inputs, after }: StepStates,
  step: number,
  drive: number,
  first = 0,
  end: number = layout.tiling.bands,
): void {
  const { neurons, leak, tiling: { columns, receivers } } = layout;
  const word = planWord(memory, layout, step), row = 4 * (step - 1) * neurons;
  const count = word("drivenCount"), driven = new Uint32Array(memory.buffer, word("driven"), count);
  let done = 0;
  for (const { column, band, start, end: tileEnd } of tilesOf(memory, layout)) {
    if (band < first || band >= end) continue;
    const from = band * receivers, to = Math.min(from + receivers, neurons);
    if (column === 0) {
      while (done < count && driven[done]! < from) done++;
      let next = done;
      while (next < count && driven[next]! < to) next++;
      kernels.begin(from, to, word("driven") + 4 * done, next - done, drive, inputs);
      done = next;
    }
    kernels.addTile(start, tileEnd, before, inputs);
    // While the band's lines are still in the cache.
    if (column === columns - 1) {
      kernels.move(from, to, layout.scale + row, layout.shift + row, leak, before, inputs, after);
    }
  }
}
