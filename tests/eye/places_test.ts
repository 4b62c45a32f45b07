import assert from "node:assert/strict";
import fc from "fast-check";
import { isPhotoreceptor, type PlacedCell, placeFair, placeFirst } from "../../lib/eye/mod.ts";

const types = fc.constantFrom("R1-R6", "R1-R6", "R1-R6", "R7", "R7p", "R8y", "R8_unclear");

/** Any cells at all: heavy columns, gaps, few or many. */
const anyCells: fc.Arbitrary<PlacedCell[]> = fc.array(
  fc.tuple(types, fc.integer({ min: -3, max: 20 }), fc.integer({ min: -3, max: 20 })),
  { minLength: 1, maxLength: 400, size: "max" },
);

/** An eye of at least 160 columns, each with one or two R1-R6 and perhaps an R7 and an R8. */
const goodCells: fc.Arbitrary<PlacedCell[]> = fc.uniqueArray(
  fc.tuple(fc.nat(30), fc.nat(30), fc.integer({ min: 1, max: 2 }), fc.boolean(), fc.boolean()),
  { minLength: 160, maxLength: 400, size: "max", selector: ([hex1, hex2]) => 31 * hex1 + hex2 },
).map((columns) =>
  columns.flatMap(([hex1, hex2, count, seven, eight]) =>
    [...Array<string>(count).fill("R1-R6"), ...(seven ? ["R7"] : []), ...(eight ? ["R8"] : [])]
      .map((type): PlacedCell => [type, hex1, hex2])
  )
);

const weightOf = ([type]: PlacedCell) => type === "R1-R6" ? 10 : 1;

/** The weight of all these cells, and that of their heaviest column. */
function weigh(cells: readonly PlacedCell[]): { total: number; heaviest: number } {
  const columns = new Map<string, number>();
  for (const cell of cells) {
    const key = `${cell[1]},${cell[2]}`;
    columns.set(key, (columns.get(key) ?? 0) + weightOf(cell));
  }
  const weights = [...columns.values()];
  return { total: weights.reduce((sum, weight) => sum + weight, 0), heaviest: Math.max(...weights) };
}

Deno.test("a fair eye leaves no square empty where no column carries more than 1/72 of the weight", () => {
  fc.assert(fc.property(goodCells, (cells) => {
    const { total, heaviest } = weigh(cells);
    assert.ok(72 * heaviest <= total, "the generator is to make no heavier column");
    assert.equal(new Set(placeFair(cells).square).size, 64);
  }));
});

Deno.test("a fair eye leaves a rank or file empty only where a column weighs over an eighth of what is cut", () => {
  fc.assert(fc.property(anyCells, (cells) => {
    const { square } = placeFair(cells);
    const ranks = Array.from({ length: 8 }, (_, rank) => cells.filter((_, i) => square[i]! >> 3 === rank));
    const all = weigh(cells);
    if (8 * all.heaviest <= all.total) assert.ok(ranks.every((band) => band.length > 0));
    for (const [rank, band] of ranks.entries()) {
      if (band.length === 0) continue;
      const { total, heaviest } = weigh(band);
      if (8 * heaviest <= total) {
        const files = new Set(square.filter((each) => each >> 3 === rank));
        assert.equal(files.size, 8, `rank ${rank + 1}`);
      }
    }
  }));
});

Deno.test("64 columns of equal weight get a square each on the fair eye", () => {
  const cells = Array.from({ length: 64 }, (_, i): PlacedCell => ["R7", i % 8, Math.floor(i / 8)]);
  assert.deepEqual([...placeFair(cells).square].sort((a, b) => a - b), [...Array(64).keys()]);
});

Deno.test("the cells of a column look at one square of the fair eye, bands lie along hex1 + hex2", () => {
  fc.assert(
    fc.property(anyCells, (cells) => {
      const { square } = placeFair(cells);
      const seen = new Map<string, number>();
      for (const [i, [, hex1, hex2]] of cells.entries()) {
        const key = `${hex1},${hex2}`;
        assert.equal(square[i], seen.get(key) ?? square[i]);
        seen.set(key, square[i]!);
        for (const [j, [, other1, other2]] of cells.entries()) {
          if (other1 + other2 < hex1 + hex2) assert.ok(square[j]! >> 3 <= square[i]! >> 3);
        }
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("R1-R6 cells take the piece types in turn: in each square of the fair eye, over all of the first", () => {
  fc.assert(fc.property(anyCells, (cells) => {
    for (const [places, perSquare] of [[placeFair(cells), true], [placeFirst(cells), false]] as const) {
      const turn = new Map<number, number>();
      for (const [i, [type]] of cells.entries()) {
        const planes = places.planes[i]!;
        if (type.startsWith("R7")) assert.equal(planes, 0b000000_111111);
        else if (type.startsWith("R8")) assert.equal(planes, 0b111111_000000);
        else {
          const key = perSquare ? places.square[i]! : 0;
          const before = turn.get(key) ?? 0;
          assert.equal(planes, 0b1000001 << before % 6);
          turn.set(key, before + 1);
        }
      }
    }
  }));
});

Deno.test("every file and every rank of the first eye gets an eighth of the cells", () => {
  fc.assert(fc.property(anyCells, (cells) => {
    const { square } = placeFirst(cells);
    const files = new Int32Array(8);
    const ranks = new Int32Array(8);
    for (const each of square) {
      files[each & 7]!++;
      ranks[each >> 3]!++;
    }
    for (const count of [...files, ...ranks]) assert.ok(Math.abs(count - cells.length / 8) < 1);
  }));
});

Deno.test("equal coordinates keep the order of the cells on the first eye", () => {
  const cells = Array.from({ length: 8 }, (): PlacedCell => ["R8", 5, 5]);
  assert.deepEqual([...placeFirst(cells).square], [0, 9, 18, 27, 36, 45, 54, 63]);
});

Deno.test("only R1-R6, R7 and R8 cells are photoreceptors, and only they can be placed", () => {
  for (const type of ["R1-R6", "R7", "R7p", "R7_unclear", "R8d"]) assert.ok(isPhotoreceptor(type), type);
  for (const type of ["", "R1", "L1", "Mi1", "R9", "photoRh5"]) {
    assert.ok(!isPhotoreceptor(type), type);
    assert.throws(() => placeFair([[type, 1, 1]]), RangeError);
    assert.throws(() => placeFirst([[type, 1, 1]]), RangeError);
  }
});

Deno.test("no cells make an eye of no cells", () => {
  assert.equal(placeFair([]).square.length, 0);
  assert.equal(placeFirst([]).square.length, 0);
});
