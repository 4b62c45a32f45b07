import assert from "node:assert/strict";
import { parseHTML } from "linkedom";
import { boardBits } from "../../lib/chess/mod.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { fairEye } from "../../lib/eye/mod.ts";
import { card, eyeBoard, intervalChart, PALETTE } from "../../lib/figures/mod.ts";
import { assertSnapshot } from "./_snapshot.ts";

const ROWS = [
  { name: "blind", interval: { value: 14.5, low: 13.4, high: 15.6 }, subject: false },
  { name: "model fly", interval: { value: 17.1, low: 15.9, high: 18.3 }, subject: true },
];

function chart(): string {
  return intervalChart(ROWS, {
    label: "top-1 (%)",
    width: 320,
    names: true,
    mark: 14.5,
    format: (value) => value.toFixed(1),
  });
}

Deno.test("`intervalChart()` draws as it always did", () => assertSnapshot(chart(), "intervals"));

Deno.test("`intervalChart()` draws one dot and one bar a row, the subject in its own colour", () => {
  const { document } = parseHTML(chart()) as unknown as {
    document: { querySelectorAll(s: string): ArrayLike<{ getAttribute(n: string): string }> };
  };
  const dots = document.querySelectorAll("circle");
  assert.equal(dots.length, 2);
  assert.deepEqual(Array.from(dots, (dot) => dot.getAttribute("fill")), [PALETTE.control, PALETTE.subject]);
});

Deno.test("`intervalChart()` puts words beside the dashed line that would lie on it, if asked to", () => {
  const of = (clear: boolean) =>
    /text-anchor="start"[^>]*>\s*<text[^>]*>14\.5</.test(
      intervalChart(ROWS, {
        label: "%",
        width: 320,
        names: true,
        mark: 14.5,
        clear,
        format: (v) => v.toFixed(1),
      }),
    );
  assert.deepEqual([of(false), of(true)], [false, true]);
});

Deno.test("`card()` is a whole SVG file that says what it shows, whatever letters the words have", () => {
  const svg = card([{ svg: chart(), x: 20, y: 0 }], {
    title: 'Less < more & "quoted"',
    caption: ["one", "two"],
    alt: "A <b>picture</b>",
    width: 400,
    height: 120,
  });
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="400"/);
  assert.ok(svg.includes("Less &lt; more &amp; &quot;quoted&quot;"));
  assert.ok(svg.includes("A &lt;b&gt;picture&lt;/b&gt;"));
  assert.ok(!svg.includes("<b>"));
});

Deno.test("`eyeBoard()` draws every placed photoreceptor once and lights as many as the board drives", () => {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const eye = fairEye(connectome);
  const empty = eyeBoard(connectome, eye, new Uint8Array(96), { size: 200 });
  assert.equal(empty.split("<circle").length - 1, eye.cell.length);
  assert.ok(!empty.includes(PALETTE.subject));
  const start = eyeBoard(
    connectome,
    eye,
    boardBits("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    { size: 200 },
  );
  assert.equal(start.split("<circle").length - 1, eye.cell.length);
  assert.ok(start.includes(PALETTE.subject) && start.includes(PALETTE.second));
});
