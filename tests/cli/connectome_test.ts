import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../_temporary_folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GOLDEN = join(ROOT, "tests/golden/malecns");

/** Runs one command line of `fly` in a folder. */
async function fly(folder: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", join(ROOT, "cli.ts"), ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("`fly connectome build` and `show --json --ids` give the golden values, key by key", async () => {
  await inFolder(async (folder) => {
    const table = (start: string) =>
      join(GOLDEN, [...Deno.readDirSync(GOLDEN)].find(({ name }) => name.startsWith(start))!.name);
    const build = [
      "connectome",
      "build",
      "--annotations",
      table("body-annotations"),
      "--neurotransmitters",
      table("body-neurotransmitters"),
      "--weights",
      table("connectome-weights"),
    ];
    const built = await fly(folder, ...build, "--out", "brain.arrow");
    assert.equal(built.code, 0, built.err);
    assert.match(built.out, /left out: a neuron onto itself +17\n/);
    assert.match(built.out, /no comparison with the reference/);
    const shown = await fly(folder, "connectome", "show", "brain.arrow", "--json", "--ids");
    assert.equal(shown.code, 0, shown.err);
    assert.deepEqual(
      JSON.parse(shown.out),
      JSON.parse(await Deno.readTextFile(join(GOLDEN, "expected.json"))),
    );
    const text = await fly(folder, "connectome", "show", "brain.arrow");
    assert.match(text.out, /connections +4,996\n/);
    assert.match(text.out, /connections on a path within 12 steps +\d/);
    const json = JSON.parse((await fly(folder, "connectome", "show", "brain.arrow", "--json")).out);
    assert.deepEqual([json.neurons, json.inputsPlaced, json.outputs], [483, 34, 18]);
    assert.ok(text.out.includes(json.digest) && built.out.includes(json.digest));

    const missing = await fly(folder, ...build);
    assert.equal(missing.code, 2);
    assert.match(missing.err, /--out is missing/);
  });
});

Deno.test("`fly connectome download --larva --from` and `build --larva` make a larva", async () => {
  const files: Record<string, string> = {
    "/G_edgelist.txt": "1 2 3\n2 3 1\n2 2 5\n",
    "/meta_data.csv": "skid,simple_group,hemisphere\n1,sensories,L\n2,LNs,R\n3,dVNCs,L\n4,KCs,L\n",
  };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const body = files[new URL(request.url).pathname];
    return body === undefined ? new Response("no", { status: 404 }) : new Response(body);
  });
  try {
    await inFolder(async (folder) => {
      const from = `http://127.0.0.1:${server.addr.port}`;
      const fetched = await fly(folder, "connectome", "download", "--larva", "--from", from);
      assert.equal(fetched.code, 0, fetched.err);
      const [edges, neurons] = ["data/larva/G_edgelist.txt", "data/larva/meta_data.csv"];
      assert.equal(await Deno.readTextFile(join(folder, edges!)), files["/G_edgelist.txt"]);
      const built = await fly(
        folder,
        ...["connectome", "build", "--larva", "--edges", edges!, "--neurons", neurons!],
        ...["--transmitters", "class", "--out", "larva.arrow"],
      );
      assert.equal(built.code, 0, built.err);
      const ids = JSON.parse((await fly(folder, "connectome", "show", "larva.arrow", "--json", "--ids")).out);
      assert.deepEqual(ids.edges, [[1, 2, 3], [2, 3, 1]]);
      assert.deepEqual([ids.sign, ids.photoreceptors, ids.descending], [{ 1: 1, 2: -1, 3: 1 }, [1], [3]]);

      // A mirror that lacks the fly's tables: not worth a second try.
      const foreign = await fly(folder, "connectome", "download", "--from", from, "--out", "fly");
      assert.equal(foreign.code, 1);
      assert.match(foreign.err, /the server answered 404 Not Found, the file is wanted/);
    });
  } finally {
    await server.shutdown();
  }
});

Deno.test("`fly connectome build --neurons --edges` makes a connectome of two tables of one's own", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "a.csv"), "id,role,transmitter\n1,input,\n2,,gaba\n3,output,\n");
    await Deno.writeTextFile(join(folder, "b.csv"), "pre,post,synapses\n1,2,3\n2,3,1\n2,2,5\n");
    const build = ["connectome", "build", "--neurons", "a.csv"];
    const built = await fly(folder, ...build, "--edges", "b.csv", "--out", "mine.arrow");
    assert.equal(built.code, 0, built.err);
    assert.match(built.out, /left out: a neuron onto itself +1\n/);
    assert.match(built.out, /mine is in mine\.arrow/);
    const ids = JSON.parse((await fly(folder, "connectome", "show", "mine.arrow", "--json", "--ids")).out);
    assert.deepEqual([ids.edges, ids.sign], [[[1, 2, 3], [2, 3, 1]], { 1: 1, 2: -1, 3: 1 }]);
    const half = await fly(folder, ...build, "--out", "mine.arrow");
    assert.equal(half.code, 2);
    assert.match(half.err, /--edges is missing/);
  });
});
