import type { Kernels } from "./_instantiate.ts";
import { areaParts, backParts, gradientParts, LINE_BYTES, type ThinkLayout } from "./_layout.ts";
import { planWord, statesOf, tilesOf } from "./_think_step.ts";

/** Walks the error in an area's `sums` back through the last steps of the think that it kept. */
export interface BackJob {
  readonly kind: "back";
  /** Which worker's area. */
  readonly area: number;
  /** Last step of the think. */
  readonly last: number;
  /** Steps to walk. */
  readonly window: number;
  /** Which gradient to add to. */
  readonly gradient: number;
  /** Whether that gradient starts here, at 0. */
  readonly fresh: boolean;
}

/** Adds up the gradients of some connections. */
export interface SumJob {
  readonly kind: "sum";
  /** The first connection, by row. */
  readonly from: number;
  /** How many. */
  readonly count: number;
  /** How many gradients there are. */
  readonly gradients: number;
}

/** Adds up what the walks back have found for some connections. */
export function sumStep(kernels: Kernels, layout: ThinkLayout, { from, count, gradients }: SumJob): void {
  const { slot, gradientBytes, total } = layout, first = gradientParts(layout, 0).weight;
  kernels.sumGradients(count, slot + 4 * from, first, gradients, gradientBytes, total + 4 * from);
}

/** Puts the error where the way back starts: dL / dr after the last step, 0 for rows that are not read. */
export function startBack(memory: WebAssembly.Memory, layout: ThinkLayout, job: BackJob): void {
  const { neurons, readRows } = layout;
  const bytes = new Uint8Array(memory.buffer);
  const { error } = backParts(layout, job.area), { sums } = areaParts(layout, job.area);
  const count = planWord(memory, layout, job.last)("readCount");
  const rows = new Uint32Array(memory.buffer, readRows, count);
  bytes.fill(0, error, error + neurons * LINE_BYTES);
  for (let k = 0; k < count; k++) {
    bytes.copyWithin(error + rows[k]! * LINE_BYTES, sums + k * LINE_BYTES, sums + (k + 1) * LINE_BYTES);
  }
  if (!job.fresh) return;
  const { weight } = gradientParts(layout, job.gradient);
  bytes.fill(0, weight, weight + layout.gradientBytes);
}

/** A step before the last one that is read too gets its share: the error that the way back started with. */
function addShare(memory: WebAssembly.Memory, layout: ThinkLayout, job: BackJob, count: number): void {
  const rows = new Uint32Array(memory.buffer, layout.readRows, count), width = LINE_BYTES / 4;
  const error = new Float32Array(memory.buffer, backParts(layout, job.area).error, layout.neurons * width);
  const share = new Float32Array(memory.buffer, areaParts(layout, job.area).sums, count * width);
  for (let k = 0; k < count; k++) {
    const at = rows[k]! * width;
    for (let lane = 0; lane < width; lane++) error[at + lane]! += share[k * width + lane]!;
  }
}

/** One step back: to the inputs of a step, and from there to the rates before it. */
export function backStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  job: BackJob,
  step: number,
): void {
  const { neurons, leak, pairs, rowStart, slot } = layout;
  const { error } = backParts(layout, job.area), gradient = gradientParts(layout, job.gradient);
  const { before, inputs } = statesOf(layout, job, step);
  // Blame for the rates before is needed only if the walk goes on.
  const carried = step > job.last - job.window + 1 ? error : 0;
  const at = 4 * (step - 1) * neurons;
  const word = planWord(memory, layout, step);
  if (step < job.last && word("collect") !== 0) addShare(memory, layout, job, word("readCount"));
  const turn = (rows: number, count: number) =>
    kernels.turn(
      rows,
      count,
      layout.scale + at,
      layout.shift + at,
      layout.mean + at,
      layout.narrow + at,
      leak,
      error,
      inputs,
      gradient.gain,
      gradient.bias,
    );
  if (word("tiled") !== 0) {
    turn(0, neurons);
    for (const tile of tilesOf(memory, layout)) {
      kernels.blameTile(tile.start, tile.end, before, inputs, carried, gradient.weight + 4 * tile.pairs);
    }
    return;
  }
  // All errors turn before any is handed on, because a row may be another's sender.
  for (const kind of ["driven", "plain"] as const) turn(word(kind), word(`${kind}Count`));
  if (before === 0) return;
  for (const kind of ["driven", "plain"] as const) {
    const rows = word(kind), count = word(`${kind}Count`);
    kernels.blameRows(rows, count, pairs, rowStart, slot, before, inputs, carried, gradient.weight);
  }
}
