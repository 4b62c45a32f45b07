/** Fits a small readout and prints which engine did it and a few of the numbers; run by tensorflow_test.ts. */
import * as tf from "@tensorflow/tfjs-core";
import { boardFeatures, fitReadout } from "../../lib/readout/mod.ts";
import { randomPositions, rowsFrom } from "./_positions.ts";

const positions = randomPositions(200, 2);
const readout = await fitReadout(boardFeatures(positions), positions, rowsFrom(0, 200), {
  passes: 2,
  batch: 50,
});
console.log(JSON.stringify({ backend: tf.getBackend(), weight: [...readout.weight.subarray(0, 2000)] }));
