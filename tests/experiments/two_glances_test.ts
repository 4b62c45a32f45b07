import assert from "node:assert/strict";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { drive, eyeFor } from "../../lib/eye/mod.ts";
import { attend, movesOf, secondGlance, sharesOf } from "../../experiments/choosing/glances.ts";
import * as glances from "../../experiments/two_glances.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

Deno.test("`two_glances`: one glance is level with itself, second heads without attention with themselves", async () => {
  const { result } = await quickRun("two_glances", glances);
  const [one, same] = result.rows;
  assert.equal(result.rows.length, 6);
  assert.equal(one!.againstOne.loss.value, 0);
  assert.equal(same!.againstSame!.loss.value, 0);
  assert.ok(result.rows.every(({ loss }) => loss.value > 1 && loss.value < 5));
  const best = result.rows.filter(({ second }) => second === "attention");
  assert.equal(result.chosen, best.sort((a, b) => a.valLoss! - b.valLoss!)[0]!.name);
});

Deno.test("`secondGlance()` leaves a piece's own moves with the teacher's shares among them", async () => {
  const positions = await frontRows({ hold: 20, val: 5, train: 30 });
  const { positions: pairs, row, from, wrong } = secondGlance(positions, 1);
  assert.equal(pairs.val, 5);
  assert.equal(pairs.count - pairs.hold - pairs.val, 30);
  for (let i = 0; i < pairs.count; i++) {
    const all = movesOf(positions, row[i]!), own = [...movesOf(pairs, i)];
    assert.deepEqual(own, [...all].filter((move) => (move & 63) === from[i]));
    assert.ok(own.length > 0 && wrong[i] !== from[i]);
    const taught = sharesOf(positions, row[i]!).filter(([place]) => (all[place]! & 63) === from[i]);
    const sum = taught.reduce((total, [, share]) => total + share, 0);
    assert.equal(pairs.bestCount[i], taught.length);
    if (taught.length === 0) continue;
    for (const [k, [place, share]] of sharesOf(pairs, i).entries()) {
      assert.equal(own[place], all[taught[k]![0]]);
      assert.ok(Math.abs(share - taught[k]![1] / sum) < 1e-12);
    }
  }
  const held = new Set(Array.from(movesOf(positions, 0), (move) => move & 63));
  assert.deepEqual([...from.subarray(0, held.size)].sort(), [...held].sort(), "every piece that may move");
});

Deno.test("`attend()` drives one patch more, and nothing else", async () => {
  const positions = await frontRows({ hold: 3, val: 0, train: 1 });
  const eye = eyeFor(growModelFly({ scale: 1 / 64 })),
    rows = Int32Array.of(2, 0),
    squares = Uint8Array.of(9, 63);
  const plain = drive(eye, positions.board, { rows });
  const none = attend(eye, positions, rows, squares, { patch: 0, lit: 0 });
  assert.deepEqual([...none.neuron], [...plain.neuron]);
  assert.ok(none.value!.every((each) => each === 1));
  const more = attend(eye, positions, rows, squares, { patch: 3, lit: 0 });
  for (let b = 0; b < 2; b++) {
    const neurons = [...more.neuron.subarray(more.start[b]!, more.start[b + 1]!)];
    assert.deepEqual(neurons, [...new Set(neurons)].sort((one, other) => one - other));
    const lit = new Set(plain.neuron.subarray(plain.start[b]!, plain.start[b + 1]!));
    const patch = new Set([...eye.cell].filter((_, i) => eye.square[i] === squares[b]));
    assert.deepEqual(new Set(neurons), new Set([...lit, ...patch]));
    neurons.forEach((cell, k) => {
      const wanted = (lit.has(cell) ? 1 : 0) + (patch.has(cell) ? 3 : 0);
      assert.equal(more.value![more.start[b]! + k], wanted);
    });
  }
  const bright = attend(eye, positions, rows, squares, { patch: 0, lit: 3 });
  assert.deepEqual([...bright.neuron], [...plain.neuron]);
});
