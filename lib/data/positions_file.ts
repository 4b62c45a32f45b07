import * as arrow from "apache-arrow";
import { DataError, openSealedArrow, saveSealedArrow } from "../common/mod.ts";
import { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "./positions.ts";
import { positionsDigest } from "./positions_digest.ts";

/** What the file says it is. */
const KIND = "positions";
/** Rows of a record batch. */
const BATCH = 65_536;

/** The columns in the order of the file, with the values of a row and how they are stored. */
const COLUMNS = [
  { name: "board", width: BOARD_BYTES, type: new arrow.FixedSizeBinary(BOARD_BYTES) },
  { name: "moveCount", width: 1, type: new arrow.Uint8() },
  { name: "move", width: MAX_MOVES, type: listOf(MAX_MOVES, new arrow.Uint16()) },
  { name: "bestCount", width: 1, type: new arrow.Uint8() },
  { name: "best", width: MAX_BEST, type: listOf(MAX_BEST, new arrow.Uint8()) },
  { name: "win", width: MAX_BEST, type: listOf(MAX_BEST, new arrow.Uint16()) },
  { name: "game", width: 1, type: new arrow.Int32() },
] as const;

/** A column of `COLUMNS`. */
type Column = typeof COLUMNS[number];

function listOf<T extends arrow.Uint8 | arrow.Uint16>(width: number, value: T): arrow.FixedSizeList<T> {
  return new arrow.FixedSizeList(width, new arrow.Field("item", value, false));
}

/** The values of some rows as Arrow data, without copying them. */
function columnData(column: Column, positions: Positions, start: number, length: number): arrow.Data {
  const { width, type } = column;
  const data = positions[column.name].subarray(start * width, (start + length) * width);
  const plain = { length, nullCount: 0 };
  if (type instanceof arrow.FixedSizeList) {
    const item = type.valueType;
    const child = arrow.makeData({ type: item, length: data.length, nullCount: 0, data });
    return arrow.makeData({ ...plain, type, child });
  }
  if (type instanceof arrow.FixedSizeBinary) return arrow.makeData({ ...plain, type, data });
  return arrow.makeData({ ...plain, type, data });
}

/**
 * Saves positions as an Arrow IPC file with columns of fixed size: `board` (96 bytes), `moveCount`, `move` (96 uint16),
 * `bestCount`, `best` (8 uint8), `win` (8 uint16), `game` (int32). pyarrow, polars and DuckDB open it; the meaning of
 * the columns is that of `Positions`. `hold`, `val`, `digest` and `provenance` stand in the schema's metadata.
 *
 * The whole file passes through memory: 3 million rows are 1 GB, and some 6 million are the most.
 *
 * @param path Where it goes; it appears whole or not at all.
 * @param positions What goes in.
 */
export async function savePositions(path: string, positions: Positions): Promise<void> {
  const fields = COLUMNS.map((column) => new arrow.Field(column.name, column.type, false));
  const schema = new arrow.Schema(fields);
  const batches: arrow.RecordBatch[] = [];
  for (let start = 0; start < positions.count || batches.length === 0; start += BATCH) {
    const length = Math.min(BATCH, positions.count - start);
    const children = COLUMNS.map((column) => columnData(column, positions, start, length));
    const data = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children });
    batches.push(new arrow.RecordBatch(schema, data));
  }
  await saveSealedArrow(path, new arrow.Table(schema, batches), {
    "flychess:kind": KIND,
    "flychess:hold": String(positions.hold),
    "flychess:val": String(positions.val),
    "flychess:digest": positions.digest,
    "flychess:provenance": JSON.stringify(positions.provenance),
  });
}

/** How to load positions. */
export interface LoadPositionsOptions {
  /**
   * Whether to check, besides the seal over all bytes, that the values make sense and fit the digest. By default true;
   * takes about as long as reading.
   */
  readonly verify?: boolean;
}

/**
 * Opens a file of `savePositions`.
 *
 * @param path The file.
 * @param options How far to check it.
 * @throws {DataError} If it is another kind of file, was changed, or holds values that make no sense.
 *
 * @example Saving and loading
 * ```ts
 * import { loadPositions, savePositions, selectRows, shippedPositions } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const few = selectRows(await shippedPositions(), [0, 1, 2]);
 * const folder = await Deno.makeTempDir();
 * await savePositions(`${folder}/few.arrow`, few);
 * assert.deepEqual(await loadPositions(`${folder}/few.arrow`), few);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function loadPositions(path: string, options: LoadPositionsOptions = {}): Promise<Positions> {
  const table = await openSealedArrow(path, KIND);
  const refuse = (found: string, wanted: string): never => {
    throw new DataError(`Cannot open ${path}: ${found}, ${wanted} is wanted`);
  };
  for (const column of COLUMNS) {
    const found = table.schema.fields.find(({ name }) => name === column.name)?.type;
    const wanted = column.type;
    if (String(found) !== String(wanted)) {
      refuse(`its column ${column.name} is ${found ?? "missing"}`, String(wanted));
    }
  }
  const count = table.numRows;
  const join = <T extends Uint8Array | Uint16Array | Int32Array>(
    name: Column["name"],
    width: number,
    into: T,
  ): T => {
    let at = 0;
    for (const data of table.getChild(name)?.data ?? []) {
      const leaf = data.children[0] ?? data;
      const offset = (data.children.length > 0 ? data.offset : 0) * width;
      into.set(leaf.values.subarray(offset, offset + data.length * width), at);
      at += data.length * width;
    }
    return into;
  };
  const number = (key: string) => Number(table.schema.metadata.get(`flychess:${key}`));
  const content = {
    count,
    hold: number("hold"),
    val: number("val"),
    board: join("board", BOARD_BYTES, new Uint8Array(count * BOARD_BYTES)),
    moveCount: join("moveCount", 1, new Uint8Array(count)),
    move: join("move", MAX_MOVES, new Uint16Array(count * MAX_MOVES)),
    bestCount: join("bestCount", 1, new Uint8Array(count)),
    best: join("best", MAX_BEST, new Uint8Array(count * MAX_BEST)),
    win: join("win", MAX_BEST, new Uint16Array(count * MAX_BEST)),
    game: join("game", 1, new Int32Array(count)),
  };
  const digest = table.schema.metadata.get("flychess:digest") ?? "";
  let provenance: Record<string, unknown> = {};
  try {
    provenance = JSON.parse(table.schema.metadata.get("flychess:provenance") ?? "");
  } catch {
    refuse("its provenance is not JSON", "what savePositions writes");
  }
  const positions: Positions = { ...content, provenance, digest };
  if (options.verify ?? true) {
    const wrong = findNonsense(positions);
    if (wrong !== undefined) refuse(wrong, "what savePositions writes");
    if (positionsDigest(content) !== digest) refuse("its digest does not fit its values", digest);
  }
  return positions;
}

/** The first thing about some positions that cannot be, in words. */
function findNonsense(positions: Positions): string | undefined {
  const { count, hold, val, moveCount, bestCount, best, win, move } = positions;
  if (!Number.isInteger(hold) || !Number.isInteger(val) || hold < 0 || val < 0 || hold + val > count) {
    return `HOLD is ${hold} and VAL ${val} of ${count} rows`;
  }
  for (let row = 0; row < count; row++) {
    const moves = moveCount[row]!;
    const kept = bestCount[row]!;
    if (moves < 1 || moves > MAX_MOVES) return `row ${row} has ${moves} legal moves`;
    if (kept < 1 || kept > MAX_BEST || kept > moves) return `row ${row} keeps ${kept} best moves of ${moves}`;
    for (let i = 0; i < kept; i++) {
      const at = row * MAX_BEST + i;
      if (best[at]! >= moves) return `row ${row} names move ${best[at]} of ${moves} as good`;
      if (win[at]! > (i === 0 ? 1000 : win[at - 1]!)) {
        return `row ${row} does not list its best moves in order`;
      }
    }
    for (let i = 0; i < moves; i++) {
      if (move[row * MAX_MOVES + i]! >> 12 > 4) return `row ${row} has a move with no known promotion`;
    }
  }
  return undefined;
}
