/**
 * `deno task figures:check`: does every figure that is kept come from its numbers, and do its numbers come from the
 * brains and positions that are here? Ends with status 1 if not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { checkFigures } from "./_check_figures.ts";
import { FIGURES } from "./_plan.ts";

const HELP = `Usage: deno task figures:check [--figures figures] [--data data]

Draws every figure of the folder again and compares it with the picture that is kept, and compares the digests that its
numbers name with those of the model fly as it grows today and of the brains and positions that lie in the data folder.`;

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      figures: { type: "string", default: FIGURES },
      data: { type: "string", default: "data" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    Deno.exit(0);
  }
  const checked = await checkFigures(values);
  const width = Math.max(0, ...checked.map(({ name }) => name.length));
  for (const { name, wrong, unchecked } of checked) {
    const state = wrong.length > 0 ? "wrong" : "right";
    const rest = [...wrong, ...unchecked.map((what) => `not compared: ${what}`)];
    console.log(`  ${name.padEnd(width)}  ${state}${rest.length === 0 ? "" : `: ${rest.join("; ")}`}`);
  }
  const wrong = checked.filter((figure) => figure.wrong.length > 0).length;
  const open = checked.filter(({ unchecked }) => unchecked.length > 0).length;
  console.log(
    `\n${checked.length} figures, ${wrong} wrong` +
      (open === 0 ? "" : `, ${open} whose inputs are not all here`),
  );
  Deno.exit(wrong === 0 ? 0 : 1);
}
