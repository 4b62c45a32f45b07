import type { BrainModel } from "../brain/mod.ts";
import type { PlasticSynapses } from "./dopamine.ts";

/** Connections by sender, in the order of a list of senders. */
export interface Connections {
  /** `[senders + 1]`: where each one's connections start. */
  readonly start: Int32Array;
  /** Where the receiver stands in a list of receivers. */
  readonly slot: Int32Array;
  /** Signed strength. */
  readonly weight: Float64Array;
}

/** Connections taken out of a brain. */
export interface Sent extends Connections {
  /** Who hears them, ascending. */
  readonly to: Int32Array;
}

/** No connection at all. */
export function nothingSent(senders: Int32Array): Sent {
  return {
    to: new Int32Array(),
    start: new Int32Array(senders.length + 1),
    slot: new Int32Array(),
    weight: new Float64Array(),
  };
}

/** The synapses onto MBONs that the connectome has, as strong as they are now. */
export function plasticNow({ kenyon, mbon, measured, strength }: PlasticSynapses): Connections {
  const start = new Int32Array(kenyon + 1), slot: number[] = [], weight: number[] = [];
  for (let k = 0; k < kenyon; k++) {
    for (let n = 0; n < mbon; n++) {
      if (measured[k * mbon + n] === 0) continue;
      slot.push(n);
      weight.push(strength[k * mbon + n]!);
    }
    start[k + 1] = slot.length;
  }
  return { start, slot: Int32Array.from(slot), weight: Float64Array.from(weight) };
}

type Rest = Pick<BrainModel, "neurons" | "rowStart" | "pre" | "weight">;

/** Takes everything that some neurons send out of a brain. */
export function takeOutSenders(
  { neurons, rowStart, pre, weight }: Rest,
  senders: Int32Array,
): { readonly rest: Rest; readonly sent: Sent } {
  const place = new Int32Array(neurons).fill(-1), starts = new Int32Array(neurons + 1);
  senders.forEach((sender, k) => place[sender] = k);
  const kept: number[] = [], to: number[] = [];
  const bySender = Array.from(senders, () => [] as { readonly slot: number; readonly weight: number }[]);
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const sender = place[pre[k]!]!;
      if (sender < 0) {
        kept.push(k);
        continue;
      }
      if (to.at(-1) !== row) to.push(row);
      bySender[sender]!.push({ slot: to.length - 1, weight: weight[k]! });
    }
    starts[row + 1] = kept.length;
  }
  const start = new Int32Array(senders.length + 1), all = bySender.flat();
  bySender.forEach((list, k) => start[k + 1] = start[k]! + list.length);
  return {
    rest: {
      neurons,
      rowStart: starts,
      pre: Int32Array.from(kept, (k) => pre[k]!),
      weight: Float64Array.from(kept, (k) => weight[k]!),
    },
    sent: {
      to: Int32Array.from(to),
      start,
      slot: Int32Array.from(all, ({ slot }) => slot),
      weight: Float64Array.from(all, ({ weight }) => weight),
    },
  };
}
