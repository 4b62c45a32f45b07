import { join } from "node:path";
import {
  DopamineBrain,
  type LessonPairs,
  lessonPairs,
  type PairScores,
  scorePairs,
  tutor,
} from "../../bio/mod.ts";
import { type LongWork, writeFileAtomic } from "../../common/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye, eyeFor } from "../../eye/mod.ts";
import { greedyPlayer, type Player, randomPlayer } from "../../play/mod.ts";
import { afterGame, playTaughtGame } from "./_bio_games.ts";
import { type BioScores, judgeBio } from "./_bio_result.ts";
import { type BioState, fromBioCheckpoint, toBioCheckpoint } from "./_bio_state.ts";
import { makeBioBrain, synapsesLeft } from "./bio_brain.ts";
import { StreamOrder } from "../stream/_stream_order.ts";
import { type BioSettings, resolveBioSettings, type ResolvedBioSettings } from "./bio_settings.ts";
import { CALIBRATION_POSITIONS, trainRows, valRows } from "../read_rows.ts";
import type { Run } from "../run/run.ts";

export type { BioScores, BioTable } from "./_bio_result.ts";

/** How the fly does on the way. */
export interface BioCheck {
  /** Lessons or games so far. */
  readonly given: number;
  /** The share of VAL pairs in which it prefers the teacher's move to a random one. */
  readonly right: number;
  /** The same against the teacher's second best. */
  readonly harder: number;
  /** Mean share of Kenyon cells that the two positions of a pair have in common. */
  readonly overlap: number;
  /** What is left of the synapses, a share of what was measured. */
  readonly left: number;
  /** Games: its last results, 1 a win; `undefined` before the first game, and with a tutor. */
  readonly score?: number | undefined;
  /** Games: whom it plays. */
  readonly opponent?: string | undefined;
}

/** What decides a dopamine fly's run, and how it is done. */
export interface BioOptions extends BioSettings, LongWork {
  /** Whom it plays, ever harder; a random and a greedy mover by default. */
  readonly opponents?: readonly Player[] | undefined;
  /** Threads that think; they change no number. */
  readonly workers?: number | undefined;
  /** Seconds between two checkpoints, 30 by default. The result does not depend on it. */
  readonly saveSeconds?: number | undefined;
  /** Told of every check on VAL; the first one is before the first lesson. */
  readonly onCheck?: ((check: BioCheck) => void) | undefined;
  /** Told once how many lessons or games it will be. */
  readonly onPlan?: ((plan: { readonly count: number }) => void) | undefined;
}

/** What came out of a dopamine fly's run. */
export interface BioOutcome {
  /** Lessons or games given. */
  readonly given: number;
  /** Its eye. */
  readonly eye: Eye;
  /** How valence and dopamine were told. */
  readonly assumption: string;
  /** On HOLD, before and after. */
  readonly scores: BioScores;
}

/**
 * Teaches a dopamine fly (reference, section 10): the brain is calibrated with the cut in place, then lessons of pairs go by
 * in a seeded order, or it plays games, and only the synapses from Kenyon cells onto MBONs change. At the end it is judged
 * on HOLD pairs, beside itself before the first lesson.
 *
 * Stopped or killed at any moment, it goes on where its last checkpoint is and ends with the same bits. Only games against
 * an opponent that rolls dice of its own (a weakened Stockfish) are not the same twice.
 *
 * @param run Its folder, opened with `bioRunConfig` of the same settings.
 * @param connectome The wiring.
 * @param positions Positions with a teacher's opinion, HOLD and VAL in front.
 * @param options What decides the result, and how it is done.
 * @returns What came out, or `undefined` where the run was asked to stop.
 * @throws {DataError} If the checkpoint is broken or another kind of run's.
 * @throws {RangeError} If a setting is out of range, the connectome has no mushroom body, or there are too few positions.
 */
export async function trainBio(
  run: Run,
  connectome: Connectome,
  positions: Positions,
  options: BioOptions = {},
): Promise<BioOutcome | undefined> {
  const settings = resolveBioSettings(options), eye = eyeFor(connectome, settings.eye);
  await using brain = makeBioBrain(connectome, settings, options.workers);
  return await new BioRun(run, brain, eye, positions, settings, options).toItsEnd();
}

/** Trial batches or games from which minutes are turned into a count. */
const TRIALS = 3;

class BioRun {
  readonly #run: Run;
  readonly #brain: DopamineBrain;
  readonly #eye: Eye;
  readonly #positions: Positions;
  readonly #settings: ResolvedBioSettings;
  readonly #options: BioOptions;
  readonly #opponents: readonly Player[];
  readonly #train: Int32Array;
  readonly #order: StreamOrder;
  readonly #val: { readonly random: LessonPairs; readonly second: LessonPairs };

  constructor(
    run: Run,
    brain: DopamineBrain,
    eye: Eye,
    positions: Positions,
    settings: ResolvedBioSettings,
    options: BioOptions,
  ) {
    const { seed, checkRows } = settings;
    this.#run = run;
    this.#brain = brain;
    this.#eye = eye;
    this.#positions = positions;
    this.#settings = settings;
    this.#options = options;
    this.#opponents = options.opponents ?? [randomPlayer({ seed }), greedyPlayer({ seed })];
    this.#train = trainRows(positions);
    if (this.#train.length < CALIBRATION_POSITIONS || positions.val === 0 || positions.hold === 0) {
      throw new RangeError(
        `Cannot train: there are ${this.#train.length} training, ${positions.val} VAL and ${positions.hold} HOLD ` +
          `positions, at least ${CALIBRATION_POSITIONS}, 1 and 1 are wanted`,
      );
    }
    this.#order = new StreamOrder(this.#train, 0, seed);
    const rows = valRows(positions).subarray(0, checkRows);
    this.#val = {
      random: lessonPairs(positions, rows, { seed }),
      second: lessonPairs(positions, rows, { seed, against: "second" }),
    };
  }

  async toItsEnd(): Promise<BioOutcome | undefined> {
    const { signal, onProgress, saveSeconds = 30 } = this.#options, { lessons, checkEvery } = this.#settings;
    let state = await this.#start();
    const count = await this.#plan(), unit = lessons === "tutor" ? "lessons" : "games";
    let saved = performance.now();
    while (state.given < count) {
      if (signal?.aborted) await this.#save(state);
      signal?.throwIfAborted();
      if (await this.#run.stopAsked()) {
        await this.#save(state);
        return undefined;
      }
      const before = state.given;
      // A batch is not interrupted; a game is, and played again.
      state = lessons === "tutor" ? await this.#lesson(state, count) : await this.#game(state);
      const crossed = Math.floor(state.given / checkEvery) > Math.floor(before / checkEvery);
      if (crossed || state.given === count) await this.#check(state);
      onProgress?.({ task: "learning", done: state.given, total: count, unit });
      if (performance.now() - saved < 1000 * saveSeconds && state.given < count) continue;
      await this.#save(state);
      saved = performance.now();
    }
    const scores = await judgeBio(this.#brain, this.#eye, this.#positions, this.#settings, {
      signal,
      onProgress,
    });
    const outcome = {
      given: state.given,
      eye: this.#eye,
      assumption: this.#brain.body.assumption,
      scores,
    };
    await writeFileAtomic(
      join(this.#run.folder, "result.json"),
      `${JSON.stringify({ ...outcome, eye: this.#eye.name }, null, 2)}\n`,
    );
    if (!state.done) {
      const { pairs, harder, moves } = scores.after;
      await this.#run.log("done", {
        given: state.given,
        pairs: pairs.value,
        harder: harder.value,
        top1: moves?.value ?? null,
      });
      await this.#save({ ...state, done: true });
    }
    return outcome;
  }

  async #start(): Promise<BioState> {
    const checkpoint = await this.#run.checkpoint(), { signal, onProgress } = this.#options;
    if (checkpoint !== undefined) return await fromBioCheckpoint(checkpoint, this.#brain);
    const { body, connectome, precision } = this.#brain;
    await this.#run.log("started", {
      connectome: connectome.name,
      precision,
      eye: this.#eye.name,
      kenyonCells: body.kenyon.length,
      mbons: body.mbon.length,
      assumption: body.assumption,
    });
    const rows = this.#train.subarray(0, CALIBRATION_POSITIONS);
    await this.#brain.calibrate(drive(this.#eye, this.#positions.board, { rows }), { signal, onProgress });
    const state: BioState = { given: 0, done: false, level: 0, results: [] };
    await this.#check(state);
    await this.#save(state);
    return state;
  }

  async #save(state: BioState): Promise<void> {
    await this.#run.save(toBioCheckpoint(state, this.#brain));
  }

  /** How many lessons or games there will be: decided once. What the trial changes is put back. */
  async #plan(): Promise<number> {
    const { count, minutes, lessons, batch } = this.#settings;
    const planned = count ?? Number(
      (await this.#run.decide("plan", async () => {
        const { strength } = this.#brain.synapses, kept = strength.slice();
        const state: BioState = { given: 0, done: false, level: 0, results: [] };
        const once = () =>
          lessons === "tutor" ? this.#lesson(state, batch) : this.#game(state, { quiet: true });
        // The first one wakes what is not warm yet.
        await once();
        const started = performance.now();
        for (let trial = 0; trial < TRIALS; trial++) await once();
        const seconds = (performance.now() - started) / 1000 / TRIALS;
        strength.set(kept);
        const times = Math.max(1, Math.floor(60 * minutes / seconds));
        return { minutes, seconds, count: lessons === "tutor" ? times * batch : times };
      }) as { count: number }).count,
    );
    this.#options.onPlan?.({ count: planned });
    return planned;
  }

  async #lesson(state: BioState, count: number): Promise<BioState> {
    const { batch, seed, against, rate, drift, temperature, tagged } = this.#settings;
    const rows = this.#order.take(state.given, Math.min(batch, count - state.given));
    // Another pass over the same rows shows other moves beside the teacher's.
    const pass = Math.floor(state.given / this.#train.length);
    const pairs = lessonPairs(this.#positions, rows, { seed: (seed + pass) >>> 0, against });
    if (pairs.count > 0) {
      await tutor(this.#brain, this.#eye, pairs, {
        rate,
        drift,
        temperature,
        tagged,
      });
    }
    return { ...state, given: state.given + rows.length };
  }

  async #game(state: BioState, { quiet = false } = {}): Promise<BioState> {
    const { rate, drift, temperature, moveLimit, seed } = this.#settings;
    const opponent = this.#opponents[state.level]!;
    const game = await playTaughtGame(this.#brain, this.#eye, opponent, {
      number: state.given,
      rate,
      drift,
      temperature,
      moveLimit,
      seed,
      signal: this.#options.signal,
    });
    if (!quiet) await this.#run.log("game", { game: state.given + 1, opponent: opponent.name, ...game });
    return afterGame(state, game.result, this.#opponents.length);
  }

  async #check({ given, level, results }: BioState): Promise<void> {
    const { signal } = this.#options, { lessons } = this.#settings;
    const { right, overlap } = await this.#scores(this.#val.random, signal);
    const harder = this.#val.second.count === 0 ? NaN : (await this.#scores(this.#val.second, signal)).right;
    const check: BioCheck = {
      given,
      right,
      harder,
      overlap,
      left: synapsesLeft(this.#brain),
      ...lessons === "tutor" ? {} : {
        score: results.length === 0 ? undefined : results.reduce((a, b) => a + b) / results.length,
        opponent: this.#opponents[level]!.name,
      },
    };
    await this.#run.log("check", {
      ...check,
      harder: Number.isNaN(harder) ? null : harder,
      score: check.score ?? null,
      opponent: check.opponent ?? null,
    });
    this.#options.onCheck?.(check);
  }

  #scores(pairs: LessonPairs, signal: AbortSignal | undefined): Promise<PairScores> {
    return scorePairs(this.#brain, this.#eye, pairs, { signal });
  }
}
