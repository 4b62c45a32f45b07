/** What one turn came to. */
export interface Turn {
  /** Positions that went through. */
  readonly positions: number;
  /** Seconds by the clock. */
  readonly seconds: number;
  /** Seconds of processor time, all threads together. */
  readonly processorSeconds: number;
}

/** What a contestant did, over all its turns: medians. */
export interface Result {
  /** Positions at once. */
  readonly batch: number;
  /** Positions a second by the clock: what decides. */
  readonly positionsPerSecond: number;
  /** Positions a second of processor time: steadier where other programs run at the same time. */
  readonly positionsPerProcessorSecond: number;
}

/** Somebody who can be asked for a turn. */
export interface Contestant {
  /** Positions at once. */
  readonly batch: number;
  /** Takes a turn. */
  turn(): Promise<Turn>;
}

/** Threads of a peer that wait for work by spinning have stopped after this, in milliseconds. */
const PAUSE = 300;

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Lets everybody take a turn, one after the other, and again, so that a slow minute of the machine hits all. */
export async function alternate<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  rounds: number,
): Promise<Record<Name, Result>> {
  const entries = Object.entries<Contestant>(contestants);
  const turns = new Map<string, Turn[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of entries) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      turns.get(name)!.push(await contestant.turn());
    }
  }
  return Object.fromEntries(
    entries.map(([name, { batch }]) => [name, {
      batch,
      positionsPerSecond: median(turns.get(name)!.map(({ positions, seconds }) => positions / seconds)),
      positionsPerProcessorSecond: median(
        turns.get(name)!.map(({ positions, processorSeconds }) => positions / processorSeconds),
      ),
    }]),
  ) as Record<Name, Result>;
}
