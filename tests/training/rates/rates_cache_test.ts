import assert from "node:assert/strict";
import { join } from "node:path";
import type { Positions } from "../../../lib/data/mod.ts";
import { type CacheKey, RatesCache } from "../../../lib/training/rates/rates_cache.ts";
import { randomPositions } from "../../readout/_positions.ts";
import { inFolder } from "../../_temporary_folder.ts";
import { fakeRates } from "../_fake_rates.ts";

const KEY: CacheKey = {
  connectome: "c".repeat(64),
  eye: "e".repeat(64),
  brain: "b".repeat(64),
  engine: "wasm: WebAssembly",
  read: "mean of steps 12",
};
const COLUMNS = 3;
const SETUP = { key: KEY, columns: COLUMNS, blockRows: 5000 };

/** 12,010 rows, 10 of them held out; the arrays of one row stand for all. */
const positions: Positions = {
  ...randomPositions(1, 1),
  count: 12_010,
  hold: 6,
  val: 4,
  digest: "d".repeat(64),
};

const show = (rows: Int32Array) => Promise.resolve(fakeRates(rows, COLUMNS));

async function filled(folder: string): Promise<void> {
  using cache = await RatesCache.open(folder, SETUP);
  await cache.fill(positions, show);
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    files.set(name, await Deno.readTextFile(join(folder, name)));
  }
  return files;
}

Deno.test("a cache keeps held-out rows in a block of their own and gives every row back", async () => {
  await inFolder(async (folder) => {
    using cache = await RatesCache.open(folder, SETUP);
    await cache.fill(positions, show);
    assert.deepEqual(
      cache.blocks.map(({ first, rows, held }) => [first, rows, held]),
      [[0, 10, true], [10, 5000, false], [5010, 5000, false], [10_010, 2000, false]],
    );
    const into = new Uint8Array(new SharedArrayBuffer(6000 * COLUMNS));
    await cache.read(positions.digest, 5, 6000, into);
    assert.deepEqual(
      Uint8Array.from(into),
      fakeRates(Int32Array.from({ length: 6000 }, (_, i) => 5 + i), COLUMNS),
    );
    await assert.rejects(
      cache.read(positions.digest, 12_000, 11, into),
      /10 of the rows 12000 to 12010 are there/,
    );
  });
});

Deno.test("blocks that begin at a row or later are left for another time", async () => {
  await inFolder(async (whole) => {
    await filled(whole);
    await inFolder(async (folder) => {
      using cache = await RatesCache.open(folder, SETUP);
      const totals = new Set<number | undefined>();
      await cache.fill(positions, show, { before: 5010, onProgress: ({ total }) => void totals.add(total) });
      assert.deepEqual(cache.blocks.map(({ first }) => first), [0, 10]);
      assert.ok(totals.has(5010), "what is left out is not waited for");
      await cache.fill(positions, show, { before: 5011 });
      assert.deepEqual(cache.blocks.map(({ first }) => first), [0, 10, 5010]);
      await cache.fill(positions, show);
      assert.deepEqual(await filesOf(folder), await filesOf(whole));
    });
  });
});

Deno.test("filling that is broken off anywhere goes on and ends with the same files", async () => {
  await inFolder(async (whole) => {
    await filled(whole);
    const wanted = await filesOf(whole);
    // Rows are shown 4,096 at a time, in 6 calls.
    for (let stop = 0; stop < 6; stop++) {
      await inFolder(async (folder) => {
        let calls = 0, shown = 0;
        const once = (rows: Int32Array) => {
          if (calls++ === stop) throw new Error("killed");
          shown += rows.length;
          return show(rows);
        };
        {
          using cache = await RatesCache.open(folder, SETUP);
          await assert.rejects(cache.fill(positions, once), /killed/);
        }
        // What a killed process leaves while it writes.
        await Deno.writeTextFile(join(folder, "index.json.123.0a1b2c3d.part"), "half");
        using cache = await RatesCache.open(folder, SETUP);
        await cache.fill(positions, once);
        assert.equal(shown, positions.count, "no row is shown twice");
        assert.deepEqual(await filesOf(folder), wanted);
      });
    }
  });
});

Deno.test("a part that was cut or changed while a block was being filled is shown again", async () => {
  for (const harm of [(bytes: Uint8Array) => bytes.subarray(1), (bytes: Uint8Array) => bytes.with(7, 99)]) {
    await inFolder(async (folder) => {
      let calls = 0;
      {
        using cache = await RatesCache.open(folder, SETUP);
        await assert.rejects(
          cache.fill(positions, (rows) => calls++ === 2 ? Promise.reject(new Error("killed")) : show(rows)),
        );
      }
      const [part] = [...(await filesOf(folder)).keys()].filter((name) => name.includes(".part-"));
      const path = join(folder, part!);
      await Deno.writeFile(path, harm(await Deno.readFile(path)));
      using cache = await RatesCache.open(folder, SETUP);
      const first: number[] = [];
      await cache.fill(positions, (rows) => (first.push(rows[0]!), show(rows)));
      assert.deepEqual(first, [10, 4106, 5010, 9106, 10_010]);
    });
  }
});

Deno.test("a changed byte in a block is refused by name; deleted, only its rows are shown again", async () => {
  await inFolder(async (folder) => {
    await filled(folder);
    using cache = await RatesCache.open(folder, SETUP);
    const path = join(folder, cache.blocks[2]!.file);
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.with(4000, bytes[4000]! ^ 1));
    const into = new Uint8Array(5000 * COLUMNS);
    await assert.rejects(cache.read(positions.digest, 5010, 5000, into), (error) => {
      assert.ok(error instanceof Error && error.name === "DataError");
      assert.match(
        error.message,
        /0005010-5000\.rates: its bytes have changed .* delete this file and run again/,
      );
      return true;
    });
    await cache.read(positions.digest, 10, 5000, into);
    await Deno.writeFile(path, bytes.subarray(9));
    await assert.rejects(
      cache.fill(positions, show),
      /it has 14991 bytes, 15000 are wanted; delete this file/,
    );
    await Deno.remove(path);
    await assert.rejects(cache.read(positions.digest, 5010, 1, into), /it is gone; run again to fill it in/);
    let shown = 0;
    await cache.fill(positions, (rows) => (shown += rows.length, show(rows)));
    assert.equal(shown, 5000);
    assert.deepEqual(await Deno.readFile(path), bytes);
  });
});

Deno.test("a block that is filled in again with other rates is refused", async () => {
  await inFolder(async (folder) => {
    await filled(folder);
    using cache = await RatesCache.open(folder, SETUP);
    await Deno.remove(join(folder, cache.blocks[3]!.file));
    await assert.rejects(
      cache.fill(positions, (rows) => Promise.resolve(new Uint8Array(rows.length * COLUMNS))),
      /the brain gives other rates than when the index was written/,
    );
  });
});

Deno.test("a cache of another connectome, eye, engine, calibration or reading is refused and stays as it is", async () => {
  await inFolder(async (folder) => {
    await filled(folder);
    const before = await filesOf(folder);
    for (
      const [part, message] of [
        [
          "connectome",
          /come from another connectome \(cccccccccccc\.\.\.\), xxx is wanted; take another folder/,
        ],
        ["eye", /another eye/],
        ["engine", /another engine \(wasm: WebAssembly\)/],
        ["brain", /another calibration or strengths/],
        ["read", /another reading \(mean of steps 12\)/],
      ] as const
    ) {
      await assert.rejects(RatesCache.open(folder, { ...SETUP, key: { ...KEY, [part]: "xxx" } }), message);
    }
    await assert.rejects(
      RatesCache.open(folder, { ...SETUP, columns: 4 }),
      /3 bytes a position .* 4 of 1 are wanted/,
    );
    assert.deepEqual(await filesOf(folder), before);
  });
});

Deno.test("a broken index is refused by name", async () => {
  await inFolder(async (folder) => {
    await filled(folder);
    for (const text of ["", "{", "[]", `{"kind":"flychess rates cache 1"}`]) {
      await Deno.writeTextFile(join(folder, "index.json"), text);
      await assert.rejects(RatesCache.open(folder, SETUP), /index\.json: it is not the index of a cache/);
    }
  });
});

Deno.test("a folder is open once at a time", async () => {
  await inFolder(async (folder) => {
    {
      using _first = await RatesCache.open(folder, SETUP);
      await assert.rejects(RatesCache.open(folder, SETUP), /another process is using it/);
    }
    using _second = await RatesCache.open(folder, SETUP);
  });
});

Deno.test("oldest blocks are retired for a cache that would be too large, and not filled in again", async () => {
  await inFolder(async (folder) => {
    const gone: string[] = [];
    const limits = {
      maxCacheGb: 25_000 / 1e9,
      onRetire: ({ reason }: { reason: string }) => void gone.push(reason),
    };
    {
      using cache = await RatesCache.open(folder, SETUP);
      await cache.fill(positions, show, limits);
      assert.deepEqual(cache.blocks.map(({ first }) => first), [0, 5010, 10_010]);
      assert.deepEqual(cache.retired.map(({ first }) => first), [10]);
      assert.equal(gone.length, 1);
      assert.match(gone[0]!, /^the cache would hold 0\.00 GB/);
      await assert.rejects(Deno.stat(join(folder, cache.retired[0]!.file)), Deno.errors.NotFound);
      await cache.fill(positions, () => Promise.reject(new Error("nothing is shown again")), limits);
      // As if killed after the index was written, before the file was gone.
      await Deno.writeTextFile(join(folder, cache.retired[0]!.file), "left over");
    }
    using cache = await RatesCache.open(folder, SETUP);
    await assert.rejects(Deno.stat(join(folder, cache.retired[0]!.file)), Deno.errors.NotFound);
  });
});

Deno.test("blocks are retired while the disk is short of room; held-out rows never are", async () => {
  await inFolder(async (folder) => {
    using cache = await RatesCache.open(folder, SETUP);
    await cache.fill(positions, show);
    let free = 5e9;
    const freeBytes = () => Promise.resolve(free += 1e9);
    const gone = await cache.retire({ minFreeGb: 7.5, freeBytes });
    assert.deepEqual(gone.map(({ first }) => first), [10, 5010]);
    assert.match(gone[0]!.reason, /the disk would have 6\.00 GB left, at least 7\.5 are wanted/);
    await assert.rejects(
      cache.retire({ minFreeGb: 8, freeBytes: () => Promise.resolve(0) }),
      /no old block is left/,
    );
    assert.deepEqual(cache.blocks.map(({ held }) => held), [true]);
  });
});

Deno.test("what the disk refuses leaves the blocks that are there", async () => {
  await inFolder(async (folder) => {
    using cache = await RatesCache.open(folder, SETUP);
    // A folder of the block's name is in the way of the finished file, for root too.
    const inTheWay = join(folder, `${positions.digest.slice(0, 16)}-000005010-5000.rates`);
    await assert.rejects(cache.fill(positions, async (rows) => {
      if (rows[0] === 5010) await Deno.mkdir(inTheWay);
      return await show(rows);
    }));
    await Deno.remove(inTheWay);
    assert.deepEqual(cache.blocks.map(({ first }) => first), [0, 10]);
    let shown = 0;
    await cache.fill(positions, (rows) => (shown += rows.length, show(rows)));
    assert.equal(cache.blocks.length, 4);
    assert.equal(shown, 2000);
  });
});
