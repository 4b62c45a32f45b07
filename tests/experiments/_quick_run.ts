import assert from "node:assert/strict";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import type { Experiment, Result } from "../../experiments/_experiment.ts";
import { originOf } from "../../experiments/_experiment.ts";
import { type Connectome, growModelFly } from "../../lib/connectome/mod.ts";
import { type Positions, selectRows, shippedPositions } from "../../lib/data/mod.ts";

/** What a small experiment runs on. */
export interface QuickInputs {
  /** A model fly of scale 1/64 by default. */
  readonly connectome?: Connectome;
  /** Rows of the shipped positions in front of each part; enough to calibrate on by default. */
  readonly rows?: { readonly hold: number; readonly val: number; readonly train: number };
}

/** Shipped positions, the front rows of each part. */
export async function frontRows(part: Required<QuickInputs>["rows"]): Promise<Positions> {
  const all = await shippedPositions();
  const starts = [[0, part.hold], [all.hold, part.val], [all.hold + all.val, part.train]] as const;
  return selectRows(
    all,
    starts.flatMap(([first, count]) => Array.from({ length: count }, (_, i) => first + i)),
  );
}

/**
 * Runs an experiment twice, each time in a new folder, and draws it: its JSON must be the same both times, its picture
 * must come from the JSON alone, and be an SVG that a renderer reads.
 *
 * @returns Its numbers and its picture.
 */
export async function quickRun<Numbers extends object>(
  name: string,
  experiment: Experiment<Numbers>,
  inputs: QuickInputs = {},
): Promise<{ result: Result<Numbers>; svg: string }> {
  const connectome = inputs.connectome ?? growModelFly({ scale: 1 / 64, seed: 1 });
  const positions = await frontRows(inputs.rows ?? { hold: 64, val: 16, train: 300 });
  const once = async (workers: number) => {
    const keep = await Deno.makeTempDir();
    try {
      const options = { connectome, positions, seed: 1, quick: true, keep: join(keep, name), workers };
      const origin = originOf(name, options, { command: "a test", measured: experiment.measured ?? false });
      return JSON.stringify({ ...origin, ...await experiment.run(options) });
    } finally {
      await Deno.remove(keep, { recursive: true });
    }
  };
  const first = await once(0), second = await once(1);
  assert.equal(second, first, "the same numbers twice");
  assert.ok(experiment.question.length > 10);
  const result: Result<Numbers> = JSON.parse(first), svg = experiment.figure(result);
  assert.equal(experiment.figure(JSON.parse(first)), svg, "the same picture twice");
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+"/);
  const [odd] = svg.replaceAll(/base64,[^"]*/g, "").match(/.{0,60}\b(NaN|undefined|Infinity)\b/) ?? [];
  assert.equal(odd, undefined, "every number of the picture is one");
  const { width, height } = new Resvg(svg);
  assert.ok(width > 300 && width <= 1200 && height > 100, `${width} x ${height} pixels`);
  return { result, svg };
}
