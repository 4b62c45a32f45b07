import { type Connectome, hopsFrom } from "flychess/connectome";
import { eyeFor } from "flychess/eye";

/** How near to the eye the neurons are that are read. */
export interface Reach {
  /** Neurons read that are 1, 2, 3, ... connections from the nearest cell of the eye. */
  readonly hops: readonly number[];
  /** Connections straight from a cell of the eye to a neuron that is read. */
  readonly direct: number;
  /** Cells of the eye that a neuron that is read hears, straight or over one neuron: the mean. */
  readonly cells: number;
}

/** Counts how the eye reaches the neurons that are read, whatever its connections' strengths. */
export function reachOf(connectome: Connectome): Reach {
  const { rowStart, pre, output } = connectome, eye = new Set(eyeFor(connectome, "auto").cell);
  const senders = (neuron: number) => pre.subarray(rowStart[neuron], rowStart[neuron + 1]);
  const far = hopsFrom(connectome, Int32Array.from(eye)), hops: number[] = [];
  let direct = 0, cells = 0;
  for (const neuron of output) {
    const away = far[neuron]!;
    if (away > 0) {
      while (hops.length < away) hops.push(0);
      hops[away - 1]!++;
    }
    const own = senders(neuron).filter((each) => eye.has(each)), heard = new Set<number>(own);
    direct += own.length;
    for (const between of senders(neuron)) {
      for (const each of senders(between)) if (eye.has(each)) heard.add(each);
    }
    cells += heard.size / output.length;
  }
  return { hops, direct, cells };
}

/** The mean of several. */
export function meanReach(of: readonly Reach[]): Reach {
  const mean = (pick: (reach: Reach) => number) =>
    of.reduce((sum, each) => sum + pick(each), 0) / Math.max(1, of.length);
  const longest = Math.max(0, ...of.map(({ hops }) => hops.length));
  return {
    hops: Array.from({ length: longest }, (_, i) => mean(({ hops }) => hops[i] ?? 0)),
    direct: mean(({ direct }) => direct),
    cells: mean(({ cells }) => cells),
  };
}
