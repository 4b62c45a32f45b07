/** Milliseconds between two looks at the clock. */
const TICK = 100;

/**
 * A time limit that only counts time in which this program was running. Every tick adds what has passed since
 * the last one, but never more than two ticks' worth: a computer that slept for an hour comes back with its
 * engine's time limit almost untouched.
 */
export class EngineClock {
  #left: number;
  readonly #limit: number;
  #last = performance.now();
  readonly #timer: ReturnType<typeof setInterval>;

  /**
   * Starts counting.
   *
   * @param limit Milliseconds until `onLate` is called, once.
   */
  constructor(limit: number, onLate: () => void) {
    this.#limit = limit;
    this.#left = limit;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#left -= Math.min(now - this.#last, 2 * TICK);
      this.#last = now;
      if (this.#left > 0) return;
      this.stop();
      onLate();
    }, Math.min(TICK, limit));
  }

  /** Starts the whole limit anew: a sign of life was seen. */
  restart(): void {
    this.#left = this.#limit;
  }

  /** Stops counting. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
