import { type Homeostasis, initialStrengths } from "../brain/mod.ts";
import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "../connectome/mod.ts";
import type { Drive } from "../eye/mod.ts";
import type { KenyonGate } from "./kenyon_gate.ts";
import type { MushroomBody } from "./mushroom_body.ts";
import type { PlasticSynapses } from "./dopamine.ts";
import { type TakenOut, takeOutSynapses } from "./plastic_synapses.ts";

/** What a dopamine fly's brain is made of. */
export interface BrainParts {
  readonly connectome: Connectome;
  readonly body: MushroomBody;
  readonly gate: KenyonGate;
  readonly gated: "mbon" | "all";
  readonly steps: number;
  readonly gain: number;
  readonly bias: number;
  readonly leak: number;
}

/** The arithmetic of a dopamine fly's brain. Drives are checked before. */
export interface Thinker extends AsyncDisposable {
  /** The synapses that can learn; every think uses their strengths as they are then. */
  readonly synapses: PlasticSynapses;
  /** Measures homeostasis, without taking it over. */
  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis>;
  /** Takes homeostasis over. */
  use(homeostasis: Homeostasis): Promise<void>;
  /** Rates of some neurons after some steps, `[steps][positions][neurons]`. */
  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    work: LongWork,
  ): Promise<Float64Array>;
}

/** A connectome's strengths as measured, the synapses from Kenyon cells onto MBONs apart from the rest. */
export function takeApart(connectome: Connectome, { kenyon, mbon }: MushroomBody): TakenOut {
  const { rowStart, pre, sign } = connectome, weight = initialStrengths(connectome);
  for (let k = 0; k < weight.length; k++) weight[k]! *= sign[pre[k]!]!;
  return takeOutSynapses({ neurons: sign.length, rowStart, pre, weight }, kenyon, mbon);
}
