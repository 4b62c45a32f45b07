/**
 * Positions with a teacher's opinion of their moves: where they come from, how they are stored, and which of them a
 * fly may learn from.
 *
 * Start with `shippedPositions`, which needs no file and no network, and with `Positions`, the one record that all
 * sources end in: the board as bits, the legal moves, the teacher's best eight with their chance to win. Its first rows
 * are HOLD (final numbers), the next VAL (checks during a run); all others may be trained on, and never share a game
 * or a board with the held-out ones.
 *
 * `preparePositions` makes such a record from files: ChessBench's shards, DeepMind's action values, the Lichess
 * evaluations, games with evaluations (`readSource` reads any of them row by row, `chessbenchShard` says where to download). `savePositions`
 * and `loadPositions` keep it in an Arrow file. `makeTeacherSet` makes shards of one's own with Stockfish, and
 * `makeCurriculum` lessons in finishing won games.
 *
 * @module
 */
export { type Clock, DataError, type DownloadFile, type LongWork, type Progress } from "../common/mod.ts";
export { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "./positions.ts";
export { SHIPPED, shippedPositions } from "./shipped.ts";
export { type LabelledMove, readShard, type ReadShardOptions, ShardError, type ShardRow } from "./shard.ts";
export {
  HELD_ROWS_A_GAME,
  type PrepareOptions,
  preparePositions,
  type PrepareReport,
  type ShardReport,
  SKIP_REASONS,
  type SkipReason,
} from "./prepare.ts";
export { readSource, type ReadSourceOptions, type SourceFormat, sourceFormat } from "./source.ts";
export {
  CHESSBENCH_SHARDS,
  chessbenchShard,
  describeFiles,
  type DescribeOptions,
  parseShards,
} from "./chessbench.ts";
export { excludeHeldOut, type ExcludeOptions, heldOutElsewhere } from "./exclude_held_out.ts";
export { CURRICULUM_LEAST, curriculumScore, curriculumWin } from "./curriculum_score.ts";
export {
  type CurriculumOptions,
  type CurriculumPart,
  type CurriculumReport,
  makeCurriculum,
} from "./curriculum.ts";
export { loadPositions, type LoadPositionsOptions, savePositions } from "./positions_file.ts";
export { positionsDigest } from "./positions_digest.ts";
export { selectRows } from "./select_rows.ts";
export { makeTeacherSet, type TeacherOptions, type TeacherReport } from "./teacher.ts";
export { winProbability } from "./win_probability.ts";
