import { boardBits } from "../chess/mod.ts";
import { Random } from "../common/mod.ts";
import { boardKey } from "./_board_key.ts";
import type { HeldOut } from "./_held_out.ts";
import type { MoveScore } from "./_label_store.ts";
import { PositionRows } from "./_position_rows.ts";
import { textHash } from "./_text_hash.ts";
import { CURRICULUM_LEAST, curriculumScore, curriculumWin } from "./curriculum_score.ts";
import type { Positions } from "./positions.ts";
import { positionsDigest } from "./positions_digest.ts";

/** What came of one kind of lesson. */
export interface CurriculumPart {
  /** `won`: training rows of the main set; `heldOut`: its HOLD and VAL rows; the others are made up. */
  readonly name: "won" | "heldOut" | "endgames" | "stalemates";
  /** Positions that Stockfish labelled. */
  readonly labelled: number;
  /** Of these, not lessons: their best move scores less than 500. */
  readonly undecided: number;
  /** Not used: another lesson has the same board, or its mirror. */
  readonly repeated: number;
  /** Not trained on: a held-out row has the same board, its mirror, or is of the same game. */
  readonly heldOut: number;
  /** Lessons to train on. */
  readonly train: number;
  /** Lessons to be tested on. */
  readonly test: number;
}

/** The share of lessons that are kept for testing (reference, section 8). */
const TEST_SHARE = 0.05;

/**
 * Whether a lesson is for testing, by lot: of its game, where it has one, else of its board. The lot depends on nothing
 * else, no seed either, so that it falls the same way in every curriculum.
 */
function isTested(game: number, board: number): boolean {
  const lot = game >= 0 ? `game ${game}` : `board ${board}`;
  return textHash(`lesson of ${lot}`) < TEST_SHARE * 0x100000000;
}

/** What is counted of one kind of lesson. */
type Counts = { -readonly [K in Exclude<keyof CurriculumPart, "name">]: number };

/** Lessons while they come in: all in a round for those to be tested on, then all again for those to train on. */
export class Lessons {
  readonly #rows = new PositionRows();
  readonly #heldOut: HeldOut;
  readonly #seen = new Set<number>();
  readonly #counts = new Map<CurriculumPart["name"], Counts>();
  #test = 0;

  /**
   * @param heldOut What may not be trained on; the lessons to be tested on are added to it.
   */
  constructor(heldOut: HeldOut) {
    this.#heldOut = heldOut;
  }

  #countsOf(name: CurriculumPart["name"]): Counts {
    const counts = this.#counts.get(name) ??
      { labelled: 0, undecided: 0, repeated: 0, heldOut: 0, train: 0, test: 0 };
    this.#counts.set(name, counts);
    return counts;
  }

  /** Takes a position, if it is a lesson and of this round. */
  add(
    round: "test" | "train",
    name: CurriculumPart["name"],
    fen: string,
    scores: readonly MoveScore[],
    game: number,
  ): void {
    const key = boardKey(boardBits(fen));
    const belongs = name === "heldOut" || isTested(game, key) ? "test" : "train";
    if (belongs !== round) return;
    const counts = this.#countsOf(name);
    counts.labelled++;
    const s = scores.map(curriculumScore);
    if (!(s[0]! >= CURRICULUM_LEAST)) counts.undecided++;
    else if (this.#seen.has(key)) counts.repeated++;
    else if (round === "train" && this.#heldOut.reason(game, key) !== undefined) counts.heldOut++;
    else {
      const win = curriculumWin(s);
      const moves = scores.map(({ move }, i) => ({ uci: move, winProb: win[i]! / 100 }));
      const problem = this.#rows.add({ fen, moves, ...(game < 0 ? {} : { game }) });
      // Engine and rules disagree about a move: nothing that more data would cure.
      if (problem !== undefined) throw new Error(`Cannot keep the lesson '${fen}': ${problem}`);
      this.#seen.add(key);
      counts[round]++;
      if (round === "test") {
        this.#heldOut.add(game, key);
        this.#test++;
      }
    }
  }

  /** What came of each kind. */
  parts(names: readonly CurriculumPart["name"][]): CurriculumPart[] {
    return names.map((name) => ({ name, ...this.#countsOf(name) }));
  }

  /** The lessons as a set; uses them up. */
  positions(seed: number, provenance: Positions["provenance"]): Positions {
    const { count } = this.#rows;
    const hold = this.#test;
    const order = Int32Array.from({ length: count }, (_, row) => row);
    new Random(seed, "curriculum order").shuffle(order.subarray(hold));
    const content = { count, hold, val: 0, ...this.#rows.gather(order) };
    return { ...content, provenance, digest: positionsDigest(content) };
  }
}
