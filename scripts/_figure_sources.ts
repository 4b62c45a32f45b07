import { join, relative } from "node:path";
import { readText } from "flychess/common";
import { EXPERIMENTS } from "../experiments/_all.ts";
import { readNumbers } from "../experiments/making/make_figure.ts";
import { olderFigure } from "../experiments/making/older_figures.ts";
import { FIGURES } from "../experiments/making/plan.ts";
import type { FigureSource } from "./_generated.ts";

/** A figure that is kept with the project. */
export async function figureSource(name: string): Promise<FigureSource> {
  const numbers = await readNumbers(join(FIGURES, `${name}.json`));
  if (numbers === undefined) {
    throw new RangeError(`Cannot fill in ${name}: there is no figures/${name}.json`);
  }
  const experiment = await EXPERIMENTS[numbers.experiment]?.();
  return {
    numbers,
    picture: await readText(join(FIGURES, `${name}.svg`)),
    tables: experiment === undefined
      ? olderFigure(name)?.tables?.(numbers) ?? {}
      : experiment.tables?.(numbers) ?? {},
  };
}

/** The pages that may show figures: the README and everything in docs. */
export async function pages(): Promise<string[]> {
  const found = ["README.md", "CONTRIBUTING.md", "data/README.md"];
  const look = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = join(folder, name);
      if (isDirectory && name !== "api") await look(path);
      else if (name.endsWith(".md")) found.push(path);
    }
  };
  await look("docs");
  return found.sort();
}

/** Where figures lie, seen from a page. */
export function figuresFrom(page: string): string {
  return `${relative(join(page, ".."), FIGURES).replaceAll("\\", "/")}/`;
}
