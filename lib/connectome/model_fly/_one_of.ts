import type { Random } from "../../common/mod.ts";

/** One of some things, each as likely. */
export function oneOf<T>(random: Random, from: readonly T[]): T {
  return from[random.int(from.length)]!;
}
