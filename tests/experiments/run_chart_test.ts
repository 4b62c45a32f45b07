import assert from "node:assert/strict";
import type { LogEntry } from "../../lib/training/mod.ts";
import { drawRun } from "../../experiments/training/run_chart.ts";

const entry = (values: Partial<LogEntry>): LogEntry => ({
  time: "2026-12-02T00:00:00Z",
  event: "check",
  ...values,
});

Deno.test("a run's picture says by how much it beats who never looks, and names every fit", () => {
  const log = [
    entry({ event: "started" }),
    entry({ event: "pass", fit: "penalty 0.1", pass: 1, valLoss: 3.25, blindLoss: 3.2 }),
    entry({ event: "pass", fit: "penalty 0.1", pass: 2, valLoss: 3.1, blindLoss: 3.2 }),
    entry({ event: "pass", fit: "penalty 0", pass: 1, valLoss: 3.15, blindLoss: 3.2 }),
    entry({ event: "fitted", fit: "penalty 0", valLoss: 3.0, blindLoss: 3.2 }),
  ];
  const svg = drawRun(log, { of: "model fly (scale 1, seed 1)" });
  assert.match(svg, /The model fly reads 0\.100 nats more of the board than a reader that never looks/);
  for (const words of ["penalty 0.1<", "penalty 0<", "blind<", "scale 1, seed 1", "passes over"]) {
    assert.ok(svg.includes(words), words);
  }
  assert.match(drawRun(log.slice(0, 2)), /The run reads no more of the board/);
});

Deno.test("a run without a blind baseline in its log is drawn without it, and one without a check is refused", () => {
  const svg = drawRun([entry({ positions: 10, valLoss: 3.1234 }), entry({ positions: 20, valLoss: 3.1233 })]);
  assert.match(svg, /The run comes to a loss of 3\.123 nats on VAL/);
  assert.ok(!svg.includes("blind<") && svg.includes("positions learned from"));
  assert.throws(() => drawRun([entry({ event: "started" })]), /its log has no check on VAL yet/);
});
