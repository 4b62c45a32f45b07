import type { LongWork } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { denseFeatures, type FeatureSource } from "../../readout/mod.ts";
import type { RatesCache } from "../rates/rates_cache.ts";

/**
 * Cached rates of some rows as features of a readout, byte / 255: of the mean, or of the steps side by side.
 *
 * @param cache The rates.
 * @param positions The rows' positions.
 * @param first The first row.
 * @param count How many.
 * @throws {DataError} If they are not there or were changed.
 */
export async function cachedFeatures(
  cache: RatesCache,
  positions: Positions,
  first: number,
  count: number,
  work: LongWork = {},
): Promise<FeatureSource> {
  const bytes = new Uint8Array(count * cache.columns);
  await cache.read(positions.digest, first, count, bytes, work);
  const rows = Int32Array.from({ length: count }, (_, i) => first + i);
  return denseFeatures(Float32Array.from(bytes, (byte) => byte / 255), cache.columns, {
    rows,
    of: positions.count,
  });
}
