import { wasmEngine } from "../../lib/brain/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import type { Connectome } from "../../lib/connectome/mod.ts";
import type { Positions } from "../../lib/data/mod.ts";
import type { CachedRunOptions } from "../../lib/training/cached/cached_run.ts";
import { randomConnectome } from "../brain/_small_brains.ts";
import { randomPositions } from "../readout/_positions.ts";

/** Random positions with at most one piece on a square. */
function positionsOf(
  count: number,
  seed: number,
  held: Pick<Positions, "hold" | "val" | "digest">,
): Positions {
  const positions = randomPositions(count, seed), random = new Random(seed, "boards");
  positions.board.fill(0);
  for (let row = 0; row < count; row++) {
    for (let square = 0; square < 64; square++) {
      if (random.int(3) > 0) continue;
      const bit = random.int(12) * 64 + square;
      positions.board[row * 96 + (bit >> 3)]! |= 1 << (bit & 7);
    }
  }
  return { ...positions, ...held };
}

/** A small brain, its positions and a curriculum; the same for whoever asks. */
export function cachedCase(): {
  connectome: Connectome;
  positions: Positions;
  curriculum: Positions;
  options: CachedRunOptions;
} {
  return {
    connectome: randomConnectome(5, 3200, 12_000),
    positions: positionsOf(1500, 2, { hold: 80, val: 60, digest: "a".repeat(64) }),
    curriculum: positionsOf(200, 3, { hold: 30, val: 20, digest: "b".repeat(64) }),
    options: {
      eye: "larva",
      steps: [3, 4],
      sideBySide: true,
      contrastDecays: [1e-2],
      blockRows: 500,
      brain: { engine: wasmEngine({ workers: 0 }), steps: 4 },
      workers: 2,
      fit: { maxPasses: 5, batch: 64 },
    },
  };
}
