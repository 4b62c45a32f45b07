import assert from "node:assert/strict";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { type Surface, surfacePage } from "../../lib/figures/mod.ts";
import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { inChromium } from "./_chromium.ts";

const BOWL: Surface = {
  label: "a bowl <of soup>",
  xLabel: "x",
  yLabel: "y: up",
  zLabel: "height",
  range: [[-1, 1], [-2, 2]],
  grid: [[5, 4, 5], [1, 0, 1], [5, 4, 5.25]],
  path: [[1, 2], [0.5, 1], [0, 0]],
  heights: [5, 1.5, 0],
  marks: [{ place: [1, 2], height: 5, name: "start" }, {
    place: [0, 0],
    height: 0,
    name: "end",
    below: true,
  }],
};
const WORDS = { title: 'Ways end "low" & deep', caption: ["<one>", "two"], alt: "A bowl & its 'way'" };

/** The part of a document that the test looks at. */
interface Page {
  querySelectorAll(selector: string): ArrayLike<{ readonly textContent: string }>;
  querySelector(
    selector: string,
  ): { readonly textContent: string; getAttribute(name: string): string } | null;
}

Deno.test("`surfacePage()` is a whole page that fetches nothing and holds the numbers of its surfaces", async () => {
  const page = await surfacePage([BOWL, { ...BOWL, label: "</script>" }], WORDS);
  assert.equal(
    await surfacePage([BOWL, { ...BOWL, label: "</script>" }], WORDS),
    page,
    "the same page twice",
  );
  const { document } = parseHTML(page) as unknown as { document: Page };
  const words = (selector: string) => Array.from(document.querySelectorAll(selector), (e) => e.textContent);
  assert.deepEqual(words("h1"), [WORDS.title]);
  assert.deepEqual(words("h2"), [BOWL.label, "</script>"]);
  assert.deepEqual(words("p"), WORDS.caption);
  assert.equal(document.querySelector("#surfaces")!.getAttribute("aria-label"), WORDS.alt);
  assert.equal(document.querySelectorAll(".surface").length, 2);
  assert.equal(document.querySelectorAll("[src], link, iframe").length, 0);
  assert.equal(document.querySelectorAll("script").length, 3);
  const { surfaces: [first] } = JSON.parse(document.querySelector("#numbers")!.textContent);
  assert.deepEqual(first.x, [-1, 0, 1]);
  assert.deepEqual(first.y, [-2, 0, 2]);
  assert.deepEqual(first.z, BOWL.grid);
  assert.deepEqual(first.path, { x: [1, 0.5, 0], y: [2, 1, 0], z: [5, 1.5, 0] });
  assert.deepEqual(first.marks.names, ["start", "end"]);
});

Deno.test("`surfacePage()` refuses ragged grids and paths without heights", async () => {
  await assert.rejects(surfacePage([{ ...BOWL, grid: [[1, 2], [1]] }], WORDS), RangeError);
  await assert.rejects(surfacePage([{ ...BOWL, heights: [1] }], WORDS), /3 places and 1 heights/);
});

Deno.test({
  name: "in Chromium, without a network, `surfacePage()` draws each surface, and the mouse turns it",
  ...requires("chromium"),
  fn: async () => {
    using folder = new TemporaryFolder();
    const file = join(folder.path, "page.html");
    await Deno.writeTextFile(file, await surfacePage([BOWL, BOWL], WORDS));
    await inChromium(file, async ({ evaluate, until, drag }) => {
      await until("document.body.dataset.drawn === '2'");
      const plot = "document.getElementById('surface-0')";
      assert.deepEqual(await evaluate(`Array.from(${plot}.data, ({ type }) => type)`), [
        "surface",
        "scatter3d",
        "scatter3d",
      ]);
      assert.deepEqual(await evaluate(`${plot}.data[0].z`), BOWL.grid);
      assert.ok(Number(await evaluate("document.querySelectorAll('canvas').length")) >= 2);
      const eye = `JSON.stringify(${plot}._fullLayout.scene._scene.getCamera().eye)`;
      const before = await evaluate(eye);
      const { x, y } = await evaluate(`(({ x, y }) => ({ x, y }))(${plot}.getBoundingClientRect())`) as {
        x: number;
        y: number;
      };
      await drag([x + 200, y + 200], [x + 320, y + 230]);
      await until(`${eye} !== ${JSON.stringify(before)}`);
    });
  },
});
