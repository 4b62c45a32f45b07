import { DataError, nearestWord } from "../common/mod.ts";

/** The columns of a table of neurons. */
export const NEURON_NAMES: readonly string[] = [
  "id",
  "type",
  "superclass",
  "class",
  "transmitter",
  "sign",
  "region",
  "side",
  "soma",
  "column",
];

/** The columns of a table of connections. */
export const EDGE_NAMES: readonly string[] = ["pre", "post", "synapses"];

/** A value as an error shows it: the text "1" is not the number 1. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `${JSON.stringify(value)} (a text, not a number)`;
  return typeof value === "bigint" ? `${value}n (a bigint, not a number)` : String(value);
}

/**
 * Looks at the names of the columns of a table.
 *
 * @param table What it is called in the error: `neurons`.
 * @throws {DataError} If one is unknown, or one that is wanted is missing.
 */
export function checkColumns(
  table: string,
  columns: object,
  names: readonly string[],
  wanted: readonly string[],
): void {
  for (const name of Object.keys(columns)) {
    if (!names.includes(name)) refuse(`the ${table} have a column '${name}'`, name, names);
  }
  const found = new Set(
    Object.entries(columns).flatMap(([name, data]) => data === undefined || data === null ? [] : [name]),
  );
  const missing = wanted.find((name) => !found.has(name));
  if (missing !== undefined) refuse(`the ${table} have no column '${missing}'`, missing, wanted);
}

/**
 * The same for records: every one may have only known names, and the first must have the wanted ones.
 *
 * @param row What one of them is called in the error: `neuron`.
 */
export function checkRecords<const T extends object>(
  row: string,
  records: readonly T[],
  names: readonly string[],
  wanted: readonly string[],
): readonly T[] {
  const known = new Set(names);
  for (const [number, record] of records.entries()) {
    for (const name in record) {
      if (!known.has(name)) refuse(`${row} ${number} has a column '${name}'`, name, names);
    }
    const missing = wanted.find((name) => (record as Readonly<Record<string, unknown>>)[name] === undefined);
    if (missing !== undefined) {
      const nowhere = records.every((each) => !(missing in each));
      refuse(
        nowhere ? `the ${row}s have no column '${missing}'` : `${row} ${number} has no '${missing}'`,
        missing,
        wanted,
      );
    }
  }
  return records;
}

function refuse(found: string, name: string, wanted: readonly string[]): never {
  const meant = wanted.includes(name) ? undefined : nearestWord(name, wanted);
  const list = `${wanted.join(", ")} ${wanted.length === 1 ? "is" : "are"} wanted`;
  throw new DataError(
    `Cannot make a connectome: ${found}, ${
      meant === undefined ? list : `did you mean '${meant}'? Only ${list}`
    }`,
  );
}
