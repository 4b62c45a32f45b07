import assert from "node:assert/strict";
import {
  type Connectome,
  connectomeDigest,
  growModelFly,
  modelFlyReport,
  type NameColumn,
  NO_COLUMN,
  regionOf,
  signOf,
} from "../../lib/connectome/mod.ts";
import { eyeFor, eyeReport } from "../../lib/eye/mod.ts";

const small = growModelFly({ scale: 1 / 64 });

function nameOf({ names, index }: NameColumn, i: number): string {
  return names[index[i]!]!;
}

function where(connectome: Connectome, wanted: (i: number) => boolean): number[] {
  return [...connectome.sign.keys()].filter(wanted);
}

Deno.test("`growModelFly()` grows the same fly from the same scale and seed, and another from another seed", () => {
  assert.equal(connectomeDigest(growModelFly({ scale: 1 / 64, seed: 1 })), connectomeDigest(small));
  assert.notEqual(connectomeDigest(growModelFly({ scale: 1 / 64, seed: 2 })), connectomeDigest(small));
  assert.equal(small.name, "model fly (scale 1/64, seed 1)");
});

Deno.test("`growModelFly()` at scale 1 is within 2 % of what is published", () => {
  const started = performance.now();
  const fly = growModelFly({ scale: 1 });
  assert.ok(performance.now() - started < 60_000, "it takes a minute at most");
  assert.equal(fly.name, "model fly (scale 1, seed 1)");
  assert.equal(fly.pre.length, 6_234_868);
  const report = modelFlyReport(fly);
  for (const { figure, published, grown } of report.figures) {
    if (typeof published !== "number") assert.ok(grown >= published[0] && grown <= published[1], figure);
    // These two tell how far apart neurons lie in a list, not how they are wired: 5 % is near enough.
    else if (figure.startsWith("median distance")) assert.ok(Math.abs(grown / published - 1) < 0.05, figure);
    else {
      assert.ok(Math.abs(grown / published - 1) <= 0.02, `${figure}: ${grown}, published is ${published}`);
    }
  }
  assert.deepEqual(report.floors, []);
  assert.ok(report.mostSynapses >= 1_000);
  // A heavy tail: the best connected have more than a hundred times the median.
  const degrees = new Map(report.inDegree);
  assert.ok(degrees.get(1)! > 100 * degrees.get(0.5)!);
  const eye = eyeReport(eyeFor(fly));
  assert.ok(eye.sound, eye.message);
  assert.ok(Math.min(...eye.typeCellsOnSquare) >= 8);
  // One part of the eye is short of R1-R6, so that squares differ several times over.
  assert.ok(Math.max(...eye.cellsOnSquare) > 3 * Math.min(...eye.cellsOnSquare));
});

Deno.test("a small model fly keeps what it needs to see and learn, and says which floors that took", () => {
  for (const [scale, seed] of [[1 / 64, 1], [1 / 64, 5], [1 / 32, 1], [1 / 8, 1], [1 / 256, 1]] as const) {
    const fly = scale === 1 / 64 && seed === 1 ? small : growModelFly({ scale, seed });
    const type = (i: number) => nameOf(fly.neurons.type, i);
    const inRegion = (region: string) => where(fly, (i) => nameOf(fly.neurons.region, i) === region);
    const eye = eyeReport(eyeFor(fly, "fair"));
    assert.ok(eye.sound, eye.message);
    assert.ok(Math.min(...eye.cellsOnSquare) >= 8);
    assert.ok(Math.min(...eye.typeCellsOnSquare) >= 6);
    assert.ok(fly.output.length >= 128);
    assert.ok(inRegion("Kenyon cell").length >= 400);
    assert.ok(inRegion("MBON").length >= 24);
    for (const start of ["PAM", "PPL1", "APL"]) {
      assert.ok(where(fly, (i) => type(i).startsWith(start)).length >= 2);
    }
    const { floors } = modelFlyReport(fly);
    const placed = floors.find(({ population }) => population === "placed photoreceptors");
    assert.deepEqual(placed, {
      population: "placed photoreceptors",
      scaled: Math.round(3_251 * scale),
      kept: 512,
    });
  }
});

Deno.test("a model fly's regions and signs are those that its names tell", () => {
  for (const i of small.sign.keys()) {
    const cell = {
      superclass: nameOf(small.neurons.superclass, i),
      class: nameOf(small.neurons.class, i),
      type: nameOf(small.neurons.type, i),
    };
    assert.equal(nameOf(small.neurons.region, i), regionOf(cell));
    const photoreceptor = regionOf(cell) === "photoreceptor";
    assert.equal(small.sign[i], photoreceptor ? 1 : signOf(nameOf(small.neurons.transmitter, i)));
  }
  const { region } = small.neurons;
  assert.deepEqual([...small.input], where(small, (i) => nameOf(region, i) === "photoreceptor"));
  assert.deepEqual([...small.output], where(small, (i) => nameOf(region, i) === "descending"));
  assert.equal(new Set(small.neurons.id).size, small.sign.length);
});

Deno.test("a model fly has no pair twice, no self-connection and no connection under 5 synapses", () => {
  for (const j of small.sign.keys()) {
    for (let e = small.rowStart[j]!; e < small.rowStart[j + 1]!; e++) {
      assert.notEqual(small.pre[e], j);
      if (e > small.rowStart[j]!) assert.ok(small.pre[e]! > small.pre[e - 1]!);
    }
  }
  assert.ok(small.synapses.every((n) => n >= 5));
});

Deno.test("a placed photoreceptor has the column of the labelled cell it makes most synapses onto, an unplaced one none", () => {
  const { neurons } = small;
  const eye = new Uint8Array(small.sign.length);
  for (const i of small.input) eye[i] = 1;
  const most = new Map<number, { synapses: number; cell: number }>();
  for (const j of small.sign.keys()) {
    if (eye[j] || neurons.column[2 * j] === NO_COLUMN) continue;
    for (let e = small.rowStart[j]!; e < small.rowStart[j + 1]!; e++) {
      const i = small.pre[e]!;
      if (!eye[i] || small.synapses[e]! <= (most.get(i)?.synapses ?? 0)) continue;
      most.set(i, { synapses: small.synapses[e]!, cell: j });
    }
  }
  for (const i of small.input) {
    const cell = most.get(i)?.cell;
    const column = cell === undefined
      ? [NO_COLUMN, NO_COLUMN]
      : [...neurons.column.slice(2 * cell, 2 * cell + 2)];
    assert.deepEqual([...neurons.column.slice(2 * i, 2 * i + 2)], column);
  }
});

Deno.test("a model fly's mushroom body is wired in compartments", () => {
  const type = (i: number) => nameOf(small.neurons.type, i);
  /** Synapses that cells whose type starts so make onto those of a type. */
  const synapses = (from: string, to: string) => {
    let sum = 0;
    for (const j of where(small, (i) => type(i) === to)) {
      for (let e = small.rowStart[j]!; e < small.rowStart[j + 1]!; e++) {
        if (type(small.pre[e]!).startsWith(from)) sum += small.synapses[e]!;
      }
    }
    return sum;
  };
  // Kenyon cells reach only the outputs of their lobe.
  assert.ok(synapses("KCg", "MBON11") > 0);
  assert.equal(synapses("KCab", "MBON11"), 0);
  assert.ok(synapses("KCab", "MBON07") > 0);
  assert.equal(synapses("KCg", "MBON07"), 0);
  // Punishment reaches approach outputs, reward the others (Aso et al. 2014).
  assert.ok(synapses("PPL1", "MBON11") > synapses("PAM", "MBON11"));
  assert.ok(synapses("PAM", "MBON01") > synapses("PPL1", "MBON01"));
  // APL hears all Kenyon cells of its side and calms them.
  const apl = where(small, (i) => type(i) === "APL");
  const kenyon = where(small, (i) => type(i).startsWith("KC"));
  assert.equal(apl.length, 2);
  for (const k of kenyon) {
    assert.ok(apl.some((a) => small.pre.subarray(small.rowStart[k], small.rowStart[k + 1]).includes(a)));
  }
  const heard = new Set(
    apl.flatMap((a) => [...small.pre.subarray(small.rowStart[a], small.rowStart[a + 1])]),
  );
  assert.ok(kenyon.filter((k) => heard.has(k)).length > 0.9 * kenyon.length);
  assert.ok(apl.every((a) => small.sign[a] === -1));
});

Deno.test("Kenyon cells hear about six projection neurons each", () => {
  const fly = growModelFly({ scale: 1 / 8 });
  const projecting = (i: number) =>
    nameOf(fly.neurons.class, i) === "ALPN" || nameOf(fly.neurons.region, i) === "visual projection";
  const kenyon = where(fly, (i) => nameOf(fly.neurons.region, i) === "Kenyon cell");
  const heard = kenyon.map((k) =>
    fly.pre.subarray(fly.rowStart[k], fly.rowStart[k + 1]).reduce(
      (sum, i) => sum + (projecting(i) ? 1 : 0),
      0,
    )
  );
  const mean = heard.reduce((a, b) => a + b, 0) / heard.length;
  assert.ok(mean > 5 && mean < 7, `they hear ${mean}`);
});

Deno.test("`growModelFly()` refuses scales and seeds out of range, and stops at an aborted signal", () => {
  for (const scale of [0, 1.5, NaN, 1 / 1_000]) {
    assert.throws(() => growModelFly({ scale }), {
      name: "RangeError",
      message: `Cannot grow a model fly: its scale is ${scale}, a number from 1/256 to 1 is wanted`,
    });
  }
  assert.throws(() => growModelFly({ scale: 1 / 64, seed: -1 }), RangeError);
  assert.throws(() => growModelFly({ scale: 1 / 64 }, { signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
});
