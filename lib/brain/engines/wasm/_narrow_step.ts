import type { Kernels } from "./_instantiate.ts";
import { areaParts, CONTROL, LINE_POSITIONS, STEP, type ThinkLayout } from "./_layout.ts";
import { darkShortStep } from "./_short_step.ts";
import { planWord, tiledStep } from "./_think_step.ts";

/** Rows that a worker takes at once: about a millisecond of work. */
const CHUNK_ROWS = 8192;
/**
 * Bands of tiles that a worker takes at once: some milliseconds of work. Every chunk fetches the senders' lines anew,
 * which costs less than a tenth of that.
 */
const CHUNK_BANDS = 10;

/** Whether a step's tiles are enough to be dealt out. */
export function canSplit({ tiling: { bands } }: ThinkLayout): boolean {
  return bands > CHUNK_BANDS;
}

/** A step of up to 16 positions in the first area, its rows dealt out to all workers. */
export interface NarrowJob {
  readonly kind: "narrow";
  /** The step, from 1. */
  readonly step: number;
  /** Positions in a line: 1, 4 or 16. */
  readonly width: number;
}

/** The first steps, up to `last`, of a position that sees nothing, to the constant rates. */
export interface DarkJob {
  readonly kind: "dark";
  /** Last step. */
  readonly last: number;
}

/** The states around a step in the first area. */
export function narrowStates(layout: ThinkLayout, step: number): { before: number; after: number } {
  const { odd, even } = areaParts(layout, 0);
  if (step === 1) return { before: 0, after: odd };
  return step % 2 === 1 ? { before: even, after: odd } : { before: odd, after: even };
}

/** Takes chunks of a step's rows until there are none. */
export function narrowStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { step, width }: NarrowJob,
): void {
  const control = new Int32Array(memory.buffer, 0, 2);
  const { pairs, rowStart, leak, neurons } = layout, { drive } = areaParts(layout, 0);
  const { before, after } = narrowStates(layout, step);
  const at = 4 * (step - 1) * neurons, word = planWord(memory, layout, step);
  const wide = width === LINE_POSITIONS;
  if (wide && word("tiled") !== 0) {
    const { bands } = layout.tiling, states = { before, inputs: after, after };
    while (Atomics.load(control, CONTROL.stop) === 0) {
      const first = CHUNK_BANDS * Atomics.add(control, CONTROL.nextChunk, 1);
      if (first >= bands) return;
      tiledStep(kernels, memory, layout, states, step, drive, first, Math.min(first + CHUNK_BANDS, bands));
    }
    return;
  }
  const kinds = (["driven", "plain", "constant"] as const).map((kind) => ({
    kind,
    rows: word(kind),
    count: word(`${kind}Count` as keyof typeof STEP),
  }));
  while (Atomics.load(control, CONTROL.stop) === 0) {
    let chunk = Atomics.add(control, CONTROL.nextChunk, 1);
    const list = kinds.find(({ count }) => {
      const chunks = Math.ceil(count / CHUNK_ROWS);
      if (chunk < chunks) return true;
      chunk -= chunks;
      return false;
    });
    if (list === undefined) return;
    const rows = list.rows + 4 * chunk * CHUNK_ROWS;
    const count = Math.min(CHUNK_ROWS, list.count - chunk * CHUNK_ROWS);
    if (list.kind === "constant") {
      const fill = wide ? kernels.fill : width === 1 ? kernels.fillOne : kernels.fillNarrow;
      fill(rows, count, layout.constants + at, after);
    } else {
      const scale = layout.scale + at, shift = layout.shift + at, x = list.kind === "driven" ? drive : 0;
      if (wide) {
        const { silence } = layout;
        kernels.step(rows, count, pairs, rowStart, scale, shift, leak, before, after, after, x, silence);
      } else {
        const step = width === 1 ? kernels.stepOne : kernels.stepNarrow;
        step(rows, count, pairs, rowStart, scale, shift, leak, before, after, x);
      }
    }
  }
}

/** One step of a think that sees nothing: the rates of neurons that no board has reached. */
export function darkStep(kernels: Kernels, layout: ThinkLayout, step: number): void {
  if (layout.short) return darkShortStep(kernels, layout, step);
  const { neurons, pairs, rowStart, leak, constants } = layout, bytes = 4 * neurons;
  const at = (step - 1) * bytes, before = step === 1 ? 0 : constants + at - bytes;
  const scale = layout.scale + at, shift = layout.shift + at;
  kernels.stepOne(0, neurons, pairs, rowStart, scale, shift, leak, before, constants + at, 0);
}
