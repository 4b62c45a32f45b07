import { join } from "node:path";
import { regrownDigest } from "./brains.ts";
import { readNumbers } from "./make_figure.ts";
import { olderFigure } from "./older_figures.ts";
import type { PlanOptions } from "./plan.ts";
import { nothing, planDrawing, type PlannedFigure } from "./planned_figure.ts";

/** A figure that has a command of its own. */
export async function planOlder(
  name: string,
  options: Pick<PlanOptions, "out" | "again">,
): Promise<PlannedFigure> {
  const figure = olderFigure(name)!, out = join(options.out, name);
  const numbers = await readNumbers(`${out}.json`);
  const { remake, draw } = figure;
  const stale = numbers === undefined
    ? "there is none"
    : figure.inputs(numbers).connectomes.some(({ name, digest }) =>
        (regrownDigest(name) ?? digest) !== digest
      )
    ? "its numbers are of another brain"
    : options.again && remake !== undefined
    ? "again, as asked"
    : undefined;
  if (stale === undefined) {
    return draw === undefined
      ? { name, todo: "none", why: "is up to date", make: nothing }
      : planDrawing(name, out, draw(numbers));
  }
  if (remake === undefined) {
    return { name, todo: "none", why: `${stale}, and it is made by hand: see docs`, make: nothing };
  }
  return {
    name,
    todo: "make",
    why: stale,
    make: async ({ signal }) => {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: [...remake],
        stdout: "inherit",
        stderr: "inherit",
        ...signal === undefined ? {} : { signal },
      }).output();
      signal?.throwIfAborted();
      if (!success) throw new Error(`'deno ${remake.join(" ")}' failed`);
    },
  };
}
