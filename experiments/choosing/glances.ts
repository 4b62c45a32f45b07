import type { FlyBrain } from "flychess/brain";
import { type LongWork, Random } from "flychess/common";
import { MAX_BEST, MAX_MOVES, type Positions } from "flychess/data";
import { type Drive, drive, type Eye } from "flychess/eye";
import { dealDeck, type Deck, targetShares } from "flychess/readout";

/** Pairs that are shown between two progress reports. */
const CHUNK = 512;

/** Positions at the second glance: the piece is chosen, only its moves are left. */
export interface SecondGlance {
  /** One row a position and chosen square; HOLD rows have one for every square that a legal move leaves. */
  readonly positions: Positions;
  /** `[rows]`: the row of the position itself. */
  readonly row: Int32Array;
  /** `[rows]`: the square of the chosen piece, in the mirrored frame. */
  readonly from: Uint8Array;
  /** `[rows]`: another square to look at instead, that of another piece which may move where there is one. */
  readonly wrong: Uint8Array;
}

/**
 * Pairs of a position and a piece that moves. Where heads are fitted, the piece is drawn as often as the teacher chooses
 * it, which makes the fit that of the chance of a move given its piece; where they are judged, every piece is there.
 */
export function secondGlance(positions: Positions, seed: number): SecondGlance {
  const random = new Random(seed, "second glance");
  const pairs: { row: number; from: number; wrong: number; kind: 0 | 1 | 2 }[] = [];
  for (let row = 0; row < positions.count; row++) {
    const kind = row < positions.hold ? 0 : row < positions.hold + positions.val ? 1 : 2;
    const squares = [...new Set(movesOf(positions, row).map((move) => move & 63))];
    const chosen = kind === 0 ? squares : [drawn(positions, row, random)];
    for (const from of chosen) {
      const others = squares.filter((square) => square !== from);
      const wrong = others.length > 0 ? others[random.int(others.length)]! : (from + 1 + random.int(63)) % 64;
      pairs.push({ row, from, wrong, kind });
    }
  }
  const count = pairs.length, of = (kind: number) => pairs.filter((pair) => pair.kind === kind).length;
  const content = {
    board: new Uint8Array(count * 96),
    moveCount: new Uint8Array(count),
    move: new Uint16Array(count * MAX_MOVES),
    bestCount: new Uint8Array(count),
    best: new Uint8Array(count * MAX_BEST),
    win: new Uint16Array(count * MAX_BEST),
    game: Int32Array.from(pairs, ({ row }) => positions.game[row]!),
  };
  for (const [i, { row, from }] of pairs.entries()) {
    content.board.set(positions.board.subarray(row * 96, (row + 1) * 96), i * 96);
    const place = new Map<number, number>();
    for (const [m, move] of movesOf(positions, row).entries()) {
      if ((move & 63) !== from) continue;
      content.move[i * MAX_MOVES + place.size] = move;
      place.set(m, place.size);
    }
    content.moveCount[i] = place.size;
    let listed = 0;
    for (let k = 0; k < positions.bestCount[row]!; k++) {
      const own = place.get(positions.best[row * MAX_BEST + k]!);
      if (own === undefined) continue;
      content.best[i * MAX_BEST + listed] = own;
      content.win[i * MAX_BEST + listed++] = positions.win[row * MAX_BEST + k]!;
    }
    content.bestCount[i] = listed;
  }
  return {
    positions: { count, hold: of(0), val: of(1), ...content, provenance: {}, digest: positions.digest },
    row: Int32Array.from(pairs, ({ row }) => row),
    from: Uint8Array.from(pairs, ({ from }) => from),
    wrong: Uint8Array.from(pairs, ({ wrong }) => wrong),
  };
}

/** How a square gets attention. */
export interface Attention {
  /** Added to the drive of every cell of the square's patch. */
  readonly patch: number;
  /** Added to the drive of those cells of it that the piece lights anyway. */
  readonly lit: number;
}

/** Positions with attention on a square each: more drive into that square's patch of the eye (reference, idea 7). */
export function attend(
  eye: Eye,
  positions: Positions,
  rows: Int32Array,
  squares: Uint8Array,
  { patch, lit }: Attention,
): Drive {
  const plain = drive(eye, positions.board, { rows });
  const cells: number[][] = Array.from({ length: 64 }, () => []);
  for (const [i, square] of eye.square.entries()) cells[square]!.push(eye.cell[i]!);
  const start = new Int32Array(rows.length + 1), neuron: number[] = [], value: number[] = [];
  for (let b = 0; b < rows.length; b++) {
    const seen = new Map<number, number>();
    for (const cell of plain.neuron.subarray(plain.start[b]!, plain.start[b + 1]!)) seen.set(cell, 1);
    for (const cell of cells[squares[b]!]!) {
      const before = seen.get(cell), now = (before ?? 0) + patch + (before === undefined ? 0 : lit);
      if (now > 0) seen.set(cell, now);
    }
    // A drive lists neurons in ascending order.
    for (const cell of [...seen.keys()].sort((one, other) => one - other)) {
      neuron.push(cell);
      value.push(seen.get(cell)!);
    }
    start[b + 1] = neuron.length;
  }
  return { positions: rows.length, start, neuron: Int32Array.from(neuron), value: Float64Array.from(value) };
}

/** What the neurons read do at the second glance, a byte each. */
export async function lookAgain(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { positions: pairs, row }: SecondGlance,
  squares: Uint8Array,
  attention: Attention,
  { steps, signal, onProgress }: LongWork & { readonly steps: readonly number[] },
): Promise<Deck> {
  const columns = brain.connectome.output.length, deck = dealDeck(pairs, 0, pairs.count, columns);
  for (let at = 0; at < pairs.count; at += CHUNK) {
    const end = Math.min(at + CHUNK, pairs.count);
    const shown = attend(eye, positions, row.subarray(at, end), squares.subarray(at, end), attention);
    const rates = await brain.read(shown, { steps, signal });
    for (let i = 0; i < rates.length; i++) deck.rates[at * columns + i] = Math.round(255 * rates[i]!);
    onProgress?.({ task: "looking again", done: end, total: pairs.count, unit: "positions" });
  }
  return deck;
}

/** The second glance without attention: what the neurons did at the first, once more. */
export function sameAgain(first: Deck, { positions: pairs, row }: SecondGlance): Deck {
  const { columns } = first, deck = dealDeck(pairs, 0, pairs.count, columns);
  for (const [i, from] of row.entries()) {
    deck.rates.set(first.rates.subarray(from * columns, (from + 1) * columns), i * columns);
  }
  return deck;
}

/** Packed legal moves of a row. */
export function movesOf({ move, moveCount }: Positions, row: number): Uint16Array {
  return move.subarray(row * MAX_MOVES, row * MAX_MOVES + moveCount[row]!);
}

/** The teacher's share of each of its listed moves. */
export function sharesOf({ best, bestCount, win }: Positions, row: number): [place: number, share: number][] {
  const first = row * MAX_BEST, listed = bestCount[row]!;
  const shares = targetShares(Array.from(win.subarray(first, first + listed), (tenths) => tenths / 10));
  return Array.from(shares, (share, k) => [best[first + k]!, share]);
}

/** A square drawn as often as the teacher moves the piece on it. */
function drawn(positions: Positions, row: number, random: Random): number {
  const moves = movesOf(positions, row);
  let left = random.float(), square = 0;
  for (const [place, share] of sharesOf(positions, row)) {
    square = moves[place]! & 63;
    left -= share;
    if (left < 0) break;
  }
  return square;
}
