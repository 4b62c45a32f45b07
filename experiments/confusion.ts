/**
 * Which piece does the fly move, and which does the teacher? Beside it, what a reader gets that never looks at the board.
 *
 * @module
 */
import { card, heatMap, intervalChart } from "flychess/figures";
import type { Positions } from "flychess/data";
import { applyReadout, type Interval, READOUT_COLUMNS } from "flychess/readout";
import { moveScores } from "flychess/chess";
import { holdRows } from "flychess/training";
import { bootstrapMeans } from "../lib/readout/_bootstrap.ts";
import { MAX_BEST, MAX_MOVES } from "../lib/data/positions.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { type FitSettings, fittedFly, type Reader, shortName } from "./shared/fitted_fly.ts";
import { scaled } from "./shared/interval_words.ts";

/** Piece types in the order of the planes. */
const PIECES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;

/** How one reader's favourite moves agree with the teacher's. */
export interface Agreement {
  /** `fly`, `direct input`, `blind` or `any legal move`. */
  readonly reader: string;
  /** Share of positions where the same kind of piece moves, 0 to 1. */
  readonly samePiece: Interval;
  /** Share where the move starts on the same square. */
  readonly sameFrom: Interval;
  /** Share where it ends on the same square. */
  readonly sameTo: Interval;
  /** Share where it is the same move. */
  readonly sameMove: Interval;
  /** `samePiece` minus the blind reader's, on the same positions. */
  readonly samePieceAgainstBlind: Interval;
  /** `[6][6]`: rows the piece that the teacher moves, columns the one that this reader moves; positions. `null` for lots. */
  readonly matrix: readonly (readonly number[])[] | null;
  /** Of the teacher's captures, the share that is answered with a capture too; of the others, likewise. */
  readonly captures: { readonly ofCaptures: number; readonly ofOthers: number } | null;
}

/** What was measured. */
export interface Confusion {
  readonly settings: FitSettings;
  /** Held-out positions judged. */
  readonly judged: number;
  readonly pieces: readonly string[];
  readonly readers: readonly Agreement[];
}

/** The question, one line. */
export const question = "Which piece does the fly move where the teacher moves another?";

/** The piece on every square of a row's board: plane, or -1. */
function piecesOn(positions: Positions, row: number): Int8Array {
  const on = new Int8Array(64).fill(-1);
  for (let bit = 0; bit < 768; bit++) {
    if ((positions.board[96 * row + (bit >> 3)]! >> (bit & 7) & 1) === 1) on[bit & 63] = bit >> 6;
  }
  return on;
}

/** A reader's favourite move of every row. */
function favourites({ readout, features }: Reader, positions: Positions, rows: Int32Array): Uint16Array {
  const scores = applyReadout(readout, features, rows);
  return Uint16Array.from(rows, (row, i) => {
    const first = row * MAX_MOVES;
    const moves = positions.move.subarray(first, first + positions.moveCount[row]!);
    const each = moveScores(scores.subarray(i * READOUT_COLUMNS, (i + 1) * READOUT_COLUMNS), moves);
    return moves[each.indexOf(Math.max(...each))]!;
  });
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<Confusion> {
  const { seed } = options;
  const fitted = await fittedFly(options), { positions } = fitted;
  const rows = holdRows(positions), game = Int32Array.from(rows, (row) => positions.game[row]!);
  const on = Array.from(rows, (row) => piecesOn(positions, row));
  const teacher = Uint16Array.from(
    rows,
    (row) => positions.move[row * MAX_MOVES + positions.best[row * MAX_BEST]!]!,
  );
  const from = (move: number) => move & 63, to = (move: number) => move >> 6 & 63;
  const taking = (i: number, move: number) => on[i]![to(move)]! >= 6;
  const same = {
    samePiece: (i: number, move: number) => on[i]![from(move)] === on[i]![from(teacher[i]!)],
    sameFrom: (i: number, move: number) => from(move) === from(teacher[i]!),
    sameTo: (i: number, move: number) => to(move) === to(teacher[i]!),
    sameMove: (i: number, move: number) => move === teacher[i],
  } as const;
  const kinds = Object.keys(same) as (keyof typeof same)[];

  const agreement = (
    reader: string,
    shares: Record<keyof typeof same, Float64Array>,
    blind: Float64Array,
  ) => {
    const found = bootstrapMeans(
      [...kinds.map((kind) => shares[kind]), shares.samePiece.map((share, i) => share - blind[i]!)],
      game,
      { seed },
    );
    const [samePiece, sameFrom, sameTo, sameMove, samePieceAgainstBlind] = found as [
      Interval,
      Interval,
      Interval,
      Interval,
      Interval,
    ];
    return { reader, samePiece, sameFrom, sameTo, sameMove, samePieceAgainstBlind };
  };
  const sharesOf = (moves: Uint16Array) =>
    Object.fromEntries(
      kinds.map((kind) => [kind, Float64Array.from(moves, (move, i) => same[kind](i, move) ? 1 : 0)]),
    ) as Record<keyof typeof same, Float64Array>;
  const chosen = {
    fly: favourites(fitted.fly, positions, rows),
    "direct input": favourites(fitted.direct, positions, rows),
    blind: favourites(fitted.blind, positions, rows),
  };
  const blind = sharesOf(chosen.blind).samePiece;
  const readers: Agreement[] = Object.entries(chosen).map(([reader, moves]) => {
    const matrix = PIECES.map(() => PIECES.map(() => 0));
    let captures = 0, taken = 0, other = 0;
    for (const [i, move] of moves.entries()) {
      matrix[on[i]![from(teacher[i]!)]!]![on[i]![from(move)]!]!++;
      if (taking(i, teacher[i]!)) captures++;
      if (taking(i, move)) {
        if (taking(i, teacher[i]!)) taken++;
        else other++;
      }
    }
    return {
      ...agreement(reader, sharesOf(moves), blind),
      matrix,
      captures: { ofCaptures: taken / captures, ofOthers: other / (rows.length - captures) },
    };
  });
  // Lots: every legal move as likely as the others.
  const lots = Object.fromEntries(kinds.map((kind) => [
    kind,
    Float64Array.from(rows, (row, i) => {
      const count = positions.moveCount[row]!, first = row * MAX_MOVES;
      let sum = 0;
      for (let k = 0; k < count; k++) if (same[kind](i, positions.move[first + k]!)) sum++;
      return sum / count;
    }),
  ])) as Record<keyof typeof same, Float64Array>;
  readers.push({ ...agreement("any legal move", lots, blind), matrix: null, captures: null });
  return { settings: fitted.settings, judged: rows.length, pieces: PIECES, readers };
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}

function table(
  label: string,
  matrix: readonly (readonly number[])[],
  cell: { width: number; height: number },
): string {
  const cells = matrix.map((row, r) => {
    const all = row.reduce((a, b) => a + b);
    return row.map((count, c) => ({
      shade: all === 0 ? 0 : count / all,
      text: all === 0 ? "" : percent(count / all),
      note: String(count),
      ...r === c ? { framed: true } : {},
    }));
  });
  return heatMap(cells, {
    label,
    rows: PIECES,
    columns: PIECES,
    cell,
    names: 66,
    rowsLabel: "the teacher moves",
    columnsLabel: "the reader moves",
  });
}

/** Draws it. */
export function figure(result: Result<Confusion>): string {
  const { readers, judged, settings, connectome } = result;
  const of = (name: string) => readers.find(({ reader }) => reader === name)!;
  const fly = of("fly"), blind = of("blind"), name = shortName(connectome.name);
  const one = (share: number) => (100 * share).toFixed(1);
  const title = `The ${name} moves the teacher's kind of piece in ${one(fly.samePiece.value)} %, ` +
    `a blind reader in ${one(blind.samePiece.value)} %`;
  const rows = readers.map(({ reader, samePiece }) => ({
    name: reader === "fly" ? name : reader,
    interval: scaled(samePiece, 100),
    subject: reader === "fly",
  }));
  const cell = { width: 52, height: 42 };
  return card([
    { svg: table(`What the ${name} moves, % of the teacher's`, fly.matrix!, cell), x: 20, y: 0 },
    { svg: table("What the blind reader moves", blind.matrix!, cell), x: 420, y: 0 },
    {
      svg: intervalChart(rows, {
        label: "the same kind of piece moves (% of positions), more is better",
        width: 780,
        names: true,
        rowHeight: 32,
        format: (value) => value.toFixed(1),
      }),
      x: 20,
      y: 318,
    },
  ], {
    title,
    caption: [
      `A row is the kind of piece that the teacher's best move moves; it adds up to 100 %. Small: positions, ${
        judged.toLocaleString("en")
      } held-out ones in all.`,
      `Readouts fitted to the end on ${
        settings.train.toLocaleString("en")
      } positions. Direct input: the eye's cells without a brain. Bars: 95 % intervals by game.`,
      `${connectome.name}: ${connectome.neurons.toLocaleString("en")} neurons, ${
        connectome.read.toLocaleString("en")
      } of them read at step ${settings.steps.join(", ")}.`,
    ],
    alt: `${title}. ` +
      readers.map(({ reader, samePiece, sameMove }) =>
        `${reader}: same kind of piece ${one(samePiece.value)} %, same move ${one(sameMove.value)} %`
      ).join("; "),
    width: 820,
    height: 318 + 4 * 32 + 62,
  });
}
