import { basename, join } from "node:path";
import type { LongWork } from "flychess/common";
import { type Connectome, connectomeDigest, growModelFly, loadConnectome } from "flychess/connectome";
import { loadPositions, type Positions, shippedPositions } from "flychess/data";

/** A brain that figures can be made of. */
export interface BrainOnDisk {
  /** Its part of a figure's name: `larva` in `controls_larva`. */
  readonly label: string;
  /** Where it comes from, in words. */
  readonly source: string;
  /** Opens or grows it. */
  open(work?: LongWork): Promise<Connectome>;
}

/** Positions that figures can be made of. */
export interface PositionsOnDisk {
  /** Where they come from, in words. */
  readonly source: string;
  /** Opens them. */
  open(work?: LongWork): Promise<Positions>;
}

/** The scale of the model fly: that of `--quick` is the smallest that a demo shows. */
export const MODEL_FLY_SCALE = { full: 1, quick: 1 / 32 } as const;

/**
 * A brain's part of a figure's name: that of its file, or where it is grown `model_fly`, and `model_fly_8` of an eighth
 * of its size.
 */
export function brainLabel(file?: string, scale: number = 1): string {
  return file === undefined
    ? scale === 1 ? "model_fly" : `model_fly_${`${1 / scale}`.replace(".", "_")}`
    : basename(file).replace(/\.arrow$/, "").replace(/[^A-Za-z0-9]+/g, "_").toLowerCase();
}

/** Reads `1/32` and `0.5`. */
export function readScale(text: string): number {
  const [above = NaN, below = 1] = text.split("/").map(Number);
  const scale = above / below;
  if (!(scale > 0 && scale <= 1)) {
    throw new RangeError(`Cannot grow a model fly of scale '${text}': above 0, up to 1, is wanted`);
  }
  return scale;
}

/** A brain in a file. */
export function savedBrain(file: string): BrainOnDisk {
  return { label: brainLabel(file), source: file, open: () => loadConnectome(file) };
}

/** A model fly, which needs no file. */
export function grownBrain(scale: number): BrainOnDisk {
  return {
    label: brainLabel(),
    source: `grown at scale ${scale >= 1 ? scale : `1/${Math.round(1 / scale)}`}`,
    open: (work) => Promise.resolve(growModelFly({ scale, seed: 1 }, work)),
  };
}

/** A model fly by the name that it gave itself; undefined for any other brain. */
export function regrow(name: string): Connectome | undefined {
  const [, scale, seed] = /^model fly \(scale ([\d./]+), seed (\d+)\)$/.exec(name) ?? [];
  return scale === undefined ? undefined : growModelFly({ scale: readScale(scale), seed: Number(seed) });
}

const regrown = new Map<string, string>();

/** The digest of the model fly of that name as it grows today; undefined for any other brain. */
export function regrownDigest(name: string): string | undefined {
  const known = regrown.get(name);
  if (known !== undefined) return known;
  const connectome = regrow(name);
  if (connectome === undefined) return undefined;
  const digest = connectomeDigest(connectome);
  regrown.set(name, digest);
  return digest;
}

/**
 * The brains that are there, the smallest first: the larva and MaleCNS where their files lie in the folder, the model
 * fly always.
 */
export async function brainsOnDisk(folder: string): Promise<BrainOnDisk[]> {
  const larva = join(folder, "larva.arrow"), maleCns = join(folder, "malecns.arrow");
  return [
    ...await isFile(larva) ? [savedBrain(larva)] : [],
    grownBrain(MODEL_FLY_SCALE.full),
    ...await isFile(maleCns) ? [savedBrain(maleCns)] : [],
  ];
}

/** The positions of `fly data prepare` where they lie in the folder, else those that ship with the library. */
export async function positionsOnDisk(folder: string): Promise<PositionsOnDisk> {
  const prepared = join(folder, "positions.arrow");
  return await isFile(prepared) ? savedPositions(prepared) : SHIPPED_POSITIONS;
}

/** Positions in a file. */
export function savedPositions(file: string): PositionsOnDisk {
  return { source: file, open: () => loadPositions(file) };
}

/** The positions that ship with the library. */
export const SHIPPED_POSITIONS: PositionsOnDisk = {
  source: "those that ship with flychess",
  open: (work) => shippedPositions(work),
};

/** Whether there is such a file. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
