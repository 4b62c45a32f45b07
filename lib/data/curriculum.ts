import { join } from "node:path";
import { UciEngine } from "../chess/mod.ts";
import { type LongWork, Random } from "../common/mod.ts";
import { drawEndgames, ENDGAMES, STALEMATES } from "./_endgames.ts";
import { HeldOut } from "./_held_out.ts";
import { LabelStore, type LabelWork } from "./_label_store.ts";
import { type CurriculumPart, Lessons } from "./_lessons.ts";
import { rebuildFen } from "./_rebuild_fen.ts";
import { keepSettings } from "./_settings_file.ts";
import { winTenths } from "./_win_tenths.ts";
import { CURRICULUM_LEAST } from "./curriculum_score.ts";
import { MAX_BEST, type Positions } from "./positions.ts";
import { winProbability } from "./win_probability.ts";

export type { CurriculumPart } from "./_lessons.ts";

/** Which lessons to make. */
export interface CurriculumOptions {
  /** The Stockfish program. */
  readonly stockfish: string;
  /** The main set, whose won positions are labelled again. */
  readonly positions: Positions;
  /** Folder where labels wait; a call that was stopped goes on from there. It may be deleted in the end. */
  readonly folder: string;
  /** The most training rows of `positions` that are labelled again, by lot; by default all that are won. */
  readonly relabel?: number;
  /** Random basic endgames to label, 12,000 by default (the reference kept 11,100). */
  readonly endgames?: number;
  /** Endgames to label in which a careless move stalemates, 0 by default (the reference made 18,985). */
  readonly stalemates?: number;
  /** Decides which endgames there are and the order of rows, 1 by default. */
  readonly seed?: number;
  /** Plies that Stockfish searches, 12 by default. */
  readonly depth?: number;
  /** Nodes that it searches instead; thousands of lessons take minutes with 5,000, but it sees only near mates. */
  readonly nodes?: number;
  /** Stockfish processes at once, 2 by default; changes nothing but the time. */
  readonly processes?: number;
  /** Other sets whose HOLD and VAL rows are not to be trained on. */
  readonly notIn?: readonly Positions[];
}

/** What was made. */
export interface CurriculumReport {
  /** What the engine calls itself. */
  readonly engine: string;
  /** One entry a kind of lesson. */
  readonly parts: readonly CurriculumPart[];
  /** Won positions of the main set that could not be put back on a board from what is stored. */
  readonly notRebuilt: number;
  /** Positions labelled now; the others had been before. */
  readonly labelledNow: number;
}

/** Stockfish scores this many of the best moves (reference, section 8). */
const SCORED_MOVES = 8;
/** Main rows whose label says that their best move may score 500: the same curve, from centipawns to chances. */
const WON = winTenths(winProbability(CURRICULUM_LEAST));

/**
 * Makes lessons in finishing: a set whose labels say how fast a move wins, where the main set calls all winning moves
 * 100 % (reference, section 8; `curriculumScore` and `curriculumWin` are the formulas).
 *
 * - **Won positions** of the main set, labelled again by Stockfish; **random basic endgames** that it calls won (queen,
 *   rook, two rooks, two bishops, queen against a minor piece, pawns to promote); and, if wanted, **stalemate lessons**:
 *   won endgames against a bare king in which one of the moves stalemates.
 * - HOLD of the result is for testing: the won HOLD and VAL rows of the main set, and a random 5 % of everything else.
 *   Where the game is known the lot falls on whole games, else on boards; it depends on nothing else, so a game or a
 *   made-up board that is tested on in one curriculum is trained on in no other. No row to train on has the board, its
 *   mirror or the game of a held-out one, be it of this set, of the main set or of `notIn`.
 * - The main set still trains on the positions that the 5 % came from: `excludeHeldOut` takes them out.
 * - Labels are kept at once in `folder`. What comes out depends on the options and the version of Stockfish, but not on
 *   `processes` nor on how often it was stopped or killed.
 * - Positions are put back on the board from their pieces and legal moves, white to move; castling rights that cannot be
 *   used at once are not stored and count as lost.
 *
 * @param options What to make.
 * @param work Stops it or follows it.
 * @throws {EngineError} If Stockfish is missing or fails.
 * @throws {RangeError} If a number makes no sense.
 * @throws {DataError} If the folder holds labels of another Stockfish, depth or number of nodes.
 */
export async function makeCurriculum(
  options: CurriculumOptions,
  work: LongWork = {},
): Promise<{ positions: Positions; report: CurriculumReport }> {
  const { positions, folder, relabel, endgames = 12_000, stalemates = 0, seed = 1 } = options;
  const { depth = 12, nodes, processes = 2, notIn = [] } = options;
  for (
    const [name, value] of Object.entries({
      relabel: relabel ?? 0,
      endgames,
      stalemates,
      depth,
      nodes: nodes ?? 1,
      processes,
    })
  ) {
    const least = name === "depth" || name === "nodes" || name === "processes" ? 1 : 0;
    if (!Number.isInteger(value) || value < least) {
      throw new RangeError(
        `Cannot make a curriculum: ${name} is ${value}, a whole number of at least ${least} is wanted`,
      );
    }
  }
  const { won, heldOut, notRebuilt } = wonRows(positions, relabel, seed);
  const stored = (row: number) => rebuildFen(positions, row)!;
  const basic = drawEndgames(ENDGAMES, endgames, false, new Random(seed, "curriculum endgames"));
  const careless = drawEndgames(STALEMATES, stalemates, true, new Random(seed, "curriculum stalemates"));
  const works: (LabelWork & { name: CurriculumPart["name"] })[] = [
    { name: "heldOut", count: heldOut.length, fen: (item) => stored(heldOut[item]!) },
    { name: "endgames", count: basic.length, fen: (item) => basic[item]!.fen },
    { name: "stalemates", count: careless.length, fen: (item) => careless[item]!.fen },
    { name: "won", count: won.length, fen: (item) => stored(won[item]!) },
  ];

  await using engines = new AsyncDisposableStack();
  const players: UciEngine[] = [];
  for (let i = 0; i < processes; i++) {
    players.push(
      engines.use(await UciEngine.start({ path: options.stockfish, options: { Threads: 1, Hash: 1 } })),
    );
  }
  const engine = players[0]!.name;
  const limit = nodes === undefined ? { depth } : { nodes };
  await keepSettings(join(folder, "settings.json"), { engine, ...limit, moves: SCORED_MOVES });
  const store = new LabelStore(folder);
  const total = works.reduce((sum, { count }) => sum + count, 0);
  let before = 0;
  let labelledNow = 0;
  for (const each of works) {
    labelledNow += await store.label(each, players, {
      limit,
      moves: SCORED_MOVES,
      signal: work.signal,
      onLabelled: (done) =>
        work.onProgress?.({ task: "labelling won positions", done: before + done, total, unit: "positions" }),
    });
    before += each.count;
  }

  const lessons = new Lessons(HeldOut.of([positions, ...notIn]));
  for (const round of ["test", "train"] as const) {
    for (const each of works) {
      const rows = each.name === "won" ? won : each.name === "heldOut" ? heldOut : undefined;
      for await (const { item, fen, scores } of store.labels(each)) {
        work.signal?.throwIfAborted();
        lessons.add(round, each.name, fen, scores, rows === undefined ? -1 : positions.game[rows[item]!]!);
      }
    }
  }
  const report = { engine, parts: lessons.parts(works.map(({ name }) => name)), notRebuilt, labelledNow };
  const provenance = {
    made: "makeCurriculum",
    engine,
    ...limit,
    seed,
    from: positions.digest,
    ...(relabel === undefined ? {} : { relabel }),
    endgames,
    stalemates,
    notIn: notIn.map(({ digest }) => digest),
    parts: report.parts,
    notRebuilt,
  };
  return { positions: lessons.positions(seed, provenance), report };
}

/** The rows of a set that its teacher calls won, and can be put back on a board. */
function wonRows(
  positions: Positions,
  relabel: number | undefined,
  seed: number,
): { won: Int32Array; heldOut: Int32Array; notRebuilt: number } {
  const { count, hold, val, win } = positions;
  const heldOut: number[] = [];
  const won: number[] = [];
  let notRebuilt = 0;
  for (let row = 0; row < count; row++) {
    if (win[row * MAX_BEST]! < WON) continue;
    if (rebuildFen(positions, row) === undefined) notRebuilt++;
    else (row < hold + val ? heldOut : won).push(row);
  }
  const order = new Random(seed, "curriculum relabel").shuffle(Int32Array.from(won));
  return { won: order.subarray(0, relabel ?? won.length), heldOut: Int32Array.from(heldOut), notRebuilt };
}
