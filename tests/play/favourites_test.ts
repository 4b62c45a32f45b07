import assert from "node:assert/strict";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { DataError } from "../../lib/common/mod.ts";
import { FlyBrain } from "../../lib/brain/mod.ts";
import { boardBits } from "../../lib/chess/mod.ts";
import { drive, fairEye } from "../../lib/eye/mod.ts";
import { favourites } from "../../lib/play/mod.ts";
import { READOUT_COLUMNS } from "../../lib/readout/mod.ts";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Deno.test("`favourites()` gives every legal move a share, the favourite first", async () => {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const eye = fairEye(connectome);
  await using brain = await FlyBrain.create(connectome, { engine: "wasm", workers: 0 });
  await brain.calibrate(drive(eye, boardBits(START)));
  // A readout that likes a pawn on e4: to-square 28.
  const bias = new Float32Array(READOUT_COLUMNS);
  bias[64 + 28] = 3;
  const features = connectome.output.length;
  const readout = { features, weight: new Float32Array(features * READOUT_COLUMNS), bias };
  const moves = await favourites({ eye, brain, readout }, START);
  assert.equal(moves.length, 20);
  assert.equal(moves[0]!.san, "e4");
  assert.ok(Math.abs(moves.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-6);
  for (let i = 1; i < moves.length; i++) assert.ok(moves[i - 1]!.probability >= moves[i]!.probability);
  // The same readout plays e5 for Black: squares are seen from the side to move.
  const black = await favourites({ eye, brain, readout }, START.replace(" w ", " b "));
  assert.equal(black[0]!.uci, "e7e5");
  // Fool's mate: nothing to play.
  const mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
  assert.deepEqual(await favourites({ eye, brain, readout }, mated), []);
  await assert.rejects(favourites({ eye, brain, readout }, "no board"), DataError);
});
