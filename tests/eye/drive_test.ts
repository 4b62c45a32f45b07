import assert from "node:assert/strict";
import fc from "fast-check";
import { boardBits, START_FEN } from "../../lib/chess/mod.ts";
import { DataError } from "../../lib/common/mod.ts";
import { denseDrive, drive, type Eye, silence } from "../../lib/eye/mod.ts";
import { positions } from "../chess/_positions.ts";

/** Any eye: cells that look anywhere and report any planes. */
const eyes: fc.Arbitrary<Eye> = fc.array(fc.tuple(fc.nat(63), fc.nat(4095)), { maxLength: 200, size: "max" })
  .map((
    cells,
  ) => ({
    name: "any",
    neurons: 3 * cells.length + 5,
    cell: Int32Array.from(cells, (_, i) => 3 * i + 1),
    square: Uint8Array.from(cells, ([square]) => square),
    planes: Uint16Array.from(cells, ([, planes]) => planes),
  }));

const boards = fc.array(positions, { minLength: 0, maxLength: 5 }).map((list) => {
  const bytes = new Uint8Array(96 * list.length);
  for (const [i, board] of list.entries()) bytes.set(boardBits(board), 96 * i);
  return bytes;
});

/** What a cell of an eye sees, by the formula: the sum over its planes of the board's bits on its square. */
function formula(eye: Eye, cell: number, board: Uint8Array): number {
  let sum = 0;
  for (let plane = 0; plane < 12; plane++) {
    const bit = plane * 64 + eye.square[cell]!;
    sum += (eye.planes[cell]! >> plane & 1) * (board[bit >> 3]! >> (bit & 7) & 1);
  }
  return sum;
}

Deno.test("`drive()` and `denseDrive()` light the cells that the formula lights, neurons ascending", () => {
  fc.assert(fc.property(eyes, boards, (eye, bytes) => {
    const count = bytes.length / 96;
    const sparse = drive(eye, bytes);
    const dense = denseDrive(eye, bytes, new Float32Array(count * eye.cell.length));
    assert.equal(sparse.positions, count);
    assert.equal(sparse.start.length, count + 1);
    assert.equal(sparse.start[count], sparse.neuron.length);
    assert.equal(sparse.value, undefined);
    for (let b = 0; b < count; b++) {
      const wanted = [...eye.cell.keys()].map((cell) =>
        formula(eye, cell, bytes.subarray(96 * b, 96 * b + 96))
      );
      assert.deepEqual([...dense.subarray(b * eye.cell.length, (b + 1) * eye.cell.length)], wanted);
      assert.deepEqual(
        [...sparse.neuron.subarray(sparse.start[b], sparse.start[b + 1])],
        [...eye.cell].filter((_, cell) => wanted[cell] === 1),
      );
    }
  }));
});

Deno.test("`drive()` and `denseDrive()` show the rows that are asked for, in their order", () => {
  const three = new Uint8Array(3 * 96);
  three.set(boardBits("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 0);
  three.set(boardBits(START_FEN), 96);
  three.set(boardBits("7k/8/8/8/8/8/8/K7 w - - 0 1"), 192);
  const eye: Eye = {
    name: "own pieces on rank 1",
    neurons: 8,
    cell: Int32Array.from({ length: 8 }, (_, i) => i),
    square: Uint8Array.from({ length: 8 }, (_, i) => i),
    planes: new Uint16Array(8).fill(63),
  };
  const seen = drive(eye, three, { rows: [2, 0, 2] });
  assert.deepEqual([...seen.start], [0, 1, 2, 3]);
  assert.deepEqual([...seen.neuron], [0, 4, 0]);
  const dense = denseDrive(eye, three, new Uint8Array(16), { rows: Int32Array.of(0, 1) });
  assert.deepEqual([...dense], [0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
  assert.equal(drive(eye, three, { rows: [] }).positions, 0);
});

Deno.test("`drive()` and `denseDrive()` refuse sizes and rows that do not fit", () => {
  const eye: Eye = {
    name: "one cell",
    neurons: 1,
    cell: Int32Array.of(0),
    square: Uint8Array.of(0),
    planes: Uint16Array.of(1),
  };
  const board = boardBits(START_FEN);
  assert.throws(() => drive(eye, board.subarray(0, 95)), RangeError);
  for (const row of [-1, 1, 0.5]) assert.throws(() => drive(eye, board, { rows: [row] }), RangeError);
  assert.throws(() => denseDrive(eye, board, new Float32Array(2)), RangeError);
  const twoPieces = board.slice();
  twoPieces[8]! |= 1; // a knight on a1, where a rook stands
  assert.throws(() => drive(eye, twoPieces), DataError);
});

Deno.test("`silence()` drives nothing, for as many positions as asked for", () => {
  assert.deepEqual(silence(3), { positions: 3, start: new Int32Array(4), neuron: new Int32Array(0) });
  for (const positions of [-1, 1.5, NaN]) assert.throws(() => silence(positions), RangeError);
});
