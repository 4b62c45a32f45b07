/**
 * A type of the optic lobe: cells per eye column, reach across the eye in columns, inputs, transmitter, and what
 * it listens to as `group:weight`. Names, densities, transmitters and main partners follow the published
 * circuits of lamina, medulla and lobula (Takemura et al. 2013 and 2015; Shinomiya et al. 2019; Nern et al.
 * 2025), in round numbers.
 */
export type ColumnarType = readonly [
  name: string,
  perColumn: number,
  reach: number,
  inputs: number,
  transmitter: string,
  sources: string,
];

/** Types whose cells carry a column in the annotations. */
export const LABELLED_TYPES: readonly string[] = "L1 L2 L3 L5 Mi1 Mi4 Mi9 C2 C3 Tm1 Tm2 Tm4 Tm9 Tm20 T1"
  .split(" ");

/** Types that photoreceptors talk to most: every column has one, and a small fly keeps them. */
export const FIRST_TYPES: readonly string[] = ["L1", "L2", "L3", "Mi1"];

const A = "acetylcholine";
const G = "gaba";
const U = "glutamate";

/** Types with a cell in every column, or nearly. */
export const COLUMNAR: readonly ColumnarType[] = [
  ["L1", 1, 1.6, 9, U, "R1-R6:22 L5:2 C2:2 C3:3 L2:1 L4:1 T1:1 wide:1"],
  ["L2", 1, 1.6, 9, A, "R1-R6:22 L4:2 C2:2 C3:2 L1:1 L5:1 wide:1"],
  ["L3", 1, 1.6, 9, A, "R1-R6:18 R8:2 C2:1 C3:2 L1:1 wide:1"],
  ["L4", 1, 1.2, 12, A, "L2:4 R1-R6:7 C3:2 L5:1 wide:1"],
  ["L5", 1, 0.8, 16, A, "R1-R6:4 L1:4 L2:2 Mi4:1 C2:1 C3:1 Mi1:1 wide:1"],
  ["C2", 1, 1, 18, G, "R1-R6:5 L1:2 Mi1:3 L5:3 Tm1:1 T1:1 wide:1"],
  ["C3", 1, 1, 18, G, "R1-R6:5 Mi1:3 L1:2 L5:2 Mi4:1 Mi9:1 wide:1"],
  ["T1", 1, 1.2, 12, A, "R1-R6:8 L2:2 C3:1 wide:2"],
  ["Mi1", 1, 0.6, 20, A, "L1:5 L5:3 R7:0.5 R8:1 C3:1 Mi4:1 Mi9:1 Tm3:1 wide:2"],
  ["Mi4", 1, 0.6, 20, G, "L5:4 Mi1:3 R8:2 Mi9:2 C2:1 Tm2:1 wide:2"],
  ["Mi9", 1, 0.6, 20, U, "L3:5 R7:1.5 Mi4:2 Mi1:1 Tm20:1 wide:2"],
  ["Tm1", 1, 0.6, 20, A, "L2:6 C3:2 Mi1:2 L5:1 Tm9:1 wide:2"],
  ["Tm2", 1, 0.6, 20, A, "L2:5 L4:4 L5:1 Mi1:1 Mi4:1 wide:2"],
  ["Tm4", 1, 0.9, 20, A, "L2:4 L4:2 Mi1:1 L5:2 Tm2:1 wide:2"],
  ["Tm9", 1, 0.6, 20, A, "L3:6 Mi4:2 Mi9:1 R7:0.5 C3:1 wide:2"],
  ["Tm20", 1, 0.6, 20, A, "L3:5 R8:1 Mi4:2 Mi9:2 wide:2"],
  ["Tm3", 1.2, 0.9, 20, A, "L1:5 L5:4 Mi1:2 C2:1 wide:2"],
  ["Mi2", 0.5, 1, 20, A, "L5:3 L2:1 Mi1:2 Tm2:1 wide:2"],
  ["Mi10", 0.5, 1, 20, A, "L3:2 Mi9:2 L4:2 Tm3:1 wide:2"],
  ["Mi13", 0.5, 1, 20, U, "L2:2 L3:2 L5:1 C3:1 wide:2"],
  ["Mi15", 0.4, 1, 20, A, "R7:2 R8:2 L3:2 Mi9:1 wide:2"],
  ["T2", 0.9, 0.8, 32, A, "Mi1:3 Tm1:2 L5:2 L4:1 Tm3:2 wide:2"],
  ["T2a", 0.9, 0.8, 32, A, "Mi1:4 Tm3:2 L4:1 Mi9:1 wide:2"],
  ["T3", 1, 0.8, 32, A, "Mi1:4 Tm1:3 Tm3:2 Mi4:1 wide:2"],
  ["Tm5a", 0.6, 0.9, 20, A, "R7:2 L3:2 Mi9:1 Tm20:1 wide:2"],
  ["Tm5b", 0.6, 0.9, 20, A, "R7:2 R8:1 L3:2 Mi4:1 wide:2"],
  ["Tm5c", 0.5, 0.9, 20, U, "R8:2 Mi4:1 Tm20:2 L3:2 wide:2"],
  ["T4a", 0.95, 0.9, 30, A, "Mi1:5 Tm3:4 Mi4:3 Mi9:3 C3:2 T4:2 wide:1"],
  ["T4b", 0.95, 0.9, 30, A, "Mi1:5 Tm3:4 Mi4:3 Mi9:3 C3:2 T4:2 wide:1"],
  ["T4c", 0.95, 0.9, 30, A, "Mi1:5 Tm3:4 Mi4:3 Mi9:3 C3:2 T4:2 wide:1"],
  ["T4d", 0.95, 0.9, 30, A, "Mi1:5 Tm3:4 Mi4:3 Mi9:3 C3:2 T4:2 wide:1"],
  ["T5a", 0.95, 0.9, 30, A, "Tm1:4 Tm2:3 Tm4:3 Tm9:5 T5:2 wide:1"],
  ["T5b", 0.95, 0.9, 30, A, "Tm1:4 Tm2:3 Tm4:3 Tm9:5 T5:2 wide:1"],
  ["T5c", 0.95, 0.9, 30, A, "Tm1:4 Tm2:3 Tm4:3 Tm9:5 T5:2 wide:1"],
  ["T5d", 0.95, 0.9, 30, A, "Tm1:4 Tm2:3 Tm4:3 Tm9:5 T5:2 wide:1"],
];

/** A family of types that fills the lobe: its types are drawn, each with its own partners. */
export interface Family {
  /** Types are named with it and a number. */
  readonly name: string;
  /** How many types there are. */
  readonly types: number;
  /** Cells per eye column of the whole family. */
  readonly perColumn: number;
  /** Reach across the eye in columns, from the narrowest type to the widest. */
  readonly reach: readonly [number, number];
  /** Mean inputs a cell. */
  readonly inputs: number;
  /** Transmitter, or `undefined` for what is left over. */
  readonly transmitter?: string;
  /** Groups its types may listen to. */
  readonly from: readonly string[];
}

const MEDULLA = "L1 L2 L3 L5 Mi1 Mi4 Mi9 Mi2 Mi10 Mi13 Mi15 Tm1 Tm2 Tm3 Tm4 Tm9 Tm20 Tm5a Tm5b Tm5c".split(
  " ",
);
const LOBULA = "T2 T2a T3 T4 T5 Tm1 Tm2 Tm3 Tm4 Tm9 Tm20 Tm5a Tm5b Tm5c".split(" ");

/** Families in the order of the layers; later ones may listen to earlier ones. */
export const FAMILIES: readonly Family[] = [
  {
    name: "Dm",
    types: 20,
    perColumn: 2.8,
    reach: [1, 4],
    inputs: 52,
    from: [...MEDULLA, "R7", "R8", "unplaced"],
  },
  {
    name: "Lawf",
    types: 2,
    perColumn: 0.25,
    reach: [1.5, 3],
    inputs: 46,
    from: ["R1-R6", "R1-R6", "R1-R6", "R1-R6", ...MEDULLA],
  },
  { name: "Cm", types: 30, perColumn: 3, reach: [1, 3], inputs: 52, from: [...MEDULLA, "Dm", "R8"] },
  {
    name: "Pm",
    types: 14,
    perColumn: 1.2,
    reach: [2, 5],
    inputs: 78,
    transmitter: G,
    from: [...MEDULLA, "T2", "T3"],
  },
  { name: "Tm", types: 36, perColumn: 8, reach: [0.8, 1.8], inputs: 44, from: [...MEDULLA, "Dm", "Cm"] },
  {
    name: "TmY",
    types: 20,
    perColumn: 4,
    reach: [0.8, 1.8],
    inputs: 49,
    from: [...MEDULLA, "T2", "Tm", "Cm"],
  },
  { name: "Y", types: 8, perColumn: 1, reach: [1, 2], inputs: 49, from: [...MEDULLA, "T4", "T5"] },
  { name: "Tlp", types: 6, perColumn: 0.8, reach: [1, 2], inputs: 44, from: ["T4", "T5", "TmY"] },
  {
    name: "MeLo",
    types: 14,
    perColumn: 1,
    reach: [1.2, 2.5],
    inputs: 52,
    from: [...MEDULLA, ...LOBULA, "Tm"],
  },
  { name: "Li", types: 40, perColumn: 1.4, reach: [2, 5], inputs: 78, from: [...LOBULA, "Tm", "TmY"] },
  {
    name: "LPi",
    types: 12,
    perColumn: 0.4,
    reach: [2, 5],
    inputs: 78,
    transmitter: U,
    from: ["T4", "T5", "TmY"],
  },
];
