import type { HeadsLayout } from "./_layout.ts";
import type { HeadsJob } from "./_work.ts";
import { type Mixture, mixtureRows, type Scaling } from "./mixture.ts";

/** Numbers that there is one of for every weight. */
export type WeightPart = "weights" | "momentum" | "variance";

/** What does a trainer's arithmetic. */
export interface HeadsMachine extends Disposable {
  /** How it adds up: the last bits of a fit depend on it. */
  readonly arithmetic: string;
  /**
   * Goes through positions, and learns from them where it is asked to. An aborted signal stops it after the batch that it is
   * at.
   *
   * @param report Told now and then how many positions are done.
   */
  run(job: HeadsJob, signal: AbortSignal | undefined, report: (done: number) => void): Promise<void>;
  /** Copies numbers out, `[columns * combinations + 1][134]`, the bias last. */
  take(part: WeightPart): Float32Array;
  /**
   * Puts them in.
   *
   * @throws {RangeError} If there are more or fewer of them.
   */
  put(part: WeightPart, from: Float32Array): void;
}

/** What features are made with, and what their weights are held back by. */
export interface MachineSettings extends Mixture {
  readonly scaling: Scaling;
  readonly decay: number;
  readonly contrastDecay: number;
}

/** A memory for the kernels, with the settings in their places and the weights 0. */
export function furnish(layout: HeadsLayout, settings: MachineSettings): WebAssembly.Memory {
  const { columns, combinations, kept, scaling, decay, contrastDecay } = settings;
  const pages = Math.ceil(layout.bytes / 65536), numbers = columns * combinations;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536, shared: true });
  const floats = (at: number, length: number) => new Float32Array(memory.buffer, at, length);
  floats(layout.scale, numbers).set(scaling.scale);
  floats(layout.shift, numbers + 1).set([...scaling.shift, 1]);
  floats(layout.mixture, combinations * kept).set(mixtureRows(settings).map((each) => each / 255));
  floats(layout.decay, columns).fill(decay);
  floats(layout.decay + 4 * columns, numbers - columns).fill(contrastDecay);
  return memory;
}
