import assert from "node:assert/strict";
import { describeEye, type Eye, eyeReport } from "../../lib/eye/mod.ts";

const OWN = 0b000000_111111;
const OPPONENT = 0b111111_000000;

/** An eye of cells that look at `square` and report `planes`. */
function eyeOf(cells: readonly (readonly [square: number, planes: number])[]): Eye {
  return {
    name: "test",
    neurons: cells.length,
    cell: Int32Array.from(cells.keys()),
    square: Uint8Array.from(cells, ([square]) => square),
    planes: Uint16Array.from(cells, ([, planes]) => planes),
  };
}

/** The cells of a good square: one for each piece type, one for own and one for the opponent's pieces. */
function full(square: number): [number, number][] {
  return [...Array.from({ length: 6 }, (_, type) => 0b1000001 << type), OWN, OPPONENT].map((
    p,
  ) => [square, p]);
}

const SQUARES = [...Array(64).keys()];

Deno.test("an eye that sees everything says so", () => {
  const report = eyeReport(eyeOf(SQUARES.flatMap(full)));
  assert.equal(report.cells, 512);
  assert.ok(report.sound);
  assert.deepEqual(report.blind, []);
  assert.deepEqual(report.typeBlind, []);
  assert.ok(report.cellsOnSquare.every((count) => count === 8));
  assert.ok(report.typeCellsOnSquare.every((count) => count === 6));
  assert.equal(
    report.message,
    "The test eye has 512 cells, 8 a square, 6 of them for piece types: it sees every square and tells all six " +
      "piece types apart on each.",
  );
});

Deno.test("an eye that is blind somewhere names the squares", () => {
  const report = eyeReport(eyeOf(SQUARES.filter((square) => square !== 6 && square !== 63).flatMap(full)));
  assert.ok(!report.sound);
  assert.deepEqual(report.blind, [6, 63]);
  assert.deepEqual(report.typeBlind, [6, 63]);
  assert.match(report.message, /0 to 8 a square.*: it is blind on 2 squares \(g1 h8\)\.$/);
});

Deno.test("squares that see a piece and not which one are not blind, but type-blind", () => {
  const report = eyeReport(
    eyeOf(SQUARES.flatMap((square) => square === 0 ? [[0, OWN], [0, OPPONENT]] : full(square))),
  );
  assert.deepEqual(report.blind, []);
  assert.deepEqual(report.typeBlind, [0]);
  assert.equal(report.typesTold[0], 1);
  assert.match(report.message, /: it cannot tell any piece type from another on 1 square \(a1\)\.$/);
});

Deno.test("squares on which two types look alike are counted apart, and flaws are listed together", () => {
  const cells = SQUARES.slice(1).flatMap((square) => square === 9 ? full(square).slice(0, 4) : full(square));
  const report = eyeReport(eyeOf(cells));
  assert.equal(report.typesTold[9], 5); // queen and king light nothing there
  assert.deepEqual(report.typeBlind, [0]);
  assert.match(
    report.message,
    /: it is blind on 1 square \(a1\) and takes some piece types for others on 1 square \(b2\)\.$/,
  );
});

Deno.test("an eye without cells is blind everywhere", () => {
  const report = eyeReport(eyeOf([]));
  assert.equal(report.blind.length, 64);
  assert.match(report.message, /has 0 cells, 0 a square.*blind on 64 squares\.$/);
});

Deno.test("`describeEye()` draws the board with rank 8 on top", () => {
  const lines = describeEye(eyeOf(SQUARES.filter((square) => square !== 63).flatMap(full))).split("\n");
  assert.match(lines[0]!, /blind on 1 square \(h8\)/);
  assert.match(lines[3]!, /^8 +8\/6 .*blind$/);
  assert.match(lines[10]!, /^1 +8\/6 .*8\/6$/);
  assert.match(lines[11]!, /a +b +c +d +e +f +g +h$/);
  assert.ok(lines.slice(1).every((line) => line.length <= 80));
  assert.equal(new Set(lines.slice(3).map((line) => line.length)).size, 1, "columns are aligned");
});
