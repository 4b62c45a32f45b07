/**
 * How a chessboard falls on a fly's eye: patches, one patch close up, a position, and what the first eye missed.
 *
 * @module
 */
import type { Connectome } from "flychess/connectome";
import { boardBits, makeSquare } from "flychess/chess";
import { type Eye, eyeFor, eyeReport } from "flychess/eye";
import {
  boardMap,
  card,
  type EyeCell,
  eyeCells,
  eyeDots,
  litColour,
  PALETTE,
  type Panel,
  SERIES,
  TYPE_SIZE,
} from "flychess/figures";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { AFTER_E4 } from "./signal/step_signals.ts";

/** The patch that is looked at closely. */
const CLOSE = 28;
/** Piece types in the order of the planes. */
const TYPES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;

/** One eye's cells by square. */
export interface EyeCounts {
  readonly name: string;
  readonly cells: number;
  /** `[64]`: cells that look at each square. */
  readonly onSquare: readonly number[];
  /** `[64]`: those that tell some piece types from others. */
  readonly typesOnSquare: readonly number[];
  /** Squares without any cell. */
  readonly blind: readonly string[];
  /** Squares, blind ones among them, where no piece type can be told from another. */
  readonly typeBlind: readonly string[];
}

/** What there is to see. */
export interface Eyes {
  /** The first eye and the fair one, where the connectome has columns; else the larva's. */
  readonly eyes: readonly EyeCounts[];
  /** Cells of the last of them: place on the round eye, square, planes as bits. */
  readonly cells: readonly EyeCell[];
  /** Whether the places are those of eye columns. */
  readonly columns: boolean;
  /** The square that is looked at closely. */
  readonly close: string;
  /** The position shown. */
  readonly fen: string;
  /** Its board as bits, in hexadecimal. */
  readonly board: string;
}

/** The question, one line. */
export const question = "How does a chessboard fall on the eye, and does every square get its share of it?";

function counts(eye: Eye): EyeCounts {
  const { cells, cellsOnSquare, typeCellsOnSquare, blind, typeBlind } = eyeReport(eye);
  return {
    name: eye.name,
    cells,
    onSquare: [...cellsOnSquare],
    typesOnSquare: [...typeCellsOnSquare],
    blind: blind.map(makeSquare),
    typeBlind: typeBlind.map(makeSquare),
  };
}

/** Counts; there is nothing to draw by lot. */
export function run({ connectome, seed }: ExperimentOptions): Promise<Eyes> {
  const eye = eyeFor(connectome, "auto", { seed }), columns = eye.name === "fair";
  const board = boardBits(AFTER_E4);
  return Promise.resolve({
    eyes: [...columns ? [counts(eyeFor(connectome, "first"))] : [], counts(eye)],
    cells: eyeCells(connectome, eye),
    columns,
    close: makeSquare(CLOSE),
    fen: AFTER_E4,
    board: Array.from(board, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  });
}

/** Why it makes no sense on a connectome. */
export function refuses(connectome: Connectome): string | undefined {
  try {
    eyeFor(connectome);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Words above a drawing. */
function heading(text: string, width: number): string {
  return `<svg width="${width}" height="20"><text x="0" y="14" font-size="${TYPE_SIZE.text}" font-weight="600" ` +
    `fill="${PALETTE.ink}">${text}</text></svg>`;
}

/** Colours of the six piece types, and of cells that tell no type. */
const TYPE_COLOURS = [...SERIES.slice(0, 4).map(({ colour }) => colour), "#e69f00", "#56b4e9"];

/** Which piece type a cell reports, if it is one of those that tell types apart. */
function typeOf({ planes }: EyeCell): number {
  const types = (planes | planes >> 6) & 0b111111;
  return (types & (types - 1)) === 0 ? 31 - Math.clz32(types) : -1;
}

/** A patch from nearby: cells by what they report. */
function patch(cells: readonly EyeCell[], size: number): string {
  const key = (colour: string, text: string, row: number) =>
    `<circle cx="${size + 14}" cy="${10 + 19 * row}" r="5" fill="${colour}"/>` +
    `<text x="${size + 26}" y="${
      14 + 19 * row
    }" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${text}</text>`;
  const colourOf = (cell: EyeCell) => {
    const type = typeOf(cell);
    return type >= 0 ? TYPE_COLOURS[type]! : (cell.planes & 0b111111) !== 0 ? PALETTE.ink : PALETTE.quiet;
  };
  const used = TYPES.filter((_, type) => cells.some((cell) => typeOf(cell) === type));
  const keys = [
    ...used.map((name) => [TYPE_COLOURS[TYPES.indexOf(name)]!, `${name} here`] as const),
    [PALETTE.ink, "own piece"] as const,
    [PALETTE.quiet, "opponent's"] as const,
  ];
  return `<svg width="${size + 120}" height="${size}">${
    eyeDots(cells, colourOf, { size, radius: 5 }).replace(/^<svg/, "<svg overflow='visible'")
  }${keys.map(([colour, text], row) => key(colour, text, row)).join("")}</svg>`;
}

function boardOf({ name, onSquare, typesOnSquare, blind }: EyeCounts, most: number): string {
  return boardMap(
    onSquare.map((cells, square) => ({
      shade: Math.sqrt(cells / most) * 0.85,
      text: cells === 0 ? "blind" : String(cells),
      note: cells === 0 ? "" : String(typesOnSquare[square]),
      ...blind.includes(makeSquare(square)) ? { framed: true } : {},
    })),
    { label: `The ${name} eye's cells a square`, square: 42, textSize: TYPE_SIZE.small },
  );
}

/** Draws it. */
export function figure(result: Result<Eyes>): string {
  const { eyes, cells, columns, close, connectome, board: hex } = result;
  const board = Uint8Array.from(
    { length: hex.length / 2 },
    (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
  const last = eyes.at(-1)!, [least, most] = [Math.min(...last.onSquare), Math.max(...last.onSquare)];
  const dark = Math.max(...eyes.flatMap(({ onSquare }) => onSquare));
  const share = least === most ? `${least} cells` : `${least} to ${most} cells`;
  const title = columns && eyes[0]!.blind.length > 0
    ? `The first eye is blind on ${eyes[0]!.blind.length} squares, the fair one has ${share} on each`
    : `The ${last.name} eye has ${share} on every square`;
  const panels: Panel[] = [];
  let y = 0;
  if (columns) {
    const size = 230, square = (name: string) => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);
    const chequers = (cell: EyeCell) =>
      cell.square === square(close)
        ? PALETTE.second
        : (cell.square + (cell.square >> 3)) % 2 === 0
        ? PALETTE.subject
        : "#9cc6e2";
    const near = cells.filter((cell) => cell.square === square(close));
    panels.push(
      { svg: heading("Every square a patch of the eye", size), x: 20, y },
      { svg: eyeDots(cells, chequers, { size, radius: 2 }), x: 20, y: y + 22 },
      { svg: heading(`The patch of ${close} close up`, size), x: 272, y },
      { svg: patch(near, 170), x: 272, y: y + 40 },
      { svg: heading("After 1.e4, as Black's eye sees it", size), x: 556, y },
      { svg: eyeDots(cells, (cell) => litColour(cell, board), { size, radius: 2 }), x: 556, y: y + 22 },
    );
    y += size + 40;
  } else {
    panels.push(
      { svg: heading("After 1.e4, as Black's eye sees it", 300), x: 440, y },
      {
        svg: eyeDots(cells, (cell) => litColour(cell, board), { size: 320, radius: 2.5 }),
        x: 440,
        y: y + 24,
      },
    );
  }
  for (const [i, eye] of eyes.entries()) panels.push({ svg: boardOf(eye, dark), x: 20 + 400 * i, y });
  return card(panels, {
    title,
    caption: [
      ...columns
        ? [
          `Dots: cells of the fair eye, both eyes on top of each other. Orange patch: ${close}. Right: blue lit by own pieces, orange by the`,
          "opponent's, mirrored to the side to move. Boards: cells of each square, below them those that tell piece types apart.",
        ]
        : [
          "Sensory cells stand in for photoreceptors, dealt out by lot: five a square. Below: those that tell piece types apart.",
          "Right: blue lit by own pieces, orange by the opponent's, mirrored to the side to move.",
        ],
      `${connectome.name}: ${last.cells.toLocaleString("en")} cells with a place on the eye.`,
    ],
    alt: `${title}. ` +
      eyes.map(({ name, onSquare, blind, typeBlind }) =>
        `The ${name} eye: ${Math.min(...onSquare)} to ${
          Math.max(...onSquare)
        } cells a square, ${blind.length} blind squares, ${typeBlind.length} that tell no piece types`
      ).join("; "),
    width: 820,
    height: y + 390,
  });
}
