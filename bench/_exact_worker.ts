/// <reference lib="deno.worker" />
/** A thread of the reference engine: told a brain first, then asked about positions. */
import { FlyBrain, type Homeostasis, referenceEngine } from "flychess/brain";
import { growModelFly } from "flychess/connectome";
import { shippedPositions } from "flychess/data";
import { drive, type Eye, eyeFor } from "flychess/eye";

/** Positions a file of kept rates. */
export const CHUNK = 8;
/** Steps that are kept. */
export const STEPS: readonly number[] = [9, 10, 11, 12];

/** A brain, or the positions from `first` on. */
export type ExactRequest =
  | { readonly scale: number; readonly homeostasis: Homeostasis }
  | { readonly first: number; readonly count: number };
/** `[positions][STEPS][outputs]`; `null` when the brain is ready. */
export type ExactAnswer = Float64Array | null;

interface Ready {
  readonly brain: FlyBrain;
  readonly eye: Eye;
  readonly board: Uint8Array;
}

let ready: Ready | undefined;

async function wake({ scale, homeostasis }: { scale: number; homeostasis: Homeostasis }): Promise<Ready> {
  const connectome = growModelFly({ scale });
  const brain = await FlyBrain.create(connectome, { engine: referenceEngine() });
  await brain.setHomeostasis(homeostasis);
  return { brain, eye: eyeFor(connectome), board: (await shippedPositions()).board };
}

async function think({ brain, eye, board }: Ready, first: number, count: number): Promise<Float64Array> {
  const { output, sign } = brain.connectome, neurons = sign.length;
  const kept = new Float64Array(count * STEPS.length * output.length);
  let at = 0;
  for (let row = first; row < first + count; row++) {
    const rates = await brain.rates(drive(eye, board, { rows: Int32Array.of(row) }));
    for (const step of STEPS) {
      for (const neuron of output) kept[at++] = rates[(step - 1) * neurons + neuron]!;
    }
  }
  return kept;
}

// Also imported for its constants, by a thread that is no worker.
if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  self.onmessage = async ({ data }: MessageEvent<ExactRequest>) => {
    let answer: ExactAnswer = null;
    if ("scale" in data) ready = await wake(data);
    else if (ready !== undefined) answer = await think(ready, data.first, data.count);
    self.postMessage(answer);
  };
}
