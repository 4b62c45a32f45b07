/**
 * `deno task figures:check`: does every figure that is kept come from its numbers, and do its numbers come from the
 * brains and positions that are here? Ends with status 1 if not.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { checkFigures, stateOf } from "./making/check_figures.ts";
import { FIGURES } from "./making/plan.ts";

const HELP = `Usage: deno task figures:check [--figures figures] [--data data]

Draws every figure of the folder again and compares it with the picture that is kept, and compares the digests that its
numbers name with those of the model fly as it grows today and of the brains and positions that lie in the data folder.
"unchecked" is a figure that its numbers do draw, but whose brain or positions are not here.`;

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
  for (const figure of checked) {
    const rest = [...figure.wrong, ...figure.unchecked];
    console.log(
      `  ${figure.name.padEnd(width)}  ${stateOf(figure)}${rest.length === 0 ? "" : `: ${rest.join("; ")}`}`,
    );
  }
  const count = (state: string) => checked.filter((figure) => stateOf(figure) === state).length;
  const wrong = count("wrong"), unchecked = count("unchecked");
  console.log(
    `\n${checked.length} figures: ${count("right")} right, ${wrong} wrong` +
      (unchecked === 0
        ? ""
        : `, ${unchecked} unchecked: they are what their numbers draw, but what the numbers are of is not here`),
  );
  Deno.exit(wrong === 0 ? 0 : 1);
}
