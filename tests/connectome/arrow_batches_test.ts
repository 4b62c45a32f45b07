import assert from "node:assert/strict";
import * as arrow from "apache-arrow";
import fc from "fast-check";
import { DataError } from "../../lib/common/mod.ts";
import { type ColumnKind, readArrowBatches } from "../../lib/connectome/mod.ts";
import { requires } from "../_requirements.ts";
import { inFolder } from "../_temporary_folder.ts";
import { float64, int64, type Packing, python, utf8, writeTable } from "./_tables.ts";

/** Everything in the wanted columns, row by row. */
async function readAll(path: string, columns: Record<string, ColumnKind>): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const batch of readArrowBatches(path, columns)) {
    assert.equal(batch.first, rows.length);
    const read = Object.entries(columns).map(([name, kind]) => {
      if (kind === "text") {
        const texts = batch.texts(name);
        return (row: number) => texts.at(row);
      }
      if (kind === "numbers") {
        const lists = batch.lists(name);
        return (row: number) => {
          const list = lists.at(row);
          return list && [...list];
        };
      }
      const numbers = batch.numbers(name);
      assert.equal(numbers.length, batch.rows);
      return (row: number) => Number.isNaN(numbers[row]) ? null : numbers[row];
    });
    for (let row = 0; row < batch.rows; row++) rows.push(read.map((column) => column(row)));
  }
  return rows;
}

const cell = fc.record({
  id: fc.option(fc.maxSafeInteger(), { nil: null }),
  number: fc.option(fc.double({ noNaN: true }), { nil: null }),
  text: fc.option(
    fc.oneof(fc.constantFrom("gaba", "", "R1-R6", "日本"), fc.string({ unit: "grapheme" })),
    { nil: null },
  ),
  list: fc.option(fc.array(fc.maxSafeInteger(), { maxLength: 4 }), { nil: null }),
});

Deno.test("`readArrowBatches()` reads what apache-arrow wrote, plain, LZ4 and Zstandard", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.feather`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 60 }),
        fc.constantFrom<Packing>("plain", "lz4", "zstd"),
        fc.integer({ min: 1, max: 40 }),
        async (cells, packing, batchRows) => {
          const dictionary = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16());
          await writeTable(path, {
            skipped: utf8(cells.map(({ text }) => text)),
            id: int64(cells.map(({ id }) => id)),
            number: float64(cells.map(({ number }) => number)),
            text: utf8(cells.map(({ text }) => text)),
            // apache-arrow cannot write a dictionary that grows from batch to batch.
            ...batchRows >= cells.length
              ? { coded: { type: dictionary, values: cells.map(({ text }) => text) } }
              : {},
            list: {
              type: new arrow.List(new arrow.Field("item", new arrow.Int64())),
              values: cells.map(({ list }) => list && list.map(BigInt)),
            },
          }, { packing, batchRows });
          const rows = await readAll(path, {
            id: "integer",
            number: "number",
            text: "text",
            list: "numbers",
            ...batchRows >= cells.length ? { coded: "text" as const } : {},
          });
          assert.deepEqual(
            rows.map((row) => row.slice(0, 4)),
            cells.map(({ id, number, text, list }) => [id, number, text, list]),
          );
          if (batchRows >= cells.length) {
            assert.deepEqual(rows.map((row) => row[4]), cells.map(({ text }) => text));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

Deno.test("every width of numbers is read", async () => {
  await inFolder(async (folder) => {
    const types = {
      int8: [new arrow.Int8(), [-128, 127]],
      uint8: [new arrow.Uint8(), [0, 255]],
      int16: [new arrow.Int16(), [-32768, 32767]],
      uint16: [new arrow.Uint16(), [0, 65535]],
      int32: [new arrow.Int32(), [-(2 ** 31), 2 ** 31 - 1]],
      uint32: [new arrow.Uint32(), [0, 2 ** 32 - 1]],
      float32: [new arrow.Float32(), [-0.5, 1.25]],
    } as const;
    await writeTable(
      `${folder}/x.feather`,
      Object.fromEntries(Object.entries(types).map(([name, [type, values]]) => [name, { type, values }])),
    );
    const kinds = Object.fromEntries(Object.keys(types).map((name) => [name, "number" as const]));
    const rows = await readAll(`${folder}/x.feather`, kinds);
    assert.deepEqual(rows, [0, 1].map((row) => Object.values(types).map(([, values]) => values[row])));
  });
});

Deno.test("a missing or unfit column is refused by file, name and what is wanted", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.feather`;
    await writeTable(path, { body: float64([1, 2]), name: utf8(["a", "b"]), id: int64([1, 2 ** 53]) });
    const failure = async (columns: Record<string, ColumnKind>) => {
      try {
        await readAll(path, columns);
      } catch (error) {
        assert.ok(error instanceof DataError, String(error));
        assert.ok(error.message.startsWith(`Cannot read ${path}: `));
        return error.message.slice(`Cannot read ${path}: `.length);
      }
      return "nothing was refused";
    };
    assert.equal(
      await failure({ bodyId: "integer" }),
      "it has no column 'bodyId', whole numbers (int8 to int64) of that name are wanted (it has 'body', 'name', 'id')",
    );
    assert.equal(
      await failure({ body: "integer" }),
      "column 'body' holds float64, whole numbers (int8 to int64) are wanted",
    );
    assert.equal(
      await failure({ id: "text" }),
      "column 'id' holds int64, texts (utf8 or dictionary of utf8) are wanted",
    );
    assert.equal(await failure({ name: "numbers" }), "column 'name' holds utf8, lists of numbers are wanted");
    assert.match(
      await failure({ id: "integer" }),
      /^column 'id' is broken in record batch 0 \(row 1 holds 9007/,
    );
  });
});

Deno.test("what is no whole Arrow file is refused: missing, foreign, V1, cut off", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.feather`;
    await assert.rejects(readAll(path, { a: "integer" }), {
      name: "DataError",
      message: `Cannot read ${path}: there is no such file, a Feather V2 table is wanted`,
    });
    await Deno.writeTextFile(path, "body_pre,body_post,weight\n1,2,3\n");
    await assert.rejects(readAll(path, { a: "integer" }), /it is not an Arrow file/);
    await Deno.writeTextFile(path, "FEA1 and so on");
    await assert.rejects(readAll(path, { a: "integer" }), /it is a Feather V1 table/);
    await writeTable(path, { a: int64([1, 2, 3]) });
    const whole = await Deno.readFile(path);
    for (let length = 0; length < whole.length; length++) {
      await Deno.writeFile(path, whole.subarray(0, length));
      await assert.rejects(readAll(path, { a: "integer" }), DataError, `cut to ${length} bytes`);
    }
  });
});

Deno.test("a broken byte gives other values or a DataError that names the file, never anything else", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.feather`;
    const kinds = { id: "integer", text: "text", list: "numbers", coded: "text" } as const;
    const rows = Array.from({ length: 40 }, (_, i) => i);
    for (const packing of ["plain", "lz4", "zstd"] as const) {
      await writeTable(path, {
        id: int64(rows.map((i) => i % 7 === 3 ? null : i * 1e9)),
        text: utf8(rows.map((i) => `text ${i % 5}`)),
        list: {
          type: new arrow.List(new arrow.Field("item", new arrow.Int64())),
          values: rows.map((i) => i % 4 === 0 ? null : [1n, 2n, BigInt(i)]),
        },
        coded: {
          type: new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8()),
          values: rows.map((i) => `name ${i % 3}`),
        },
      }, { packing });
      const whole = await Deno.readFile(path);
      let refused = 0;
      for (let at = 0; at < whole.length; at += 7) {
        const bytes = whole.slice();
        bytes[at]! ^= 1 << (at % 8);
        await Deno.writeFile(path, bytes);
        try {
          await readAll(path, kinds);
        } catch (error) {
          assert.ok(error instanceof DataError, `${packing}, byte ${at}: ${(error as Error).stack}`);
          assert.ok(error.message.startsWith(`Cannot read ${path}: `), error.message);
          refused++;
        }
      }
      assert.ok(refused > 20, `${packing}: only ${refused} were refused`);
    }
  });
});

Deno.test({
  name:
    "tables of pyarrow are read: large, dictionary, fixed-size, nested and null columns, LZ4 and Zstandard",
  ...requires("python"),
  fn: async () => {
    await inFolder(async (folder) => {
      await python(
        `
import pyarrow as pa, pyarrow.feather as feather, sys
n = 5000
table = pa.table({
  "struct": pa.array([{"a": i, "b": "x" * (i % 9)} for i in range(n)]),
  "map": pa.array([[("k", i)] for i in range(n)], pa.map_(pa.string(), pa.int32())),
  "flag": pa.array([i % 3 == 0 for i in range(n)]),
  "decimal": pa.array([i for i in range(n)], pa.decimal128(20)),
  "bytes": pa.array([bytes([i % 256]) for i in range(n)], pa.binary()),
  "view": pa.array(["a long enough text to be kept apart %d" % i for i in range(n)], pa.string_view()),
  "union": pa.UnionArray.from_dense(pa.array([0] * n, pa.int8()), pa.array(range(n), pa.int32()), [pa.array(range(n))]),
  "none": pa.nulls(n),
  "id": pa.array([None if i % 11 == 5 else 2**40 + i for i in range(n)], pa.int64()),
  "large": pa.array([None if i % 7 == 0 else "text %d" % (i % 13) for i in range(n)], pa.large_string()),
  "coded": pa.array([None if i % 5 == 0 else "word %d" % (i % 4) for i in range(n)]).dictionary_encode(),
  "coded_large": pa.array(["word %d" % (i % 4) for i in range(n)], pa.large_string()).dictionary_encode(),
  "fixed": pa.array([None if i % 6 == 0 else [i, i + 1, i + 2] for i in range(n)], pa.list_(pa.int64(), 3)),
  "large_list": pa.array([[i] * (i % 3) for i in range(n)], pa.large_list(pa.int32())),
  "double": pa.array([i / 4 for i in range(n)]),
})
for packing in ["lz4", "zstd", "uncompressed"]:
  feather.write_feather(table, "%s/%s.feather" % (sys.argv[1], packing), compression=packing, chunksize=1024)
`,
        folder,
      );
      const wanted = Array.from({ length: 5000 }, (_, i) => [
        null,
        i % 11 === 5 ? null : 2 ** 40 + i,
        i % 7 === 0 ? null : `text ${i % 13}`,
        i % 5 === 0 ? null : `word ${i % 4}`,
        `word ${i % 4}`,
        i % 6 === 0 ? null : [i, i + 1, i + 2],
        Array.from({ length: i % 3 }, () => i),
        i / 4,
      ]);
      for (const packing of ["lz4", "zstd", "uncompressed"]) {
        const rows = await readAll(`${folder}/${packing}.feather`, {
          none: "text",
          id: "integer",
          large: "text",
          coded: "text",
          coded_large: "text",
          fixed: "numbers",
          large_list: "numbers",
          double: "number",
        });
        assert.deepEqual(rows, wanted, packing);
      }
    });
  },
});
