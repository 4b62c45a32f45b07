import assert from "node:assert/strict";

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
  const unknown = await fly("conectome");
  assert.equal(unknown.code, 2);
  assert.match(unknown.err, /there is no such command/);
  const help = await fly("probe", "--help");
  assert.equal(help.code, 0);
  assert.match(help.out, /^Usage: deno task fly probe/);
});

Deno.test("`fly probe` says what is missing or wrong, with exit status 2 for words and 1 for files", async () => {
  const missing = await fly("probe", "--connectome", "x.arrow");
  assert.equal(missing.code, 2);
  assert.match(missing.err, /--positions FILE/);
  const option = await fly("probe", "--conectome", "x.arrow");
  assert.equal(option.code, 2);
  assert.match(option.err, /--conectome/);
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
