import assert from "node:assert/strict";
import { type EyePlaces, type PlacedCell, placeFair, placeFirst } from "../../lib/eye/mod.ts";

/** Where the golden file says that a cell looks. */
interface GoldenPlace {
  readonly square: number;
  readonly planes: readonly number[];
}

/** What a golden file of kind `eye` holds. */
interface EyeGolden {
  readonly cells: readonly PlacedCell[];
  readonly fair: readonly GoldenPlace[];
  readonly first: readonly GoldenPlace[];
}

function compare(
  name: string,
  cells: readonly PlacedCell[],
  actual: EyePlaces,
  wanted: readonly GoldenPlace[],
) {
  assert.equal(wanted.length, cells.length, `the ${name} eye places another number of cells than there are`);
  for (const [i, { square, planes }] of wanted.entries()) {
    const found = Array.from({ length: 12 }, (_, plane) => plane).filter((plane) =>
      actual.planes[i]! >> plane & 1
    );
    const cell = `cell ${i} (${cells[i]!.join(", ")}) of the ${name} eye`;
    assert.equal(actual.square[i], square, `${cell} looks at another square`);
    assert.deepEqual(found, [...planes].sort((a, b) => a - b), `${cell} reports other planes`);
  }
}

/**
 * Compares both eyes with golden values, cell by cell.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export function check(golden: unknown): void {
  const { cells, fair, first } = golden as EyeGolden;
  assert.ok(cells.length > 0, "the file holds no cell");
  compare("fair", cells, placeFair(cells), fair);
  compare("first", cells, placeFirst(cells), first);
}
