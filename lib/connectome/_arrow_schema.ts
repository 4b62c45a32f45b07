import type { FlatTable } from "./_flatbuffer.ts";

/** Arrow's type codes (Schema.fbs, union Type). */
export const TYPE = {
  none: 0,
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  list: 12,
  struct: 13,
  union: 14,
  fixedSizeList: 16,
  map: 17,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
  runEndEncoded: 22,
  binaryView: 23,
  utf8View: 24,
  listView: 25,
  largeListView: 26,
} as const;

const NAMES: readonly string[] = [
  "none",
  "null",
  "integer",
  "floating point",
  "binary",
  "utf8",
  "boolean",
  "decimal",
  "date",
  "time",
  "timestamp",
  "interval",
  "list",
  "struct",
  "union",
  "fixed-size binary",
  "fixed-size list",
  "map",
  "duration",
  "large binary",
  "large utf8",
  "large list",
  "run-end encoded",
  "binary view",
  "utf8 view",
  "list view",
  "large list view",
];

/** One column of a table, or a part of one. */
export interface ArrowField {
  /** Its name. */
  readonly name: string;
  /** One of `TYPE`; the type of the values where they are dictionary-encoded. */
  readonly type: number;
  /** Bits of an integer or float, entries of a fixed-size list, mode of a union. */
  readonly size: number;
  /** Whether an integer is signed. */
  readonly signed: boolean;
  /** Number of the dictionary and the integers that point into it. */
  readonly dictionary: { readonly id: number; readonly bits: number; readonly signed: boolean } | undefined;
  /** Parts of a list or struct. */
  readonly children: readonly ArrowField[];
}

/** Reads a `Field` of Schema.fbs. */
export function readField(table: FlatTable): ArrowField {
  const type = table.byte(2);
  const parameters = table.table(3);
  const dictionary = table.table(4);
  const index = dictionary?.table(1);
  let size = 0;
  if (type === TYPE.int || type === TYPE.fixedSizeList) size = parameters?.int(0) ?? 0;
  if (type === TYPE.float) size = [16, 32, 64][parameters?.short(0) ?? 0] ?? 0;
  if (type === TYPE.union) size = parameters?.short(0) ?? 0;
  return {
    name: table.text(0),
    type,
    size,
    signed: parameters !== undefined && type === TYPE.int && parameters.byte(1) !== 0,
    dictionary: dictionary === undefined ? undefined : {
      id: dictionary.long(0),
      // The default is a signed 32-bit integer.
      bits: index?.int(0) ?? 32,
      signed: index === undefined || index.byte(1) !== 0,
    },
    children: table.tables(5).map(readField),
  };
}

/** A type in words a newcomer understands, for errors. */
export function typeName(field: ArrowField): string {
  const plain = field.type === TYPE.int
    ? `${field.signed ? "" : "u"}int${field.size}`
    : field.type === TYPE.float
    ? `float${field.size}`
    : NAMES[field.type] ?? `type ${field.type}`;
  const child = field.children[0];
  const whole = [TYPE.list, TYPE.largeList, TYPE.fixedSizeList].some((type) => type === field.type) && child
    ? `${plain} of ${typeName(child)}`
    : plain;
  return field.dictionary ? `dictionary of ${whole}` : whole;
}

/** Where a field's node and buffers stand in the lists of a record batch. */
export interface ArrowPlace {
  /** Its node. */
  readonly node: number;
  /** Its first buffer. */
  readonly buffer: number;
  /** The places of its parts. */
  readonly children: readonly ArrowPlace[];
}

/**
 * Where every field's nodes and buffers stand: Arrow lists them depth first.
 *
 * @param variadic How many data buffers each view column has, in order.
 */
export function placeFields(
  fields: readonly ArrowField[],
  variadic: readonly number[] = [],
): readonly ArrowPlace[] {
  let node = 0;
  let buffer = 0;
  let view = 0;
  const place = (field: ArrowField): ArrowPlace => {
    const own = { node: node++, buffer };
    if (field.dictionary) {
      buffer += 2;
      return { ...own, children: [] };
    }
    switch (field.type) {
      case TYPE.null:
      case TYPE.runEndEncoded:
        break;
      case TYPE.struct:
      case TYPE.fixedSizeList:
        buffer += 1;
        break;
      case TYPE.union:
        buffer += field.size === 0 ? 1 : 2;
        break;
      case TYPE.binary:
      case TYPE.utf8:
      case TYPE.largeBinary:
      case TYPE.largeUtf8:
      case TYPE.listView:
      case TYPE.largeListView:
        buffer += 3;
        break;
      case TYPE.binaryView:
      case TYPE.utf8View:
        buffer += 2 + (variadic[view++] ?? 0);
        break;
      default:
        buffer += 2;
    }
    return { ...own, children: field.children.map(place) };
  };
  return fields.map(place);
}
