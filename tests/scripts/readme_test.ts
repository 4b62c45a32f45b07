import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { figuresFrom, figureSource, pages } from "../../scripts/_figure_sources.ts";
import { agrees, type FigureSource, numberInWords, regenerate } from "../../scripts/_generated.ts";

Deno.test("everything that a page says of a figure is what the figure's numbers say", async () => {
  let marks = 0;
  for (const page of await pages()) {
    const made = await regenerate(await Deno.readTextFile(page), figureSource, figuresFrom(page));
    const wrong = made.marks.filter((mark) => !agrees(mark));
    assert.deepEqual(wrong, [], `${page} disagrees with figures/: 'deno task readme' fills it in`);
    marks += made.marks.length;
  }
  assert.ok(marks >= 5);
});

Deno.test("every picture and every share in the README comes from a figure, and every picture of a page is there", async () => {
  for (const page of await pages()) {
    const text = await Deno.readTextFile(page);
    for (const [, picture] of text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)) {
      assert.ok(Deno.statSync(join(dirname(page), picture!)).isFile, `${page} shows ${picture}`);
    }
  }
  const readme = await Deno.readTextFile("README.md");
  const byHand = readme
    .replace(/```[^]*?```/g, "")
    .replace(/<!-- figure:[^]*?<!-- \/figure -->/g, "")
    .replace(/\[[^\]]*\]\(\S*figures\/\w+\.json\s+"[^"]+"\)/g, "");
  assert.doesNotMatch(byHand, /\]\(figures\/[^)]*\.svg/, "a picture stands outside of a mark");
  const shares = (byHand.match(/[\d.]+\s%|[\d.]+ nats/g) ?? []).filter((share) => !/^95\s%$/.test(share));
  assert.deepEqual(shares, [], "numbers stand outside of a mark");
});

Deno.test("every picture of an experiment's page, and every number in what it found, comes from a figure", async () => {
  for (const page of (await pages()).filter((path) => /experiments[/\\]/.test(path))) {
    const text = (await Deno.readTextFile(page)).replace(/<!-- figure:[^]*?<!-- \/figure -->/g, "");
    assert.doesNotMatch(text, /\]\([^)]*\.svg\)/, `a picture of ${page} stands outside of a mark`);
    const found = text.match(/\*\*Found[^]*?(?=\n\n\*\*|\n\nNumbers:|$)/g) ?? [];
    assert.ok(found.length > 0, `${page} says what was found`);
    // What the reference found is nobody's here to measure.
    const byHand = found.flatMap((part) =>
      part.replace(/\[[^\]]*\]\(\S*figures\/\w+\.json\s+"[^"]+"\)/g, "").split(/(?<=[.:;])\s/)
        .filter((sentence) =>
          !/reference/i.test(sentence) && /\d\.\d|\d\s%/.test(sentence.replace(/95\s%/, ""))
        )
    );
    assert.deepEqual(byHand, [], `numbers of ${page} stand outside of a mark`);
  }
});

const FIGURE: FigureSource = {
  numbers: {
    share: 0.1234,
    deep: { many: [{ name: "a b", x: -0.5 }, { name: "c", x: 1234.4 }] },
    interval: { value: 0.1, low: 0.05, high: 0.15 },
  },
  picture: "<svg><title>Less &lt; more [so]</title></svg>",
  tables: { one: "| a |\n| --- |\n| 1 |" },
};
const figure = (name: string) =>
  name === "it" ? Promise.resolve(FIGURE) : Promise.reject(new RangeError(`Cannot fill in ${name}`));

Deno.test("`numberInWords()` writes shares, counts, intervals, and ranges of several values", () => {
  const write = (path: string, format: string) => numberInWords(FIGURE.numbers, path, format);
  assert.equal(write("share", "percent1"), "12.3 %");
  assert.equal(write("deep.many.*.x", "fixed1"), "\u22120.5 to 1234.4");
  assert.equal(write("deep.many[name=c].x", "count"), "1,234");
  assert.equal(write("deep.many[name=a b].x", "signed1"), "\u22120.5");
  assert.equal(write("interval", "percent0"), "10 % (5 to 15)");
  assert.equal(write("interval", "percent0:value"), "10 %");
  assert.equal(write("interval", "points0"), "10 points (5 to 15)");
  assert.equal(write("deep.many.0.name", "text"), "a b");
  assert.equal(write("deep.many[name=c][x=1234.4].x", "count"), "1,234");
  assert.equal(write("deep.many[name=a b].x / interval", "fixed1"), "\u22125.0");
  assert.equal(write("interval - share", "signed3"), "\u22120.023");
  assert.throws(() => write("deep.many[name=c][x=0].x", "count"), /there is nothing there/);
  assert.throws(() => write("deep.many.*.x / share", "fixed1"), /'deep.many.\*.x' is not one number/);
  assert.throws(() => write("nothing", "count"), /there is nothing there/);
  assert.throws(() => write("deep.many.0.name", "count"), /"a b" is no number/);
  assert.throws(() => write("share", "loud"), /count, fixed, signed, percent, points or text is wanted/);
});

Deno.test("`regenerate()` fills in pictures, tables and numbers, once and for all, and sees what was changed by hand", async () => {
  const page =
    'In [12 %](../figures/it.json "share\n percent1").\n\n<!-- figure:it one -->\n<!-- /figure -->\n\nEnd.\n';
  const made = await regenerate(page, figure, "../figures/");
  assert.equal(
    made.text,
    'In [12.3 %](../figures/it.json "share percent1").\n\n<!-- figure:it one -->\n\n' +
      "![Less < more so](../figures/it.svg)\n\n| a |\n| --- |\n| 1 |\n\n<!-- /figure -->\n\nEnd.\n",
  );
  assert.deepEqual(made.marks.map((mark) => agrees(mark)), [false, false]);
  const example = await regenerate(`\`\`\`text\n${page}\`\`\`\n`, figure, "../figures/");
  assert.deepEqual(example.marks, [], "examples are shown as they are");
  const again = await regenerate(made.text, figure, "../figures/");
  assert.equal(again.text, made.text);
  assert.ok(again.marks.length === 2 && again.marks.every(agrees));
  for (const [from, to] of [["12.3", "12.4"], ["| 1 |", "| 2 |"], ["Less", "Much less"]] as const) {
    const { marks } = await regenerate(made.text.replace(from, to), figure, "../figures/");
    assert.equal(marks.filter((mark) => !agrees(mark)).length, 1, from);
  }
  await assert.rejects(regenerate('[1](figures/none.json "share percent1")', figure, ""), RangeError);
  await assert.rejects(regenerate("<!-- figure:it two -->\n<!-- /figure -->", figure, ""), /no table 'two'/);
});
