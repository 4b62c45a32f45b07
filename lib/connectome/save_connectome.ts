import * as arrow from "apache-arrow";
import { DataError, openSealedArrow, saveSealedArrow } from "../common/mod.ts";
import { type Connectome, type NameColumn, type NeuronTable, NO_COLUMN } from "./connectome.ts";
import { connectomeDigest } from "./connectome_digest.ts";

/** The value of the metadata key `flychess:kind`. */
const KIND = "a connectome";
const NAME_COLUMNS = ["type", "superclass", "class", "transmitter", "region", "side"] as const;

/**
 * Saves a nervous system as an Arrow IPC file, one row a neuron, that notices any changed byte on loading.
 *
 * Columns: `id` (int64), `type`, `superclass`, `class`, `transmitter`, `region`, `side` (dictionary), `soma` (3
 * floats, null where unknown), `column` (2 integers, null where there is none), `sign`, `input`, `output`, and the received
 * connections as two lists of equal length, `pre` (row numbers of the senders) and `synapses`. The schema's
 * metadata hold the name, the provenance (JSON) and the digest under `flychess:name`, `flychess:provenance`,
 * `flychess:digest`.
 *
 * @throws {RangeError} If the arrays do not fit together.
 *
 * @example Saved, loaded, the same
 * ```ts
 * import { connectomeDigest, connectomeFromTables, loadConnectome, saveConnectome } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const pair = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * const folder = await Deno.makeTempDir();
 * await saveConnectome(`${folder}/pair.arrow`, pair);
 * assert.equal(connectomeDigest(await loadConnectome(`${folder}/pair.arrow`)), connectomeDigest(pair));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveConnectome(path: string, connectome: Connectome): Promise<void> {
  checkShape(connectome);
  const { neurons, rowStart, pre, synapses } = connectome;
  const rows = neurons.id.length;
  const columns: Record<string, arrow.Data> = { id: idData(neurons.id) };
  const own = ownMemory();
  for (const [number, name] of NAME_COLUMNS.entries()) {
    columns[name] = nameData(neurons[name].names, own(neurons[name].index), number);
  }
  columns["soma"] = fixedListData(
    arrow.makeData({ type: new arrow.Float32(), data: own(neurons.soma) }),
    3,
    (i) => !Number.isNaN(neurons.soma[3 * i]!),
  );
  columns["column"] = fixedListData(
    arrow.makeData({ type: new arrow.Int16(), data: own(neurons.column) }),
    2,
    (i) => neurons.column[2 * i] !== NO_COLUMN,
  );
  columns["sign"] = arrow.makeData({ type: new arrow.Int8(), data: own(connectome.sign) });
  columns["input"] = flagData(rows, connectome.input);
  columns["output"] = flagData(rows, connectome.output);
  columns["pre"] = listData(arrow.makeData({ type: new arrow.Int32(), data: own(pre) }), own(rowStart));
  columns["synapses"] = listData(
    synapses instanceof Uint16Array
      ? arrow.makeData({ type: new arrow.Uint16(), data: own(synapses) })
      : arrow.makeData({ type: new arrow.Uint32(), data: synapses }),
    own(rowStart),
  );
  const fields = Object.entries(columns).map(([name, data]) =>
    new arrow.Field(name, data.type, name === "soma" || name === "column")
  );
  const schema = new arrow.Schema(fields);
  const batch = new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(fields),
      length: rows,
      nullCount: 0,
      children: Object.values(columns),
    }),
  );
  await saveSealedArrow(path, new arrow.Table(schema, [batch]), {
    "flychess:kind": KIND,
    "flychess:name": connectome.name,
    "flychess:provenance": JSON.stringify(connectome.provenance),
    "flychess:digest": connectomeDigest(connectome),
  });
}

/**
 * Loads a file of `saveConnectome`. The arrays share memory with the file's bytes: nothing is copied but ids and flags.
 *
 * @throws {DataError} If the file is not such a file, or one of its bytes has changed.
 */
export async function loadConnectome(path: string): Promise<Connectome> {
  const table = await openSealedArrow(path, KIND);
  const column = (name: string): arrow.Data => {
    const data = table.getChild(name)?.data;
    if (data?.length !== 1) {
      throw new DataError(`Cannot open ${path}: it has no column '${name}' in one piece, ${KIND} is wanted`);
    }
    return data[0]!;
  };
  const rows = table.numRows;
  const metadata = (key: string): string => table.schema.metadata.get(key) ?? "";
  const names = (name: string): NameColumn => {
    const data = column(name);
    const texts = data.dictionary!.toArray() as ArrayLike<string>;
    return { names: Array.from(texts), index: (data.values as Uint16Array).subarray(0, rows) };
  };
  // Buffers in the file are padded to 8 bytes: each array is cut to its length.
  const child = <T extends Int16Array | Int32Array | Float32Array | Uint16Array | Uint32Array>(
    name: string,
  ) => {
    const data = column(name).children[0]!;
    return (data.values as T).subarray(0, data.length) as T;
  };
  const neurons: NeuronTable = {
    id: readIds((column("id").values as BigInt64Array).subarray(0, rows)),
    type: names("type"),
    superclass: names("superclass"),
    class: names("class"),
    transmitter: names("transmitter"),
    region: names("region"),
    side: names("side"),
    soma: child<Float32Array>("soma"),
    column: child<Int16Array>("column"),
  };
  return {
    name: metadata("flychess:name"),
    provenance: JSON.parse(metadata("flychess:provenance")) as Record<string, unknown>,
    neurons,
    rowStart: (column("pre").valueOffsets as Int32Array).subarray(0, rows + 1),
    pre: child<Int32Array>("pre"),
    synapses: child<Uint16Array | Uint32Array>("synapses"),
    sign: (column("sign").values as Int8Array).subarray(0, rows),
    input: readFlags(column("input")),
    output: readFlags(column("output")),
  };
}

/**
 * Copies an array whose memory was already handed out: apache-arrow 21.2 loses the second of two overlapping pieces of
 * one buffer when they follow each other in a file (its writer takes them for one contiguous piece).
 */
function ownMemory(): <T extends { readonly buffer: ArrayBufferLike; slice(): T }>(array: T) => T {
  const seen = new Set<ArrayBufferLike>();
  return (array) => {
    if (seen.has(array.buffer)) return array.slice();
    seen.add(array.buffer);
    return array;
  };
}

function checkShape(connectome: Connectome): void {
  const { neurons, rowStart, pre, synapses, sign } = connectome;
  const rows = neurons.id.length;
  const lengths: [string, number, number][] = [
    ...NAME_COLUMNS.map((name): [string, number, number] => [name, neurons[name].index.length, rows]),
    ["soma", neurons.soma.length, 3 * rows],
    ["column", neurons.column.length, 2 * rows],
    ["sign", sign.length, rows],
    ["rowStart", rowStart.length, rows + 1],
    ["pre", pre.length, rowStart[rows] ?? 0],
    ["synapses", synapses.length, pre.length],
  ];
  for (const [name, found, wanted] of lengths) {
    if (found !== wanted) {
      throw new RangeError(
        `Cannot save a connectome: '${name}' has ${found} entries, ${wanted} are wanted for ${rows} neurons`,
      );
    }
  }
}

function idData(ids: Float64Array): arrow.Data<arrow.Int64> {
  const words = new Int32Array(2 * ids.length);
  for (let i = 0; i < ids.length; i++) {
    words[2 * i] = ids[i]! | 0;
    words[2 * i + 1] = Math.floor(ids[i]! / 0x100000000);
  }
  return arrow.makeData({ type: new arrow.Int64(), data: new BigInt64Array(words.buffer) });
}

function readIds(values: BigInt64Array): Float64Array {
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  const ids = new Float64Array(values.length);
  for (let i = 0; i < ids.length; i++) ids[i] = words[2 * i + 1]! * 0x100000000 + (words[2 * i]! >>> 0);
  return ids;
}

function nameData(names: readonly string[], index: Uint16Array, number: number): arrow.Data {
  const dictionary = arrow.vectorFromArray(names.slice(), new arrow.Utf8());
  return arrow.makeData({
    type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Uint16(), number),
    data: index,
    dictionary,
  });
}

function bitmap(rows: number, isSet: (row: number) => boolean): { bits: Uint8Array; unset: number } {
  const bits = new Uint8Array((rows + 7) >> 3);
  let unset = rows;
  for (let i = 0; i < rows; i++) {
    if (!isSet(i)) continue;
    bits[i >> 3]! |= 1 << (i & 7);
    unset--;
  }
  return { bits, unset };
}

function flagData(rows: number, set: Int32Array): arrow.Data<arrow.Bool> {
  const flagged = new Uint8Array(rows);
  for (const i of set) flagged[i] = 1;
  return arrow.makeData({
    type: new arrow.Bool(),
    length: rows,
    data: bitmap(rows, (i) => flagged[i] === 1).bits,
  });
}

function readFlags(data: arrow.Data): Int32Array {
  const bits = data.values as Uint8Array;
  const set: number[] = [];
  for (let i = 0; i < data.length; i++) if (bits[i >> 3]! >> (i & 7) & 1) set.push(i);
  return Int32Array.from(set);
}

/** A list of fixed length a row. What stands under a null (NaN, NO_COLUMN) is kept in the file. */
function fixedListData(child: arrow.Data, size: number, isKnown: (row: number) => boolean): arrow.Data {
  const length = child.length / size;
  const { bits, unset } = bitmap(length, isKnown);
  return arrow.makeData({
    type: new arrow.FixedSizeList(size, new arrow.Field("item", child.type, false)),
    length,
    nullCount: unset,
    nullBitmap: bits,
    child,
  });
}

function listData(child: arrow.Data, start: Int32Array): arrow.Data {
  return arrow.makeData({
    type: new arrow.List(new arrow.Field("item", child.type, false)),
    length: start.length - 1,
    nullCount: 0,
    valueOffsets: start,
    child,
  });
}
