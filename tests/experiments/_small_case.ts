import assert from "node:assert/strict";
import { Resvg } from "@resvg/resvg-js";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { shippedPositions } from "../../lib/data/mod.ts";
import {
  type Experiment,
  type ExperimentOptions,
  originOf,
  type Result,
} from "../../experiments/_experiment.ts";
import { frontOf } from "../../experiments/_looks.ts";

/** What an experiment is given in tests: the smallest model fly and some hundred positions, nothing kept yet. */
export async function smallCase(keep: string): Promise<ExperimentOptions> {
  const positions = frontOf(await shippedPositions(), { hold: 96, val: 64, train: 320 });
  return {
    connectome: growModelFly({ scale: 1 / 64, seed: 1 }),
    positions,
    seed: 1,
    quick: true,
    keep,
    workers: 1,
  };
}

/** Runs an experiment in two empty folders: the same numbers, the same picture, and one that can be drawn. */
export async function assertSameTwice<Numbers extends object>(
  name: string,
  experiment: Experiment<Numbers>,
  change: object = {},
): Promise<Result<Numbers>> {
  const once = async () => {
    const keep = await Deno.makeTempDir();
    try {
      const options = await smallCase(keep);
      const numbers = await experiment.run({ ...options, ...change });
      const origin = originOf(name, options, { command: "test", measured: experiment.measured ?? false });
      // As a reader has it: from the file.
      return JSON.parse(JSON.stringify({ ...origin, ...numbers })) as Result<Numbers>;
    } finally {
      await Deno.remove(keep, { recursive: true });
    }
  };
  const first = await once(), second = await once();
  assert.deepEqual(first, second);
  const svg = experiment.figure(first);
  assert.equal(svg, experiment.figure(second));
  assert.ok(new Resvg(svg, { font: { loadSystemFonts: false } }).render().width > 600);
  assert.ok(!/NaN|undefined|Infinity/.test(svg), "a number is missing in the picture");
  return first;
}
