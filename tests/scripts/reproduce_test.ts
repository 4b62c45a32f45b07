import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { growModelFly, loadConnectome } from "../../lib/connectome/mod.ts";
import { writeAsMaleCns } from "../connectome/_male_cns_files.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const SCRIPT = new URL("../../scripts/reproduce.ts", import.meta.url).pathname;

async function reproduce(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", SCRIPT, ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out: out!, err: err! };
}

Deno.test("`reproduce malecns` goes from a server's tables to a brain, a run and figures, and does nothing twice", async () => {
  using folder = new TemporaryFolder();
  const fly = growModelFly({ scale: 1 / 64, seed: 5 });
  const there = join(folder.path, "server");
  await Deno.mkdir(there);
  const files = await writeAsMaleCns(there, fly);
  let sent = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    sent++;
    return new Response(await Deno.readFile(join(there, basename(new URL(request.url).pathname))));
  });
  try {
    const list = files.map((file) => {
      const bytes = Deno.readFileSync(file), name = basename(file);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { name, url: `http://127.0.0.1:${server.addr.port}/${name}`, bytes: bytes.length, sha256 };
    });
    const manifest = join(folder.path, "files.json");
    await Deno.writeTextFile(manifest, JSON.stringify(list));
    const options = [
      ...["malecns", "--files", manifest, "--minutes", "0", "--probe", "512", "--train", "1024"],
      ...["--quick", "--only", "eye"],
    ];
    const first = await reproduce(folder.path, ...options);
    assert.equal(first.code, 0, first.err);
    assert.equal(sent, 3);
    const made = await loadConnectome(join(folder.path, "data/malecns.arrow"));
    assert.deepEqual([made.sign.length, made.pre.length], [fly.sign.length, fly.pre.length]);
    assert.deepEqual([made.input.length, made.output.length], [fly.input.length, fly.output.length]);
    const result = JSON.parse(await Deno.readTextFile(join(folder.path, "runs/malecns/result.json")));
    assert.ok(Object.keys(result).length > 0);
    const numbers = JSON.parse(
      await Deno.readTextFile(join(folder.path, "runs/figures_quick/eye_malecns.json")),
    );
    assert.equal(numbers.connectome.neurons, fly.sign.length);
    assert.ok(Deno.statSync(join(folder.path, "runs/figures_quick/eye_malecns.svg")).isFile);

    const again = await reproduce(folder.path, ...options);
    assert.equal(again.code, 0, again.err);
    assert.equal(sent, 3, "nothing is downloaded twice");
    assert.match(again.out, /make one brain of them: was done/);
    assert.match(again.out, /0 of 1 figures to do/);

    // A table that is not the one that was promised stops the way there.
    await Deno.remove(join(folder.path, "data/malecns", list[0]!.name));
    await Deno.writeTextFile(
      manifest,
      JSON.stringify([{ ...list[0]!, sha256: "0".repeat(64) }, ...list.slice(1)]),
    );
    const wrong = await reproduce(folder.path, ...options);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /Stopped at 'download the tables of MaleCNS v1\.0' \(status 1\)/);
  } finally {
    await server.shutdown();
  }
});

Deno.test("`reproduce` says what it would do, and refuses what it does not know", async () => {
  using folder = new TemporaryFolder();
  const list = await reproduce(folder.path, "malecns", "--list", "--shards", "0-1", "--minutes", "30");
  assert.match(list.out, /5\. teach it: 30 minutes after the probe/);
  assert.match(list.out, /fly data prepare \S+train-00000-of-01024\.msgpack\.zst \S+train-00001/);
  assert.match(list.out, /fly train --connectome data\/malecns\.arrow --positions data\/positions\.arrow/);
  assert.equal((await reproduce(folder.path, "mouse")).code, 2);
  const wrong = await reproduce(folder.path, "larva", "--minutes", "long");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--minutes is 'long'/);
});

Deno.test("`reproduce` begins with what is wrong", async () => {
  const { code, out, err } = await reproduce(Deno.cwd(), "larvae");
  assert.deepEqual({ code, out, err }, {
    code: 2,
    out: "",
    err: "Cannot reproduce: there is no 'larvae'; malecns or larva is wanted\n" +
      "'deno task reproduce --help' tells how to use it.\n",
  });
});
