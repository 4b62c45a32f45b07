/**
 * What every room of the house uses: seeded chance, the shape of progress reports, errors about data, digests,
 * downloads, and files that are written whole or not at all.
 *
 * @module
 */
export { writeFileAtomic } from "./atomic_file.ts";
export { DataError } from "./data_error.ts";
export {
  type Clock,
  type Downloaded,
  type DownloadFile,
  downloadFiles,
  type DownloadOptions,
  realClock,
  RETRY_SECONDS,
} from "./download.ts";
export { digest } from "./digest.ts";
export { networkProblem } from "./network_problem.ts";
export { nearestWord } from "./nearest_word.ts";
export type { LongWork, Progress } from "./progress.ts";
export { type JsonValue, readJson } from "./read_json.ts";
export { exists, readText } from "./read_text.ts";
export { removeIfThere } from "./remove_if_there.ts";
export { openSealedArrow, saveSealedArrow } from "./sealed_arrow.ts";
export { Random } from "./random.ts";
