import { type Hand, LocalHand, type RoomSetup, WorkerHand } from "./_hands.ts";
import type { Job } from "./_job.ts";
import { CONTROL } from "./_layout.ts";

/** Workers that had nothing to do for so long go home, in milliseconds: a forgotten brain does not hold a program open. */
const IDLE = 2000;

/** The hands that work on one brain: as many workers as asked for, made when first needed, or the calling thread. */
export class Crew {
  readonly size: number;
  readonly #make: () => Hand;
  readonly #hands: (Hand | undefined)[];
  readonly #rooms = new Map<number, RoomSetup>();
  #nextRoom = 0;
  #last: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(workers: number) {
    this.size = Math.max(1, workers);
    this.#make = workers === 0 ? () => new LocalHand() : () => new WorkerHand();
    this.#hands = new Array<Hand | undefined>(this.size).fill(undefined);
  }

  /** Gives every hand a memory and returns the number it goes by. */
  open(setup: RoomSetup): number {
    const room = this.#nextRoom++;
    this.#rooms.set(room, setup);
    for (const hand of this.#hands) if (hand?.alive) hand.open(room, setup);
    return room;
  }

  /** Takes a memory away from every hand. */
  close(room: number): void {
    this.#rooms.delete(room);
    for (const hand of this.#hands) if (hand?.alive) hand.close(room);
  }

  #hand(index: number): Hand {
    const hand = this.#hands[index];
    if (hand?.alive) return hand;
    const fresh = this.#make();
    for (const [room, setup] of this.#rooms) fresh.open(room, setup);
    this.#hands[index] = fresh;
    return fresh;
  }

  /** Runs one thing after the other: thinks asked for at the same time wait for their turn. */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#turns++;
    const turn = this.#last.then(act).finally(() => {
      this.#turns--;
      if (this.#turns === 0 && this.#hands.some((hand) => hand instanceof WorkerHand)) {
        this.#idle = setTimeout(() => this.#sendHome(), IDLE);
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /**
   * Deals tasks out to the hands: each takes the next one when it is free. At the first failure, or when the signal
   * is aborted, all stop between two steps; it rejects once they have.
   *
   * @param room The memory whose control block stops them.
   * @param hands At most so many hands take part.
   * @param act Does a task with `run`, which gives a job to the hand of that area.
   */
  async deal(
    room: number,
    tasks: number,
    signal: AbortSignal | undefined,
    act: (task: number, area: number, run: (job: Job) => Promise<void>) => Promise<void>,
    hands: number = tasks,
  ): Promise<void> {
    signal?.throwIfAborted();
    const control = new Int32Array(this.#rooms.get(room)!.memory.buffer, 0, 2);
    Atomics.store(control, CONTROL.stop, 0);
    const stop = () => void Atomics.store(control, CONTROL.stop, 1);
    let next = 0;
    const results = this.#hands.slice(0, Math.min(tasks, hands)).map(async (_, area) => {
      const run = async (job: Job) => {
        await this.#hand(area).run(room, job);
        signal?.throwIfAborted();
      };
      try {
        while (next < tasks && Atomics.load(control, CONTROL.stop) === 0) await act(next++, area, run);
      } catch (error) {
        stop();
        throw error;
      }
    });
    signal?.addEventListener("abort", stop);
    try {
      const failed = (await Promise.allSettled(results)).find(({ status }) => status === "rejected");
      signal?.throwIfAborted();
      if (failed?.status === "rejected") throw failed.reason;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  #sendHome(): void {
    for (const hand of this.#hands) hand?.dispose();
    this.#hands.fill(undefined);
  }

  /** Ends all hands. */
  dispose(): void {
    clearTimeout(this.#idle);
    this.#sendHome();
    this.#rooms.clear();
  }
}
