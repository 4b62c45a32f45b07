/**
 * Type-checks and lints the code cells of every notebook, which `deno check` and `deno lint` do not read: the
 * cells of a notebook become one module beside it, are checked under the project's own rules, and are removed.
 */
interface Cell {
  cell_type: string;
  source: string | string[];
}

/** The code of a notebook, cell after cell, each behind a comment that names it. */
export function notebookCode(text: string): string {
  const { cells } = JSON.parse(text) as { cells: Cell[] };
  return cells.map(({ cell_type, source }, i) => ({ type: cell_type, code: [source].flat().join(""), i }))
    .filter(({ type }) => type === "code")
    .map(({ code, i }) => `// cell ${i + 1}\n${code}\n`)
    .join("\n");
}

if (import.meta.main) {
  const folder = new URL(".", import.meta.url);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
    name.endsWith(".ipynb")
  );
  let failed = 0;
  for (const name of names.sort()) {
    const code = notebookCode(await Deno.readTextFile(new URL(name, folder)));
    const module = new URL(name.replace(/\.ipynb$/, ".cells.ts"), folder).pathname;
    await Deno.writeTextFile(module, `${code}\nexport {};\n`);
    try {
      for (const args of [["check", "-q", module], ["lint", "-q", module]]) {
        const { success } = await new Deno.Command(Deno.execPath(), {
          args,
          stdout: "inherit",
          stderr: "inherit",
        })
          .output();
        if (!success) failed++;
      }
    } finally {
      await Deno.remove(module);
    }
  }
  console.log(`Checked ${names.length} notebook${names.length === 1 ? "" : "s"}.`);
  Deno.exit(failed === 0 ? 0 : 1);
}
