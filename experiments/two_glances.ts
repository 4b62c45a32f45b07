/**
 * Two glances (reference, "Making it stronger without cheating", 7): the first look picks the piece, its square gets
 * attention, which is more drive into its patch of the eye, and the brain runs again to pick where it goes. Does that read
 * better than one glance, whose moves are scored as from-square plus to-square?
 *
 * @module
 */
import { wasmEngine } from "flychess/brain";
import { movePolicy } from "flychess/chess";
import { connectomeDigest } from "flychess/connectome";
import { MAX_BEST, type Positions } from "flychess/data";
import { eyeFor } from "flychess/eye";
import {
  applyReadout,
  bestArithmetic,
  type Deck,
  fitBlind,
  type Interval,
  type Judged,
  pairedDifference,
  type Readout,
  READOUT_COLUMNS,
  type Scores,
  summarize,
} from "flychess/readout";
import { holdRows, trainRows, wake } from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { END, fitHeadsToEnd } from "./shared/fit_to_end.ts";
import { type Attention, lookAgain, movesOf, sameAgain, secondGlance, sharesOf } from "./choosing/glances.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { kept } from "./shared/kept.ts";
import { deckFeatures, frontOf, lookAt } from "./shared/looks.ts";

export { figure } from "./choosing/two_glances_figure.ts";

/** The question. */
export const question =
  "Does a second glance, with attention on the chosen piece, find better where it goes?";

/** Kinds of attention that are tried; the numbers are added to a drive of 1. */
const ATTENTION: readonly { readonly name: string; readonly attention: Attention }[] = [
  { name: "its patch driven by 1 more", attention: { patch: 1, lit: 0 } },
  { name: "its patch driven by 3 more", attention: { patch: 3, lit: 0 } },
  { name: "its lit cells driven by 3 more", attention: { patch: 0, lit: 3 } },
];

/** How a move is found. */
export interface GlanceRow {
  readonly name: string;
  /** What the second glance is: none, the first once more, or one with attention. */
  readonly second: "none" | "same" | "attention" | "wrong square";
  /** VAL loss of the second heads, in nats of a move given its piece. */
  readonly valLoss?: number;
  readonly penalty?: number;
  /** Held-out loss of all moves: the first glance's chance of the piece, times the second's of the move. */
  readonly loss: Interval;
  /** The favourite of all moves. */
  readonly top1: Interval;
  readonly good: Interval;
  /** The favourite when the piece is chosen first, for good. */
  readonly pieceFirst: Pick<Scores, "top1" | "good">;
  /** Minus one glance, on the same positions. */
  readonly againstOne: Pick<Scores, "loss" | "top1" | "good">;
  /** Minus second heads on the first glance once more, on the same positions. */
  readonly againstSame?: Pick<Scores, "loss" | "top1" | "good">;
}

/** What `two_glances` measures. */
export interface TwoGlancesNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    /** Pairs of a held-out position and a piece that may move. */
    readonly pairs: number;
    readonly steps: readonly number[];
    readonly arithmetic: string;
  };
  readonly rows: readonly GlanceRow[];
  /** The kind of attention that VAL likes best. */
  readonly chosen: string;
}

/** Measures; every kind of second glance that is finished is kept. */
export async function run(options: ExperimentOptions): Promise<TwoGlancesNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const positions = frontOf(
    options.positions,
    quick ? { hold: 128, val: 64, train: 1024 } : { hold: 2048, val: 1024, train: 8192 },
  );
  const eye = eyeFor(connectome, "auto"), hold = holdRows(positions), train = trainRows(positions);
  const pairs = secondGlance(positions, seed), steps = [12];
  const settings = {
    hold: hold.length,
    val: positions.val,
    train: train.length,
    pairs: pairs.positions.hold,
    steps,
    arithmetic: bestArithmetic(),
  };
  const end = quick ? { ...END, passes: 6, penalties: [0.3, 0.03], first: 0.3 } : END;
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    seed,
    ...settings,
    end,
  };
  await using brain = await wake(connectome, eye, positions, {
    engine: wasmEngine({ precision: "float32" }),
    ...workers === undefined ? {} : { workers },
    calibrationPositions: Math.min(256, train.length),
    signal,
    onProgress,
  });
  const reporter = (name: string) => ({
    signal,
    onProgress: onProgress &&
      ((progress: Parameters<typeof onProgress>[0]) =>
        onProgress({ ...progress, task: `${name}: ${progress.task}` })),
  });
  const first = await lookAt(brain, eye, positions, { steps, ...reporter("one glance") });
  const one = await fitHeadsToEnd(first, positions, {
    seed,
    blind: await fitBlind(positions, train, { signal }),
    settings: end,
    workers,
    ...reporter("one glance"),
  });
  const chances = chancesOf(one.readout, first, positions, hold);
  const blind = await fitBlind(pairs.positions, trainRows(pairs.positions), { signal });

  /** Fits heads on a second glance and finds moves with them. */
  const again = async (name: string, second: GlanceRow["second"], look: () => Promise<Deck> | Deck) => {
    const make = async () => {
      const deck = await look();
      const { readout, valLoss, penalty } = await fitHeadsToEnd(deck, pairs.positions, {
        seed,
        blind,
        settings: end,
        workers,
        ...reporter(name),
      });
      const given = chancesOf(readout, deck, pairs.positions, holdRows(pairs.positions));
      return { valLoss, penalty, ...combine(chances, given) };
    };
    const all = await kept(keep, name, inputs, async () => {
      const { valLoss, penalty, joint, pieceFirst } = await make();
      const { tensors } = packJudged(joint, {});
      const own = packJudged(pieceFirst, { valLoss, penalty });
      const renamed = Object.fromEntries(
        Object.entries(own.tensors).map(([key, tensor]) => [`pieceFirst.${key}`, tensor]),
      );
      return { tensors: { ...tensors, ...renamed }, metadata: own.metadata };
    });
    const pieceFirst = Object.fromEntries(
      Object.entries(all.tensors).filter(([key]) => key.startsWith("pieceFirst.")).map((
        [key, tensor],
      ) => [key.slice("pieceFirst.".length), tensor]),
    );
    return {
      name,
      second,
      ...unpackJudged(all, positions),
      pieceFirst: unpackJudged({ tensors: pieceFirst, metadata: all.metadata }, positions).judged,
    } as FoundGlance;
  };
  const found: FoundGlance[] = [{ name: "one glance", second: "none", ...alone(chances) }];
  found.push(await again("second heads, no attention", "same", () => sameAgain(first, pairs)));
  for (const { name, attention } of ATTENTION) {
    found.push(
      await again(
        name,
        "attention",
        () => lookAgain(brain, eye, positions, pairs, pairs.from, attention, { steps, ...reporter(name) }),
      ),
    );
  }
  const best = found.filter(({ second }) => second === "attention").reduce((low, each) =>
    each.valLoss! < low.valLoss! ? each : low
  );
  const { attention } = ATTENTION.find(({ name }) => name === best.name)!;
  found.push(
    await again(
      "attention on another piece",
      "wrong square",
      () =>
        lookAgain(brain, eye, positions, pairs, pairs.wrong, attention, {
          steps,
          ...reporter("another piece"),
        }),
    ),
  );
  const intervals = { seed, resamples: quick ? 100 : 1000 };
  const three = ({ loss, top1, good }: Scores) => ({ loss, top1, good });
  const same = found[1]!;
  return {
    settings,
    rows: found.map(({ name, second, valLoss, penalty, judged, pieceFirst }) => {
      const { top1, good } = summarize(pieceFirst, intervals);
      return {
        name,
        second,
        ...valLoss === undefined ? {} : { valLoss },
        ...penalty === undefined ? {} : { penalty },
        ...three(summarize(judged, intervals)),
        pieceFirst: { top1, good },
        againstOne: three(pairedDifference(judged, found[0]!.judged, intervals)),
        ...second === "none" ? {} : { againstSame: three(pairedDifference(judged, same.judged, intervals)) },
      };
    }),
    chosen: best.name,
  };

  /** Chances of the legal moves of some rows. */
  function chancesOf(readout: Readout, deck: Deck, of: Positions, rows: Int32Array): Float64Array[] {
    const scores = applyReadout(readout, deckFeatures(deck), rows);
    return Array.from(
      rows,
      (row, i) =>
        movePolicy(scores.subarray(i * READOUT_COLUMNS, (i + 1) * READOUT_COLUMNS), movesOf(of, row)),
    );
  }

  /** One glance alone: all moves at once, or the likeliest piece first. */
  function alone(chances: readonly Float64Array[]) {
    return { judged: judgeChances(chances), pieceFirst: judgeChances(chances, chances.map(pieceOf)) };
  }

  /** The chance of the piece at the first glance times that of its move at the second. */
  function combine(chances: readonly Float64Array[], given: readonly Float64Array[]) {
    const joint = chances.map((each) => new Float64Array(each.length));
    for (const [i, own] of given.entries()) {
      const row = pairs.row[i]!, from = pairs.from[i]!, moves = movesOf(positions, row);
      let piece = 0;
      for (const [m, move] of moves.entries()) if ((move & 63) === from) piece += chances[row]![m]!;
      let k = 0;
      for (const [m, move] of moves.entries()) {
        if ((move & 63) === from) joint[row]![m] = piece * own[k++]!;
      }
    }
    return { joint: judgeChances(joint), pieceFirst: judgeChances(joint, chances.map(pieceOf)) };
  }

  /** The square that moves most likely leave. */
  function pieceOf(chance: Float64Array, row: number): number {
    const sums = new Float64Array(64);
    for (const [m, move] of movesOf(positions, row).entries()) sums[move & 63]! += chance[m]!;
    return sums.indexOf(Math.max(...sums));
  }

  /** What chances of moves are worth; with `pieces` the favourite is the likeliest move of that piece. */
  function judgeChances(chances: readonly Float64Array[], pieces?: readonly number[]): Judged {
    const count = hold.length;
    const judged = {
      rows: hold.slice(),
      top1: new Uint8Array(count),
      good: new Uint8Array(count),
      loss: new Float64Array(count),
      valueError: new Float64Array(count),
      game: positions.game.slice(0, count),
    };
    for (const row of hold) {
      const moves = movesOf(positions, row), chance = chances[row]!, first = row * MAX_BEST;
      let favourite = -1;
      for (let m = 0; m < moves.length; m++) {
        if (pieces !== undefined && (moves[m]! & 63) !== pieces[row]) continue;
        if (favourite < 0 || chance[m]! > chance[favourite]!) favourite = m;
      }
      for (const [k, [place, share]] of sharesOf(positions, row).entries()) {
        judged.loss[row]! -= share * Math.log(chance[place]!);
        if (place !== favourite) continue;
        judged.top1[row] = k === 0 ? 1 : 0;
        judged.good[row] = positions.win[first + k]! >= positions.win[first]! - 10 ? 1 : 0;
      }
    }
    return judged;
  }
}

/** What moves found in one way are worth. */
interface FoundGlance {
  readonly name: string;
  readonly second: GlanceRow["second"];
  readonly valLoss?: number;
  readonly penalty?: number;
  readonly judged: Judged;
  readonly pieceFirst: Judged;
}
