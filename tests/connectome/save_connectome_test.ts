import assert from "node:assert/strict";
import fc from "fast-check";
import { DataError } from "../../lib/common/mod.ts";
import {
  type Connectome,
  connectomeDigest,
  connectomeFromTables,
  loadConnectome,
  saveConnectome,
} from "../../lib/connectome/mod.ts";
import { requires } from "../_requirements.ts";
import { inFolder } from "../_temporary_folder.ts";
import { connectomes, SIX } from "./_connectomes.ts";
import { python } from "./_tables.ts";

const six = () => connectomeFromTables(SIX.neurons, SIX.edges, SIX.roles, { name: "six neurons" });

/** JSON has no -0 and no `undefined`: what a file can give back. */
const asJson = (connectome: Connectome): Connectome => ({
  ...connectome,
  provenance: JSON.parse(JSON.stringify(connectome.provenance)),
});

Deno.test("a saved connectome loads equal", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.arrow`;
    await fc.assert(
      fc.asyncProperty(connectomes, async (connectome) => {
        await saveConnectome(path, connectome);
        const loaded = await loadConnectome(path);
        assert.deepEqual(loaded, asJson(connectome));
        assert.equal(connectomeDigest(loaded), connectomeDigest(connectome));
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("a loaded connectome can be saved again, byte for byte the same", async () => {
  await inFolder(async (folder) => {
    await saveConnectome(`${folder}/a.arrow`, six());
    await saveConnectome(`${folder}/b.arrow`, await loadConnectome(`${folder}/a.arrow`));
    assert.deepEqual(await Deno.readFile(`${folder}/b.arrow`), await Deno.readFile(`${folder}/a.arrow`));
  });
});

Deno.test("a connectome without connections, and one whose columns are the same array, load equal", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.arrow`;
    for (let neurons = 1; neurons <= 9; neurons++) {
      const list = Array.from({ length: neurons }, (_, i) => ({ id: i, type: `t${i}` }));
      const plain = connectomeFromTables(list, [], { input: [], output: [] });
      const shared = {
        ...plain,
        neurons: { ...plain.neurons, superclass: plain.neurons.type, class: plain.neurons.type },
      };
      for (const connectome of [plain, shared]) {
        await saveConnectome(path, connectome);
        assert.deepEqual(await loadConnectome(path), connectome);
      }
    }
  });
});

Deno.test("every flipped byte of a saved connectome is noticed", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.arrow`;
    await saveConnectome(path, six());
    const bytes = await Deno.readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = bytes.slice();
        changed[at]! ^= flip;
        await Deno.writeFile(path, changed);
        await assert.rejects(loadConnectome(path), Error, `byte ${at}`);
      }),
      { numRuns: 300 },
    );
  });
});

Deno.test("arrays that do not fit together are refused before anything is written", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/x.arrow`;
    const whole = six();
    await assert.rejects(saveConnectome(path, { ...whole, pre: whole.pre.slice(1) }), {
      name: "RangeError",
      message: "Cannot save a connectome: 'pre' has 5 entries, 6 are wanted for 6 neurons",
    });
    await assert.rejects(saveConnectome(path, { ...whole, sign: new Int8Array(7) }), RangeError);
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
    await assert.rejects(loadConnectome(path));
    await Deno.writeTextFile(path, "something else");
    await assert.rejects(loadConnectome(path), DataError);
  });
});

Deno.test("the digest covers every array, and neither name, provenance nor the width of the counts", () => {
  const whole = six();
  const digest = connectomeDigest(whole);
  assert.equal(connectomeDigest({ ...whole, name: "other", provenance: {} }), digest);
  assert.equal(connectomeDigest({ ...whole, synapses: Uint32Array.from(whole.synapses) }), digest);
  const { neurons } = whole;
  const next = <T extends { slice(): T; [index: number]: number }>(array: T): T => {
    const changed = array.slice();
    changed[0]!++;
    return changed;
  };
  const changes: Connectome[] = [
    { ...whole, rowStart: next(whole.rowStart) },
    { ...whole, pre: next(whole.pre) },
    { ...whole, synapses: next(whole.synapses as Uint16Array) },
    { ...whole, sign: next(whole.sign) },
    { ...whole, input: next(whole.input) },
    { ...whole, output: next(whole.output) },
    { ...whole, neurons: { ...neurons, id: next(neurons.id) } },
    { ...whole, neurons: { ...neurons, soma: Float32Array.from(neurons.soma, () => 1) } },
    { ...whole, neurons: { ...neurons, column: next(neurons.column) } },
    ...(["type", "superclass", "class", "transmitter", "region", "side"] as const).flatMap((name) => [
      { ...whole, neurons: { ...neurons, [name]: { ...neurons[name], index: next(neurons[name].index) } } },
      {
        ...whole,
        neurons: { ...neurons, [name]: { ...neurons[name], names: [...neurons[name].names, "x"] } },
      },
    ]),
  ];
  const digests = new Set(changes.map(connectomeDigest));
  assert.equal(digests.size, changes.length);
  assert.ok(!digests.has(digest));
});

Deno.test({
  name: "pyarrow opens a saved connectome and finds what is in it",
  ...requires("python"),
  fn: async () => {
    await inFolder(async (folder) => {
      await saveConnectome(`${folder}/x.arrow`, six());
      const printed = await python(
        `
import json, sys
import pyarrow.ipc as ipc
table = ipc.open_file(sys.argv[1] + "/x.arrow").read_all()
table.validate(full=True)
print(json.dumps({"rows": table.to_pylist(), "name": table.schema.metadata[b"flychess:name"].decode(),
  "digest": table.schema.metadata[b"flychess:digest"].decode()}))
`,
        folder,
      );
      const { rows, name, digest } = JSON.parse(printed);
      assert.equal(name, "six neurons");
      assert.equal(digest, connectomeDigest(six()));
      assert.deepEqual(rows[2], {
        id: 21,
        type: "L1",
        superclass: "ol_intrinsic",
        class: "",
        transmitter: "glutamate",
        region: "optic lobe",
        side: "",
        soma: null,
        column: null,
        sign: -1,
        input: false,
        output: false,
        pre: [0, 1],
        synapses: [40, 9],
      });
      assert.deepEqual([rows[4].soma, rows[0].column, rows[0].input, rows[5].output, rows[5].pre], [
        [10, 20, 30],
        [4, 7],
        true,
        true,
        [3, 4],
      ]);
    });
  },
});
