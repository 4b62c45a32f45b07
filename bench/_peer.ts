import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The peers: files `peers/peer_NAME.py`. */
export const PEERS = ["pytorch", "tensorflow", "scipy"] as const;

/** One of the libraries that the engine is compared with. */
export type PeerName = typeof PEERS[number];

/** What a peer measured. */
export interface PeerSpeed {
  /** Positions that went through. */
  readonly positions: number;
  /** Seconds by the clock. */
  readonly seconds: number;
  /** Seconds of processor time, all threads together. */
  readonly processorSeconds: number;
}

/** What to measure. */
export interface PeerRequest {
  /** The frozen brain's twelve steps, or a training step. */
  readonly do: "forward" | "train";
  /** Positions at once. */
  readonly batch: number;
  /** It goes on until so many seconds have passed. */
  readonly seconds: number;
  /** Where the first answers go, as raw float32; only with the first request for this batch. */
  readonly answers?: string;
}

/** Libraries that a variable of the environment turns away from the best code for this processor. */
const MISLEADING = [
  "OPENBLAS_CORETYPE",
  "OPENBLAS_L2_SIZE",
  "NVPL_BLAS_DEBUG_CPU_TYPE",
  "MKL_DEBUG_CPU_TYPE",
];

/** A Python process with one library and one brain in it. It sleeps between requests. */
export class Peer implements AsyncDisposable {
  /** Which library. */
  readonly name: PeerName;
  readonly #child: ReturnType<typeof spawn>;
  readonly #lines: AsyncIterator<string>;
  #versions: Readonly<Record<string, string>> = {};

  private constructor(name: PeerName, python: string, folder: string, threads: number) {
    const script = fileURLToPath(new URL(`peers/peer_${name}.py`, import.meta.url));
    const env = {
      ...Deno.env.toObject(),
      OMP_NUM_THREADS: String(threads),
      MKL_NUM_THREADS: String(threads),
    };
    for (const variable of MISLEADING) Reflect.deleteProperty(env, variable);
    this.name = name;
    this.#child = spawn(python, [script, folder, String(threads)], {
      stdio: ["pipe", "pipe", "inherit"],
      env,
    });
    this.#lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
  }

  /**
   * Starts a peer.
   *
   * @param name Which.
   * @param python The Python that has the packages of `requirements.txt`.
   * @param folder Where `connectome.arrow` and the rest are.
   * @param threads How many threads it may use.
   * @throws {Error} If it does not start.
   */
  static async start(name: PeerName, python: string, folder: string, threads: number): Promise<Peer> {
    const peer = new Peer(name, python, folder, threads);
    const { versions } = await peer.#answer() as { versions: Record<string, string> };
    peer.#versions = versions;
    return peer;
  }

  /** The library's version and those of what it stands on. */
  get versions(): Readonly<Record<string, string>> {
    return this.#versions;
  }

  /** Measures once. The first request for a batch prepares it before the clock starts. */
  async measure(request: PeerRequest): Promise<PeerSpeed> {
    this.#child.stdin!.write(JSON.stringify(request) + "\n");
    return await this.#answer() as PeerSpeed;
  }

  async #answer(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`Cannot measure ${this.name}: its process ended, an answer is wanted`);
    return JSON.parse(value);
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.stdin!.end();
    await gone;
  }
}
