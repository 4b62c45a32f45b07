import type { LongWork } from "../../common/mod.ts";
import { BOARD_BYTES, type Positions } from "../../data/mod.ts";
import { type Drive, drive, type Eye } from "../../eye/mod.ts";
import { type DopamineReach, doses, pairsRight, type PlasticSynapses, type Tags, tags } from "../dopamine.ts";
import type { DopamineBrain } from "../dopamine_brain.ts";
import { patternOverlap } from "../kenyon_gate.ts";
import type { LessonPairs } from "../lesson_pairs.ts";
import type { HabituatedSignal } from "./habituated_signal.ts";
import type { HeardTrace } from "./heard_trace.ts";
import type { MushroomBody } from "../mushroom_body.ts";
import type { OwnThresholds } from "./own_thresholds.ts";

/** Pairs with the positions they come from. */
export interface SeenPairs extends LessonPairs {
  /** `[count][96]`: the position before either move, from the mover's side. */
  readonly before: Uint8Array;
}

/** Adds the positions before the moves to pairs. */
export function withBefore(positions: Positions, pairs: LessonPairs): SeenPairs {
  const before = new Uint8Array(pairs.count * BOARD_BYTES);
  pairs.row.forEach((row, b) =>
    before.set(positions.board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES), b * BOARD_BYTES)
  );
  return { ...pairs, before };
}

/**
 * How a fly sees the boards after moves: one drive a glance.
 *
 * @param eye The eye.
 * @param before `[positions][96]`: before the moves.
 * @param after `[positions][96]`: after them.
 */
export type Sight = (eye: Eye, before: Uint8Array, after: Uint8Array) => readonly Drive[];

/** What dopamine does to synapses; `weaken` and `retune` are two. */
export type DopamineRule = (synapses: PlasticSynapses, reach: DopamineReach, tagged: Tags) => void;

/** What a separated fly has besides a brain and an eye; what its gate is made of must be named here again. */
export interface SeparatedFlyOptions {
  /** How it sees; each board once and whole by default. */
  readonly see?: Sight | undefined;
  /** The habituated signal in the brain's gate. */
  readonly signal?: HabituatedSignal | undefined;
  /** The thresholds in the brain's gate. */
  readonly thresholds?: OwnThresholds | undefined;
  /** The brain's gate, if it is to be tagged by what MBONs have heard, rather than by what cells pass at the last step. */
  readonly heard?: HeardTrace | undefined;
  /** `[mbon]`: what each MBON's rate counts; its valence by default. */
  readonly votes?: ArrayLike<number> | undefined;
}

/** What a look at pairs gave. */
export interface SeparatedLook {
  /** `[pairs]`: approach of the better positions, glances added up. */
  readonly good: Float64Array;
  /** `[pairs]`: and of the others. */
  readonly bad: Float64Array;
  /** `[pairs][kenyon]`: the tags of the better positions, what Kenyon cells passed on or MBONs heard; the mean of the glances. */
  readonly goodPassed: Float64Array;
  /** `[pairs][kenyon]`: and for the others. */
  readonly badPassed: Float64Array;
  /** Share of pairs right, a tie counting half. */
  readonly right: number;
  /** Mean share of Kenyon cells on that a pair has in common, 0 to 1 (`patternOverlap`), the mean of the glances. */
  readonly overlap: number;
  /** Mean share of Kenyon cells that are on, 0 to 1. */
  readonly active: number;
}

/**
 * A dopamine fly that knows the position before the move, so that it can get used to it, glance where something has
 * changed, and set its Kenyon cells' thresholds. The brain is any `DopamineBrain`; this class shows it boards
 * in the right order.
 */
export class SeparatedFly {
  /** Its brain. */
  readonly brain: DopamineBrain;
  /** Its eye. */
  readonly eye: Eye;
  readonly #see: Sight;
  readonly #signal: HabituatedSignal | undefined;
  readonly #thresholds: OwnThresholds | undefined;
  readonly #heard: HeardTrace | undefined;
  readonly #votes: ArrayLike<number>;

  /** Puts the parts together; nothing is measured yet. */
  constructor(brain: DopamineBrain, eye: Eye, options: SeparatedFlyOptions = {}) {
    const {
      see = (eye, _, after) => [drive(eye, after)],
      signal,
      thresholds,
      heard,
      votes = brain.body.valence,
    } = options;
    this.brain = brain;
    this.eye = eye;
    this.#see = see;
    this.#signal = signal;
    this.#thresholds = thresholds;
    this.#heard = heard;
    this.#votes = votes;
  }

  /**
   * Measures homeostasis on the boards of pairs, both after the better and the other moves, with the gate in place, and sets
   * thresholds where there are any. What is to be subtracted must be measured first, so each of the two
   * comes after a calibration without it.
   *
   * @param pairs At least one.
   */
  async calibrate(pairs: SeenPairs, options: LongWork = {}): Promise<void> {
    const { brain } = this, seen = joined(this.#drives(pairs));
    if (this.#signal !== undefined) {
      this.#signal.watch(0);
      this.#thresholds?.watch();
      await brain.calibrate(seen, options);
      await this.#getUsedTo(pairs, options);
    }
    this.#thresholds?.watch();
    await brain.calibrate(seen, options);
    if (this.#thresholds !== undefined) {
      await this.#getUsedTo(pairs, options);
      this.#thresholds.watch();
      await brain.look(seen, options);
      this.#thresholds.settle();
      await brain.calibrate(seen, options);
    }
  }

  /**
   * Looks at both boards of every pair.
   *
   * @param pairs At least one.
   * @throws {RangeError} If there is none.
   */
  async look(pairs: SeenPairs, options: LongWork = {}): Promise<SeparatedLook> {
    const { count } = pairs, { brain } = this, cells = brain.body.kenyon.length;
    if (count < 1) throw new RangeError(`Cannot look at pairs: there are ${count}, at least 1 is wanted`);
    await this.#getUsedTo(pairs, options);
    const drives = this.#drives(pairs);
    const approach = new Float64Array(2 * count), passed = new Float64Array(2 * count * cells);
    let overlap = 0, on = 0;
    for (const seen of drives) {
      const look = await brain.look(seen, options);
      const votes = this.#votes;
      look.mbon.forEach((rate, i) =>
        approach[Math.floor(i / votes.length)]! += votes[i % votes.length]! * rate
      );
      look.passed.forEach((value, i) => on += Number(value > look.kenyon[i]! / 2));
      for (let b = 0; b < 2 * count; b++) {
        const tag = this.#heard?.heard(b) ?? look.passed.subarray(b * cells, (b + 1) * cells);
        tag.forEach((value, k) => passed[b * cells + k]! += value / drives.length);
      }
      const pattern = (position: number) => ({
        rates: look.kenyon.subarray(position * cells, (position + 1) * cells),
        passed: look.passed.subarray(position * cells, (position + 1) * cells),
      });
      for (let b = 0; b < count; b++) overlap += patternOverlap(pattern(b), pattern(count + b));
    }
    const good = approach.slice(0, count), bad = approach.slice(count);
    return {
      good,
      bad,
      goodPassed: passed.subarray(0, count * cells),
      badPassed: passed.subarray(count * cells),
      right: pairsRight(good, bad),
      overlap: overlap / (count * drives.length),
      active: on / (passed.length * drives.length),
    };
  }

  /**
   * Gives a batch of lessons, as `tutor` does, by a rule of choice.
   *
   * @param pairs The lessons.
   * @param rule What dopamine does.
   * @param options `temperature`: how sharply the fly prefers, above 0 (1).
   * @returns What it thought before.
   */
  async teach(
    pairs: SeenPairs,
    rule: DopamineRule,
    options: LongWork & { readonly temperature?: number | undefined } = {},
  ): Promise<SeparatedLook> {
    const { temperature = 1, ...work } = options;
    const look = await this.look(pairs, work), dose = doses(look.good, look.bad, temperature);
    const tagged = { sugar: tags(look.goodPassed, dose), shock: tags(look.badPassed, dose) };
    rule(this.brain.synapses, this.brain.body, tagged);
    return look;
  }

  #drives({ before, good, bad }: SeenPairs): readonly Drive[] {
    return this.#see(this.eye, doubled(before, before), doubled(good, bad));
  }

  async #getUsedTo({ before, count }: SeenPairs, options: LongWork): Promise<void> {
    if (this.#signal === undefined) return;
    this.#signal.watch(count);
    await this.brain.look(drive(this.eye, before), options);
    this.#signal.settle();
  }
}

function doubled(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/**
 * Votes by how much dopamine reaches: an MBON counts its valence times the stronger of its two reaches, so that those no dopamine
 * can teach say nothing.
 *
 * @returns `[mbon]`: -1 to 1.
 */
export function taughtVotes({ valence, pam, ppl1 }: MushroomBody): Float64Array {
  return Float64Array.from(valence, (sign, n) => sign * Math.max(pam[n]!, ppl1[n]!));
}

/** Drives one after the other as one. */
function joined(drives: readonly Drive[]): Drive {
  if (drives.length === 1) return drives[0]!;
  const start = [0], neuron: number[] = [], value: number[] = [];
  for (const seen of drives) {
    for (let b = 0; b < seen.positions; b++) {
      for (let k = seen.start[b]!; k < seen.start[b + 1]!; k++) {
        neuron.push(seen.neuron[k]!);
        value.push(seen.value?.[k] ?? 1);
      }
      start.push(neuron.length);
    }
  }
  return {
    positions: start.length - 1,
    start: Int32Array.from(start),
    neuron: Int32Array.from(neuron),
    value: Float64Array.from(value),
  };
}
