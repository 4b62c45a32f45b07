import { FlyBrain } from "../../lib/brain/mod.ts";
import { boardBits, START_FEN } from "../../lib/chess/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { drive, fairEye } from "../../lib/eye/mod.ts";
import { READOUT_COLUMNS } from "../../lib/readout/mod.ts";
import type { ReadoutFly } from "../../lib/play/mod.ts";

/** A small model fly with a readout of random numbers; dispose of it. */
export async function smallFly(): Promise<ReadoutFly & AsyncDisposable> {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const eye = fairEye(connectome);
  const brain = await FlyBrain.create(connectome, { engine: "wasm", workers: 0 });
  const fens = [
    START_FEN,
    "r3k2r/pp3ppp/2n5/3q4/8/5N2/PPP2PPP/R2Q1RK1 w kq - 0 1",
    "8/8/4k3/8/8/3KP3/8/8 b - - 0 1",
  ];
  const bits = new Uint8Array(fens.length * 96);
  fens.forEach((fen, i) => bits.set(boardBits(fen), i * 96));
  await brain.calibrate(drive(eye, bits));
  const features = connectome.output.length;
  const random = new Random(1);
  const weight = Float32Array.from({ length: features * READOUT_COLUMNS }, () => 0.2 * random.normal());
  const readout = { features, weight, bias: new Float32Array(READOUT_COLUMNS) };
  return { eye, brain, readout, [Symbol.asyncDispose]: () => brain[Symbol.asyncDispose]() };
}
