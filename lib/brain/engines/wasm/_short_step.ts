import type { Kernels } from "./_instantiate.ts";
import { areaParts, type ThinkLayout } from "./_layout.ts";
import { planWord, statesOf, type ThinkJob, tilesOf } from "./_think_step.ts";

/** One step of a think of 32 positions with 16-bit numbers. */
export function shortStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  job: ThinkJob,
  step: number,
): void {
  const { leak, neurons, readRows, units } = layout, { drive, sums } = areaParts(layout, job.area);
  const { before, after } = statesOf(layout, job, step), at = 4 * (step - 1) * neurons;
  const scale = layout.scale + at, shift = layout.shift + at;
  const word = planWord(memory, layout, step);
  if (word("tiled") !== 0) {
    tiledStep(kernels, memory, layout, job, step);
  } else {
    kernels.fill(word("constant"), word("constantCount"), layout.constants + at, after);
    for (const [kind, x] of [["driven", drive], ["plain", 0]] as const) {
      const rows = word(kind), count = word(`${kind}Count`);
      const { pairs, rowStart, silence } = layout;
      kernels.stepShort(rows, count, pairs, rowStart, units, scale, shift, leak, before, after, x, silence);
    }
  }
  const collect = word("collect");
  if (collect !== 0) kernels.collectShort(readRows, word("readCount"), after, sums, collect === 2);
}

function tiledStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  job: ThinkJob,
  step: number,
): void {
  const { neurons, leak, units, tiling: { columns, receivers } } = layout;
  const { before, after } = statesOf(layout, job, step), at = 4 * (step - 1) * neurons;
  const scale = layout.scale + at, shift = layout.shift + at, { drive } = areaParts(layout, job.area);
  const word = planWord(memory, layout, step), count = word("drivenCount");
  const driven = new Uint32Array(memory.buffer, word("driven"), count);
  let done = 0;
  for (const { column, band, start, end } of tilesOf(memory, layout)) {
    const from = band * receivers, to = Math.min(from + receivers, neurons);
    if (column === 0) kernels.begin(from, to, 0, 0, 0, after);
    kernels.addShortTile(start, end, before, after);
    if (column !== columns - 1) continue;
    let next = done;
    while (next < count && driven[next]! < to) next++;
    const list = word("driven") + 4 * done;
    kernels.moveShort(from, to, units, scale, shift, leak, before, after, list, next - done, drive);
    done = next;
  }
}

/** One step of a think that sees nothing, with 16-bit numbers, in the first area. */
export function darkShortStep(kernels: Kernels, layout: ThinkLayout, step: number): void {
  const { neurons, pairs, rowStart, units, leak, silence } = layout, at = 4 * (step - 1) * neurons;
  const { before, after } = statesOf(layout, { area: 0, last: step }, step);
  const scale = layout.scale + at, shift = layout.shift + at;
  kernels.stepShort(0, neurons, pairs, rowStart, units, scale, shift, leak, before, after, 0, silence);
  kernels.keepFirstShort(neurons, after, layout.constants + at);
}
