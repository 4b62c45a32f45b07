/**
 * One lesson, looked at closely: two positions a move apart, the Kenyon cells that answer each, and what lessons have done to
 * the MBONs' input from Kenyon cells.
 *
 *   deno task experiment dopamine_lesson --connectome FILE --positions FILE
 *
 * @module
 */
import { drive } from "flychess/eye";
import { awakeFly, budgetOf, heldPairs, LARGE, taughtFly } from "./dopamine/arms.ts";
import { figure } from "./dopamine/lesson_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { refuses } from "./dopamine/compare.ts";

/** What the lessons left of one type of MBON's input. */
export interface MbonLeft {
  readonly type: string;
  /** +1 approach, -1 avoid, 0 neither. */
  readonly valence: number;
  readonly cells: number;
  /** Share of the measured strength from Kenyon cells that is left. */
  readonly left: number;
}

/** What `dopamine_lesson.json` holds besides its origin. */
export interface DopamineLesson {
  /** Lessons given before. */
  readonly lessons: number;
  /** `[64]`: the position after the teacher's move, from the mover's side: letters, lower case for the opponent. */
  readonly good: readonly string[];
  /** The position after the other move. */
  readonly bad: readonly string[];
  /** Which HOLD row it is. */
  readonly row: number;
  /** `[kenyon]`: what each cell passes on for the first and for the second position. */
  readonly passed: readonly (readonly [number, number])[];
  /** `[kenyon]`: whether it is on in the first, and in the second position. */
  readonly on: readonly (readonly [boolean, boolean])[];
  /** How much the fly is drawn to each. */
  readonly approach: readonly [number, number];
  /** Over all HOLD pairs looked at: cells on in both, of the mean of those on in each. */
  readonly overlap: number;
  /** How many pairs that were. */
  readonly pairs: number;
  readonly mbons: readonly MbonLeft[];
}

const LETTERS = ["P", "N", "B", "R", "Q", "K"], SQUARES = 64;

/** Measures. */
export async function run(options: ExperimentOptions): Promise<DopamineLesson> {
  const { positions, connectome, seed, quick } = options, budget = budgetOf(options);
  const lessons = quick ? 128 : connectome.pre.length > LARGE ? 1920 : 6400;
  const { brain, eye } = await taughtFly(options, budget, lessons);
  await using _brain = brain;
  const pairs = heldPairs(positions, quick ? 16 : 256, seed, "random"), cells = brain.body.kenyon.length;
  const [good, bad] = [await brain.look(drive(eye, pairs.good)), await brain.look(drive(eye, pairs.bad))];
  const onIn = ({ kenyon, passed }: typeof good, pair: number) =>
    Array.from({ length: cells }, (_, k) => passed[pair * cells + k]! > kenyon[pair * cells + k]! / 2);
  const shares = Array.from({ length: pairs.count }, (_, pair) => {
    const one = onIn(good, pair), other = onIn(bad, pair);
    const count = (list: boolean[]) => list.filter(Boolean).length, either = count(one) + count(other);
    return either === 0 ? 1 : 2 * count(one.filter((is, k) => is && other[k]!)) / either;
  });
  const overlap = shares.reduce((a, b) => a + b) / shares.length;
  // The pair whose share is nearest to the mean, so that nobody has chosen it.
  const typical = shares.reduce(
    (best, share, i) => Math.abs(share - overlap) < Math.abs(shares[best]! - overlap) ? i : best,
    0,
  );
  const one = onIn(good, typical), other = onIn(bad, typical), at = typical * cells;
  return {
    lessons,
    good: lettersOf(pairs.good.subarray(typical * 96, (typical + 1) * 96)),
    bad: lettersOf(pairs.bad.subarray(typical * 96, (typical + 1) * 96)),
    row: pairs.row[typical]!,
    passed: one.map((_, k) => [good.passed[at + k]!, bad.passed[at + k]!]),
    on: one.map((is, k) => [is, other[k]!]),
    approach: [good.approach[typical]!, bad.approach[typical]!],
    overlap,
    pairs: pairs.count,
    mbons: mbonsLeft(brain),
  };
}

/** Letters of a board of 768 bits. */
function lettersOf(bits: Uint8Array): string[] {
  return Array.from({ length: SQUARES }, (_, square) => {
    for (let plane = 0; plane < 2 * LETTERS.length; plane++) {
      const bit = plane * SQUARES + square, letter = LETTERS[plane % LETTERS.length]!;
      if ((bits[bit >> 3]! >> (bit & 7) & 1) !== 0) {
        return plane < LETTERS.length ? letter : letter.toLowerCase();
      }
    }
    return "";
  });
}

function mbonsLeft({ body, synapses }: Awaited<ReturnType<typeof awakeFly>>["brain"]): MbonLeft[] {
  const types = new Map<string, { valence: number; cells: number; now: number; then: number }>();
  body.type.forEach((type, n) => {
    const sum = types.get(type) ?? { valence: body.valence[n]!, cells: 0, now: 0, then: 0 };
    sum.cells++;
    for (let k = 0; k < synapses.kenyon; k++) {
      sum.now += synapses.strength[k * synapses.mbon + n]!;
      sum.then += synapses.measured[k * synapses.mbon + n]!;
    }
    types.set(type, sum);
  });
  return [...types].filter(([, { then }]) => then > 0)
    .map(([type, { valence, cells, now, then }]) => ({ type, valence, cells, left: now / then }))
    .sort((a, b) => a.left - b.left || (a.type < b.type ? -1 : 1));
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] =
  "What do Kenyon cells make of two positions a move apart, and which MBONs do lessons turn down?";
