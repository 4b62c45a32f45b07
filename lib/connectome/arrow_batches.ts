import { DataError } from "../common/mod.ts";
import { BatchReader, type ListColumn, type TextColumn } from "./_arrow_columns.ts";
import { type ArrowBlock, ArrowFile } from "./_arrow_file.ts";
import { type ArrowField, TYPE, typeName } from "./_arrow_schema.ts";
import { StringPool } from "./_string_pool.ts";

export type { ListColumn, TextColumn };

/**
 * What a column should hold: whole numbers of any width, any numbers, texts (plain or dictionary-encoded), or lists of
 * numbers. A column without a single value (type null) passes as any of them.
 */
export type ColumnKind = "integer" | "number" | "text" | "numbers";

/** Some rows of a table. A column is decompressed and decoded only when it is asked for. */
export interface ArrowBatch {
  /** Rows in this batch. */
  readonly rows: number;
  /** Rows before it. */
  readonly first: number;
  /** Rows of the whole table. */
  readonly total: number;
  /**
   * A column of kind `integer` or `number`; NaN for null. Whole numbers are exact.
   *
   * @throws {DataError} If its bytes are broken, or a whole number is beyond 2^53 - 1.
   */
  numbers(column: string): Float64Array;
  /** A column of kind `text`. @throws {DataError} If its bytes are broken. */
  texts(column: string): TextColumn;
  /** A column of kind `numbers`. @throws {DataError} If its bytes are broken. */
  lists(column: string): ListColumn;
}

const WANTED: Readonly<Record<ColumnKind, string>> = {
  integer: "whole numbers (int8 to int64)",
  number: "numbers (integer or float)",
  text: "texts (utf8 or dictionary of utf8)",
  numbers: "lists of numbers",
};

/**
 * Reads some columns of a Feather V2 table (an Arrow IPC file; plain, LZ4 or Zstandard) one record batch at a
 * time: one batch is in memory, whatever the size of the file, and columns that are not asked for are never decompressed.
 *
 * @param path The file.
 * @param columns The columns that are wanted and what each should hold.
 * @throws {DataError} If the file is missing, cut off, broken or another kind of file, or if it lacks a column or holds
 * another type: the message names the file, the column and what is wanted.
 *
 * @example Any Arrow file, column by column
 * ```ts
 * import { connectomeFromTables, readArrowBatches, saveConnectome } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const path = `${folder}/two.arrow`;
 * const two = connectomeFromTables([{ id: 7, type: "L1" }, { id: 8 }], [], { input: [], output: [] });
 * await saveConnectome(path, two);
 * for await (const batch of readArrowBatches(path, { id: "integer", type: "text" })) {
 *   assert.deepEqual([...batch.numbers("id")], [7, 8]);
 *   assert.equal(batch.texts("type").at(0), "L1");
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function* readArrowBatches(
  path: string,
  columns: Readonly<Record<string, ColumnKind>>,
): AsyncGenerator<ArrowBatch, void, void> {
  using file = await ArrowFile.open(path);
  const found = new Map<string, number>();
  for (const [name, kind] of Object.entries(columns)) found.set(name, findColumn(path, file, name, kind));
  const pool = new StringPool();
  const dictionaries = await readDictionaries(path, file, pool, [...found.values()]);
  const total = file.batches.reduce((sum, { rows }) => sum + rows, 0);
  let first = 0;
  for (const [number, block] of file.batches.entries()) {
    const reader = new BatchReader(file, block, await file.body(block), pool);
    const decode = <T>(name: string, read: (field: ArrowField, column: number) => T): T => {
      const column = found.get(name);
      if (column === undefined) throw new RangeError(`Cannot read column '${name}': it was not asked for`);
      return guard(path, name, number, () => {
        checkRows(block, column);
        return read(file.fields[column]!, column);
      });
    };
    yield {
      rows: block.rows,
      first,
      total,
      numbers: (name) => decode(name, (field, column) => reader.numbers(field, block.places[column]!)),
      texts: (name) => {
        const texts = decode(name, (field, column) => {
          const dictionary = field.dictionary && dictionaries.get(field.dictionary.id);
          return reader.texts(field, block.places[column]!, dictionary);
        });
        return { at: (row) => guard(path, name, number, () => texts.at(row)) };
      },
      lists: (name) => {
        const lists = decode(name, (field, column) => reader.lists(field, block.places[column]!));
        return { at: (row) => guard(path, name, number, () => lists.at(row)) };
      },
    };
    first += block.rows;
  }
}

/** Turns what broken bytes cause into an error that names the file, the column and the batch. */
function guard<T>(path: string, column: string, batch: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DataError(
      `Cannot read ${path}: column '${column}' is broken in record batch ${batch} (${error.message}), ` +
        "a whole table is wanted",
    );
  }
}

function checkRows(block: ArrowBlock, column: number): void {
  const rows = block.nodes[block.places[column]!.node]?.[0];
  if (rows !== block.rows) throw new RangeError(`it has ${rows} rows where the batch has ${block.rows}`);
}

function findColumn(path: string, file: ArrowFile, name: string, kind: ColumnKind): number {
  const column = file.fields.findIndex((field) => field.name === name);
  const field = file.fields[column];
  if (field === undefined) {
    const names = file.fields.slice(0, 12).map((other) => `'${other.name}'`).join(", ");
    throw new DataError(
      `Cannot read ${path}: it has no column '${name}', ${WANTED[kind]} of that name are wanted ` +
        `(it has ${names}${file.fields.length > 12 ? ", ..." : ""})`,
    );
  }
  if (!fits(field, kind)) {
    throw new DataError(
      `Cannot read ${path}: column '${name}' holds ${typeName(field)}, ${WANTED[kind]} are wanted`,
    );
  }
  return column;
}

function fits(field: ArrowField, kind: ColumnKind): boolean {
  if (field.type === TYPE.null) return true;
  const isText = field.type === TYPE.utf8 || field.type === TYPE.largeUtf8;
  if (field.dictionary) return kind === "text" && isText;
  if (kind === "text") return isText;
  if (kind === "integer") return field.type === TYPE.int;
  if (kind === "number") return field.type === TYPE.int || (field.type === TYPE.float && field.size >= 32);
  const list = field.type === TYPE.list || field.type === TYPE.largeList || field.type === TYPE.fixedSizeList;
  return list && field.children[0] !== undefined && field.children[0].dictionary === undefined &&
    fits(field.children[0], "number");
}

/** The texts of the dictionaries that the wanted columns point into, by dictionary number. */
async function readDictionaries(
  path: string,
  file: ArrowFile,
  pool: StringPool,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, (string | null)[]>> {
  const texts = new Map<number, (string | null)[]>();
  for (const [number, block] of file.dictionaries.entries()) {
    const field = file.fields[
      wanted.find((column) => file.fields[column]!.dictionary?.id === block.dictionary) ?? -1
    ];
    if (field === undefined) continue;
    const values: ArrowField = { ...field, dictionary: undefined };
    const reader = new BatchReader(file, block, await file.body(block), pool);
    guard(path, field.name, number, () => {
      const column = reader.texts(values, { node: 0, buffer: 0, children: [] }, undefined);
      const read = Array.from({ length: block.rows }, (_, row) => column.at(row));
      texts.set(block.dictionary, block.isDelta ? [...texts.get(block.dictionary) ?? [], ...read] : read);
    });
  }
  return texts;
}
