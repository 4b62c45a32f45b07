import assert from "node:assert/strict";
import { approach, DopamineBrain, keptCells, type MushroomBody } from "../../lib/bio/mod.ts";
import type { Connectome, NameColumn } from "../../lib/connectome/mod.ts";
import type { Drive } from "../../lib/eye/mod.ts";

/** A golden file of kind `bio_brain` (tests/golden/README.md). */
interface BioBrainGolden {
  readonly connectome: {
    readonly neurons: number;
    readonly photoreceptors: number[];
    readonly descending: number[];
    readonly transmitter: string[];
    readonly sign: number[];
    readonly pre: number[];
    readonly post: number[];
    readonly synapses: number[];
  };
  readonly kenyon: number[];
  readonly mbon: number[];
  readonly share: number;
  readonly width: number;
  readonly kept: number;
  readonly measured: number[][];
  readonly plastic: number[][];
  readonly valence: number[];
  readonly calibration_drive: number[][];
  readonly mu: number[][];
  readonly sd: number[][];
  readonly drive: number[][];
  readonly rates: number[][][];
  readonly approach: number[];
}

const TOLERANCE = 1e-9;

function near(name: string, found: ArrayLike<number>, wanted: readonly number[], across: number): void {
  assert.equal(found.length, wanted.length, `${name}: ${found.length} values, ${wanted.length} are wanted`);
  wanted.forEach((value, i) => {
    if (Math.abs(found[i]! - value) <= TOLERANCE) return;
    const place = `row ${Math.floor(i / across)}, column ${i % across}`;
    assert.fail(`${name}, ${place}: found ${found[i]}, wanted ${value} within ${TOLERANCE}`);
  });
}

function toConnectome({ connectome: golden }: BioBrainGolden): Connectome {
  const { neurons } = golden;
  const unknown: NameColumn = { names: [""], index: new Uint16Array(neurons) };
  const rowStart = new Int32Array(neurons + 1);
  for (const post of golden.post) rowStart[post + 1]! += 1;
  for (let row = 0; row < neurons; row++) rowStart[row + 1]! += rowStart[row]!;
  return {
    name: "golden",
    provenance: {},
    neurons: {
      id: Float64Array.from({ length: neurons }, (_, i) => i),
      type: unknown,
      superclass: unknown,
      class: unknown,
      transmitter: unknown,
      region: unknown,
      side: unknown,
      soma: new Float32Array(3 * neurons).fill(NaN),
      column: new Int16Array(2 * neurons),
    },
    rowStart,
    pre: Int32Array.from(golden.pre),
    synapses: Uint32Array.from(golden.synapses),
    sign: Int8Array.from(golden.sign),
    input: Int32Array.from(golden.photoreceptors),
    output: Int32Array.from(golden.descending),
  };
}

function toDrive(rows: number[][]): Drive {
  const start = [0], neuron: number[] = [], value: number[] = [];
  for (const row of rows) {
    row.forEach((x, j) => {
      if (x !== 0) neuron.push(j), value.push(x);
    });
    start.push(neuron.length);
  }
  return {
    positions: rows.length,
    start: Int32Array.from(start),
    neuron: Int32Array.from(neuron),
    value: Float64Array.from(value),
  };
}

/**
 * Checks a golden file of kind `bio_brain`: the synapses taken out, homeostasis, rates and approach.
 *
 * @throws {AssertionError} Naming array, place, what was found and what was wanted.
 */
export async function check(golden: unknown): Promise<void> {
  const wanted = golden as BioBrainGolden;
  const { neurons } = wanted.connectome, mbons = wanted.mbon.length;
  const nothing = new Float64Array(mbons);
  const body: MushroomBody = {
    kenyon: Int32Array.from(wanted.kenyon),
    mbon: Int32Array.from(wanted.mbon),
    type: wanted.mbon.map(String),
    valence: Int8Array.from(wanted.valence),
    pam: nothing,
    ppl1: nothing,
    pamSynapses: nothing,
    ppl1Synapses: nothing,
    assumption: "valence is given",
  };
  assert.equal(keptCells(wanted.kenyon.length, wanted.share), wanted.kept, "kept");
  const brain = new DopamineBrain(toConnectome(wanted), body, {
    gate: { share: wanted.share, width: wanted.width },
    steps: wanted.mu.length,
  });
  near("measured", brain.synapses.measured, wanted.measured.flat(), mbons);

  const { mean, spread } = await brain.calibrate(toDrive(wanted.calibration_drive));
  near("mu", mean, wanted.mu.flat(), neurons);
  near("sd", spread, wanted.sd.flat(), neurons);

  brain.synapses.strength.set(wanted.plastic.flat());
  const drive = toDrive(wanted.drive);
  near("rates", await brain.rates(drive), wanted.rates.flat(2), neurons);
  const look = await brain.look(drive);
  near("approach", look.approach, wanted.approach, 1);
  near("approach of the MBONs' rates", approach(look.mbon, body.valence), wanted.approach, 1);
}
