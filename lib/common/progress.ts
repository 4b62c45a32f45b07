/** How far a long piece of work has come. */
export interface Progress {
  /** What is being done, in a few words a newcomer understands ("calibrating", "reading weights"). */
  readonly task: string;
  /** Units finished, from 0 to `total`. */
  readonly done: number;
  /** Units in all, or `undefined` where that is not known yet. */
  readonly total?: number;
  /** What a unit is ("positions", "bytes", "connections"). */
  readonly unit: string;
}

/** The options that every long piece of work takes. */
export interface LongWork {
  /** Stops the work: it rejects with the signal's reason and leaves no half-written file behind. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time, and once at the end with `done` equal to `total`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}
