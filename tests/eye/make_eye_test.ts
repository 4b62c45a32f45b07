import assert from "node:assert/strict";
import fc from "fast-check";
import {
  eyeFor,
  type EyeName,
  eyeReport,
  fairEye,
  firstEye,
  larvaEye,
  placeFair,
  placeFirst,
} from "../../lib/eye/mod.ts";
import { connectomeOf, type TestCell } from "./_connectome.ts";

/** A brain whose photoreceptors stand between other cells; some have no column, some are no input. */
const MIXED: readonly TestCell[] = [
  { type: "L1", column: [1, 1] },
  { type: "R1-R6", column: [1, 1] },
  { type: "R7p" },
  { type: "R8p", column: [2, 1] },
  { type: "R1-R6", column: [1, 2], input: false },
  { type: "", column: [3, 3] },
  { type: "R7y", column: [3, 1] },
];

const sensory = (count: number) =>
  connectomeOf(Array.from({ length: count + 7 }, (_, i) => ({ type: "sens", input: i >= 7 })));

Deno.test("the fair and the first eye take input photoreceptors with a column, in neuron order", () => {
  const connectome = connectomeOf(MIXED);
  const cells = [["R1-R6", 1, 1], ["R8p", 2, 1], ["R7y", 3, 1]] as const;
  for (
    const [make, place, name] of [[fairEye, placeFair, "fair"], [firstEye, placeFirst, "first"]] as const
  ) {
    const eye = make(connectome);
    assert.equal(eye.name, name);
    assert.equal(eye.neurons, MIXED.length);
    assert.deepEqual([...eye.cell], [1, 3, 6]);
    const { square, planes } = place(cells);
    assert.deepEqual(eye.square, square);
    assert.deepEqual(eye.planes, planes);
  }
});

Deno.test("the fair and the first eye refuse a brain without placed photoreceptors", () => {
  assert.throws(() => fairEye(sensory(400)), RangeError);
  assert.throws(() => firstEye(connectomeOf([{ type: "R7" }])), RangeError);
});

Deno.test("the larva's eye deals five cells to each square, which tell all pieces and nothing apart", () => {
  fc.assert(
    fc.property(fc.nat(0xffffffff), fc.integer({ min: 320, max: 500 }), (seed, count) => {
      const connectome = sensory(count);
      const eye = larvaEye(connectome, { seed });
      assert.equal(eye.cell.length, 320);
      assert.ok(eye.cell.every((neuron, i) => i === 0 || neuron > eye.cell[i - 1]!), "neurons ascend");
      assert.ok(eye.cell.every((neuron) => connectome.input.includes(neuron)));
      for (let square = 0; square < 64; square++) {
        const masks = [...eye.planes].filter((_, i) => eye.square[i] === square);
        assert.equal(masks.length, 5);
        const looks = new Set(
          Array.from({ length: 13 }, (_, plane) => masks.map((mask) => mask >> plane & 1).join()),
        );
        assert.equal(looks.size, 13, "twelve pieces and an empty square");
      }
      assert.ok(eyeReport(eye).sound);
    }),
    { numRuns: 20 },
  );
});

Deno.test("the three digits of a piece type are those of pawn 1 to king 6", () => {
  const eye = larvaEye(sensory(320));
  const masks = new Set(eye.planes);
  // Bit p for plane p: types with an odd number (pawn, bishop, queen); with a two (knight, bishop, king);
  // with a four (rook, queen, king).
  for (const types of [0b010101, 0b100110, 0b111000]) assert.ok(masks.has(types | types << 6));
  assert.equal(masks.size, 5);
});

Deno.test("the larva's eye is the same for the same seed and another for another", () => {
  const connectome = sensory(431);
  assert.deepEqual(larvaEye(connectome, { seed: 5 }), larvaEye(connectome, { seed: 5 }));
  assert.notDeepEqual(larvaEye(connectome, { seed: 5 }), larvaEye(connectome, { seed: 6 }));
  assert.deepEqual(larvaEye(connectome), larvaEye(connectome, { seed: 1 }));
});

Deno.test("the larva's eye refuses fewer than 320 input cells", () => {
  assert.throws(() => larvaEye(sensory(319)), RangeError);
});

Deno.test("`eyeFor()` gives the eye of that name; `auto` looks for columns", () => {
  const fly = connectomeOf(MIXED);
  const larva = sensory(320);
  assert.deepEqual(eyeFor(fly, "fair"), fairEye(fly));
  assert.deepEqual(eyeFor(fly, "first"), firstEye(fly));
  assert.deepEqual(eyeFor(larva, "larva", { seed: 3 }), larvaEye(larva, { seed: 3 }));
  assert.deepEqual(eyeFor(fly, "auto"), fairEye(fly));
  assert.deepEqual(eyeFor(fly), fairEye(fly));
  assert.deepEqual(eyeFor(larva, "auto", { seed: 3 }), larvaEye(larva, { seed: 3 }));
  assert.throws(() => eyeFor(fly, "third" as EyeName), RangeError);
});
