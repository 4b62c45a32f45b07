import assert from "node:assert/strict";
import { parseHTML } from "linkedom";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { PALETTE } from "../../lib/figures/mod.ts";
import { coneOf } from "../../bench/_cone.ts";
import { countCone, drawCone } from "../../bench/_cone_figure.ts";
import { countMemory, drawMemory } from "../../bench/_memory_figure.ts";
import { drawScales, type Scales } from "../../bench/_scales.ts";

/** Elements of a drawing. */
function find(svg: string, selector: string): { getAttribute(name: string): string }[] {
  const { document } = parseHTML(svg) as unknown as {
    document: { querySelectorAll(s: string): ArrayLike<{ getAttribute(n: string): string }> };
  };
  return Array.from(document.querySelectorAll(selector));
}

Deno.test("the cone's picture has a bar for every step and brain, as high as the rows", () => {
  const numbers = countCone("", 1 / 64), bars = find(drawCone(numbers), "rect[height]");
  const heights = (fill: string) =>
    find(drawCone(numbers), `[aria-label=bar] rect[fill="${fill}"]`).map((bar) =>
      Number(bar.getAttribute("height"))
    );
  assert.ok(bars.length > 24);
  for (
    const [fill, { steps }] of [[PALETTE.subject, numbers.modelFly], [
      PALETTE.quiet,
      numbers.uniformWiring,
    ]] as const
  ) {
    const found = heights(fill), most = Math.max(...steps.map(({ rows }) => rows));
    assert.equal(found.length, 12);
    steps.forEach(({ rows }, i) => assert.ok(Math.abs(found[i]! / Math.max(...found) - rows / most) < 0.01));
  }
});

Deno.test("`coneOf()` counts no more rows than neurons, the read ones last, and more where more steps are read", () => {
  const fly = growModelFly({ scale: 1 / 64 }), last = coneOf(fly, [12]), four = coneOf(fly, [9, 10, 11, 12]);
  assert.equal(last.at(-1)!.rows, fly.output.length);
  for (const [i, { rows, connections }] of last.entries()) {
    assert.ok(rows <= four[i]!.rows && four[i]!.rows <= fly.sign.length);
    assert.ok(connections <= four[i]!.connections && four[i]!.connections <= fly.pre.length);
  }
});

Deno.test("the memory's picture counts every connection once and names every part with its size", () => {
  const numbers = countMemory("", 1 / 64), svg = drawMemory(numbers);
  assert.equal(numbers.tiles.reduce((sum, pairs) => sum + pairs, 0), numbers.connections);
  assert.equal(numbers.tiles.length, numbers.tile.columns * numbers.tile.bands);
  for (const { what } of numbers.parts) assert.ok(svg.includes(`>${what}<`), what);
});

Deno.test("the cost's picture has a dot for every brain and arithmetic and says how the ends compare", () => {
  const row = (scale: string, connections: number, float32: number) => ({
    scale,
    connectome: "",
    neurons: connections,
    connections,
    positionsPerSecond: { float32, int16: 2 * float32, int8: 3 * float32 },
  });
  const scales: Scales = {
    command: "",
    machine: "a machine",
    date: "",
    batch: 64,
    rows: [row("1/4", 1000, 800), row("1", 4000, 100)],
  };
  const svg = drawScales(scales);
  assert.equal(find(svg, "circle").length, 6);
  assert.match(svg, /4\.0 times the connections take 8\.0 times as long/);
});
