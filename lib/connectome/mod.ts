/**
 * Nervous systems: who connects to whom, with how many synapses, and who excites whom.
 *
 * A `Connectome` is plain typed arrays, whatever it was made from: the tables of MaleCNS (`buildMaleCns`), the larva
 * (`buildLarva`), a model fly grown here (`growModelFly`) or your own tables (`connectomeFromTables`, a good place to start
 * reading: its example writes six neurons out by hand). `saveConnectome` and `loadConnectome` keep it in an Arrow
 * file. Controls are functions from one connectome to another (`shuffleWiring`, `shuffleDegrees`, `shuffleDistances`,
 * `shuffleWithinRegions`, `shuffleSigns`, `randomWiring`, `lesion`, `histamineInhibits`), and `hopsFrom`, `hopsTo` and `pathShare` measure it.
 *
 * @module
 */
export type { Connectome, NameColumn, NeuronTable, Region } from "./connectome.ts";
export { NO_COLUMN, REGIONS } from "./connectome.ts";
export {
  type Csr,
  csrFromEdges,
  type CsrOptions,
  type Outgoing,
  outgoing,
  receivers,
  type Rows,
} from "./csr.ts";
export { type HopHistogram, hopHistogram, hopsFrom, hopsTo, pathShare } from "./hops.ts";
export { medianDistance, reverseCuthillMcKee } from "./locality.ts";
export { countColumns } from "./count_columns.ts";
export { histamineInhibits } from "./histamine_inhibits.ts";
export { lesion } from "./lesion.ts";
export {
  type ArrowBatch,
  type ColumnKind,
  type ListColumn,
  readArrowBatches,
  type TextColumn,
} from "./arrow_batches.ts";
export { connectomeDigest } from "./connectome_digest.ts";
export { LARVA_FILES, MALECNS_FILES } from "./connectome_files.ts";
export { type ConnectomeIds, connectomeIds } from "./connectome_ids.ts";
export {
  type AnnotationCuts,
  buildMaleCns,
  type MaleCnsOptions,
  type MaleCnsReport,
  type SourceFile,
  type TransmitterSources,
  type WeightCuts,
} from "./male_cns.ts";
export { type CellKind, REFERENCE_COUNTS, regionOf } from "./region_rules.ts";
export { loadConnectome, saveConnectome } from "./save_connectome.ts";
export { signOf, TRANSMITTER_SIGNS, transmitterName } from "./transmitters.ts";
export { growModelFly, type ModelFlyOptions } from "./model_fly/model_fly.ts";
export { type Floor, type ModelFlyFigure, type ModelFlyReport, modelFlyReport } from "./model_fly/report.ts";
export { connectomeFromCsv } from "./connectome_from_csv.ts";
export { connectomeFromTables } from "./connectome_from_tables.ts";
export type {
  EdgeColumns,
  EdgeRecord,
  NeuronColumns,
  NeuronRecord,
  Roles,
  TableOptions,
} from "./own_tables.ts";
export {
  buildLarva,
  LARVA_COUNTS,
  type LarvaOptions,
  type LarvaReport,
  type LarvaTransmitters,
} from "./larva.ts";
export { randomWiring } from "./random_wiring.ts";
export { shuffleDegrees, type ShuffleDegreesOptions } from "./shuffle_degrees.ts";
export { shuffleDistances, type ShuffleDistancesOptions } from "./shuffle_distances.ts";
export { shuffleSigns } from "./shuffle_signs.ts";
export { shuffleWiring } from "./shuffle_wiring.ts";
export { shuffleWithinRegions } from "./shuffle_within_regions.ts";
export type { DownloadFile, LongWork, Progress } from "../common/mod.ts";
