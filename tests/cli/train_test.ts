import assert from "node:assert/strict";
import { connectomeFromTables, growModelFly, saveConnectome } from "../../lib/connectome/mod.ts";
import { savePositions, selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Runs `fly` in a folder. */
async function fly(folder: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", "--config", `${ROOT}deno.json`, `${ROOT}cli.ts`, ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

/** A small model fly and some of the shipped positions. */
async function inputs(folder: string): Promise<string[]> {
  await saveConnectome(`${folder}/fly.arrow`, growModelFly({ scale: 1 / 64, seed: 1 }));
  const shipped = await shippedPositions();
  const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
  const few = [...rows(0, 60), ...rows(shipped.hold, 50), ...rows(shipped.hold + shipped.val, 600)];
  await savePositions(`${folder}/positions.arrow`, selectRows(shipped, few));
  return ["--connectome", "fly.arrow", "--positions", "positions.arrow", "--probe", "300", "--batch", "32"];
}

Deno.test("`fly train` says what it does beside the blind baseline, keeps it, and refuses to go on with other options", async () => {
  using folder = new TemporaryFolder();
  const words = [
    "train",
    ...await inputs(folder.path),
    "--batches",
    "6",
    "--check-every",
    "3",
    "--name",
    "first",
  ];
  words.push(
    "--synapse-step",
    "0.001",
    "--brain-opt",
    "sgd",
    "--max-change",
    "0.2",
    "--read",
    "9",
    "10",
    "11",
    "12",
  );
  const done = await fly(folder.path, ...words);
  assert.equal(done.code, 0, done.err);
  assert.match(
    done.out,
    /^model fly.*: a new run in runs\/first\.\nCtrl-C stops it; the same command goes on/m,
  );
  assert.match(done.out, /^Learns from 6 batches of 32 positions, 192 in all\.$/m);
  assert.match(done.out, /^ +3 +\d\.\d{4} +\d\.\d{4} +\d+\.\d % +\d+\.\d % +\d\.\d{4} /m);
  assert.match(done.out, /^blind +\d+\.\d % \(/m);
  assert.match(done.out, /^minus probe +[+-]?\d+\.\d points \(/m);
  const config = JSON.parse(await Deno.readTextFile(`${folder.path}/runs/first/config.json`));
  assert.deepEqual(config.steps, [9, 10, 11, 12]);
  const other = await fly(folder.path, ...words, "--seed", "2");
  assert.equal(other.code, 1);
  assert.match(other.err, /^Cannot go on with the run in runs\/first: it began with seed 1, 2 is wanted now/);
  const again = await fly(folder.path, ...words);
  assert.match(again.out, /^Going on with runs\/first\.$/m);
  const difference = (out: string) => /^minus blind .*$/m.exec(out)![0];
  assert.equal(difference(again.out), difference(done.out));
  const odd = await fly(folder.path, ...words, "--shuffle", "cards");
  assert.equal(odd.code, 2);
  assert.match(
    odd.err,
    /--shuffle is 'cards', one of reference, degrees, distances, regions, signs or random is wanted/,
  );

  const shuffled = await fly(folder.path, ...words, "--name", "shuffled", "--shuffle", "degrees");
  assert.equal(shuffled.code, 0, shuffled.err);
  const runs = await fly(folder.path, "runs", "first", "shuffled");
  assert.match(runs.out, /^first +stream +done .*\d\.\d{4} +\d\.\d{4} +\d+\.\d % +\d+\.\d %$/m);
  assert.match(runs.out, /^inputs\.connectome +[0-9a-f]{12} +[0-9a-f]{12}$/m);
  const lines = runs.out.split("They differ in")[1]!.trim().split("\n").slice(2);
  assert.deepEqual(lines.map((line) => line.split(/ +/)[0]), ["inputs.connectome", "shuffle", "shuffleSeed"]);
});

Deno.test("`fly train` and `fly runs` refuse what makes no sense", async () => {
  using folder = new TemporaryFolder();
  const wrong: [string[], RegExp][] = [
    [["train", "--brain-opt", "rmsprop"], /adam or sgd is wanted/],
    [["train", "--minutes", "-1"], /--minutes is '-1', a number of at least 0 is wanted/],
    [["train", "--name", "a/b"], /--name is 'a\/b'/],
    [["train", "--engine", "cuda"], /--engine is 'cuda'/],
    [["train", "--read", "13"], /--read is '13'/],
  ];
  for (const [words, message] of wrong) {
    const { code, err } = await fly(folder.path, ...words);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  const none = await fly(folder.path, "runs");
  assert.match(none.out, /^There is no run in runs yet: 'deno task fly train' makes one\.$/m);
  const missing = await fly(folder.path, "runs", "gone");
  assert.equal(missing.code, 1);
  assert.match(missing.err, /Cannot look at the run in runs\/gone: it has no config\.json/);
});

Deno.test("`fly train cached` says which steps it reads, and where no fit beats the blind baseline", async () => {
  using folder = new TemporaryFolder();
  const words = ["train", "cached", ...(await inputs(folder.path)).slice(0, 4)];
  const wild = await fly(folder.path, ...words, "--passes", "2", "--rate", "1", "--name", "wild");
  assert.equal(wild.code, 0, wild.err);
  for (const penalty of ["0.01", "0"]) {
    assert.match(wild.out, new RegExp(`^mean of steps 9 to 12, penalty ${penalty}$`, "m"));
    assert.match(
      wild.out,
      new RegExp(
        `^mean of steps 9 to 12, penalty ${penalty}: on VAL never better than the blind baseline, 2 passes$`,
        "m",
      ),
    );
  }
  assert.match(wild.out, /^Kept: the blind baseline, which no fit was better than on VAL after any pass$/m);
  // Where there is no terminal, what is told of progress would stand between the rows.
  assert.doesNotMatch(wild.err, /fitting the readout/);

  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "--no-check",
      "-A",
      "--config",
      `${ROOT}deno.json`,
      `${ROOT}cli.ts`,
      ...words,
      "--read",
      "12",
      "--penalty",
      "0.01",
      "--passes",
      "100000",
    ],
    cwd: folder.path,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let out = "";
  const reading = command.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        out += text;
        if (/^ +1 /m.test(out)) command.kill("SIGINT");
      },
    }),
  );
  const err = await new Response(command.stderr).text();
  await reading;
  assert.equal((await command.status).code, 130);
  assert.match(err, /^Interrupted\. The same command goes on from here\.\n$/m);
  assert.match(out, /^step 12, penalty 0\.01$/m);
});

Deno.test("a start that is refused leaves no run behind, so that its name is free", async () => {
  using folder = new TemporaryFolder();
  const neurons = Array.from({ length: 340 }, (_, id) => ({ id }));
  const edges = Array.from({ length: 339 }, (_, i) => ({ pre: i, post: i + 1, synapses: 5 }));
  const wiring = (input: number) =>
    connectomeFromTables(neurons, edges, {
      input: neurons.slice(0, input).map(({ id }) => id),
      output: [339],
    });
  await saveConnectome(`${folder.path}/plain.arrow`, wiring(320));
  await saveConnectome(`${folder.path}/blind.arrow`, wiring(10));
  const bio = await fly(folder.path, "train-bio", "--connectome", "plain.arrow");
  assert.equal(bio.code, 1);
  assert.match(bio.err, /^Cannot find the mushroom body of own tables/m);
  for (const words of [["train"], ["train", "cached"]]) {
    const blind = await fly(folder.path, ...words, "--connectome", "blind.arrow");
    assert.equal(blind.code, 1);
    assert.match(blind.err, /input neurons|photoreceptors/);
  }
  const small = selectRows(await shippedPositions(), [0, 1, 2]);
  await savePositions(`${folder.path}/few.arrow`, small);
  const few = await fly(folder.path, "train", "--connectome", "plain.arrow", "--positions", "few.arrow");
  assert.equal(few.code, 1, few.out);
  await assert.rejects(Deno.stat(`${folder.path}/runs/train`), Deno.errors.NotFound);
  await assert.rejects(Deno.stat(`${folder.path}/runs/bio`), Deno.errors.NotFound);
});

Deno.test("`fly train brain` trains a brain, keeps it, and `fly match` plays with it", async () => {
  using folder = new TemporaryFolder();
  const [connectome, file, ...positions] = (await inputs(folder.path)).slice(0, 4);
  const words = ["train", "brain", connectome!, file!, ...positions, "--batch", "32", "--batches", "4"];
  const done = await fly(folder.path, ...words, "--check-every", "2", "--read", "3,4", "--side-by-side");
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^ +64 +\d\.\d{4} +\d\.\d{4} +\d+\.\d % +\d+\.\d % +best$/m);
  assert.match(done.out, /^minus blind /m);
  const match = await fly(folder.path, "match", "run:brain", "random", connectome!, file!, "--games", "2");
  assert.equal(match.code, 0, match.err);
  assert.match(match.out, /brain/);
  const wrong = await fly(folder.path, "train", "brain", "--batch", "100");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--batch is 100, a multiple of 32 is wanted/);
});
