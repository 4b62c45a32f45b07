import { join } from "node:path";
import type { EngineLine, UciEngine } from "../chess/mod.ts";
import { DataError, digest, writeFileAtomic } from "../common/mod.ts";

/** Positions that are labelled between two writes to the disk: what a kill may cost. */
const CHUNK = 32;

/** An engine's opinion of a move, as it is kept. */
export type MoveScore = Pick<EngineLine, "move" | "cp" | "mate">;

/** Some positions that are to be labelled, in an order that every call has. */
export interface LabelWork {
  /** Names their files. */
  readonly name: string;
  /** How many. */
  readonly count: number;
  /** The position of a number from 0; always the same. */
  readonly fen: (item: number) => string;
}

/** How to label. */
export interface LabelOptions {
  /** How far the engine searches: plies or nodes. */
  readonly limit: { readonly depth: number } | { readonly nodes: number };
  /** The best moves that are scored. */
  readonly moves: number;
  readonly signal?: AbortSignal | undefined;
  /** Called after each position with how many are labelled, those of earlier calls included. */
  readonly onLabelled?: ((count: number) => void) | undefined;
}

/** Labels that wait in a folder, a file for every few positions, each written whole or not at all. */
export class LabelStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #path(work: LabelWork, chunk: number): string {
    return join(this.#folder, `${work.name}-${String(chunk).padStart(6, "0")}.json`);
  }

  /**
   * Labels what is not labelled yet. A label depends on nothing but its position, the limit, the number of moves and
   * the engine's version: it forgets everything before each search.
   *
   * @param engines They work at once.
   * @returns How many were labelled now.
   */
  async label(work: LabelWork, engines: readonly UciEngine[], options: LabelOptions): Promise<number> {
    const { limit, moves, signal, onLabelled } = options;
    let next = 0;
    let done = 0;
    let fresh = 0;
    await Promise.all(engines.map(async (engine) => {
      while (next * CHUNK < work.count) {
        const chunk = next++;
        const fens = fensOf(work, chunk);
        if (await this.#load(work, chunk, fens)) {
          onLabelled?.(done += fens.length);
          continue;
        }
        const labels: MoveScore[][] = [];
        for (const fen of fens) {
          signal?.throwIfAborted();
          await engine.newGame();
          const lines = await engine.analyse(fen, { ...limit, multiPv: moves, signal });
          labels.push(
            lines.map(({ move, cp, mate }) => mate === undefined ? { move, cp: cp ?? 0 } : { move, mate }),
          );
          fresh++;
          onLabelled?.(++done);
        }
        await writeFileAtomic(
          this.#path(work, chunk),
          JSON.stringify({ positions: digest(fens), labels }) + "\n",
        );
      }
    }));
    return fresh;
  }

  /** All labels, in order. */
  async *labels(work: LabelWork): AsyncGenerator<{ item: number; fen: string; scores: MoveScore[] }> {
    for (let chunk = 0; chunk * CHUNK < work.count; chunk++) {
      const fens = fensOf(work, chunk);
      const labels = await this.#load(work, chunk, fens);
      if (labels === undefined) {
        throw new DataError(
          `Cannot read ${this.#path(work, chunk)}: it has gone or changed while the others were made, ` +
            "the same command makes it again",
        );
      }
      for (const [i, scores] of labels.entries()) {
        yield { item: chunk * CHUNK + i, fen: fens[i]!, scores };
      }
    }
  }

  /** A file's labels; `undefined` if there is none, it is damaged, or of other positions: it is then made again. */
  async #load(work: LabelWork, chunk: number, fens: readonly string[]): Promise<MoveScore[][] | undefined> {
    let text: string;
    try {
      text = await Deno.readTextFile(this.#path(work, chunk));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
    try {
      const { positions, labels } = JSON.parse(text) as { positions?: string; labels?: MoveScore[][] };
      return positions === digest(fens) && labels?.length === fens.length ? labels : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

function fensOf(work: LabelWork, chunk: number): string[] {
  const start = chunk * CHUNK;
  return Array.from({ length: Math.min(CHUNK, work.count - start) }, (_, i) => work.fen(start + i));
}
