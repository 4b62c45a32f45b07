import assert from "node:assert/strict";
import * as fc from "fast-check";
import { cutTiles, transpose } from "../../lib/brain/engines/webgpu/_tiles.ts";
import { HEAVY_ROW } from "../../lib/brain/engines/webgpu/_gather_kernels.ts";
import { randomConnectome } from "./_small_brains.ts";

Deno.test("tiles hold every connection once, between the neurons it connects", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 12, max: 1200 }),
      fc.boolean(),
      (seed, neurons, connections, partSize, largestBuffer, turned) => {
        const { rowStart, pre } = randomConnectome(seed, neurons, connections);
        const post = Int32Array.from(pre, (_, k) => rowStart.findLastIndex((start) => start <= k));
        const rows = turned ? transpose(rowStart, pre) : { rowStart, sender: pre, order: null };
        const [sender, row] = turned ? [post, pre] : [pre, post];
        const seen = new Uint8Array(connections);
        for (const tile of cutTiles(rows, partSize, largestBuffer)) {
          assert.ok(12 * tile.order.length <= largestBuffer && 4 * tile.segments.length <= largestBuffer);
          const walked = new Uint8Array(tile.order.length);
          for (let s = 0; s < tile.segments.length; s += 3) {
            for (let k = tile.segments[s + 1]!; k < tile.segments[s + 2]!; k++) {
              assert.equal(tile.row[k], tile.segments[s]);
              walked[k]! += 1;
            }
          }
          assert.ok(walked.every((times) => times === 1));
          for (const [at, k] of tile.order.entries()) {
            assert.equal(tile.from * partSize + tile.sender[at]!, sender[k]);
            assert.equal(tile.into * partSize + tile.row[at]!, row[k]);
            seen[k]! += 1;
          }
        }
        assert.ok(seen.every((times) => times === 1));
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

Deno.test("rows of like length lie side by side, each as long as its bucket, heavy rows at the end", () => {
  const lengths = [3, HEAVY_ROW + 1, 0, 1, 100, 2, HEAVY_ROW, 1, 700, 4];
  const rowStart = new Int32Array(lengths.length + 1);
  lengths.forEach((length, row) => rowStart[row + 1] = rowStart[row]! + length);
  const sender = new Int32Array(rowStart.at(-1)!);
  const [tile] = cutTiles({ rowStart, sender, order: null }, lengths.length, 1e6);
  const rows = Array.from(tile!.segments).filter((_, i) => i % 3 === 0);
  assert.deepEqual(rows.map((row) => lengths[row]), [1, 1, 2, 3, 4, 100, HEAVY_ROW, HEAVY_ROW + 1, 700]);
  assert.equal(tile!.light, 7);
});
