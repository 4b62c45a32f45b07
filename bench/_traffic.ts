import type { Connectome } from "flychess/connectome";
import { planTiles } from "../lib/brain/engines/wasm/_tiles.ts";
import { coneOf } from "./_cone.ts";
import type { Precision } from "./_alone.ts";

/** Bytes that an arithmetic moves. */
interface Sizes {
  /** Positions that share a connection. */
  readonly positions: number;
  /** A connection in a tile, and in a row's own list. */
  readonly pair: readonly [tile: number, row: number];
  /** What is heard of a sender. */
  readonly line: number;
  /** A receiver's sums between two columns, fetched and written. */
  readonly sums: number;
  /** A neuron at the end of a step: its rates before and after, homeostasis. */
  readonly settle: number;
  /** Senders of a tile. */
  readonly senders: number;
}

const SIZES: Readonly<Record<Precision, Sizes>> = {
  float32: { positions: 16, pair: [8, 8], line: 64, sums: 128, settle: 136, senders: 12_288 },
  int16: { positions: 32, pair: [8, 8], line: 64, sums: 128, settle: 140, senders: 12_288 },
  int8: { positions: 16, pair: [3, 5], line: 16, sums: 128, settle: 92, senders: 54_656 },
};
/** One float32 position has lines of its own: four bytes a neuron, all of them in a core's cache. */
const ALONE: Sizes = { ...SIZES.float32, positions: 1, line: 4, settle: 16 };
/** Receivers of a tile. */
const RECEIVERS = 2048;

/** Bytes that thinking about one position moves. */
export interface Traffic {
  /** Connections and the senders' rates that they ask for, wherever these are. */
  readonly gathered: number;
  /**
   * Of these what a core's own cache cannot hold: the connections, each sender once a step where tiles are used and once
   * a connection where they are not, the sums of every tile's receivers, the neurons at the end of a step.
   */
  readonly streamed: number;
}

/**
 * Works out, from the wiring and how the engine cuts it, what a position moves.
 *
 * @param connectome Whose wiring.
 * @param precision The engine's arithmetic.
 * @param read The steps that are read.
 * @param batch Positions at once: lines that are not full cost as much as full ones.
 */
export function trafficOf(
  connectome: Connectome,
  precision: Precision,
  read: readonly number[],
  batch: number,
): Traffic {
  const alone = batch === 1 && precision === "float32", sizes = alone ? ALONE : SIZES[precision];
  const { positions, pair, line, sums, settle, senders } = sizes;
  const neurons = connectome.sign.length, connections = connectome.pre.length;
  const { groups } = planTiles(
    connectome,
    { senders, receivers: RECEIVERS },
  );
  let gathered = 0, streamed = 0;
  for (const step of coneOf(connectome, read)) {
    if (step.tiled && !alone) {
      gathered += connections * (pair[0] + line);
      streamed += connections * pair[0] + neurons * (line + settle) + groups * sums;
    } else {
      gathered += step.connections * (pair[1] + line);
      streamed += step.connections * (alone ? pair[1] : pair[1] + line) + step.rows * settle;
    }
  }
  const times = Math.ceil(batch / positions) / batch;
  return { gathered: gathered * times, streamed: streamed * times };
}
