import assert from "node:assert/strict";
import { RunningAverage } from "../../../lib/training/whole_brain/_running_average.ts";

Deno.test("`RunningAverage` follows numbers that stay, forgets where they began, and swaps places twice for nothing", () => {
  const parts = { one: Float64Array.of(5, 5), two: Float32Array.of(1) };
  const average = new RunningAverage(parts, 0.9);
  parts.one.set([2, -1]);
  for (let step = 1; step <= 400; step++) average.add(parts, step);
  assert.ok(Math.abs(average.values["one"]![0]! - 2) < 1e-6);
  assert.ok(Math.abs(average.values["one"]![1]! + 1) < 1e-6);
  assert.equal(average.values["two"]![0], 1);
  parts.one.set([10, 20]);
  average.swap(parts);
  assert.ok(Math.abs(parts.one[0]! - 2) < 1e-6);
  average.swap(parts);
  assert.deepEqual([...parts.one], [10, 20]);
});

Deno.test("`RunningAverage` is that of its last steps: a step leaves the share that it is told to", () => {
  const parts = { one: Float64Array.of(0) }, average = new RunningAverage(parts, 0.9);
  for (let step = 1; step <= 1000; step++) average.add(parts, step);
  parts.one[0] = 1;
  for (let step = 1001; step <= 1003; step++) average.add(parts, step);
  assert.ok(Math.abs(average.values["one"]![0]! - (1 - 0.9 ** 3)) < 1e-9);
});
