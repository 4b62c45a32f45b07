export type { Connectome, NameColumn, NeuronTable, Region } from "./connectome.ts";
export { NO_COLUMN, REGIONS } from "./connectome.ts";
export { type Csr, csrFromEdges, type CsrOptions, type Outgoing, outgoing, receivers } from "./csr.ts";
export { type HopHistogram, hopHistogram, hopsFrom, hopsTo, pathShare } from "./hops.ts";
export { medianDistance, reverseCuthillMcKee } from "./locality.ts";
export { lesion } from "./lesion.ts";
