import { breather } from "../../../common/_breather.ts";
import { instantiate } from "./_instantiate.ts";
import { type Job, type Room, work } from "./_job.ts";
import type { ByteCalibrationLayout, ByteLayout } from "./_byte_layout.ts";
import type { CalibrationLayout } from "./_calibration_layout.ts";
import type { ThinkLayout } from "./_layout.ts";

/** What a worker is told to get a memory. */
export interface RoomSetup {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly think?: ThinkLayout | undefined;
  readonly calibration?: CalibrationLayout | undefined;
  readonly bytes?: ByteLayout | undefined;
  readonly byteCalibration?: ByteCalibrationLayout | undefined;
}

/** What goes to a worker. */
export type Request =
  | { readonly beat: Int32Array }
  | { readonly open: number; readonly setup: RoomSetup }
  | { readonly close: number }
  | { readonly room: number; readonly job: Job };

/** What comes back for a job. */
export type Reply = { readonly done: true } | { readonly error: string };

/** Somebody who does jobs, one at a time. */
export interface Hand {
  /** Gives it a memory, under a number. */
  open(room: number, setup: RoomSetup): void;
  /** Takes a memory away. */
  close(room: number): void;
  /** Does a job on a memory. It rejects when the job failed. */
  run(room: number, job: Job): Promise<void>;
  /** Whether it can do another job. */
  readonly alive: boolean;
  /** Ends it. */
  dispose(): void;
}

/** Does jobs on the calling thread, which gets its breath between steps. */
export class LocalHand implements Hand {
  readonly alive = true;
  readonly #rooms = new Map<number, Room>();

  open(room: number, { module, ...setup }: RoomSetup): void {
    this.#rooms.set(room, { ...setup, kernels: instantiate(module, setup.memory) });
  }

  close(room: number): void {
    this.#rooms.delete(room);
  }

  async run(room: number, job: Job): Promise<void> {
    const breathe = breather(undefined);
    for (const _ of work(this.#rooms.get(room)!, job)) await breathe();
  }

  dispose(): void {
    this.#rooms.clear();
  }
}

/** How often a busy worker is looked at, in milliseconds. */
const LOOK = 1000;
/**
 * After so many looks without a step or a chunk done, a worker is taken for dead: one that is killed from outside
 * leaves no word. Looks are counted, not seconds, so that a computer may sleep. The longest step of a brain of
 * MaleCNS's size takes a tenth of a second.
 */
const LOOKS = 30;

/** Does jobs on a thread of its own. */
export class WorkerHand implements Hand {
  readonly #worker: Worker;
  /** Counts the worker's steps and chunks. */
  readonly #beat = new Int32Array(new SharedArrayBuffer(4));
  #watch: ReturnType<typeof setInterval> | undefined;
  #waiting: PromiseWithResolvers<void> | null = null;
  #alive = true;

  constructor() {
    this.#worker = new Worker(new URL("./_worker.ts", import.meta.url), { type: "module", name: "brain" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#waiting;
      this.#waiting = null;
      clearInterval(this.#watch);
      if ("error" in data) waiting?.reject(new Error(`Cannot finish a think: ${data.error}`));
      else waiting?.resolve();
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(event.message);
    });
    this.#worker.addEventListener("messageerror", () => this.#fail("its answer cannot be read"));
    this.#post({ beat: this.#beat });
  }

  get alive(): boolean {
    return this.#alive;
  }

  #fail(reason: string): void {
    const waiting = this.#waiting;
    this.dispose();
    waiting?.reject(
      new Error(`Cannot finish a think: a worker died (${reason}), the next think gets a new one`),
    );
  }

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }

  open(room: number, setup: RoomSetup): void {
    this.#post({ open: room, setup });
  }

  close(room: number): void {
    this.#post({ close: room });
  }

  run(room: number, job: Job): Promise<void> {
    this.#waiting = Promise.withResolvers<void>();
    const { promise } = this.#waiting;
    this.#post({ room, job });
    let seen = Atomics.load(this.#beat, 0), silent = 0;
    this.#watch = setInterval(() => {
      const now = Atomics.load(this.#beat, 0);
      silent = now === seen ? silent + 1 : 0;
      seen = now;
      if (silent === LOOKS) this.#fail(`it did nothing for ${LOOKS * LOOK / 1000} seconds`);
    }, LOOK);
    return promise;
  }

  dispose(): void {
    this.#alive = false;
    clearInterval(this.#watch);
    this.#waiting = null;
    this.#worker.terminate();
  }
}
