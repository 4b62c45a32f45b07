import fc from "fast-check";
import {
  type Connectome,
  connectomeFromTables,
  type EdgeRecord,
  type NeuronRecord,
  type Region,
  REGIONS,
  type Roles,
} from "../../lib/connectome/mod.ts";

const text = fc.oneof(
  fc.constantFrom("", "R1-R6", "ol_intrinsic", "Kenyon_Cell"),
  fc.string({ unit: "grapheme" }),
);

/** Any small tables of neurons, connections and roles. */
export const tables: fc.Arbitrary<{ neurons: NeuronRecord[]; edges: EdgeRecord[]; roles: Roles }> = fc
  .uniqueArray(fc.maxSafeInteger(), { minLength: 1, maxLength: 24 })
  .chain((ids) => {
    const some = fc.subarray(ids);
    const one = fc.constantFrom(...ids);
    return fc.record({
      neurons: fc.tuple(...ids.map((id) =>
        fc.record({
          id: fc.constant(id),
          type: text,
          superclass: text,
          class: text,
          transmitter: fc.constantFrom("acetylcholine", "gaba", "glutamate", "dopamine"),
          region: fc.constantFrom<Region>(...REGIONS),
          side: fc.constantFrom("L", "R", "M", ""),
          sign: fc.constantFrom(1, -1),
          soma: fc.option(fc.tuple(fc.nat(99_999), fc.nat(99_999), fc.nat(99_999)), { nil: null }),
          column: fc.option(fc.tuple(fc.nat(40), fc.nat(40)), { nil: null }),
        })
      )),
      edges: fc.array(
        fc.record({
          pre: one,
          post: one,
          synapses: fc.oneof(fc.nat(300), fc.constantFrom(65_535, 65_536, 2 ** 31)),
        }),
        { maxLength: 60 },
      ),
      roles: fc.record({ input: some, output: some }),
    });
  });

/** Any small connectome. */
export const connectomes: fc.Arbitrary<Connectome> = fc.tuple(tables, fc.string(), fc.jsonValue()).map(
  ([{ neurons, edges, roles }, name, note]) =>
    connectomeFromTables(neurons, edges, roles, { name, provenance: { note } }),
);

/** Six neurons from the eye to a leg, written out by hand. */
export const SIX: { neurons: NeuronRecord[]; edges: EdgeRecord[]; roles: Roles } = {
  neurons: [
    { id: 11, type: "R1-R6", superclass: "ol_sensory", transmitter: "histamine", sign: 1, column: [4, 7] },
    { id: 12, type: "R7p", superclass: "ol_sensory", transmitter: "histamine", sign: 1, column: [4, 7] },
    { id: 21, type: "L1", superclass: "ol_intrinsic", transmitter: "glutamate" },
    { id: 31, type: "LC4", superclass: "visual_projection" },
    { id: 41, superclass: "cb_intrinsic", transmitter: "gaba", side: "L", soma: [10, 20, 30] },
    { id: 51, type: "DNp01", superclass: "descending_neuron" },
  ],
  edges: [
    { pre: 11, post: 21, synapses: 40 },
    { pre: 12, post: 21, synapses: 9 },
    { pre: 21, post: 31, synapses: 12 },
    { pre: 31, post: 41, synapses: 7 },
    { pre: 31, post: 51, synapses: 30 },
    { pre: 41, post: 51, synapses: 5 },
  ],
  roles: { input: [11, 12], output: [51] },
};
