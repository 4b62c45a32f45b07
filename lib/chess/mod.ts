/**
 * Boards and moves as numbers: what the fly sees of a position, and what it may answer.
 *
 * Start with `boardBits`, which turns a FEN into the 768 bits that the eye looks at, and with `legalMoves`,
 * which lists moves as from-square, to-square and promotion. Both are in the *mirrored frame*: the side that
 * looks always plays up the board with its own pieces on planes 0 to 5, so that one brain plays both colours.
 * `movePolicy` turns a readout's scores into how likely each legal move is. `parseX` and `makeX` are pairs: text
 * to numbers and back.
 *
 * `UciEngine` drives Stockfish, or any other engine that speaks the UCI protocol.
 *
 * @module
 */
export { type Board, CASTLING, makeSquare, opposite, parseSquare, type Side } from "./board.ts";
export { makeFen, parseFen, START_FEN } from "./fen.ts";
export { mirrorBoard, mirrorFen } from "./mirror.ts";
export { boardBits, boardPlanes, unpackBits, type ViewOptions } from "./planes.ts";
export { type ChessMove, makeMove, packMove, parseMove, unpackMove } from "./move.ts";
export { inCheck, legalMoves } from "./legal_moves.ts";
export { afterstate, playMove } from "./afterstate.ts";
export { moveSan } from "./san.ts";
export { type MoveList, movePolicy, moveScores } from "./policy.ts";
export {
  type AnalyseOptions,
  EngineError,
  type EngineLine,
  type EngineOption,
  type SearchLimit,
  UciEngine,
  type UciEngineOptions,
} from "./uci_engine.ts";
