import * as fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import type { Connectome, NameColumn } from "../../lib/connectome/mod.ts";
import type { Drive } from "../../lib/eye/mod.ts";

/** A connection as a person writes it down: sender, receiver, synapses. */
export type Connection = readonly [pre: number, post: number, synapses: number];

/** A connectome from a list of connections; nothing is known of its neurons but their signs. */
export function connectomeOf(
  { sign, connections, input, output }: {
    readonly sign: readonly number[];
    readonly connections: readonly Connection[];
    readonly input: readonly number[];
    readonly output: readonly number[];
  },
): Connectome {
  const neurons = sign.length;
  const column = (): NameColumn => ({ names: [""], index: new Uint16Array(neurons) });
  const sorted = connections.toSorted(([a, b], [c, d]) => b - d || a - c);
  const rowStart = new Int32Array(neurons + 1);
  for (const [, post] of sorted) rowStart[post + 1]! += 1;
  for (let row = 0; row < neurons; row++) rowStart[row + 1]! += rowStart[row]!;
  return {
    name: "small brain",
    provenance: {},
    neurons: {
      id: Float64Array.from(sign, (_, i) => i),
      type: column(),
      superclass: column(),
      class: column(),
      transmitter: column(),
      region: column(),
      side: column(),
      soma: new Float32Array(3 * neurons).fill(NaN),
      column: new Int16Array(2 * neurons),
    },
    rowStart,
    pre: Int32Array.from(sorted, ([pre]) => pre),
    synapses: Uint16Array.from(sorted, ([, , synapses]) => synapses),
    sign: Int8Array.from(sign),
    input: Int32Array.from(input),
    output: Int32Array.from(output),
  };
}

/** Drives some of these neurons at random, for each position anew. */
export function randomDrive(seed: number, positions: number, input: Int32Array, value = false): Drive {
  const random = new Random(seed, "drive");
  const start = [0], neuron: number[] = [], values: number[] = [];
  for (let position = 0; position < positions; position++) {
    for (const cell of input) {
      if (random.float() < 0.5) neuron.push(cell), values.push(random.float() * 2);
    }
    start.push(neuron.length);
  }
  return {
    positions,
    start: Int32Array.from(start),
    neuron: Int32Array.from(neuron),
    ...(value ? { value: Float64Array.from(values) } : {}),
  };
}

/** Random wiring: the first tenth sees, the last tenth is read. Pairs may stand twice, neurons may have no inputs. */
export function randomConnectome(seed: number, neurons: number, connections: number): Connectome {
  const random = new Random(seed, "wiring");
  const tenth = Math.ceil(neurons / 10);
  return connectomeOf({
    sign: Array.from({ length: neurons }, () => random.float() < 0.7 ? 1 : -1),
    connections: Array.from(
      { length: connections },
      () => [random.int(neurons), random.int(neurons), 5 + random.int(100)],
    ),
    input: Array.from({ length: tenth }, (_, i) => i),
    output: Array.from({ length: tenth }, (_, i) => neurons - tenth + i),
  });
}

/** Small brains and what to show them, for property tests. */
export function smallBrains(): fc.Arbitrary<
  { connectome: Connectome; calibration: Drive; drive: Drive; calm: boolean }
> {
  return fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    neurons: fc.integer({ min: 1, max: 40 }),
    perNeuron: fc.integer({ min: 0, max: 8 }),
    positions: fc.integer({ min: 1, max: 40 }),
    calm: fc.boolean(),
    value: fc.boolean(),
  }).map(({ seed, neurons, perNeuron, positions, calm, value }) => {
    const connectome = randomConnectome(seed, neurons, neurons * perNeuron);
    return {
      connectome,
      calibration: randomDrive(seed + 1, 32, connectome.input, value),
      drive: randomDrive(seed + 2, positions, connectome.input, value),
      calm,
    };
  });
}

/** The largest difference between two arrays. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!));
  return largest;
}
