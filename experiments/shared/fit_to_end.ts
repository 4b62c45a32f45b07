import { type LongWork, Random } from "flychess/common";
import type { Positions } from "flychess/data";
import { type Deck, HeadsTrainer, measureScaling, type Readout, READOUT_COLUMNS } from "flychess/readout";
import { scheduleFactor, trainRows, valRows } from "flychess/training";

/** How readouts are fitted to the end, by every experiment that does not say otherwise. */
export interface EndSettings {
  /** Positions of a step. */
  readonly batch: number;
  /** Adam's largest step size; 3 % warm-up, then a cosine to 0. */
  readonly rate: number;
  /** Times every position is seen. */
  readonly passes: number;
  /** Penalties on the weights, descending. */
  readonly penalties: readonly number[];
  /** Which of them is tried first. */
  readonly first: number;
}

/**
 * Features are brought to mean 0 and deviation 1 first, so that neither step sizes nor penalties favour a brain whose
 * neurons move more. Batch, step and passes are the learning curve's, where longer fits were no better.
 */
export const END: Readonly<EndSettings> = {
  batch: 128,
  rate: 2e-3,
  passes: 16,
  penalties: [0.1, 0.01, 0.001],
  first: 0.01,
};

/**
 * The same for brains of which many neurons are read. Their penalties lie half a power of ten apart and begin higher: of a
 * model fly's 1,314 VAL mostly chose the largest of `END`'s.
 */
export const END_OF_MANY: Readonly<EndSettings> = { ...END, penalties: [0.3, 0.1, 0.03, 0.01], first: 0.1 };

/** How readouts of so many neurons are fitted. */
export function endOf(read: number): Readonly<EndSettings> {
  return read > 500 ? END_OF_MANY : END;
}

/** Rows that share a step size. */
const PIECE = 1024;

/** A fitted readout. */
export interface FittedToEnd {
  readonly readout: Readout;
  /** Policy loss on VAL, in nats: the lowest of all passes with all penalties. */
  readonly valLoss: number;
  /** The penalty that VAL chose. */
  readonly penalty: number;
  /** The pass after which VAL was best. */
  readonly pass: number;
}

/** What a fit learns from, and how. */
export interface EndOptions extends LongWork {
  readonly seed: number;
  /** What it starts from: the blind baseline, which knows nothing of the board. */
  readonly blind: Readout;
  /** Steps that the deck keeps side by side; 1 by default. */
  readonly kept?: number;
  /** 1 reads their mean, `kept` reads them side by side. */
  readonly combinations?: number;
  /** Fixes the penalty on the mean; then the grid is of what side by side says beyond it. */
  readonly meanPenalty?: number;
  readonly settings?: Partial<EndSettings>;
  readonly workers?: number | undefined;
}

/**
 * Fits the four heads to the end. VAL chooses the penalty, walking the grid for as long as that helps, and the pass at
 * which to stop.
 *
 * @param deck Rates of every one of the positions.
 */
export async function fitHeadsToEnd(
  deck: Deck,
  positions: Positions,
  options: EndOptions,
): Promise<FittedToEnd> {
  const { seed, blind, kept = 1, combinations = 1, meanPenalty, workers, signal, onProgress } = options;
  const settings = { ...END, ...options.settings };
  const { penalties } = settings;
  const columns = deck.columns / kept, mixture = { columns, kept, combinations };
  const scaling = measureScaling(mixture, deck, positions.hold + positions.val);
  const val = valRows(positions);
  const start: Readout = {
    features: columns,
    weight: new Float32Array(columns * READOUT_COLUMNS),
    bias: blind.bias,
  };

  const fit = async (penalty: number): Promise<FittedToEnd> => {
    using trainer = await HeadsTrainer.create({
      ...mixture,
      scaling,
      batch: settings.batch,
      decay: meanPenalty ?? penalty,
      contrastDecay: penalty,
      // 0 is what a brain calls the calling thread.
      workers: workers === undefined ? undefined : Math.max(1, workers),
    });
    trainer.start(start);
    const order = trainRows(positions), total = settings.passes * order.length;
    let best = {
      pass: 0,
      valLoss: (await trainer.loss(deck, val, { signal })).policy,
      weight: trainer.weight,
    };
    for (let pass = 1, done = 0; pass <= settings.passes; pass++) {
      const rows = new Random(seed, `pass ${pass}`).shuffle(order.slice());
      for (let at = 0; at < rows.length; at += PIECE) {
        const piece = rows.subarray(at, at + PIECE);
        const rate = settings.rate * scheduleFactor((done + piece.length / 2) / total);
        await trainer.learn(deck, piece, { rate, signal });
        done += piece.length;
        onProgress?.({ task: `fitting to the end, penalty ${penalty}`, done, total, unit: "positions" });
      }
      const { policy } = await trainer.loss(deck, val, { signal });
      if (policy < best.valLoss) best = { pass, valLoss: policy, weight: trainer.weight };
    }
    return { readout: trainer.readout(best.weight), valLoss: best.valLoss, penalty, pass: best.pass };
  };

  let at = Math.max(0, penalties.indexOf(settings.first));
  let best = await fit(penalties[at]!);
  // A weaker penalty first; where that does not help, stronger ones.
  for (const direction of [1, -1]) {
    let moved = false;
    for (let next = at + direction; next >= 0 && next < penalties.length; next += direction) {
      const tried = await fit(penalties[next]!);
      if (tried.valLoss >= best.valLoss) break;
      best = tried;
      at = next;
      moved = true;
    }
    if (moved) break;
  }
  return best;
}
