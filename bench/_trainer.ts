import type { Subject } from "./_peer_subjects.ts";

/** Makes, for a batch, a function that takes one training step; `null` where no engine can walk back yet. */
export function makeTrainer(_subject: Subject): ((batch: number) => () => Promise<void>) | null {
  return null;
}
