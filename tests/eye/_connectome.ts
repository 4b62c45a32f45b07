import { type Connectome, NO_COLUMN } from "../../lib/connectome/connectome.ts";

/** A neuron of a connectome without connections. */
export interface TestCell {
  readonly type: string;
  readonly column?: readonly [number, number];
  /** Whether it may receive the board; so it is unless it says `false`. */
  readonly input?: boolean;
}

/** A connectome of these neurons that nothing connects: all that an eye looks at. */
export function connectomeOf(cells: readonly TestCell[]): Connectome {
  const types = [...new Set(cells.map(({ type }) => type))];
  const blank = { names: [""], index: new Uint16Array(cells.length) };
  return {
    name: "test brain",
    provenance: {},
    neurons: {
      id: Float64Array.from(cells.keys()),
      type: { names: types, index: Uint16Array.from(cells, ({ type }) => types.indexOf(type)) },
      superclass: blank,
      class: blank,
      transmitter: blank,
      region: blank,
      side: blank,
      soma: new Float32Array(3 * cells.length).fill(NaN),
      column: Int16Array.from(cells.flatMap(({ column }) => column ?? [NO_COLUMN, NO_COLUMN])),
    },
    rowStart: new Int32Array(cells.length + 1),
    pre: new Int32Array(0),
    synapses: new Uint16Array(0),
    sign: new Int8Array(cells.length).fill(1),
    input: Int32Array.from(cells.keys()).filter((neuron) => cells[neuron]!.input !== false),
    output: new Int32Array(0),
  };
}
