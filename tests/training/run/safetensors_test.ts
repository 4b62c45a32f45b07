import assert from "node:assert/strict";
import fc from "fast-check";
import { DataError } from "../../../lib/common/mod.ts";
import {
  loadSafeTensors,
  peekSafeTensors,
  type SafeTensors,
  saveSafeTensors,
} from "../../../lib/training/mod.ts";
import { PYTHON, requires } from "../../_requirements.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";

/** One tensor of every kind, an empty one and a single number among them. */
const EVERY_KIND: SafeTensors = {
  tensors: {
    bytes: { shape: [3], data: Uint8Array.of(1, 2, 255) },
    small: { shape: [1, 1], data: Int8Array.of(-128) },
    words: { shape: [2], data: Uint16Array.of(7, 65535) },
    whole: { shape: [2, 2], data: Int32Array.of(-1, 2, -3, 4) },
    long: { shape: [1], data: BigInt64Array.of(-(2n ** 62n)) },
    single: { shape: [3, 2], data: Float32Array.of(0.5, -0, Infinity, 1e-40, 3, 4) },
    double: { shape: [], data: Float64Array.of(Math.PI) },
    none: { shape: [0, 4], data: new Float32Array(0) },
  },
  metadata: { about: 'one of every kind, "quoted", with an umlaut: \u00e4' },
};

const python = async (code: readonly string[], ...args: string[]): Promise<string> => {
  const { stdout, success } = await new Deno.Command(PYTHON, {
    args: ["-c", code.join("\n"), ...args],
    stderr: "inherit",
  }).output();
  assert.ok(success);
  return new TextDecoder().decode(stdout).trim();
};

Deno.test("`loadSafeTensors()` gives back every kind of number, bit for bit", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  const sha256 = await saveSafeTensors(path, EVERY_KIND);
  const { tensors, metadata } = await loadSafeTensors(path);
  assert.deepEqual(tensors, EVERY_KIND.tensors);
  assert.deepEqual({ ...metadata }, { ...EVERY_KIND.metadata, sha256 });
  assert.deepEqual({ ...await peekSafeTensors(path) }, { ...metadata });
});

Deno.test("any tensors with any names come back", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  const name = fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" })
    .filter((each) => each !== "__metadata__" && each !== "__proto__");
  const data = fc.oneof(
    fc.float32Array({ maxLength: 9 }),
    fc.float64Array({ maxLength: 9 }),
    fc.uint16Array({ maxLength: 9 }),
    fc.int8Array({ maxLength: 9 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, data),
      fc.dictionary(name, fc.string()),
      async (arrays, metadata) => {
        const tensors = Object.fromEntries(
          Object.entries(arrays).map(([name, data]) => [name, { shape: [data.length], data }]),
        );
        await saveSafeTensors(path, { tensors, metadata });
        const loaded = await loadSafeTensors(path);
        assert.deepEqual({ ...loaded.tensors }, tensors);
        const { sha256: _, ...rest } = loaded.metadata, { sha256: __, ...wanted } = metadata;
        assert.deepEqual(rest, { ...wanted });
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("the same content gives the same bytes, in whatever order its tensors stand", async () => {
  using folder = new TemporaryFolder();
  const turned = Object.fromEntries(Object.entries(EVERY_KIND.tensors).reverse());
  await saveSafeTensors(`${folder.path}/a`, EVERY_KIND);
  await saveSafeTensors(`${folder.path}/b`, { ...EVERY_KIND, tensors: turned });
  assert.deepEqual(await Deno.readFile(`${folder.path}/a`), await Deno.readFile(`${folder.path}/b`));
});

Deno.test("a flipped bit anywhere in the file is noticed", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  await saveSafeTensors(path, EVERY_KIND);
  const bytes = await Deno.readFile(path);
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at]! ^= 1 << at % 8;
    await Deno.writeFile(path, changed);
    await assert.rejects(loadSafeTensors(path), DataError, `byte ${at}`);
  }
});

Deno.test("a file that is cut anywhere is refused, and so is one that is too long", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  await saveSafeTensors(path, EVERY_KIND);
  const bytes = await Deno.readFile(path);
  for (let length = 0; length < bytes.length; length++) {
    await Deno.writeFile(path, bytes.subarray(0, length));
    await assert.rejects(loadSafeTensors(path), (error) => {
      assert.ok(error instanceof DataError);
      assert.match(error.message, /^Cannot open .*a\.safetensors: .*(cut off|promises)/);
      return true;
    });
  }
  await Deno.writeFile(path, Uint8Array.of(...bytes, 0));
  await assert.rejects(loadSafeTensors(path), /its header promises/);
});

Deno.test("a file without a seal and a tensor whose shape does not fit are refused", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  const header = new TextEncoder().encode('{"__metadata__":{}}     ');
  const head = new Uint8Array(8);
  head[0] = header.length;
  await Deno.writeFile(path, Uint8Array.of(...head, ...header));
  await assert.rejects(loadSafeTensors(path), /carries no SHA-256 of its own/);
  const odd = { tensors: { odd: { shape: [2, 2], data: Float32Array.of(1, 2, 3) } }, metadata: {} };
  await assert.rejects(saveSafeTensors(path, odd), RangeError);
});

Deno.test(
  "numpy alone opens a file, and finds the SHA-256 that stands in it",
  requires("python"),
  async () => {
    using folder = new TemporaryFolder();
    const path = `${folder.path}/a.safetensors`;
    await saveSafeTensors(path, EVERY_KIND);
    const found = await python([
      "import hashlib, json, struct, sys, numpy as np",
      "raw = open(sys.argv[1], 'rb').read()",
      "n = struct.unpack('<Q', raw[:8])[0]",
      "header = json.loads(raw[8:8 + n])",
      "meta = header.pop('__metadata__')",
      "kinds = {'F64': 'f8', 'F32': 'f4', 'I64': 'i8', 'I32': 'i4', 'U16': 'u2', 'U8': 'u1', 'I8': 'i1'}",
      "take = lambda e: np.frombuffer(raw[8 + n:][slice(*e['data_offsets'])], '<' + kinds[e['dtype']]).reshape(e['shape'])",
      "assert hashlib.sha256(raw.replace(meta['sha256'].encode(), b'0' * 64)).hexdigest() == meta['sha256']",
      "print(json.dumps({k: [str(take(e).dtype), list(take(e).shape), float(take(e).sum())] for k, e in header.items()}))",
    ], path);
    assert.deepEqual(JSON.parse(found.replace("Infinity", "1e999")), {
      double: ["float64", [], Math.PI],
      long: ["int64", [1], -(2 ** 62)],
      none: ["float32", [0, 4], 0],
      single: ["float32", [3, 2], Infinity],
      whole: ["int32", [2, 2], 2],
      words: ["uint16", [2], 65542],
      bytes: ["uint8", [3], 258],
      small: ["int8", [1, 1], -128],
    });
  },
);

Deno.test("the safetensors package of Python opens a file", requires("safetensors"), async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/a.safetensors`;
  await saveSafeTensors(path, EVERY_KIND);
  const found = await python([
    "import sys",
    "from safetensors import safe_open",
    "with safe_open(sys.argv[1], framework='np') as f:",
    "  print(sorted(f.keys()), f.metadata()['about'].encode('ascii', 'replace').decode(), f.get_tensor('whole').tolist())",
  ], path);
  assert.equal(
    found,
    "['bytes', 'double', 'long', 'none', 'single', 'small', 'whole', 'words'] " +
      'one of every kind, "quoted", with an umlaut: ? [[-1, 2], [-3, 4]]',
  );
});
