import type { Connectome } from "flychess/connectome";

/** Brains of more connections think in 8 bits: no move's loss differs measurably (docs/engine.md). */
const LARGE = 1_000_000;

/** Whether a brain is so large that experiments show it fewer positions. */
export function isLarge({ pre }: Pick<Connectome, "pre">): boolean {
  return pre.length > LARGE;
}

/** In what numbers a brain thinks where no experiment asks for others. */
export function precisionFor(connectome: Pick<Connectome, "pre">): "int8" | "float32" {
  return isLarge(connectome) ? "int8" : "float32";
}
