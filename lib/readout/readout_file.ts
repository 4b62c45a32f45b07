import * as arrow from "apache-arrow";
import { DataError, openSealedArrow, saveSealedArrow } from "../common/mod.ts";
import { type Readout, READOUT_COLUMNS } from "./readout.ts";

/** The value of the metadata key `flychess:kind`. */
const KIND = "a readout";

/** A readout from a file and what stood beside it. */
export interface SavedReadout {
  /** The heads. */
  readonly readout: Readout;
  /** What was saved with it: the connectome's and the positions' digests, seed, settings. */
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Saves a readout as a sealed Arrow file with one row a feature: `feature` (-1 for the bias, then from 0) and
 * `weight`, its 134 numbers.
 *
 * @param path Where the file goes.
 * @param readout The heads.
 * @param metadata What names it: digests of its inputs, seed, settings.
 */
export async function saveReadout(
  path: string,
  readout: Readout,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const rows = readout.features + 1;
  const numbers = new Float32Array(rows * READOUT_COLUMNS);
  numbers.set(readout.bias);
  numbers.set(readout.weight, READOUT_COLUMNS);
  const feature = arrow.makeData({
    type: new arrow.Int32(),
    data: Int32Array.from({ length: rows }, (_, i) => i - 1),
  });
  const type = new arrow.FixedSizeList(READOUT_COLUMNS, new arrow.Field("item", new arrow.Float32(), false));
  const weight = arrow.makeData({
    type,
    length: rows,
    nullCount: 0,
    child: arrow.makeData({ type: new arrow.Float32(), data: numbers }),
  });
  const schema = new arrow.Schema([
    new arrow.Field("feature", feature.type, false),
    new arrow.Field("weight", type, false),
  ]);
  const struct = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: rows,
    nullCount: 0,
    children: [feature, weight],
  });
  const table = new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
  await saveSealedArrow(path, table, { ...metadata, "flychess:kind": KIND });
}

/**
 * Opens a file of `saveReadout`.
 *
 * @param path The file.
 * @throws {DataError} If it is no such file or was changed.
 */
export async function loadReadout(path: string): Promise<SavedReadout> {
  const table = await openSealedArrow(path, KIND);
  const child = table.getChild("weight")?.data[0]?.children[0];
  const numbers: unknown = child?.values;
  const rows = table.numRows;
  if (!(numbers instanceof Float32Array) || rows < 1 || numbers.length < rows * READOUT_COLUMNS) {
    throw new DataError(
      `Cannot open ${path}: its column "weight" is missing or odd, ${READOUT_COLUMNS} float32 a row are wanted`,
    );
  }
  return {
    readout: {
      features: rows - 1,
      bias: numbers.slice(0, READOUT_COLUMNS),
      weight: numbers.slice(READOUT_COLUMNS, rows * READOUT_COLUMNS),
    },
    metadata: Object.fromEntries(
      [...table.schema.metadata].filter(([key]) => !key.startsWith("flychess:")),
    ),
  };
}
