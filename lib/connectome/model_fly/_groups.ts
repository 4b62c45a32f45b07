import type { Random } from "../../common/mod.ts";
import { acrossEye, nearestPlace } from "./_eye_columns.ts";
import type { Eyes } from "./_optic_lobe.ts";
import type { Roster, Source } from "./_roster.ts";

/** Members of a group on one side: in a ballot, and by eye column. */
interface Half {
  /** Members, each as often as it likes to be drawn. */
  readonly ballot: Int32Array;
  /** `[columns + 1]`: where the members of a column start in `cells`. */
  readonly start: Int32Array;
  /** Members with a column, by column. */
  readonly cells: Int32Array;
  /** Members without a column. */
  readonly wide: Int32Array;
}

/** How often a wide cell of a group is drawn where a near one is asked for. */
const WIDE_CHANCE = 0.06;

/** Below so many cells a column a group is searched cell by cell instead of column by column. */
const SPARSE = 0.4;
/** How many cells such a search looks at. */
const LOOKS = 6;

/** Draws senders for receivers: from a group, near or anywhere, on the own side or the other. */
export class Groups {
  readonly #halves = new Map<string, readonly [Half, Half]>();
  readonly #x: readonly [Float32Array, Float32Array];
  readonly #y: readonly [Float32Array, Float32Array];
  readonly #roster: Roster;
  readonly #eyes: Eyes;

  constructor(roster: Roster, eyes: Eyes, random: Random) {
    this.#roster = roster;
    this.#eyes = eyes;
    const across = [eyes.L, eyes.R].map(({ h1, h2 }) => Array.from(h1, (h, c) => acrossEye(h, h2[c]!)));
    this.#x = [Float32Array.from(across[0]!, (p) => p[0]), Float32Array.from(across[1]!, (p) => p[0])];
    this.#y = [Float32Array.from(across[0]!, (p) => p[1]), Float32Array.from(across[1]!, (p) => p[1])];
    // How widely a neuron sends, once for all groups it belongs to: log-normal, hence a heavy tail of hubs.
    const votes = Uint8Array.from(
      { length: roster.neurons },
      () => Math.min(40, Math.max(1, Math.round(2 * Math.exp(0.75 * random.normal())))),
    );
    for (const [group, members] of roster.groups) {
      this.#halves.set(group, [this.#half(members, 0, votes), this.#half(members, 1, votes)]);
    }
  }

  #half(members: readonly number[], side: 0 | 1, votes: Uint8Array): Half {
    const { side: sides, column } = this.#roster;
    const own = members.filter((i) => sides[i] === side);
    const ballot = new Int32Array(own.reduce((sum, i) => sum + votes[i]!, 0));
    let at = 0;
    for (const i of own) {
      ballot.fill(i, at, at + votes[i]!);
      at += votes[i]!;
    }
    const columns = (side === 0 ? this.#eyes.L : this.#eyes.R).h1.length;
    const placed = own.filter((i) => column[i]! >= 0);
    const start = new Int32Array(columns + 1);
    for (const i of placed) start[column[i]! + 1]!++;
    for (let c = 0; c < columns; c++) start[c + 1]! += start[c]!;
    const next = start.slice();
    const cells = new Int32Array(placed.length);
    for (const i of placed) cells[next[column[i]!]!++] = i;
    return { ballot, start, cells, wide: Int32Array.from(own.filter((i) => column[i]! < 0)) };
  }

  /** Whether a group has anyone in it. */
  has(group: string): boolean {
    return this.#halves.has(group);
  }

  /** Everyone of a group on a side. */
  members(group: string, side: number): readonly number[] {
    return (this.#roster.groups.get(group) ?? []).filter((i) => this.#roster.side[i] === side);
  }

  /** Everyone of a group in a column of the eye of that side. */
  inColumn(group: string, side: number, column: number): Int32Array {
    const half = this.#halves.get(group)?.[side === 0 ? 0 : 1];
    return half ? half.cells.subarray(half.start[column]!, half.start[column + 1]!) : new Int32Array(0);
  }

  /**
   * Draws one sender, or -1 if this draw found nobody.
   *
   * @param widen How much further than usual a near one may be, 1 for no further.
   */
  draw(source: Source, receiver: number, widen: number, random: Random): number {
    const halves = this.#halves.get(source.group);
    if (!halves) return -1;
    const own = this.#roster.side[receiver] === 0 ? 0 : 1;
    const side = random.float() < (source.own ?? 0.8) ? own : 1 - own;
    const half = halves[side]!;
    const column = this.#roster.column[receiver]!;
    if (source.near === undefined || column < 0) {
      return half.ballot.length === 0 ? -1 : half.ballot[random.int(half.ballot.length)]!;
    }
    if (half.wide.length > 0 && (half.cells.length === 0 || random.float() < WIDE_CHANCE)) {
      return half.wide[random.int(half.wide.length)]!;
    }
    const reach = source.near * widen;
    if (half.cells.length < SPARSE * (half.start.length - 1)) {
      return this.#nearest(half, side, own, column, reach, random);
    }
    const x = this.#x[own]![column]! + reach * random.normal();
    const y = this.#y[own]![column]! + reach * random.normal();
    const [h1, h2] = nearestPlace(x, y);
    const found = (side === 0 ? this.#eyes.L : this.#eyes.R).at(h1, h2);
    if (found < 0) return -1;
    const first = half.start[found]!;
    const many = half.start[found + 1]! - first;
    return many === 0 ? -1 : half.cells[first + (many === 1 ? 0 : random.int(many))]!;
  }

  /** One of a few members, with the chance that its distance has in `draw`, or else the nearest of them. */
  #nearest(half: Half, side: number, own: 0 | 1, column: number, reach: number, random: Random): number {
    if (half.cells.length === 0) return -1;
    let best = -1;
    let least = Infinity;
    for (let k = 0; k < LOOKS; k++) {
      const i = half.cells[random.int(half.cells.length)]!;
      const place = this.#roster.column[i]!;
      const dx = this.#x[side === 0 ? 0 : 1]![place]! - this.#x[own]![column]!;
      const dy = this.#y[side === 0 ? 0 : 1]![place]! - this.#y[own]![column]!;
      const far = dx * dx + dy * dy;
      if (random.float() < Math.exp(-far / (2 * reach * reach))) return i;
      if (far < least) {
        least = far;
        best = i;
      }
    }
    return best;
  }
}
