import { Random } from "flychess/common";
import type { Deck } from "flychess/readout";
import { defaultFolder, loadBinding } from "../lib/common/_tensorflow_addon.ts";
import {
  bestArithmetic,
  compileHeads,
  instantiateHeads,
  PADDED_COLUMNS,
  planHeads,
  TILE,
} from "../lib/readout/heads/_layout.ts";
import { furnish } from "../lib/readout/heads/_machine.ts";
import { TensorflowVariables } from "../lib/readout/heads/_tensorflow_variables.ts";
import { BETA1, BETA2 } from "../lib/readout/heads/_work.ts";
import { plainScaling } from "../lib/readout/mod.ts";
import { positionLoss } from "../lib/readout/_legal_softmax.ts";

/** What a batch's time goes into, in microseconds a position; TensorFlow's products and Adam on all cores, the rest on one. */
export interface FitParts {
  /** From bytes to features of mean 0 and deviation 1. */
  readonly features: number;
  /** Features times weights. */
  readonly scores: number;
  /** The losses and their gradient, from the scores. */
  readonly losses: number;
  /** Features times the errors of the scores. */
  readonly gradients: number;
  /** Adam on every weight, with the penalty. */
  readonly adam: number;
}

/** How often each part is timed; the shortest time counts. */
const TURNS = 40;

/** Times the parts of a batch on one thread of our own kernels, or on TensorFlow. */
export async function timeParts(
  engine: "wasm" | "tensorflow",
  deck: Deck,
  batch: number,
): Promise<FitParts> {
  const { columns } = deck, mixture = { columns, kept: 1, combinations: 1 };
  const layout = planHeads(columns, 1, 1, batch, 1), { features, turned, scores, desks } = layout;
  const memory = furnish(layout, {
    ...mixture,
    scaling: plainScaling(mixture),
    decay: 0.01,
    contrastDecay: 0,
  });
  const kernels = instantiateHeads(await compileHeads(bestArithmetic()), memory), desk = desks[0]!;
  const bytes = new Uint8Array(memory.buffer, desk.bytes, columns);
  const shortest = (act: () => void): number => {
    let best = Infinity;
    for (let turn = 0; turn < TURNS; turn++) {
      const started = performance.now();
      act();
      best = Math.min(best, performance.now() - started);
    }
    return best / batch * 1000;
  };
  const own = engine === "wasm", width = own ? PADDED_COLUMNS : 134;
  const makeFeatures = (make: (i: number) => void) =>
    shortest(() => {
      for (let i = 0; i < batch; i++) {
        bytes.set(deck.rates.subarray(i * columns, (i + 1) * columns));
        make(i);
      }
    });
  const { mixture: mean, scale, shift } = layout;
  let row = 0;
  const random = new Random(1, "scores");
  const found = Float32Array.from({ length: deck.count * width }, () => random.normal());
  const changes = new Float32Array(batch * width), each = { policy: 0, value: 0, favourite: 0 };
  const loss = () => {
    // Other positions every time: a processor learns the branches of a few by heart.
    for (let i = 0; i < batch; i++, row = (row + 1) % deck.count) {
      changes.set(found.subarray(row * width, (row + 1) * width), i * width);
      positionLoss(deck, row, changes, i * width, each, changes, 1 / batch);
    }
  };
  if (own) {
    const pack = (i: number) => {
      kernels.mix(desk.bytes, columns, 1, 1, mean, desk.features);
      const lane = desk.lanes + i % TILE * 4, to = turned + i * TILE * 4;
      kernels.pack(features, desk.features, scale, shift, lane, to, batch * TILE * 4);
    };
    const learn = (positions: number) => {
      for (let first = 0; first < features; first += TILE) {
        const { weights, momentum, variance, decay } = layout, at = turned + first * positions * 4;
        const past = [weights, momentum, variance, decay] as const;
        kernels.learn(features, first, positions, at, scores, ...past, BETA1, BETA2, 1e-9, 1e-7);
      }
    };
    const timed = {
      features: makeFeatures(pack),
      scores: shortest(() => {
        for (let first = 0; first < batch; first += TILE) {
          kernels.score(features, desk.lanes, layout.weights, scores + first * PADDED_COLUMNS * 4);
        }
      }),
      losses: shortest(loss),
      adam: shortest(() => learn(1)),
    };
    return { ...timed, gradients: shortest(() => learn(batch)) - timed.adam };
  }
  using variables = new TensorflowVariables(
    loadBinding(defaultFolder()),
    new Float32Array(memory.buffer, layout.decay, features),
  );
  const tensor = (count: number) =>
    variables.features(new Float32Array(memory.buffer, turned, count * features), count);
  const step = { rate: 1e-9, epsilon: 1e-7 };
  const timed = {
    features: makeFeatures((i) =>
      kernels.lay(desk.bytes, columns, 1, 1, mean, scale, shift, turned + i * features * 4)
    ),
    losses: shortest(loss),
  };
  const all = tensor(batch), one = tensor(1), errors = changes.slice(0, 134);
  const product = shortest(() => void variables.scores(all)),
    adam = shortest(() => variables.learn(one, errors, step));
  const learned = shortest(() => variables.learn(all, changes, step));
  variables.free(all, one);
  return { ...timed, scores: product, adam, gradients: learned - adam };
}
