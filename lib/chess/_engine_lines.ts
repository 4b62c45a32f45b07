/** What an engine thinks of one move. */
export interface EngineLine {
  /** The move in UCI notation. */
  readonly move: string;
  /** Centipawns for the side to move; absent where a mate is seen. */
  readonly cp?: number;
  /** Moves until mate for the side to move, negative where it is the one mated; absent where none is seen. */
  readonly mate?: number;
  /** Plies of the search this score comes from. */
  readonly depth: number;
  /** What the engine expects: the move, then the replies in turn, in UCI notation. */
  readonly pv: readonly string[];
}

/** Reads an `info` line that scores a move exactly; `undefined` for all others (bounds, statistics, text). */
export function parseInfo(line: string): EngineLine | undefined {
  const words = line.split(" ");
  let depth = 0;
  let cp: number | undefined;
  let mate: number | undefined;
  for (let i = 1; i < words.length; i++) {
    switch (words[i]) {
      case "depth":
        depth = Number(words[++i]);
        break;
      case "score": {
        const value = Number(words[i + 2]);
        if (words[i + 3] === "lowerbound" || words[i + 3] === "upperbound" || !Number.isInteger(value)) {
          return undefined;
        }
        if (words[i + 1] === "cp") cp = value;
        else if (words[i + 1] === "mate") mate = value;
        i += 2;
        break;
      }
      case "string":
        return undefined;
      case "pv": {
        const pv = words.slice(i + 1).filter((word) => word !== "");
        const move = pv[0];
        if (move === undefined || !Number.isInteger(depth)) return undefined;
        if (mate !== undefined) return { move, mate, depth, pv };
        return cp === undefined ? undefined : { move, cp, depth, pv };
      }
    }
  }
  return undefined;
}

/** The number after `multipv`, 1 where the line does not say. */
function rank(line: string): number {
  const at = line.indexOf(" multipv ");
  return at < 0 ? 1 : parseInt(line.slice(at + 9), 10);
}

/**
 * Gathers the lines of one search and gives its result: the last depth at which every line was searched. A
 * search that stops at a number of nodes leaves some moves a ply deeper than others, and a score of an even
 * depth does not compare with one of an odd depth.
 */
export class LineCollector {
  /** The lines of the block being read, as text: most are never needed. */
  #block: string[] = [];
  #depths = new Set<string>();
  #best: string[] = [];
  #bestWhole = false;

  /** Takes an `info` line. */
  add(line: string): void {
    if (!line.includes(" pv ") || line.includes("bound ")) return;
    if (rank(line) === 1) this.#finish();
    this.#block.push(line);
    this.#depths.add(/ depth (\d+)/.exec(line)?.[1] ?? "");
  }

  /** Keeps the block just read if it is at least as complete as the one kept. */
  #finish(): void {
    const whole = this.#depths.size === 1;
    if (
      this.#block.length > this.#best.length ||
      (this.#block.length === this.#best.length && (whole || !this.#bestWhole))
    ) {
      this.#best = this.#block;
      this.#bestWhole = whole;
    }
    this.#block = [];
    this.#depths = new Set();
  }

  /** The lines, best first. */
  result(): EngineLine[] {
    this.#finish();
    const lines = this.#best.map(parseInfo).filter((line) => line !== undefined);
    const moves = new Set(lines.map(({ move }) => move));
    return lines.length === moves.size ? lines : lines.filter(({ move }) => moves.delete(move));
  }
}
