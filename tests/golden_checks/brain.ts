import assert from "node:assert/strict";
import type { Connectome, NameColumn } from "../../lib/connectome/mod.ts";
import type { Drive } from "../../lib/eye/mod.ts";
import { FlyBrain, initialStrengths, referenceBackward } from "../../lib/brain/mod.ts";

/** A golden file of kind `brain` (tests/golden/README.md). */
interface BrainGolden {
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
  readonly strength0: number[];
  readonly theta0: number[];
  readonly calibration_drive: number[][];
  readonly calm: boolean;
  readonly mu: number[][];
  readonly sd: number[][];
  readonly drive: number[][];
  readonly rates: number[][][];
  readonly window: number;
  readonly output_grad: number[][];
  readonly grad: { readonly theta: number[]; readonly gain: number[]; readonly bias: number[] };
  readonly blame: Record<string, number[][]>;
}

/** A column in which nothing is known of any neuron. */
function unknown(neurons: number): NameColumn {
  return { names: [""], index: new Uint16Array(neurons) };
}

function toConnectome({ connectome: golden }: BrainGolden): Connectome {
  const { neurons, transmitter } = golden;
  const names = [...new Set(transmitter)];
  const rowStart = new Int32Array(neurons + 1);
  for (const post of golden.post) rowStart[post + 1]! += 1;
  for (let row = 0; row < neurons; row++) rowStart[row + 1]! += rowStart[row]!;
  return {
    name: "golden",
    provenance: {},
    neurons: {
      id: Float64Array.from({ length: neurons }, (_, i) => i),
      type: unknown(neurons),
      superclass: unknown(neurons),
      class: unknown(neurons),
      transmitter: { names, index: Uint16Array.from(transmitter, (name) => names.indexOf(name)) },
      region: unknown(neurons),
      side: unknown(neurons),
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

/** What an array's indices count, the last one running fastest. */
type Axes = readonly (readonly [name: string, length: number])[];

/** Compares and names the first place that differs. `shape` names the axes, the last index running fastest. */
function compare(
  array: string,
  found: ArrayLike<number>,
  wanted: number[],
  tolerance: number,
  axes: Axes,
): void {
  assert.equal(found.length, wanted.length, `${array}: ${found.length} values, ${wanted.length} are wanted`);
  for (let at = 0; at < wanted.length; at++) {
    if (Math.abs(found[at]! - wanted[at]!) <= tolerance) continue;
    let rest = at;
    const place = axes.toReversed().map(([name, length]) => {
      const index = rest % length;
      rest = Math.floor(rest / length);
      return `${name} ${name === "step" ? index + 1 : index}`;
    }).toReversed();
    assert.fail(
      `${array}, ${place.join(", ")}: found ${found[at]}, wanted ${wanted[at]} within ${tolerance}`,
    );
  }
}

/**
 * Checks a golden file of kind `brain`: strengths, calibration, rates, and the gradients of the backward pass.
 *
 * @param golden The parsed file.
 * @param options.engine Which engine runs it: `reference` is held to 1e-9, the others to 2e-5 (gradients: of the largest).
 * @throws {AssertionError} Naming array, step, index, what was found and what was wanted.
 */
export async function check(
  golden: unknown,
  { engine = "reference" }: { engine?: "reference" | "wasm" | "webgpu" | "tensorflow" } = {},
): Promise<void> {
  const wanted = golden as BrainGolden;
  const connectome = toConnectome(wanted);
  const neurons = connectome.sign.length, connections = connectome.pre.length;
  const tolerance = engine === "reference" ? 1e-9 : 2e-5;
  const perConnection = [["connection", connections]] as const;
  compare("strength0", initialStrengths(connectome), wanted.strength0, 1e-9, perConnection);

  await using brain = await FlyBrain.create(connectome, { engine, steps: wanted.mu.length });
  compare("theta0", brain.theta, wanted.theta0, 1e-9, perConnection);
  const { mean, spread } = await brain.calibrate(toDrive(wanted.calibration_drive), { calm: wanted.calm });
  const perStep = [["step", brain.steps], ["neuron", neurons]] as const;
  compare("mu", mean, wanted.mu.flat(), tolerance, perStep);
  compare("sd", spread, wanted.sd.flat(), tolerance, perStep);

  const drive = toDrive(wanted.drive);
  const each = [["position", drive.positions], ["neuron", neurons]] as const;
  compare("rates", await brain.rates(drive), wanted.rates.flat(2), tolerance, [
    ["step", brain.steps],
    ...each,
  ]);
  const read = await brain.read(drive, { steps: [brain.steps] });
  const last = wanted.rates.at(-1)!.flatMap((row) => [...connectome.output].map((neuron) => row[neuron]!));
  compare("read at the last step", read, last, Math.max(tolerance, 1e-7), [["position", drive.positions], [
    "output",
    connectome.output.length,
  ]]);

  const error = Float64Array.from(wanted.output_grad.flat()), { window } = wanted;
  const all = Int32Array.from({ length: neurons }, (_, neuron) => neuron);
  const gradients = await brain.backward(drive, error, { neurons: all, window, blame: true });
  const near = (array: string, found: ArrayLike<number>, numbers: number[], axes: Axes) =>
    compare(array, found, numbers, tolerance * scaleOf(numbers), axes);
  near("grad theta", gradients.theta, wanted.grad.theta, perConnection);
  near("grad gain", gradients.gain, wanted.grad.gain, [["neuron", neurons]]);
  near("grad bias", gradients.bias, wanted.grad.bias, [["neuron", neurons]]);
  assert.deepEqual([...gradients.blame.keys()].map(String).sort(), Object.keys(wanted.blame).sort());
  for (const [step, blame] of gradients.blame) {
    near(`blame at step ${step}`, blame, wanted.blame[step]!.flat(), each);
  }
  if (engine !== "reference") return;
  const { theta } = referenceBackward(brain.model, drive, error, { window });
  near("grad theta of referenceBackward", theta, wanted.grad.theta, perConnection);
}

/** The largest size among numbers, at least 1. */
function scaleOf(numbers: readonly number[]): number {
  return numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 1);
}
