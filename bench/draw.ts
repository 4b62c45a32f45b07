/**
 * Draws the pictures of docs/engine.md from the numbers beside them: `deno run -A bench/draw.ts`. With `--count` the
 * numbers of the cone and of the memory layout are counted anew; those of `engine_scale` come from
 * `deno task bench --figure figures/engine_scale`.
 *
 * @module
 */
import { writeFileAtomic } from "flychess/common";
import { countCone, drawCone } from "./_cone_figure.ts";
import { countMemory, drawMemory } from "./_memory_figure.ts";
import { drawScales } from "./_scales.ts";

/** The pictures, each a function of the numbers in the file of its name. */
export const FIGURES = {
  engine_cone: drawCone,
  engine_memory: drawMemory,
  engine_scale: drawScales,
} as const;

/** Where they are. */
export const FOLDER: URL = new URL("../figures/", import.meta.url);

if (import.meta.main) {
  const command = "deno run -A bench/draw.ts --count";
  if (Deno.args.includes("--count")) {
    for (
      const [name, numbers] of [
        ["engine_cone", countCone(command, 1)],
        ["engine_memory", countMemory(command, 1)],
      ] as const
    ) {
      await writeFileAtomic(
        new URL(`${name}.json`, FOLDER).pathname,
        JSON.stringify(numbers, null, 1) + "\n",
      );
    }
  }
  for (const [name, draw] of Object.entries(FIGURES)) {
    const numbers = JSON.parse(await Deno.readTextFile(new URL(`${name}.json`, FOLDER)));
    await writeFileAtomic(new URL(`${name}.svg`, FOLDER).pathname, draw(numbers));
  }
}
