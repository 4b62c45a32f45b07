import { type Connectome, NO_COLUMN } from "../connectome/connectome.ts";
import { Random } from "../common/mod.ts";
import type { Eye } from "./eye.ts";
import {
  type EyePlaces,
  isPhotoreceptor,
  OPPONENT,
  OWN,
  type PlacedCell,
  placeFair,
  placeFirst,
} from "./places.ts";
import { SQUARES } from "./_squares.ts";

/** Eyes by the name that a command takes; `auto` is `fair` where photoreceptors have columns, else `larva`. */
export type EyeName = "fair" | "first" | "larva" | "auto";

/** What the making of an eye depends on besides the connectome. */
export interface EyeOptions {
  /** Deals the larva's sensory cells out; 1 by default. The fair and the first eye have nothing to deal. */
  readonly seed?: number | undefined;
}

/** What the five sensory cells of a larva's square report. */
const LARVA_PLANES: readonly number[] = [OWN, OPPONENT, ...[0, 1, 2].map(planesWithBit)];

/** Planes, either colour, of the piece types whose number (pawn 1 to king 6) has this bit. */
function planesWithBit(bit: number): number {
  let planes = 0;
  for (let type = 1; type <= 6; type++) {
    if (type >> bit & 1) planes |= 1 << type - 1 | 1 << type + 5;
  }
  return planes;
}

/** Input neurons that are photoreceptors by type and have a column. */
function placedCells(connectome: Connectome): { cell: Int32Array; places: PlacedCell[] } {
  const { type, column } = connectome.neurons;
  const cell = connectome.input.filter((neuron) =>
    isPhotoreceptor(type.names[type.index[neuron]!]!) && column[2 * neuron] !== NO_COLUMN &&
    column[2 * neuron + 1] !== NO_COLUMN
  );
  const places = Array.from(cell, (neuron): PlacedCell => [
    type.names[type.index[neuron]!]!,
    column[2 * neuron]!,
    column[2 * neuron + 1]!,
  ]);
  return { cell, places };
}

function columnEye(
  name: string,
  connectome: Connectome,
  place: (cells: readonly PlacedCell[]) => EyePlaces,
): Eye {
  const { cell, places } = placedCells(connectome);
  if (cell.length === 0) {
    throw new RangeError(
      `Cannot make the ${name} eye of ${connectome.name}: none of its ${connectome.input.length} input neurons ` +
        "is an R1-R6, R7 or R8 with an eye column, some are wanted",
    );
  }
  return { name, neurons: connectome.sign.length, cell, ...place(places) };
}

/**
 * The fair eye of a connectome: `placeFair` over its placed photoreceptors (both eyes laid on top of each other).
 *
 * @param connectome Its `input` neurons that are photoreceptors by type and have a column see the board.
 * @throws {RangeError} If there is none.
 */
export function fairEye(connectome: Connectome): Eye {
  return columnEye("fair", connectome, placeFair);
}

/**
 * The first eye of a connectome: `placeFirst` over its placed photoreceptors. It leaves corners of the board
 * unseen; it is there to be compared with.
 *
 * @param connectome As for `fairEye`.
 * @throws {RangeError} If no photoreceptor has a column.
 */
export function firstEye(connectome: Connectome): Eye {
  return columnEye("first", connectome, placeFirst);
}

/**
 * An eye for a nervous system without one. The larva's tables place no photoreceptor, so its sensory neurons
 * stand in: five a square, dealt out by seed. They report an own piece, an opponent's piece, and the three
 * binary digits of the piece type (pawn 1 to king 6): five cells tell all twelve pieces and an empty square apart.
 *
 * @param connectome Its `input` neurons are dealt out; 320 are used, the rest stay dark.
 * @param options The seed.
 * @throws {RangeError} If there are fewer than 320.
 */
export function larvaEye(connectome: Connectome, options: EyeOptions = {}): Eye {
  const { input } = connectome;
  const needed = SQUARES * LARVA_PLANES.length;
  if (input.length < needed) {
    throw new RangeError(
      `Cannot make the larva eye of ${connectome.name}: it has ${input.length} input neurons, ` +
        `${needed} (${LARVA_PLANES.length} a square) or more are wanted`,
    );
  }
  const dealt = new Random(options.seed ?? 1, "larva eye").shuffle(input.slice()).subarray(0, needed);
  const order = Array.from(dealt.keys()).sort((a, b) => dealt[a]! - dealt[b]!);
  return {
    name: "larva",
    neurons: connectome.sign.length,
    cell: Int32Array.from(order, (place) => dealt[place]!),
    square: Uint8Array.from(order, (place) => Math.floor(place / LARVA_PLANES.length)),
    planes: Uint16Array.from(order, (place) => LARVA_PLANES[place % LARVA_PLANES.length]!),
  };
}

/**
 * The eye of that name.
 *
 * @param connectome The nervous system that is to see.
 * @param name Which eye; `auto`, the default, takes the fair eye where photoreceptors have columns, else the
 * larva's.
 * @param options The seed of the larva's eye.
 * @throws {RangeError} If there is no such eye, or the connectome has not the cells for it.
 */
export function eyeFor(connectome: Connectome, name: EyeName = "auto", options: EyeOptions = {}): Eye {
  switch (name) {
    case "fair":
      return fairEye(connectome);
    case "first":
      return firstEye(connectome);
    case "larva":
      return larvaEye(connectome, options);
    case "auto":
      return placedCells(connectome).cell.length > 0 ? fairEye(connectome) : larvaEye(connectome, options);
    default:
      throw new RangeError(`Cannot make an eye: its name is '${name}', fair, first, larva or auto is wanted`);
  }
}
