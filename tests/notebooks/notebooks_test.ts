import assert from "node:assert/strict";
import { join } from "node:path";
import { PYTHON, requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const NOTEBOOKS = [...Deno.readDirSync(join(ROOT, "notebooks"))].map(({ name }) => name).filter((name) =>
  name.endsWith(".ipynb")
).sort();

/** What the runner says about one notebook. */
interface Report {
  readonly notebook: string;
  readonly seconds: number;
  readonly wrong: readonly string[];
  readonly [what: string]: unknown;
}

/** Runs notebooks in a real kernel, without a window. */
function run(files: readonly string[], ...options: string[]): Promise<Report[]> {
  return runIn("run.py", files, ...options);
}

async function runIn(program: string, files: readonly string[], ...options: string[]): Promise<Report[]> {
  const runner = join(ROOT, "tests/notebooks", program);
  const { code, stdout, stderr } = await new Deno.Command(PYTHON, {
    args: [runner, "--deno", Deno.execPath(), ...options, ...files],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout).trim();
  assert.ok(text !== "", new TextDecoder().decode(stderr));
  const reports = text.split("\n").map((line): Report => JSON.parse(line));
  assert.equal(code, reports.some(({ wrong }) => wrong.length > 0) ? 1 : 0);
  return reports;
}

for (const name of NOTEBOOKS) {
  Deno.test({
    name: `notebooks/${name} runs from its folder: no cell fails and every output is there`,
    ...requires("jupyter"),
    fn: async () => {
      const [report] = await run([join(ROOT, "notebooks", name)]);
      assert.deepEqual(report!.wrong, []);
      assert.ok(Number(report!["shows-picture"]) + Number(report!["shows-text"]) > 0);
    },
  });
}

Deno.test({
  name: "a notebook runs from the root of the clone too: its imports do not depend on where it was started",
  ...requires("jupyter"),
  fn: async () => {
    const [report] = await run([join(ROOT, "notebooks", NOTEBOOKS[0]!)], "--folder", ROOT);
    assert.deepEqual(report!.wrong, []);
  },
});

Deno.test({
  name: "in JupyterLab, with all cells run at once, every output stands under its own cell",
  ...requires("jupyterlab"),
  fn: async () => {
    const reports = await runIn("lab.py", NOTEBOOKS);
    assert.deepEqual(reports.map(({ notebook }) => notebook), NOTEBOOKS);
    for (const { notebook, wrong } of reports) assert.deepEqual(wrong, [], notebook);
  },
});

/** A notebook of cells: code, and tags behind a bar. */
function notebook(...cells: readonly (readonly [code: string, ...tags: string[]])[]): string {
  return JSON.stringify({
    cells: cells.map(([source, ...tags], i) => ({
      cell_type: "code",
      execution_count: null,
      id: `c${i}`,
      metadata: { tags },
      outputs: [],
      source,
    })),
    metadata: { kernelspec: { display_name: "Deno", language: "typescript", name: "deno" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

Deno.test({
  name:
    "the runner fails a cell that throws, rejects, takes too long, shows too little or too much, and says which",
  ...requires("jupyter"),
  fn: async () => {
    const cases: Record<string, [text: string, wanted: RegExp]> = {
      throws: [notebook(["1 + 1;\nconst a = 1"], ["throw new TypeError('of ours')"]), /TypeError: of ours/],
      rejects: [notebook(["await Promise.reject(new Error('of ours'))"]), /Error: of ours/],
      rejected: [notebook(["Promise.reject(new Error('of ours'))", "shows-text"]), /cell 1 .*\n.*of ours/],
      later: [
        notebook(["setTimeout(() => { throw new Error('of ours'); }, 1); const b = 1;"]),
        /cell 1 wrote to the error stream:\nnobody waited for this, and it failed: Error: of ours/,
      ],
      endless: [
        notebook(["const a = 1;"], ["for (;;);"]),
        /cell 2 is not done after 4 seconds:\nfor \(;;\);/,
      ],
      too_little: [
        notebook(["const a = 1;", "shows-picture"]),
        /cell 1 has the tag shows-picture, and shows none/,
      ],
      too_much: [notebook(["1 + 1"]), /cell 1 shows what its tags do not announce \(text\/plain\): 2/],
      right: [
        notebook(["for (let i = 0; i < 300; i++) console.log(i);", "shows-text"], ["const a = 1;"]),
        /^$/,
      ],
    };
    using folder = new TemporaryFolder();
    const files = Object.entries(cases).map(([name, [text]]) => {
      const file = join(folder.path, `${name}.ipynb`);
      Deno.writeTextFileSync(file, text);
      return file;
    });
    const reports = await run(files, "--timeout", "4", "--save", folder.path);
    reports.forEach(({ notebook, wrong }) =>
      assert.match(wrong.join("\n"), cases[notebook.replace(".ipynb", "")]![1], notebook)
    );
    // The kernel sends most of this after it says that it is done.
    const { cells } = JSON.parse(Deno.readTextFileSync(files.at(-1)!));
    const printed = cells[0].outputs.flatMap(({ text }: { text: string | string[] }) => text).join("");
    assert.equal(printed, Array.from({ length: 300 }, (_, i) => `${i}\n`).join(""));
    assert.deepEqual(cells[1].outputs, []);
  },
});

Deno.test("notebooks are kept without outputs, so that a change to one can be read, and every cell's tags are known", () => {
  for (const name of NOTEBOOKS) {
    const { cells } = JSON.parse(Deno.readTextFileSync(join(ROOT, "notebooks", name)));
    for (const cell of cells) {
      for (const tag of cell.metadata.tags ?? []) assert.match(tag, /^shows-(text|picture|page)$/, name);
      if (cell.cell_type === "code") assert.deepEqual(cell.outputs, [], `${name} has outputs`);
    }
  }
});
