import assert from "node:assert/strict";
import { darken, dropoutMask } from "../../../lib/training/whole_brain/_dropout.ts";

Deno.test("`dropoutMask()` leaves out about the share asked for, keeps the mean, and depends on seed and step alone", () => {
  const mask = dropoutMask(20_000, 0.25, 7, 3)!;
  const out = mask.filter((each) => each === 0).length / mask.length;
  assert.ok(Math.abs(out - 0.25) < 0.02, `${out}`);
  assert.ok(mask.every((each) => each === 0 || each === Math.fround(4 / 3)));
  assert.deepEqual(dropoutMask(20_000, 0.25, 7, 3), mask);
  assert.notDeepEqual(dropoutMask(20_000, 0.25, 7, 4), mask);
  assert.notDeepEqual(dropoutMask(20_000, 0.25, 8, 3), mask);
  assert.equal(dropoutMask(20_000, 0, 7, 3), undefined);
});

Deno.test("`darken()` darkens a share of lit cells and raises the others by as much", () => {
  const lit = {
    positions: 2,
    start: Int32Array.of(0, 5000, 10_000),
    neuron: Int32Array.from({ length: 10_000 }, (_, i) => i % 5000),
  };
  const dimmed = darken(lit, 0.2, 1, 9);
  const dark = dimmed.value!.filter((each) => each === 0).length / 10_000;
  assert.ok(Math.abs(dark - 0.2) < 0.02, `${dark}`);
  assert.ok(dimmed.value!.every((each) => each === 0 || each === 1.25));
  assert.deepEqual([dimmed.start, dimmed.neuron], [lit.start, lit.neuron]);
  assert.deepEqual(darken(lit, 0.2, 1, 9), dimmed);
  assert.notDeepEqual(darken(lit, 0.2, 1, 10), dimmed);
  assert.equal(darken(lit, 0, 1, 9), lit);
});
