import { legalMoves, UciEngine } from "../chess/mod.ts";
import { DataError, type LongWork } from "../common/mod.ts";
import { readShard, SHIPPED } from "../data/mod.ts";

/** A position of the suite. */
export interface SuitePosition {
  /** The position. */
  readonly fen: string;
  /** The game it comes from: positions of one game are alike. */
  readonly game: number;
  /** `[legal moves]`: centipawns of each, for the side to move, in the order of `legalMoves`; a mate in n is 10,000 - n. */
  readonly centipawns: readonly number[];
}

/** A fixed set of positions of which every legal move is scored. */
export interface Suite {
  /** Who scored them: the engine with its version. */
  readonly engine: string;
  /** Positions that it searched for each. */
  readonly nodes: number;
  /** The positions. */
  readonly positions: readonly SuitePosition[];
}

/** The suite that ships with the library. */
export const SHIPPED_SUITE: URL = new URL("../../data/suite/positions.jsonl.gz", import.meta.url);

/** A mate counts as so many centipawns, less its length (reference, section 12). */
const MATE = 10_000;

/**
 * The suite that ships: 1,000 positions of the held-out games (HOLD), with Stockfish's score of every legal move. Nothing of
 * those games is ever trained on.
 *
 * @param source Another file of `packSuite`.
 * @throws {DataError} If the file was changed.
 *
 * @example The first position
 * ```ts
 * import { loadSuite } from "flychess/rating";
 * import { legalMoves } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const { positions } = await loadSuite();
 * assert.equal(positions.length, 1000);
 * assert.equal(positions[0]!.centipawns.length, legalMoves(positions[0]!.fen).length);
 * ```
 */
export async function loadSuite(source: string | URL = SHIPPED_SUITE): Promise<Suite> {
  const wanted = "a suite of 'fly data suite' is wanted";
  let lines: string[];
  try {
    // `fetch` would need no file permission, but reads no path.
    const packed = new Blob([await Deno.readFile(source)]).stream();
    const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
    lines = text.trimEnd().split("\n");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    throw new DataError(`Cannot read ${source}: it is no whole gzip file, ${wanted}`, { cause: error });
  }
  try {
    const { engine, nodes, count } = JSON.parse(lines[0]!);
    const positions = lines.slice(1).map((line) => readPosition(JSON.parse(line)));
    if (positions.length !== count) throw new RangeError(`${positions.length} positions of ${count}`);
    return { engine: String(engine), nodes: Number(nodes), positions };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new DataError(`Cannot read ${source}: ${what}, ${wanted}`, { cause: error });
  }
}

function readPosition({ fen, game, cp }: { fen: string; game: number; cp: number[] }): SuitePosition {
  const moves = legalMoves(fen).length;
  if (!Array.isArray(cp) || cp.length !== moves || !cp.every(Number.isInteger)) {
    throw new RangeError(`'${fen}' has ${moves} legal moves and ${cp?.length} scores`);
  }
  return { fen, game, centipawns: cp };
}

/** A suite as the bytes of a file. */
export async function packSuite({ engine, nodes, positions }: Suite): Promise<Uint8Array> {
  const rows = positions.map(({ fen, game, centipawns: cp }) => ({ fen, game, cp }));
  const lines = [{ engine, nodes, count: positions.length }, ...rows].map((row) =>
    JSON.stringify(row) + "\n"
  );
  const packed = new Blob(lines).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** How a suite is made. */
export interface MakeSuiteOptions extends LongWork {
  /** The Stockfish program. */
  readonly stockfish: string;
  /** How many positions; 1,000 by default. */
  readonly count?: number | undefined;
  /** Positions searched for each; 50,000 by default. */
  readonly nodes?: number | undefined;
  /** What was scored before, by FEN. */
  readonly known?: ReadonlyMap<string, SuitePosition> | undefined;
  /** Called with every position that was scored now. */
  readonly onPosition?: ((position: SuitePosition) => void | Promise<void>) | undefined;
}

/**
 * Scores every legal move of the first shipped HOLD positions that have more than one. One thread, a fixed number of nodes and
 * a fresh memory for each: the same version of Stockfish gives the same suite.
 *
 * @param options Who scores, how many, how thoroughly.
 * @throws {EngineError} If Stockfish is missing or fails.
 * @throws {RangeError} If the library ships fewer positions.
 */
export async function makeSuite(options: MakeSuiteOptions): Promise<Suite> {
  const { stockfish, count = 1000, nodes = 50_000, known, onPosition, signal, onProgress } = options;
  await using engine = await UciEngine.start({ path: stockfish, options: { Threads: 1, Hash: 16 } });
  const positions: SuitePosition[] = [];
  for (const source of SHIPPED.heldout) {
    for await (const { fen, game = -1 } of readShard(source)) {
      if (positions.length === count) break;
      const moves = legalMoves(fen);
      if (moves.length < 2) continue;
      let position = known?.get(fen);
      if (position === undefined) {
        await engine.newGame();
        const lines = await engine.analyse(fen, { nodes, multiPv: "all", signal });
        const score = new Map(lines.map((line) => [line.move, centipawnsOf(line)]));
        const centipawns = moves.map(({ uci }) => {
          const found = score.get(uci);
          if (found === undefined) {
            throw new DataError(`Cannot score '${fen}': ${engine.name} leaves out ${uci}`);
          }
          return found;
        });
        position = { fen, game, centipawns };
        await onPosition?.(position);
      }
      positions.push(position);
      onProgress?.({ task: "scoring", done: positions.length, total: count, unit: "positions" });
    }
  }
  if (positions.length < count) {
    throw new RangeError(`Cannot make a suite: ${positions.length} positions are there, ${count} are wanted`);
  }
  return { engine: engine.name, nodes, positions };
}

/** A score of an engine as one number: a mate in n is 10,000 - n. */
export function centipawnsOf({ cp, mate }: { readonly cp?: number; readonly mate?: number }): number {
  if (mate === undefined) return cp ?? 0;
  return mate > 0 ? MATE - mate : -MATE - mate;
}
