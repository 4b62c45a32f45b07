import assert from "node:assert/strict";
import { shippedPositions } from "../../lib/data/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Runs `fly` as a user would and gives what it printed. */
async function fly(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", `${ROOT}cli.ts`, ...args],
    env: { NO_COLOR: "1" },
  }).output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("`fly` without words lists every command", async () => {
  const { code, out } = await fly();
  assert.equal(code, 0);
  for (const command of ["connectome show", "connectome grow", "data prepare", "probe", "demo"]) {
    assert.match(out, new RegExp(`^  ${command} +\\S`, "m"));
  }
});

Deno.test("`fly` refuses a word that it does not know, and every command tells how to use it", async () => {
  const unknown = await fly("dmeo");
  assert.equal(unknown.code, 2);
  assert.equal(
    unknown.err,
    "Cannot run 'fly dmeo': there is no such command, did you mean 'demo'?\n" +
      "'deno task fly --help' lists all commands.\n",
  );
  const group = await fly("connectome");
  assert.equal(group.code, 2);
  assert.match(
    group.err,
    /^Cannot run 'fly connectome': a second word is wanted\n\n {2}connectome download /,
  );
  assert.doesNotMatch(group.err, / {2}train/);
  const second = await fly("train", "cahced");
  assert.equal(second.code, 2);
  assert.match(
    second.err,
    /^Cannot run 'fly train cahced': .* did you mean 'train cached'\?\n\n {2}train day /,
  );
  assert.doesNotMatch(second.err, / {2}data/);
  const help = await fly("probe", "--help");
  assert.equal(help.code, 0);
  assert.match(help.out, /^Usage: deno task fly probe/);
});

Deno.test("`fly probe` says what is missing or wrong, with exit status 2 for words and 1 for files", async () => {
  const missing = await fly("probe");
  assert.equal(missing.code, 2);
  assert.equal(
    missing.err,
    "Cannot run 'fly probe': --connectome FILE is wanted\n'deno task fly probe --help' tells how to use it.\n",
  );
  const option = await fly("probe", "--conectome", "x.arrow");
  assert.equal(option.code, 2);
  assert.match(option.err, /there is no option '--conectome', did you mean '--connectome'\?/);
  const number = await fly("probe", "--connectome", "a", "--positions", "b", "--train", "many");
  assert.equal(number.code, 2);
  assert.match(number.err, /--train is 'many', a whole number/);
  const file = await fly("probe", "--connectome", `${ROOT}deno.json`, "--positions", "b");
  assert.equal(file.code, 1);
  assert.match(file.err, /Cannot open .*deno\.json: it is not an Arrow file/);
  const nowhere = await fly("probe", "--connectome", "/nowhere/x.arrow", "--positions", "b");
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.err, /^Cannot open \/nowhere\/x\.arrow: there is no such file/);
});

Deno.test("options are judged before any work, and the error stands alone", async () => {
  const wrong: [string[], RegExp][] = [
    [["train", "--seed", "-1"], /--seed is '-1', a whole number of at least 0 and/],
    [["train", "--seed"], /--seed stands without a value, one is wanted/],
    [["train", "--calm-unreached=yes"], /--calm-unreached stands with a value, none is wanted/],
    [["train", "--engine", "gpu"], /--engine is 'gpu', one of wasm, webgpu, .* or auto is wanted/],
    [
      ["train", "--eye", "fairy"],
      /--eye is 'fairy', did you mean 'fair'\? One of fair, first, larva or auto is wanted/,
    ],
    [["train", "--lesion", "moon"], /--lesion is 'moon', one of photoreceptor, /],
    [["train", "cached", "--seed", "abc"], /--seed is 'abc', a whole number/],
    [["train", "cached", "--read", "13"], /--read is '13', a whole number of at least 1 and at most 12/],
    [["train-bio", "--shuffle", "cards"], /--shuffle is 'cards', one of reference, degrees, /],
    [["match", "run:nobody+x", "random"], /the weight of 'run:nobody\+x' is 'x', a number or inf is wanted/],
    [["match", "random", "randm"], /'randm' is no player, did you mean 'random'\? One of these/],
  ];
  await Promise.all(wrong.map(async ([words, message]) => {
    // What is judged late would first complain about this file.
    const files = words[0] === "match" ? [] : ["--connectome", "/nowhere/x.arrow"];
    const { code, err, out } = await fly(...words, ...files);
    assert.equal(code, 2, err);
    assert.match(err, message);
    assert.match(err, new RegExp(`\n'deno task fly ${words[0]}.* --help' tells how to use it\\.\n$`));
    assert.equal(out, "");
    assert.doesNotMatch(err, /Usage:/);
  }));
});

Deno.test("where a file will go is checked before the work", async () => {
  using folder = new TemporaryFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  const below = `${folder.path}/file/made.arrow`;
  for (
    const words of [
      ["connectome", "grow", "--scale", "1/256", "--out", below],
      ["match", "random", "random", "--pgn", below],
      ["probe", "--connectome", "/nowhere/x.arrow", "--json", below],
      ["suite", "random", "--json", below],
    ]
  ) {
    const { code, err, out } = await fly(...words);
    assert.equal(code, 1);
    assert.equal(
      err,
      `Cannot write ${below}: a file stands where its folder should be, a folder that can be written to is wanted\n`,
    );
    assert.equal(out, "");
  }
});

Deno.test("`fly uci` and `fly match` say the same of a run that cannot play, before any word of the protocol", async () => {
  using folder = new TemporaryFolder();
  const cached = `${folder.path}/cached`;
  await Deno.mkdir(`${folder.path}/bio`);
  await Deno.writeTextFile(`${folder.path}/bio/config.json`, '{"kind":"bio"}');
  await Deno.mkdir(cached);
  const both = async (run: string) => {
    const uci = await fly("uci", "--run", run), match = await fly("match", `run:${run}`, "random");
    assert.deepEqual([uci.code, match.code, uci.out, match.out], [1, 1, "", ""]);
    assert.equal(uci.err, match.err);
    return uci.err;
  };
  assert.equal(
    await both(`${folder.path}/cachd`),
    `Cannot load the fly of ${folder.path}/cachd: there is no such run, did you mean 'cached'? ` +
      "'deno task fly runs' lists those that there are\n",
  );
  assert.match(await both(cached), /it holds no run, a folder that 'fly train' made is wanted$/m);
  await Deno.writeTextFile(`${cached}/config.json`, '{"kind":"cached"}');
  assert.match(await both(cached), /it stopped before it had a readout; finish it with the same command$/m);
  const bio = await fly("uci", "--run", `${folder.path}/bio`);
  assert.equal(bio.out, "");
  assert.match(bio.err, /learned by dopamine and does not speak UCI/);
});

Deno.test("`fly probe` takes the positions that ship with the library where none are named", async () => {
  using folder = new TemporaryFolder();
  const fly64 = `${folder.path}/fly.arrow`, json = `${folder.path}/probe.json`;
  assert.equal((await fly("connectome", "grow", "--scale", "1/64", "--out", fly64)).code, 0);
  const { code, out, err } = await fly(
    ...["probe", "--connectome", fly64, "--train", "256", "--shuffles", "0", "--json", json],
  );
  assert.equal(code, 0, err);
  assert.match(out, /fitted on 256 positions, judged on 4,096 held-out ones/);
  const found = JSON.parse(await Deno.readTextFile(json));
  const shipped = await shippedPositions();
  assert.equal(found.positions, shipped.digest);
  assert.equal(found.held, shipped.hold);
});
