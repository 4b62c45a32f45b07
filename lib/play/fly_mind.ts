import { BOARD_BYTES } from "../data/positions.ts";
import { drive } from "../eye/mod.ts";
import { applyReadout, denseFeatures, READOUT_COLUMNS } from "../readout/mod.ts";
import type { ReadoutFly } from "./favourites.ts";

/** Boards that wait for the brain. */
interface Waiting {
  readonly boards: readonly Uint8Array[];
  readonly done: PromiseWithResolvers<Float32Array[]>;
}

/**
 * A fly that is asked about many boards: whatever waits at the same moment goes through its brain together, which
 * takes far less time than one board after the other.
 */
export class FlyMind {
  readonly #fly: ReadoutFly;
  #waiting: Waiting[] = [];
  #running = false;
  #reads = 0;

  /**
   * Makes a queue for a fly.
   *
   * @param fly Who is asked.
   */
  constructor(fly: ReadoutFly) {
    this.#fly = fly;
  }

  /** How often the brain was read so far. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * The readout's scores of some boards.
   *
   * @param boards Each `[96]`, of `boardBits`.
   * @returns For each, `[134]`: from 0-63, to 64-127, promotion 128-132, value before tanh 133.
   */
  scores(boards: readonly Uint8Array[]): Promise<Float32Array[]> {
    const done = Promise.withResolvers<Float32Array[]>();
    this.#waiting.push({ boards, done });
    if (!this.#running) this.#run();
    return done.promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (true) {
      // A turn of the event loop, so that whoever is about to ask goes with this batch.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const asked = this.#waiting;
      this.#waiting = [];
      if (asked.length === 0) break;
      try {
        const scores = await this.#read(asked.flatMap(({ boards }) => boards));
        let at = 0;
        for (const { boards, done } of asked) done.resolve(scores.slice(at, at += boards.length));
      } catch (error) {
        for (const { done } of asked) done.reject(error);
      }
    }
    this.#running = false;
  }

  async #read(boards: readonly Uint8Array[]): Promise<Float32Array[]> {
    if (boards.length === 0) return [];
    const { eye, brain, readout, steps, apart = false } = this.#fly;
    const bits = new Uint8Array(boards.length * BOARD_BYTES);
    boards.forEach((board, i) => bits.set(board, i * BOARD_BYTES));
    const seen = drive(eye, bits);
    const readings = apart && steps ? steps.map((step) => [step]) : [steps];
    const neurons = brain.connectome.output.length;
    const columns = neurons * readings.length;
    const features = new Float32Array(boards.length * columns);
    for (const [k, reading] of readings.entries()) {
      const rates = await brain.read(seen, reading ? { steps: reading } : {});
      for (let i = 0; i < boards.length; i++) {
        features.set(rates.subarray(i * neurons, (i + 1) * neurons), i * columns + k * neurons);
      }
    }
    this.#reads++;
    const rows = Int32Array.from(boards, (_, i) => i);
    const scores = applyReadout(readout, denseFeatures(features, columns), rows);
    return boards.map((_, i) => scores.subarray(i * READOUT_COLUMNS, (i + 1) * READOUT_COLUMNS));
  }
}
