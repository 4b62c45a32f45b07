import type { FlyBrain } from "../../brain/mod.ts";
import type { LongWork } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { Eye } from "../../eye/mod.ts";
import { type FeatureSource, judge, type Judged, noFeatures, type Readout } from "../../readout/mod.ts";
import { readRows, valRows } from "../read_rows.ts";

/** What is plain about a judgement: means without intervals. */
export interface Means {
  /** Mean policy loss, in nats. */
  readonly loss: number;
  /** Share of favourites that are the teacher's best move. */
  readonly top1: number;
  /** Share of favourites that are good moves. */
  readonly good: number;
}

/** The means of a judgement. */
export function meansOf({ loss, top1, good }: Judged): Means {
  const mean = (values: Float64Array | Uint8Array) => {
    let sum = 0;
    for (const each of values) sum += each;
    return sum / values.length;
  };
  return { loss: mean(loss), top1: mean(top1), good: mean(good) };
}

/** Checks a brain and its readout on VAL during a run. */
export class ValCheck {
  /** What the blind baseline does there. */
  readonly blind: Means;
  readonly #brain: FlyBrain;
  readonly #eye: Eye;
  readonly #positions: Positions;
  readonly #steps: readonly number[];
  readonly #frozen: boolean;
  #known: FeatureSource | undefined;

  /** @param frozen Whether the brain stays as it is: then VAL is shown to it once. */
  constructor(
    brain: FlyBrain,
    eye: Eye,
    positions: Positions,
    { steps, blind, frozen }: {
      readonly steps: readonly number[];
      readonly blind: Readout;
      readonly frozen: boolean;
    },
  ) {
    this.#brain = brain;
    this.#eye = eye;
    this.#positions = positions;
    this.#steps = steps;
    this.#frozen = frozen;
    this.blind = meansOf(judge(blind, noFeatures(positions.count), positions, valRows(positions)));
  }

  /** What the readout does on VAL now. */
  async means(readout: Readout, { signal }: LongWork = {}): Promise<Means> {
    const rows = valRows(this.#positions);
    const features = this.#known ??
      await readRows(this.#brain, this.#eye, this.#positions, rows, { steps: this.#steps, signal });
    if (this.#frozen) this.#known = features;
    return meansOf(judge(readout, features, this.#positions, rows));
  }
}
