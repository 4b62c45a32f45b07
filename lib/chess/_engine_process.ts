import { EngineClock } from "./_engine_clock.ts";

/** An engine could not be started, stopped answering, or answered something that is not the UCI protocol. */
export class EngineError extends Error {
  /** The name that `String(error)` starts with. */
  override readonly name = "EngineError";
}

/** What the running command waits for. */
interface Waiting {
  /** Takes a line; `true` when it was the last one. */
  readonly take: (line: string) => boolean;
  readonly done: PromiseWithResolvers<void>;
  readonly clock: EngineClock;
}

/** What counts as an answer. */
export interface Answer {
  /** Takes a line; `true` when it was the last one. */
  readonly take: (line: string) => boolean;
  /** Lines that show that the engine is busy with it; each starts the time limit anew. */
  readonly life: RegExp;
  /** Milliseconds that it may take on top of the time limit. */
  readonly extra?: number;
}

/** The process of an engine: lines in, lines out, and what to do when they stop coming. */
export class EngineProcess {
  readonly #path: string;
  readonly #timeout: number;
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #readers: Promise<unknown>;
  readonly #errorReader: Promise<void>;
  #waiting: Waiting | undefined;
  #failure: EngineError | undefined;
  #errors = "";

  /** Starts a program; `timeout` is in milliseconds without a sign of life. */
  constructor(path: string, args: readonly string[], timeout: number) {
    this.#path = path;
    this.#timeout = timeout;
    try {
      this.#process = new Deno.Command(path, {
        args: [...args],
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      const reason = error instanceof Deno.errors.NotFound
        ? "there is no such program"
        : error instanceof Error
        ? error.message
        : String(error);
      throw new EngineError(`Cannot start ${path}: ${reason}, a UCI engine such as Stockfish is wanted`);
    }
    this.#input = this.#process.stdin.getWriter();
    this.#errorReader = this.#readErrors();
    this.#readers = Promise.allSettled([this.#read(), this.#errorReader]);
  }

  /** Sends a line and takes lines until the answer is whole. */
  async command(line: string, { take, life, extra = 0 }: Answer): Promise<void> {
    if (this.#failure) throw this.#failure;
    const done = Promise.withResolvers<void>();
    done.promise.catch(() => {}); // it may be rejected while the line is still being sent
    const clock = new EngineClock(this.#timeout + extra, () => {
      const seconds = (this.#timeout + extra) / 1000;
      this.fail(`it has not answered '${line}' in ${seconds} seconds`);
    });
    this.#waiting = {
      take: (answer) => {
        if (life.test(answer)) clock.restart();
        return take(answer);
      },
      done,
      clock,
    };
    try {
      await this.send(line);
      await done.promise;
    } finally {
      clock.stop();
      this.#waiting = undefined;
    }
  }

  /** Sends a line that has no answer. */
  async send(line: string): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await this.#input.write(new TextEncoder().encode(line + "\n"));
    } catch {
      // The pipe is broken: the process has ended, and the reader will say how.
      await this.#readers;
      throw this.#failure ?? this.fail("it takes no more commands");
    }
  }

  /** Ends the process, asking first; `reason` is what later calls are told. Calling it again does nothing. */
  async close(reason: string): Promise<void> {
    this.#failure ??= new EngineError(reason);
    this.#abandon(this.#failure);
    // Set before it is asked: a program that does not listen may not even take the line.
    const late = setTimeout(() => this.#kill(), 500);
    try {
      await this.#input.write(new TextEncoder().encode("quit\n"));
      await this.#input.close();
    } catch { /* it is gone already */ }
    await this.#process.status;
    clearTimeout(late);
    await this.#readers;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#process.stdout.pipeThrough(new TextDecoderStream())) {
      rest += text;
      const lines = rest.split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (this.#waiting?.take(line.endsWith("\r") ? line.slice(0, -1) : line)) this.#waiting.done.resolve();
      }
      // No line of the protocol is a fraction of this long: a program that prints without end would fill the memory.
      if (rest.length > 1 << 20) this.fail("it prints a line without end");
    }
    const { code, signal } = await this.#process.status;
    await this.#errorReader;
    this.fail(`it has ended (${signal ? `by ${signal}` : `status ${code}`})`);
  }

  async #readErrors(): Promise<void> {
    for await (const text of this.#process.stderr.pipeThrough(new TextDecoderStream())) {
      this.#errors = (this.#errors + text).slice(-2000);
    }
  }

  /** Notes why the engine can no longer be used, once, and ends it; gives the error to throw. */
  fail(what: string): EngineError {
    if (this.#failure === undefined) {
      const said = this.#errors.trim();
      this.#failure = new EngineError(
        `Cannot go on with ${this.#path}: ${what}, answers of the UCI protocol are wanted` +
          (said === "" ? "" : `; its last words: ${said.split("\n").at(-1)!.slice(0, 300)}`),
      );
      this.#kill();
    }
    this.#abandon(this.#failure);
    return this.#failure;
  }

  #abandon(reason: EngineError): void {
    this.#waiting?.clock.stop();
    this.#waiting?.done.reject(reason);
  }

  #kill(): void {
    try {
      this.#process.kill("SIGKILL");
    } catch { /* it has ended already */ }
  }
}
