/**
 * flychess shows a chessboard to a measured fly nervous system, reads a move out of its descending neurons,
 * teaches it and tests honestly whether the wiring is the reason. This is the front door: it re-exports every
 * room of the house. Start with `growModelFly` or `loadConnectome`, give it an eye, and wake a `FlyBrain`.
 *
 * @module
 */
export * from "./lib/common/mod.ts";
export * from "./lib/chess/mod.ts";
export * from "./lib/connectome/mod.ts";
export * from "./lib/eye/mod.ts";
export * from "./lib/brain/mod.ts";
export * from "./lib/readout/mod.ts";
export * from "./lib/data/mod.ts";
export * from "./lib/training/mod.ts";
export * from "./lib/rating/mod.ts";
export * from "./lib/bio/mod.ts";
export * from "./lib/play/mod.ts";
export * from "./lib/figures/mod.ts";
