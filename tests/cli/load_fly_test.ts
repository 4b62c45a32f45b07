import assert from "node:assert/strict";
import { join } from "node:path";
import { Flies, loadFly } from "../../cli/_load_fly.ts";
import { DataError } from "../../lib/common/mod.ts";
import {
  type Connectome,
  connectomeDigest,
  growModelFly,
  saveConnectome,
  shuffleDegrees,
} from "../../lib/connectome/mod.ts";
import { type Positions, savePositions, selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { favourites, type ReadoutFly } from "../../lib/play/mod.ts";
import { START_FEN } from "../../lib/chess/mod.ts";
import { judge, type Judged, loadReadout, saveReadout, summarize } from "../../lib/readout/mod.ts";
import {
  cachedRunConfig,
  holdRows,
  openRun,
  readRows,
  streamRunConfig,
  trainCached,
  trainStream,
} from "../../lib/training/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const connectome = growModelFly({ scale: 1 / 64, seed: 1 });

async function fewPositions(): Promise<Positions> {
  const shipped = await shippedPositions();
  const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
  return selectRows(shipped, [
    ...rows(0, 60),
    ...rows(shipped.hold, 50),
    ...rows(shipped.hold + shipped.val, 600),
  ]);
}

/** The files of a small model fly and of a few positions, and the commands' options that name them. */
async function files(folder: string) {
  const positions = await fewPositions();
  const names = { connectome: join(folder, "fly.arrow"), positions: join(folder, "positions.arrow") };
  await saveConnectome(names.connectome, connectome);
  await savePositions(names.positions, positions);
  return { positions, names: { ...names, workers: 1 } };
}

const inputsOf = (connectome: Connectome, positions: Positions) => ({
  inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
});

async function judgeFly(fly: ReadoutFly, positions: Positions): Promise<Judged> {
  const rows = holdRows(positions);
  const features = await readRows(fly.brain, fly.eye, positions, rows, { steps: fly.steps });
  return judge(fly.readout, features, positions, rows);
}

/** A finished cached run, after a change of the wiring that its `config.json` names. */
async function cachedRun(folder: string, wiring: Connectome, positions: Positions, changes = {}) {
  const options = { steps: [11, 12], decays: [0.01], fit: { batch: 64, maxPasses: 3 } };
  await using run = await openRun(folder, {
    ...cachedRunConfig(options),
    kind: "cached",
    seed: 1,
    engine: "wasm float32",
    ...changes,
    ...inputsOf(wiring, positions),
  });
  return (await trainCached(run, wiring, positions, { ...options, workers: 1, brain: { workers: 0 } }))!;
}

Deno.test("`loadFly()` wakes a streaming run's fly with what its brain has learned, to the bit", async () => {
  using folder = new TemporaryFolder();
  const { positions, names } = await files(folder.path);
  const settings = {
    steps: [11, 12],
    probe: 300,
    batch: 32,
    batches: 3,
    synapseStep: 0.01,
    neuronStep: 0.01,
    calm: true,
  };
  const run = join(folder.path, "stream");
  let judged: Judged;
  {
    await using open = await openRun(run, {
      ...streamRunConfig(settings),
      engine: "wasm",
      ...inputsOf(connectome, positions),
    });
    judged = (await trainStream(open, connectome, positions, { ...settings, brain: { workers: 0 } }))!.judged;
  }
  {
    await using fly = await loadFly(run, names);
    assert.deepEqual((await judgeFly(fly, positions)).loss, judged.loss);
  }
  // Without its checkpoint nobody knows what the brain learned.
  for (const name of [...Deno.readDirSync(run)].map(({ name }) => name)) {
    if (name.startsWith("checkpoint")) await Deno.remove(join(run, name));
  }
  await assert.rejects(loadFly(run, names), /its brain learned, and no checkpoint says what/);
});

Deno.test("`loadFly()` rewires the connectome's file as a cached run did", async () => {
  using folder = new TemporaryFolder();
  const { positions, names } = await files(folder.path);
  const run = join(folder.path, "shuffled");
  const changes = { shuffle: "degrees", shuffleSeed: 3 };
  const { scores } = await cachedRun(run, shuffleDegrees(connectome, 3), positions, changes);
  await using fly = await loadFly(run, names);
  const { loss } = summarize(await judgeFly(fly, positions));
  // A cached run judges rates that were kept as bytes.
  assert.ok(Math.abs(loss.value - scores.loss.value) < 0.005, `${loss.value} and ${scores.loss.value}`);
});

Deno.test("`loadFly()` refuses another connectome, other positions, and a folder without a fly", async () => {
  using folder = new TemporaryFolder();
  const { positions, names } = await files(folder.path);
  const run = join(folder.path, "cached");
  await cachedRun(run, connectome, positions);
  const other = join(folder.path, "other.arrow");
  await saveConnectome(other, growModelFly({ scale: 1 / 64, seed: 2 }));
  await assert.rejects(
    loadFly(run, { ...names, connectome: other }),
    /the connectome is [0-9a-f]{12}, [0-9a-f]{12}, which it was fitted with, is wanted; name it with --connectome FILE/,
  );
  const fewer = join(folder.path, "fewer.arrow");
  const rows = Array.from({ length: positions.count - 1 }, (_, i) => i);
  await savePositions(fewer, selectRows(positions, rows));
  await assert.rejects(loadFly(run, { ...names, positions: fewer }), /name them with --positions FILE/);
  await assert.rejects(loadFly(join(folder.path, "nowhere"), names), /there is no such run/);
  const readout = join(run, "readout.arrow");
  await saveReadout(readout, (await loadReadout(readout)).readout, { read: "the photoreceptors" });
  await assert.rejects(loadFly(run, names), (error: Error) => {
    assert.ok(error instanceof DataError);
    assert.match(error.message, /reads 'the photoreceptors', steps of a brain are wanted/);
    return true;
  });
  await Deno.writeTextFile(join(run, "config.json"), "{");
  await saveReadout(readout, (await loadReadout(readout)).readout, { read: "12" });
  await assert.rejects(loadFly(run, names), /config\.json: it is no JSON/);
});

Deno.test("`Flies` wake a brain once for all whose brains are the same", async () => {
  using folder = new TemporaryFolder();
  const { positions, names } = await files(folder.path);
  const run = join(folder.path, "cached");
  await cachedRun(run, connectome, positions);
  await using flies = new Flies(names);
  const [one, again, newborn] = [await flies.load(run), await flies.load(run), await flies.newborn(7)];
  assert.ok(again.brain === one.brain && newborn.brain === one.brain);
  assert.deepEqual(
    await favourites(newborn, START_FEN),
    await favourites(await flies.newborn(7), START_FEN),
  );
  assert.notDeepEqual(newborn.readout.weight, (await flies.newborn(8)).readout.weight);
});
