import { BrainOptimiser } from "flychess/brain";
import type { Subject } from "./_peer_subjects.ts";

/** Step sizes so small that the brain stays what it was: only the time counts. */
const RATES = { synapses: 1e-9, neurons: 1e-9 };

/** Makes, for a batch, a function that takes one training step: forward, back through 6 steps, Adam, new weights. */
export function makeTrainer(subject: Subject): ((batch: number) => () => Promise<void>) | null {
  const { brain } = subject;
  let optimiser: BrainOptimiser | undefined;
  return (batch) => {
    const drive = subject.drive(batch), error = subject.error(batch);
    return async () => {
      optimiser ??= new BrainOptimiser(brain);
      optimiser.step(await brain.backward(drive, error), RATES);
      await brain.update();
    };
  };
}
