import type { LongWork } from "../common/mod.ts";
import type { Positions } from "./positions.ts";
import { preparePositions } from "./prepare.ts";

const folder = new URL("../../data/teacher/", import.meta.url);

/** The shards that the library ships: HOLD and VAL, and what may be trained on. See `data/README.md`. */
export const SHIPPED: { readonly heldout: readonly URL[]; readonly train: readonly URL[] } = {
  heldout: [new URL("heldout-00000-of-00001.msgpack.zst", folder)],
  train: [new URL("train-00000-of-00001.msgpack.zst", folder)],
};

let prepared: Promise<Positions> | undefined;

/**
 * The positions that the library ships, labelled by Stockfish: 4,096 HOLD rows, 2,048 VAL rows and 30,000 to train
 * on. They are prepared in memory, which takes a few seconds, once: later calls give the same object.
 *
 * @param work Stops it or follows it; only the first call does any work.
 * @throws {DataError} If the shipped files were changed.
 *
 * @example What the teacher thinks of the first position
 * ```ts
 * import { shippedPositions } from "flychess/data";
 * import { unpackMove } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const positions = await shippedPositions();
 * assert.equal(positions.hold, 4096);
 * const best = unpackMove(positions.move[positions.best[0]!]!);
 * assert.match(best.uci, /^[a-h][1-8][a-h][1-8][qrbn]?$/);
 * ```
 */
export function shippedPositions(work: LongWork = {}): Promise<Positions> {
  prepared ??= preparePositions(SHIPPED, work).then(({ positions }) => positions);
  // A call that was stopped must not stop those that come after it.
  prepared.catch(() => prepared = undefined);
  return prepared;
}
