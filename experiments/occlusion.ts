/**
 * Which squares does an answer depend on? Pieces are taken off the eye one by one, the legal moves staying as they are.
 *
 * @module
 */
import { boardBits, legalMoves, moveSan, packMove, unpackMove } from "flychess/chess";
import { denseDrive, drive } from "flychess/eye";
import { boardMap, card, PALETTE, stripChart } from "flychess/figures";
import { applyReadout, denseFeatures, READOUT_COLUMNS } from "flychess/readout";
import { holdRows } from "flychess/training";
import { BOARD_BYTES, MAX_MOVES } from "../lib/data/positions.ts";
import { spreadRows } from "./signal/board_signal.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { type FitSettings, fittedFly, shortName } from "./shared/fitted_fly.ts";
import { type Dependence, dependence, type Effects, effectsOf, occlude } from "./signal/occlusion_measure.ts";
import { scaled } from "./shared/interval_words.ts";

/** Positions whose pieces are covered, of different games. */
const COUNT = { full: 256, quick: 24 } as const;
/** Positions whose boards go through the brain together. */
const TOGETHER = 16;
/** The position that is drawn: an Italian game after 3.Bc4, Black to move. */
const EXAMPLE = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

/** One position's answer, for the picture. */
export interface ExampleAnswer {
  /** The favourite move. */
  readonly san: string;
  /** Its probability. */
  readonly probability: number;
  /** `[64]`: what covering the piece there moves; `null` where there is none. In the frame of the side to move. */
  readonly squares: readonly (number | null)[];
  /** `[64]`: the piece there as a FEN letter, own ones upper case. */
  readonly pieces: readonly string[];
}

/** What was measured. */
export interface Occlusion {
  readonly settings: FitSettings;
  /** Held-out positions, of different games. */
  readonly positionsCovered: number;
  /** Pieces on them, mean. */
  readonly piecesEach: number;
  readonly fen: string;
  readonly readers: Readonly<
    Record<"fly" | "direct input", Dependence & { readonly example: ExampleAnswer }>
  >;
}

/** The question, one line. */
export const question = "Which squares does the fly's answer depend on?";

/** Measures. */
export async function run(options: ExperimentOptions): Promise<Occlusion> {
  const { connectome, quick, seed, signal, onProgress } = options;
  const fitted = await fittedFly(options), { positions, eye, settings } = fitted;
  await using brain = await fitted.wake({ signal, onProgress });
  const rows = spreadRows(holdRows(positions), positions, quick ? COUNT.quick : COUNT.full);
  const game = Int32Array.from(rows, (row) => positions.game[row]!);
  const readers = {
    fly: {
      readout: fitted.fly.readout,
      features: async (boards: Uint8Array) =>
        denseFeatures(
          await brain.read(drive(eye, boards), { steps: settings.steps, signal }),
          connectome.output.length,
        ),
    },
    "direct input": {
      readout: fitted.direct.readout,
      features: (boards: Uint8Array) => {
        const cells = eye.cell.length, shown = new Float32Array(boards.length / BOARD_BYTES * cells);
        return Promise.resolve(denseFeatures(denseDrive(eye, boards, shown), cells));
      },
    },
  };
  type Name = keyof typeof readers;
  const found: Record<Name, Effects[]> = { fly: [], "direct input": [] };
  const names = Object.keys(readers) as Name[];

  /** Covers the pieces of some boards, all of which are shown together. */
  const cover = async (
    some: readonly { readonly board: Uint8Array; readonly moves: ArrayLike<number> }[],
  ) => {
    const covered = some.map(({ board }) => occlude(board));
    const boards = new Uint8Array(covered.reduce((sum, { boards }) => sum + boards.length, 0));
    let at = 0;
    for (const { boards: own } of covered) {
      boards.set(own, at);
      at += own.length;
    }
    const all = Int32Array.from({ length: boards.length / BOARD_BYTES }, (_, i) => i);
    const effects: Partial<Record<Name, Effects[]>> = {};
    for (const name of names) {
      const { readout, features } = readers[name];
      const scores = applyReadout(readout, await features(boards), all);
      let first = 0;
      effects[name] = covered.map((each, i) => {
        const count = 1 + each.squares.length;
        const own = scores.subarray(first * READOUT_COLUMNS, (first + count) * READOUT_COLUMNS);
        first += count;
        return effectsOf(each, own, READOUT_COLUMNS, some[i]!.moves);
      });
    }
    return effects as Record<Name, Effects[]>;
  };

  for (let at = 0; at < rows.length; at += TOGETHER) {
    signal?.throwIfAborted();
    onProgress?.({ task: "covering pieces", done: at, total: rows.length, unit: "positions" });
    const effects = await cover(Array.from(rows.subarray(at, at + TOGETHER), (row) => ({
      board: positions.board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES),
      moves: positions.move.subarray(row * MAX_MOVES, row * MAX_MOVES + positions.moveCount[row]!),
    })));
    for (const name of names) found[name].push(...effects[name]);
  }
  onProgress?.({ task: "covering pieces", done: rows.length, total: rows.length, unit: "positions" });
  const moves = legalMoves(EXAMPLE);
  const example = await cover([{ board: boardBits(EXAMPLE), moves: moves.map(packMove) }]);
  return {
    settings,
    positionsCovered: rows.length,
    piecesEach: found.fly.reduce((sum, { squares }) => sum + squares.length, 0) / rows.length,
    fen: EXAMPLE,
    readers: {
      fly: { ...dependence(found.fly, game, seed), example: answer(example.fly[0]!) },
      "direct input": {
        ...dependence(found["direct input"], game, seed),
        example: answer(example["direct input"][0]!),
      },
    },
  };
}

function answer({ squares, planes, moved, favourite, probability }: Effects): ExampleAnswer {
  const values: (number | null)[] = Array.from({ length: 64 }, () => null);
  const pieces = Array.from({ length: 64 }, () => "");
  for (const [i, square] of squares.entries()) {
    values[square] = moved[i]!;
    pieces[square] = "PNBRQKpnbrqk"[planes[i]!]!;
  }
  const side = EXAMPLE.split(" ")[1] === "w" ? "white" : "black";
  return { san: moveSan(EXAMPLE, unpackMove(favourite, side).uci), probability, squares: values, pieces };
}

/** Kinds of pieces as a title names them. */
const IN_WORDS: Readonly<Record<string, string>> = {
  "the piece that moves": "the piece that it moves",
  "the piece that is taken": "the piece that it takes",
  "own king": "its own king",
  "other own pieces": "its other pieces",
  "opponent's king": "the other king",
  "opponent's other pieces": "the opponent's other pieces",
};

/** Draws it. */
export function figure(result: Result<Occlusion>): string {
  const { readers, positionsCovered, piecesEach, settings, connectome } = result;
  const { fly, "direct input": direct } = readers, name = shortName(connectome.name);
  const percent = (share: number) => (100 * share).toFixed(share < 0.0995 ? 1 : 0);
  const most = [...fly.roles].sort((a, b) => b.moved.value - a.moved.value)[0]!;
  const title = fly.hangsOn === null
    ? `The ${name}'s answer does not depend on the board: its readout is the blind one`
    : `The ${name}'s answer hangs most on ${IN_WORDS[most.kind]}: ${percent(most.moved.value)} % of it`;
  const { example } = fly, dark = Math.max(1e-9, ...example.squares.map((moved) => moved ?? 0));
  const darkest = Math.max(1e-9, ...fly.squares.map(({ moved }) => moved ?? 0));
  const square = 43;
  const left = boardMap(
    example.squares.map((moved, at) =>
      moved === null
        ? { shade: null }
        : { shade: moved / dark, text: example.pieces[at]!, note: percent(moved) }
    ),
    { label: `${name}: ${example.san} (${percent(example.probability)} %), and what changes it`, square },
  );
  const right = boardMap(
    fly.squares.map(({ moved }) =>
      moved === null ? { shade: null } : { shade: moved / darkest, text: percent(moved) }
    ),
    { label: `Mean of ${positionsCovered} positions`, square },
  );
  const rows = fly.roles.flatMap(({ kind, moved }, r) => {
    const other = direct.roles.find((role) => role.kind === kind)?.moved;
    const line = (interval: typeof moved) => [scaled(interval, 100)];
    return [
      { name: kind, values: line(moved), colour: PALETTE.subject },
      { name: `eye alone${"\u200b".repeat(r)}`, values: other ? line(other) : [], colour: PALETTE.control },
    ];
  });
  const top = 398;
  return card([
    { svg: left, x: 20, y: 0 },
    { svg: right, x: 420, y: 0 },
    {
      svg: stripChart(rows, {
        label: "probability that moves elsewhere when such a piece is covered (%)",
        width: 780,
        names: 160,
        rowHeight: 21,
        format: String,
      }),
      x: 20,
      y: top,
    },
  ], {
    title,
    caption: [
      "A covered piece is not seen; the legal moves stay. Left: after 3.Bc4, Black to move, mirrored, own pieces in capitals.",
      `${positionsCovered} held-out positions of different games, ${
        piecesEach.toFixed(0)
      } pieces each. Eye alone: the readout straight on the eye's cells.`,
      `${connectome.name}; readouts fitted on ${settings.train.toLocaleString("en")} positions, step ${
        settings.steps.join(", ")
      } read. Bars: 95 % intervals by game.`,
    ],
    alt: `${title}. ` + fly.roles.map(({ kind, moved }) => `${kind} ${percent(moved.value)} %`).join(", ") +
      "; eye alone: " + direct.roles.map(({ kind, moved }) => `${kind} ${percent(moved.value)} %`).join(", "),
    width: 820,
    height: top + rows.length * 21 + 62,
  });
}
