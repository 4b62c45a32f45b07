/**
 * What is published about MaleCNS v1.0 (CC BY 4.0): the body annotations, the consensus transmitters, and the
 * counts that the reference gives of its build. The generator aims at these and the report is set against them.
 */

/** Neurons that are traced and have a known superclass (reference, "Three brains"). */
export const NEURONS = 163_803;
/** Connections of at least 5 synapses among them (reference, section 1). */
export const CONNECTIONS = 6_234_868;
/** Eye columns of the left and of the right eye (optic lobe annotations of the same animal). */
export const COLUMNS = { L: 879, R: 892 } as const;
/** Photoreceptors, and those of them that have a place on the eye (reference, "From a board to a move"). */
export const PHOTORECEPTORS = 4_020;
/** Photoreceptors that can be placed on an eye column. */
export const PLACED = 3_251;
/** Connections from photoreceptors straight onto visual projection neurons (reference, "Measuring strength"). */
export const EYE_TO_PROJECTION = 2_949;
/** Share of descending neurons that hear a visual neuron directly (reference, "Measuring strength"). */
export const DESCENDING_VISUAL = 0.51;
/** Share of kept connections with at least 10 synapses: 2,749,407 of 6,235,682 (weights table). */
export const TEN_SYNAPSES = 2_749_407 / 6_235_682;
/** Cells of the labelled columnar types that carry a column (body annotations, assignedOlHex1). */
export const LABELLED = 23_720;

/** Bodies of every superclass (body annotations); of `ol_sensory` only those traced. */
export const SUPERCLASSES: Readonly<Record<string, number>> = {
  ol_sensory: 4_114,
  ol_intrinsic: 89_403,
  visual_centrifugal: 563,
  visual_projection: 9_201,
  cb_intrinsic: 32_164,
  cb_sensory: 4_868,
  vnc_sensory: 6_370,
  sensory_ascending: 537,
  sensory_descending: 12,
  descending_neuron: 1_314,
  ascending_neuron: 1_846,
  vnc_intrinsic: 13_161,
  cb_motor: 107,
  vnc_motor: 708,
  vnc_efferent: 94,
  cb_endocrine: 72,
  ENS: 50,
  vnc_tbc: 38,
  vnc_sensory_tbc: 36,
  vnc_endocrine: 22,
  cb_sensory_tbc: 14,
  efferent_ascending: 8,
  efferent_descending: 4,
  cb_efferent: 4,
  visual_projection_tbc: 2,
  sensory_ascending_tbc: 2,
  descending_neuron_tbc: 2,
};

/**
 * Superclasses whose published count includes bodies that are not traced, so that together they come to more
 * than the neurons of the build. How many of each is not published: the surplus is taken from them in proportion.
 */
export const PARTLY_TRACED: readonly string[] = [
  "ol_intrinsic",
  "cb_intrinsic",
  "vnc_intrinsic",
  "vnc_sensory",
  "cb_sensory",
];

/** Neurons of the classes that decide a region or a role (body annotations). */
export const CLASSES: Readonly<Record<string, number>> = {
  Kenyon_Cell: 4_064,
  CX: 2_950,
  olfactory: 2_639,
  ALPN: 686,
  ALLN: 420,
  DAN: 340,
  MBON: 97,
};

/** Consensus transmitters among traced bodies; 3,100 more are unclear and dealt out in proportion. */
export const TRANSMITTERS: Readonly<Record<string, number>> = {
  acetylcholine: 103_718,
  glutamate: 29_296,
  gaba: 22_055,
  histamine: 5_910,
  dopamine: 392,
  octopamine: 101,
  serotonin: 48,
};
