import type { BrainModel } from "../../engine.ts";
import type { Gpu } from "./_gpu.ts";
import { type Lines, makeLines, type Parts, writeNumbers } from "./_parts.ts";
import { cutTiles, type Rows, type Tile } from "./_tiles.ts";
import type { SparseLines } from "./_sparse.ts";

/** A tile in GPU memory. */
interface ResidentTile extends Omit<Tile, "sender" | "row" | "segments"> {
  /** How many segments. */
  readonly count: number;
  /** Its arrays. */
  readonly buffers: { readonly segments: GPUBuffer; readonly sender: GPUBuffer; readonly weight: GPUBuffer };
  /** The rows of its connections. */
  readonly row: Uint32Array<ArrayBuffer>;
}

/** Wiring in GPU memory: walks from a state of its senders to a state of its rows. */
export class ResidentWiring {
  /** Its tiles. */
  readonly tiles: readonly ResidentTile[];
  readonly #gpu: Gpu;

  constructor(gpu: Gpu, rows: Rows, parts: Parts) {
    this.#gpu = gpu;
    this.tiles = cutTiles(rows, parts.size, gpu.largestBuffer).map(({ segments, sender, ...tile }) => ({
      ...tile,
      count: segments.length / 3,
      buffers: {
        segments: gpu.upload(segments),
        sender: gpu.upload(sender),
        weight: gpu.buffer(4 * sender.length),
      },
    }));
  }

  /** Takes new weights, in the model's order. */
  write(weight: ArrayLike<number>): void {
    for (const { order, buffers } of this.tiles) {
      const own = new Float32Array(order.length);
      for (let k = 0; k < own.length; k++) own[k] = weight[order[k]!]!;
      this.#gpu.write(buffers.weight, own);
    }
  }

  /** into += W source. `kind` says what the source holds: rates, or blame. */
  addTo(pass: GPUComputePassEncoder, kind: "gather" | "gatherBlame", source: Lines, into: Lines): void {
    for (const { buffers, light, count, ...tile } of this.tiles) {
      const arrays = [buffers.segments, buffers.sender, buffers.weight, source[tile.from]!, into[tile.into]!];
      this.#gpu.dispatch(pass, kind, { params: { count: light }, buffers: arrays });
      this.#gpu.dispatch(pass, `${kind}Heavy`, {
        params: { count: count - light, offset: light },
        buffers: arrays,
      });
    }
  }
}

/** What turns a neuron's input into its activation. */
export interface Numbers {
  /** `[neurons]` */
  readonly gain: Lines;
  /** `[neurons]` */
  readonly bias: Lines;
  /** `[steps][neurons]` */
  readonly mean: Lines;
  /** `[steps][neurons]` */
  readonly spread: Lines;
}

/** Room for a brain's numbers. */
export function makeNumbers(gpu: Gpu, parts: Parts, steps: number): Numbers {
  return {
    gain: makeLines(gpu, parts, 4),
    bias: makeLines(gpu, parts, 4),
    mean: makeLines(gpu, parts, 4 * steps),
    spread: makeLines(gpu, parts, 4 * steps),
  };
}

/** Writes a model's numbers; without homeostasis mu is 0 and sigma is 1. */
export function writeModelNumbers(gpu: Gpu, parts: Parts, numbers: Numbers, model: BrainModel): void {
  const size = model.steps * model.neurons;
  writeNumbers(gpu, parts, numbers.gain, model.gain);
  writeNumbers(gpu, parts, numbers.bias, model.bias);
  writeNumbers(gpu, parts, numbers.mean, model.mean ?? new Float32Array(size));
  writeNumbers(gpu, parts, numbers.spread, model.spread ?? new Float32Array(size).fill(1));
}

/** What the commands of a step need. */
export interface Stage {
  readonly gpu: Gpu;
  readonly parts: Parts;
  readonly wiring: ResidentWiring;
  readonly leak: number;
}

/** u = W r + x of one line; at step 1 all rates are 0. */
export function recordInputs(
  { wiring }: Stage,
  encoder: GPUCommandEncoder,
  { step, drive, rates, input }: { step: number; drive: SparseLines; rates: Lines; input: Lines },
): void {
  for (const buffer of input) encoder.clearBuffer(buffer);
  const pass = encoder.beginComputePass();
  drive.addTo(pass, input);
  if (step > 1) wiring.addTo(pass, "gather", rates, input);
  pass.end();
}

/** r moves towards max(0, tanh z), in place. */
export function recordRates(
  { gpu, parts, leak }: Stage,
  pass: GPUComputePassEncoder,
  { step, numbers, rates, input }: { step: number; numbers: Numbers; rates: Lines; input: Lines },
): void {
  for (const [part, count] of rowCounts(parts).entries()) {
    gpu.dispatch(pass, "settle", {
      params: { count, offset: (step - 1) * count, leak },
      buffers: [...numbersOf(numbers, part), input[part]!, rates[part]!],
    });
  }
}

/** Neurons of every part. */
export function rowCounts({ neurons, size, count }: Parts): number[] {
  return Array.from({ length: count }, (_, part) => Math.min(size, neurons - part * size));
}

/** The arrays of a part, in the order that kernels take them. */
export function numbersOf({ gain, bias, mean, spread }: Numbers, part: number): GPUBuffer[] {
  return [gain[part]!, bias[part]!, mean[part]!, spread[part]!];
}
