/**
 * `deno task readme`: fills in what the README and the pages under docs/ say of figures: pictures with their words, tables,
 * numbers in sentences. In a page,
 *
 *     <!-- figure:demo brains -->  ...  <!-- /figure -->
 *
 * is the picture figures/demo.svg with the table `brains` of its experiment, and
 *
 *     [4,096](figures/demo.json "held count")
 *
 * a number of figures/demo.json, by the path to it and how it is written.
 *
 * @module
 */
import { writeFileAtomic } from "flychess/common";
import { figuresFrom, figureSource, pages } from "./_figure_sources.ts";
import { agrees, regenerate } from "./_generated.ts";

if (import.meta.main) {
  let changed = 0, marks = 0;
  for (const page of await pages()) {
    const found = await Deno.readTextFile(page);
    const made = await regenerate(found, figureSource, figuresFrom(page));
    const wrong = made.marks.filter((mark) => !agrees(mark));
    marks += made.marks.length;
    changed += wrong.length;
    for (const { mark } of wrong) console.log(`${page}: ${mark}`);
    if (wrong.length > 0) await writeFileAtomic(page, made.text);
  }
  console.log(`${marks} marks, ${changed} filled in anew. 'deno fmt' lays out what changed.`);
}
