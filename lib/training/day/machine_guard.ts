import { statfs } from "node:fs/promises";

/** What must be left of the machine while a long run works. */
export interface GuardLimits {
  /** Free bytes of the run's disk. */
  readonly freeBytes: number;
  /** Bytes of memory that are available without swapping. */
  readonly availableBytes: number;
}

/** 10 GB of disk (two shards with their rates), 1 GB of memory. */
export const GUARD_LIMITS: Readonly<GuardLimits> = { freeBytes: 10e9, availableBytes: 1e9 };

/** What a machine has left. */
export interface MachineRoom {
  /** Free bytes of the disk, for this user. */
  readonly freeBytes: number;
  /** Bytes of memory that are available without swapping. */
  readonly availableBytes: number;
}

/**
 * Looks at the disk and the memory.
 *
 * @param folder A folder on the disk that is meant.
 */
export async function machineRoom(folder: string): Promise<MachineRoom> {
  const { bavail, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, availableBytes: Deno.systemMemoryInfo().available };
}

/** What is short. */
export interface Shortage {
  /** What. */
  readonly of: "disk" | "memory";
  /** In words, with the numbers. */
  readonly words: string;
}

/**
 * What a machine is short of: memory before disk, for running out of it takes other programs down, too.
 *
 * @param room What is left.
 * @param limits What must be.
 * @returns `undefined` where nothing is short.
 *
 * @example
 * ```ts
 * import { shortage } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const limits = { freeBytes: 10e9, availableBytes: 1e9 };
 * assert.equal(shortage({ freeBytes: 3e9, availableBytes: 8e9 }, limits)?.of, "disk");
 * assert.equal(shortage({ freeBytes: 50e9, availableBytes: 8e9 }, limits), undefined);
 * ```
 */
export function shortage(room: MachineRoom, limits: GuardLimits = GUARD_LIMITS): Shortage | undefined {
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1);
  const words = (what: string, have: number, least: number) =>
    `${gigabytes(have)} GB of ${what} are left, at least ${gigabytes(least)} are wanted`;
  if (room.availableBytes < limits.availableBytes) {
    return { of: "memory", words: words("memory", room.availableBytes, limits.availableBytes) };
  }
  if (room.freeBytes < limits.freeBytes) {
    return { of: "disk", words: words("disk", room.freeBytes, limits.freeBytes) };
  }
  return undefined;
}
