/**
 * Everything between a wired brain and one that answers: waking it (homeostasis), showing it positions, fitting
 * its readout, and setting it beside its controls. Start with `wake`, then `compareBrains`.
 *
 * What takes minutes to days has a room each: `run` is the folder that any of it resumes from; `stream` learns from
 * fresh positions, `rates` and `cached` ask the brain once and fit to what it answered, `day` does that for days;
 * `whole_brain` teaches every synapse, `tensorflow` is the same gradient as a TensorFlow.js operation, `dopamine`
 * teaches without any.
 *
 * @module
 */
export {
  brainGradients,
  type BrainGradientsOptions,
  type LossGradients,
} from "./tensorflow/brain_gradients.ts";
export { brainOp, type BrainOpOptions } from "./tensorflow/brain_op.ts";
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
} from "./whole_brain/batch_homeostasis.ts";
export { type Cone, coneOf } from "./whole_brain/cone.ts";
export { BatchThinker, type BatchThinkerOptions } from "./whole_brain/batch_thinker.ts";
export { loadBrain, saveBrain } from "./whole_brain/brain_file.ts";
export { loadJudged, saveJudged } from "./judged_file.ts";
export {
  learnBrain,
  type LearnBrainCheck,
  type LearnBrainOptions,
  type LearnBrainOutcome,
  LEARNED_BRAIN,
  type Means,
} from "./whole_brain/learn_brain.ts";
export {
  type BioCheck,
  type BioOptions,
  type BioOutcome,
  type BioScores,
  type BioTable,
  trainBio,
} from "./dopamine/bio.ts";
export {
  bioRunConfig,
  type BioSettings,
  resolveBioSettings,
  type ResolvedBioSettings,
} from "./dopamine/bio_settings.ts";
export { loadDopamineFly } from "./dopamine/load_bio.ts";
export { learnBrainRunConfig, type LearnBrainSettings } from "./whole_brain/learn_brain_settings.ts";
export type { Scalar, Tensor, Tensor2D } from "./tensorflow/tensors.ts";
export { cpuTemperature, findSensors, HWMON_FOLDER, type TemperatureSensor } from "./day/temperature.ts";
export {
  FULL_SPEED,
  nextShare,
  THROTTLE,
  Throttle,
  type ThrottleClock,
  type ThrottleOptions,
  type ThrottleSettings,
  type ThrottleState,
} from "./day/throttle.ts";
export {
  GUARD_LIMITS,
  type GuardLimits,
  type MachineRoom,
  machineRoom,
  type Shortage,
  shortage,
} from "./day/machine_guard.ts";
export { type BlockStore, openBlockStore } from "./rates/block_store.ts";
export type { S3Settings } from "./rates/s3_store.ts";
export {
  type CacheJob,
  doCacheJob,
  JOB_ROWS,
  type JobOutcome,
  planCacheJobs,
  readJobBlock,
  setupDigest,
  showFromStore,
} from "./rates/cache_jobs.ts";
export {
  CACHE_QUEUE,
  countCacheJobs,
  enqueueCacheJobs,
  type QueueCounts,
  type QueueSettings,
  type WorkerOptions,
  workOnCache,
} from "./rates/cache_queue.ts";
export { runDay } from "./day/day.ts";
export { type DayMaterial, type DayShard, daySteps } from "./day/day_work.ts";
export type {
  DayMachine,
  DayOptions,
  DayOutcome,
  DaySettings,
  DayState,
  DaySteps,
  FitMemory,
  LogValues,
} from "./day/day_steps.ts";
export { cachedFeatures } from "./cached/cached_features.ts";
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
} from "./cached/cached_fit.ts";
export {
  type CachedOutcome,
  cachedRunConfig,
  type CachedRunOptions,
  type CachedRunSettings,
  type FitOutcome,
  trainCached,
} from "./cached/cached_run.ts";
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
} from "./rates/rates_cache.ts";
export { cacheSetup, type KeptSteps, showAsBytes } from "./rates/cache_rates.ts";
export type { RunCheckpoint, RunFolder } from "./cached/cached_run_folder.ts";
export type { JsonValue } from "../common/mod.ts";
export { type LogEntry, readLog } from "./run/_run_log.ts";
export { type Checkpoint, readCheckpoint } from "./run/checkpoint.ts";
export { openRun, type OpenRunOptions, Run } from "./run/run.ts";
export { readRunConfig, type RunConfig } from "./run/run_config.ts";
export { RUN_FILES } from "./run/run_files.ts";
export {
  loadSafeTensors,
  type NamedTensor,
  peekSafeTensors,
  type SafeTensors,
  saveSafeTensors,
  type TensorData,
} from "./run/safetensors.ts";
export { scheduleFactor, WARM_UP } from "./stream/schedule.ts";
export { type StreamCheck, type StreamOptions, type StreamOutcome, trainStream } from "./stream/stream.ts";
export { streamRunConfig, type StreamSettings } from "./stream/stream_settings.ts";
export {
  compareConfigs,
  type ConfigDifference,
  listRuns,
  type RunSummary,
  summarizeRun,
} from "./run/run_summary.ts";
