import assert from "node:assert/strict";
import * as fc from "fast-check";
import { boardMap, heatMap, shadeColour } from "../../lib/figures/mod.ts";
import { assertSnapshot } from "./_snapshot.ts";

const OPTIONS = {
  label: "a & b",
  rows: ["one", "two"],
  columns: ["x", "y", "z"],
  cell: { width: 40, height: 30 },
  names: 50,
};

Deno.test("`heatMap()` draws as it always did", () =>
  assertSnapshot(
    heatMap([
      [{ shade: 0, text: "0" }, { shade: 0.5, text: "½", note: "±1" }, { shade: 1, text: "1" }],
      [{ shade: null }, { shade: 0.2, framed: true }, { shade: 2 }],
    ], { ...OPTIONS, rowsLabel: "down", columnsLabel: "across", columnsOnTop: true }),
    "heat_map",
  ));

Deno.test("`heatMap()` refuses cells that do not fit its names", () => {
  assert.throws(() => heatMap([[{ shade: 0 }]], OPTIONS), RangeError);
  assert.throws(() => boardMap([], { label: "", square: 20 }), RangeError);
});

Deno.test("`boardMap()` puts a1 at the lower left and h8 at the upper right", () => {
  const squares = Array.from({ length: 64 }, (_, square) => ({
    shade: 0,
    ...square === 0 ? { text: "first" } : square === 63 ? { text: "last" } : {},
  }));
  const svg = boardMap(squares, { label: "board", square: 20 });
  const place = (text: string) =>
    svg.match(new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)"[^>]*>${text}<`))!.slice(1).map(Number);
  const [first, last] = [place("first"), place("last")];
  assert.ok(first[0]! < last[0]! && first[1]! > last[1]!);
});

Deno.test("`shadeColour()` gets darker the more there is", () => {
  const light = (colour: string) =>
    [1, 3, 5].reduce((sum, at) => sum + parseInt(colour.slice(at, at + 2), 16), 0);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom("subject", "second"),
      (shade, ramp) => {
        const [one, more] = [shadeColour(shade, ramp), shadeColour(shade + 0.1, ramp)];
        assert.match(one, /^#[0-9a-f]{6}$/);
        assert.ok(light(more) <= light(one));
      },
    ),
  );
});
