import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import type { Part } from "./_backward.ts";
import type { Crew } from "./_crew.ts";
import type { Job } from "./_job.ts";
import { areaParts, LINE_POSITIONS, NARROW_POSITIONS, SHORT_POSITIONS, type ThinkLayout } from "./_layout.ts";
import { light, type Lit } from "./_light.ts";
import { canSplit } from "./_narrow_step.ts";
import { readFew } from "./_read_few.ts";
import type { Reading } from "./_readings.ts";

/** Where a crew takes positions through a brain's steps: deals them out, with their drive in memory while they are thought about. */
export class ThinkRoom {
  /** What the crew calls it. */
  readonly number: number;
  /** Positions in a line. */
  readonly lanes: number;
  /** The memory and how it is laid out. */
  readonly lit: Lit;
  readonly #crew: Crew;
  readonly #layout: ThinkLayout;
  /** Steps whose constant rates are in memory. */
  #constantsKnown = 0;

  /** Opens the room for the crew; its memory holds the brain by now. */
  constructor(
    crew: Crew,
    { module, ...lit }: Lit & { readonly module: WebAssembly.Module; readonly layout: ThinkLayout },
  ) {
    this.#crew = crew;
    this.#layout = lit.layout;
    this.lit = lit;
    this.lanes = lit.layout.short ? SHORT_POSITIONS : LINE_POSITIONS;
    this.number = crew.open({ module, memory: lit.memory, think: lit.layout });
  }

  /** To be called when the brain's strengths have changed. */
  forgetConstants(): void {
    this.#constantsKnown = 0;
  }

  /** The rates of all neurons in an area after a step, line by line. */
  state(area: number, step: number): Int16Array | Float32Array {
    const { odd, even } = areaParts(this.#layout, area), at = step % 2 === 1 ? odd : even;
    const length = this.#layout.neurons * this.lanes, { buffer } = this.lit.memory;
    return this.#layout.short ? new Int16Array(buffer, at, length) : new Float32Array(buffer, at, length);
  }

  /** Whether workers share each step's rows: where a line of positions for each would leave some without work. */
  splits(positions: number): boolean {
    if (this.#layout.short) return false;
    if (positions <= NARROW_POSITIONS) return true;
    return Math.ceil(positions / LINE_POSITIONS) < this.#crew.size && canSplit(this.#layout);
  }

  /** Reads a line of positions after the other, all workers at it. */
  async readSplit(
    drive: Drive,
    reading: Reading,
    { signal, onProgress }: LongWork,
  ): Promise<Float32Array> {
    const { positions } = drive, { plan, slots } = reading;
    const wide = positions === 1 ? 1 : positions <= NARROW_POSITIONS ? NARROW_POSITIONS : LINE_POSITIONS;
    await this.prepare(wide === LINE_POSITIONS ? plan.constantsUntil : plan.narrowConstantsUntil, signal);
    const result = new Float32Array(positions * slots.length);
    const held = { crew: this.#crew, room: this.number, memory: this.lit.memory, layout: this.#layout };
    for (let first = 0; first < positions; first += wide) {
      const count = Math.min(wide, positions - first);
      const rates = await this.withDrive(
        drive,
        { first, count, area: 0, wide },
        () => readFew(held, reading, count, wide, signal),
      );
      result.set(rates, first * slots.length);
      onProgress?.({ task: "thinking", done: first + count, total: positions, unit: "positions" });
    }
    return result;
  }

  /** Deals out the positions, a line at a time, with their drive in the hand's area while `act` runs. */
  async batches(
    drive: Drive,
    { signal, onProgress }: LongWork,
    act: (first: number, count: number, area: number, run: (job: Job) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { positions } = drive;
    let done = 0;
    await this.#crew.deal(
      this.number,
      Math.ceil(positions / this.lanes),
      signal,
      async (batch, area, run) => {
        const first = batch * this.lanes, count = Math.min(this.lanes, positions - first);
        await this.withDrive(drive, { first, count, area }, () => act(first, count, area, run));
        done += count;
        onProgress?.({ task: "thinking", done, total: positions, unit: "positions" });
      },
    );
  }

  /** Keeps the drive of a batch in an area while `act` runs. */
  async withDrive<T>(
    drive: Drive,
    part: Part & { readonly wide?: number },
    act: () => Promise<T>,
  ): Promise<T> {
    const lines = { ...part, wide: part.wide ?? this.lanes };
    light(this.lit, drive, lines, true);
    try {
      return await act();
    } finally {
      light(this.lit, drive, lines, false);
    }
  }

  /** Measures the constant rates of the first steps, if they are not known. */
  async prepare(until: number, signal: AbortSignal | undefined): Promise<void> {
    if (until <= this.#constantsKnown) return;
    await this.#crew.deal(this.number, 1, signal, (_task, _area, run) => run({ kind: "dark", last: until }));
    this.#constantsKnown = until;
  }
}
