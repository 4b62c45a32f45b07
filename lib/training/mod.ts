/**
 * Everything between a wired brain and one that answers: waking it (homeostasis), showing it positions, fitting
 * its readout, and setting it beside its controls. Start with `wake`, then `compareBrains`.
 *
 * @module
 */
export { brainGradients, type BrainGradientsOptions, type LossGradients } from "./brain_gradients.ts";
export { brainOp, type BrainOpOptions } from "./brain_op.ts";
export {
  compareBrains,
  type ComparedBrain,
  type CompareOptions,
  type Comparison,
  type Control,
  usualControls,
} from "./compare.ts";
export {
  CALIBRATION_POSITIONS,
  holdRows,
  readRows,
  type ReadRowsOptions,
  trainRows,
  valRows,
  wake,
  type WakeOptions,
} from "./read_rows.ts";
export {
  type BatchBrain,
  type BatchThink,
  type BatchThinkOptions,
  thinkInBatch,
} from "./batch_homeostasis.ts";
export { BatchThinker } from "./batch_thinker.ts";
export { loadBrain, saveBrain } from "./brain_file.ts";
export { loadJudged, saveJudged } from "./judged_file.ts";
export {
  learnBrain,
  type LearnBrainCheck,
  type LearnBrainOptions,
  type LearnBrainOutcome,
  LEARNED_BRAIN,
  type Means,
} from "./learn_brain.ts";
export {
  type BioCheck,
  type BioOptions,
  type BioOutcome,
  type BioScores,
  type BioTable,
  trainBio,
} from "./bio.ts";
export {
  bioRunConfig,
  type BioSettings,
  resolveBioSettings,
  type ResolvedBioSettings,
} from "./bio_settings.ts";
export { loadDopamineFly, readRunConfig } from "./load_bio.ts";
export { learnBrainRunConfig, type LearnBrainSettings } from "./learn_brain_settings.ts";
export type { Scalar, Tensor, Tensor2D } from "./tensors.ts";
export { cpuTemperature, findSensors, HWMON_FOLDER, type TemperatureSensor } from "./temperature.ts";
export {
  FULL_SPEED,
  nextShare,
  THROTTLE,
  Throttle,
  type ThrottleClock,
  type ThrottleOptions,
  type ThrottleSettings,
  type ThrottleState,
} from "./throttle.ts";
export {
  GUARD_LIMITS,
  type GuardLimits,
  type MachineRoom,
  machineRoom,
  type Shortage,
  shortage,
} from "./machine_guard.ts";
export { type BlockStore, openBlockStore } from "./block_store.ts";
export type { S3Settings } from "./s3_store.ts";
export {
  type CacheJob,
  doCacheJob,
  JOB_ROWS,
  type JobOutcome,
  planCacheJobs,
  readJobBlock,
  setupDigest,
  showFromStore,
} from "./cache_jobs.ts";
export {
  CACHE_QUEUE,
  countCacheJobs,
  enqueueCacheJobs,
  type QueueCounts,
  type QueueSettings,
  type WorkerOptions,
  workOnCache,
} from "./cache_queue.ts";
export { runDay } from "./day.ts";
export type {
  DayMachine,
  DayOptions,
  DayOutcome,
  DaySettings,
  DayState,
  DaySteps,
  FitMemory,
  LogValues,
} from "./day_steps.ts";
export { cachedFeatures } from "./cached_features.ts";
export {
  CACHED_FIT,
  type CachedFitData,
  type CachedFitOptions,
  type CachedFitResult,
  type CachedFitSettings,
  type CachedFitState,
  fitCached,
  LONG_FIT,
  type PassReport,
  type PositionsOf,
} from "./cached_fit.ts";
export {
  type CachedOutcome,
  cachedRunConfig,
  type CachedRunOptions,
  type CachedRunSettings,
  type FitOutcome,
  trainCached,
} from "./cached_run.ts";
export {
  BLOCK_ROWS,
  type CacheBlock,
  type CacheKey,
  type CacheLimits,
  type CacheSetup,
  type FillOptions,
  RatesCache,
  type RetiredBlock,
  type ShowRows,
} from "./rates_cache.ts";
export { cacheSetup, type KeptSteps, showAsBytes } from "./cache_rates.ts";
export type { RunCheckpoint, RunFolder } from "./cached_run_folder.ts";
export {
  type Checkpoint,
  type JsonValue,
  type LogEntry,
  openRun,
  type OpenRunOptions,
  readCheckpoint,
  readLog,
  Run,
  RUN_FILES,
  type RunConfig,
} from "./run.ts";
export {
  loadSafeTensors,
  type NamedTensor,
  peekSafeTensors,
  type SafeTensors,
  saveSafeTensors,
  type TensorData,
} from "./safetensors.ts";
export { scheduleFactor, WARM_UP } from "./schedule.ts";
export { type StreamCheck, type StreamOptions, type StreamOutcome, trainStream } from "./stream.ts";
export { streamRunConfig, type StreamSettings } from "./stream_settings.ts";
export {
  compareConfigs,
  type ConfigDifference,
  listRuns,
  type RunSummary,
  summarizeRun,
} from "./run_summary.ts";
