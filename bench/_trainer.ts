import { BrainOptimiser } from "flychess/brain";
import type { Subject } from "./_peer_subjects.ts";

/** What the peers learn with too. */
const RATES = { synapses: 1e-4, neurons: 1e-4 };

/**
 * Makes, for a batch, a function that takes one training step: twelve steps forward, six back, Adam on every strength,
 * gain and bias, and the engine told. It changes the subject's brain.
 */
export function makeTrainer({ brain, drive, error }: Subject): (batch: number) => () => Promise<void> {
  const optimiser = new BrainOptimiser(brain);
  return (batch) => {
    const seen = drive(batch), change = error(batch);
    return async () => {
      optimiser.step(await brain.backward(seen, change, { window: 6 }), RATES);
      await brain.update();
    };
  };
}
