import { DataError } from "../common/mod.ts";
import { type CsvRow, parseCsv } from "./_csv.ts";
import type { Connectome, Region } from "./connectome.ts";
import { connectomeFromTables } from "./connectome_from_tables.ts";
import type { EdgeRecord, NeuronRecord, TableOptions } from "./own_tables.ts";

/** What the columns of the two tables may be called. */
const NEURON_COLUMNS = [
  ...["id", "role", "transmitter", "sign", "type", "superclass", "class", "region", "side"],
  ...["soma_x", "soma_y", "soma_z", "hex1", "hex2"],
];
const EDGE_COLUMNS = ["pre", "post", "synapses"];

/** A table as cells by their column's name; empty cells are left out. */
interface Table {
  readonly rows: readonly { readonly line: number; readonly cells: Readonly<Record<string, string>> }[];
}

/**
 * Makes a nervous system of two comma-separated tables of your own, each with its columns' names in the first line.
 *
 * Neurons: `id`; `role`, which is `input` for neurons that receive the board, `output` for those that are read, else
 * empty; and, all of them optional, `transmitter`, `sign`, `type`, `superclass`, `class`, `region`, `side`, `soma_x`,
 * `soma_y`, `soma_z`, `hex1`, `hex2`, with the meaning that `NeuronRecord` gives them. Other columns are not read.
 * Connections: `pre`, `post`, `synapses`.
 *
 * @param files Paths of the two tables.
 * @param options As for `connectomeFromTables`.
 * @throws {DataError} If a file is missing, a column that is wanted is not there, or a cell makes no sense; the message
 * names file and line.
 *
 * @example Three neurons
 * ```ts
 * import { connectomeFromCsv } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const neurons = `${folder}/neurons.csv`, edges = `${folder}/edges.csv`;
 * await Deno.writeTextFile(neurons, "id,role,transmitter\n11,input,\n21,,gaba\n31,output,\n");
 * await Deno.writeTextFile(edges, "pre,post,synapses\n11,21,12\n21,31,7\n");
 * const mine = await connectomeFromCsv({ neurons, edges }, { name: "mine" });
 * assert.deepEqual([...mine.sign], [1, -1, 1]);
 * assert.deepEqual([[...mine.input], [...mine.output]], [[0], [2]]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function connectomeFromCsv(
  files: { readonly neurons: string; readonly edges: string },
  options: TableOptions = {},
): Promise<Connectome> {
  const neurons = await readTable(files.neurons, NEURON_COLUMNS, ["id", "role"]);
  const edges = await readTable(files.edges, EDGE_COLUMNS, EDGE_COLUMNS);
  const number = (path: string, row: Table["rows"][number], column: string): number => {
    const text = row.cells[column];
    const value = text === undefined ? NaN : Number(text);
    if (!Number.isFinite(value)) refuse(path, row.line, `${column} is '${text ?? ""}'`, "a number");
    // Ids beyond 2^53 would become those of their neighbours.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      refuse(path, row.line, `${column} is ${text}`, "a whole number of up to 2^53 - 1");
    }
    return value;
  };
  const several = (row: Table["rows"][number], columns: readonly string[]) =>
    columns.every((column) => row.cells[column] === undefined)
      ? undefined
      : columns.map((column) => number(files.neurons, row, column));
  const input: number[] = [], output: number[] = [];
  const list = neurons.rows.map((row): NeuronRecord => {
    const { role, type, superclass, transmitter, region, side } = row.cells;
    const id = number(files.neurons, row, "id");
    if (role === "input") input.push(id);
    else if (role === "output") output.push(id);
    else if (role !== undefined) {
      refuse(files.neurons, row.line, `role is '${role}'`, "input, output or nothing");
    }
    return {
      id,
      type,
      superclass,
      class: row.cells["class"],
      transmitter,
      sign: row.cells["sign"] === undefined ? undefined : number(files.neurons, row, "sign"),
      // `connectomeFromTables` refuses what is no region.
      region: region as Region | undefined,
      side,
      soma: several(row, ["soma_x", "soma_y", "soma_z"]),
      column: several(row, ["hex1", "hex2"]),
    };
  });
  const found = edges.rows.map((row): EdgeRecord => ({
    pre: number(files.edges, row, "pre"),
    post: number(files.edges, row, "post"),
    synapses: number(files.edges, row, "synapses"),
  }));
  return connectomeFromTables(list, found, { input, output }, options);
}

function refuse(path: string, line: number, found: string, wanted: string): never {
  throw new DataError(`Cannot read ${path}: on line ${line} ${found}, ${wanted} is wanted`);
}

async function readTable(
  path: string,
  known: readonly string[],
  wanted: readonly string[],
): Promise<Table> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new DataError(`Cannot read ${path}: there is no such file, a table is wanted`);
  }
  const [head, ...rows] = parseCsv(text, path);
  const columns = (head?.cells ?? []).map((name) => name.trim());
  const missing = wanted.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    throw new DataError(
      `Cannot read ${path}: there is no column '${missing}' among ${columns.join(", ") || "none"}, ` +
        `${known.join(", ")} are known`,
    );
  }
  return {
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== "")).map(
      ({ line, cells }: CsvRow) => {
        if (cells.length !== columns.length) {
          refuse(path, line, `there are ${cells.length} cells`, `${columns.length}, as in the first line,`);
        }
        const filled = columns.map((name, i) => [name, cells[i]!.trim()] as const).filter(([, cell]) =>
          cell !== ""
        );
        return { line, cells: Object.fromEntries(filled) };
      },
    ),
  };
}
