import { availableParallelism, cpus } from "node:os";

/** The machine that a time was measured on, in one line. */
export function machineName(): string {
  return `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores`;
}
