import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { FlyBrain, softplus } from "../../../lib/brain/mod.ts";
import { DataError, digest } from "../../../lib/common/mod.ts";
import { eyeFor } from "../../../lib/eye/mod.ts";
import { fitProbe } from "../../../lib/readout/mod.ts";
import {
  openRun,
  readCheckpoint,
  readLog,
  readRows,
  type StreamOptions,
  type StreamOutcome,
  streamRunConfig,
  trainRows,
  trainStream,
  wake,
} from "../../../lib/training/mod.ts";
import { StreamLearner } from "../../../lib/training/stream/_stream_learner.ts";
import { StreamOrder } from "../../../lib/training/stream/_stream_order.ts";
import { showForProbe } from "../../../lib/training/stream/_stream_probe.ts";
import { resolveStreamSettings } from "../../../lib/training/stream/stream_settings.ts";
import { PYTHON, requires } from "../../_requirements.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";
import { streamCase } from "../_stream_case.ts";

const { connectome, positions, options } = streamCase();

/** A run in a folder, from where it is. */
async function train(folder: string, changes: StreamOptions = {}): Promise<StreamOutcome | undefined> {
  const all = { ...options, ...changes };
  await using run = await openRun(folder, { ...streamRunConfig(all), inputs: {} });
  return await trainStream(run, connectome, positions, all);
}

/** The SHA-256 of a run's checkpoint: a megabyte that differs is nothing to look at. */
async function digestOf(folder: string): Promise<string> {
  return digest([await Deno.readFile(join(folder, "checkpoint.safetensors"))]);
}

/** The uninterrupted run of the case, made once. */
let whole: Promise<{ checkpoint: string; outcome: StreamOutcome }> | undefined;
function wholeRun(): NonNullable<typeof whole> {
  return whole ??= (async () => {
    using folder = new TemporaryFolder();
    const outcome = await train(folder.path);
    return {
      checkpoint: await digestOf(folder.path),
      outcome: outcome!,
    };
  })();
}

Deno.test("the stream never shows a held-out row, and every pass shows every row once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(99),
      (count, probed, batch, seed) => {
        const rows = Int32Array.from({ length: count }, (_, i) => 1000 + i);
        const order = new StreamOrder(rows, probed, seed);
        const fresh = count - (probed < count ? probed : 0);
        const places = fresh + 2 * count;
        const all = order.take(0, places);
        assert.deepEqual(all.slice(0, fresh).sort(), rows.slice(count - fresh));
        for (const start of [fresh, fresh + count]) {
          assert.deepEqual(all.slice(start, start + count).sort(), rows);
        }
        const again = new StreamOrder(rows, probed, seed);
        for (let start = 0; start + batch <= places; start += batch) {
          assert.deepEqual(again.take(start, batch), all.slice(start, start + batch));
        }
      },
    ),
  );
});

Deno.test("a stream stopped at every check ends with the same checkpoint, bit for bit", async () => {
  using folder = new TemporaryFolder();
  const stop = join(folder.path, "stop");
  let outcome: StreamOutcome | undefined, stops = 0;
  while (outcome === undefined) {
    outcome = await train(folder.path, {
      onCheck: ({ batch }) => {
        if (batch >= 60) return;
        stops++;
        Deno.writeTextFileSync(stop, "");
      },
    });
    if (outcome === undefined) Deno.removeSync(stop);
  }
  assert.equal(stops, 4);
  assert.deepEqual(
    await digestOf(folder.path),
    (await wholeRun()).checkpoint,
  );
  // Once more after its end, it only says the same again.
  const { readout, ...again } = (await train(folder.path))!,
    { readout: first, ...wanted } = (await wholeRun()).outcome;
  assert.deepEqual(again, wanted);
  assert.ok(readout.weight.every((value, i) => value === first.weight[i]));
});

Deno.test("an interrupted stream saves what it has learned", async () => {
  using folder = new TemporaryFolder();
  const interrupt = new AbortController();
  await assert.rejects(
    train(folder.path, {
      saveSeconds: 1000,
      signal: interrupt.signal,
      onCheck: ({ batch }) => batch === 30 && interrupt.abort(new Error("enough")),
    }),
    /enough/,
  );
  assert.equal(Reflect.get(Object((await readCheckpoint(folder.path))!.state), "batch"), 30);
  const checks = (await readLog(folder.path)).filter(({ event }) => event === "check");
  assert.deepEqual(checks.map(({ batch }) => batch), [0, 15, 30]);
  await train(folder.path, { saveSeconds: 1000 });
  assert.deepEqual(
    await digestOf(folder.path),
    (await wholeRun()).checkpoint,
  );
});

Deno.test("a stream stopped between two checks reports the same losses and gradients at the next", async () => {
  using folder = new TemporaryFolder();
  const few = { batches: 8, checkEvery: 8, snapshotEvery: 0 };
  const checksOf = async (name: string) =>
    (await readLog(join(folder.path, name))).filter(({ event }) => event === "check")
      .map(({ time: _, ...values }) => values);
  await train(join(folder.path, "whole"), few);
  const killed = join(folder.path, "killed");
  await train(killed, {
    ...few,
    onProgress: ({ task, done }) =>
      task === "learning" && done === 3 * 32 && Deno.writeTextFileSync(`${killed}/stop`, ""),
  });
  await Deno.remove(join(killed, "stop"));
  await train(killed, few);
  assert.equal((await checksOf("killed")).length, 2);
  assert.deepEqual(await checksOf("killed"), await checksOf("whole"));
});

Deno.test("the first step has size 0, as the schedule says, and the second one has not", async () => {
  using folder = new TemporaryFolder();
  const weights = async (batches: number) => {
    const { readout } =
      (await train(join(folder.path, `${batches}`), { batches, synapseStep: 0, neuronStep: 0 }))!;
    return digest([readout.weight]);
  };
  const probe = await weights(0);
  assert.equal(await weights(1), probe);
  assert.notEqual(await weights(2), probe);
});

Deno.test("minutes are turned into batches once, and finding out how many changes nothing that is learned", async () => {
  using folder = new TemporaryFolder();
  const minutes = { batches: undefined, minutes: 0.005, checkEvery: 1000 };
  let planned: number | undefined;
  const byTime = (await train(join(folder.path, "time"), {
    ...minutes,
    onPlan: ({ batches, secondsPerBatch }) => {
      planned = batches;
      assert.ok(secondsPerBatch! > 0);
    },
  }))!;
  const plan = JSON.parse(await Deno.readTextFile(join(folder.path, "time", "plan.json")));
  assert.equal(plan.batches, planned);
  const byNumber = (await train(join(folder.path, "number"), { batches: planned, checkEvery: 1000 }))!;
  assert.deepEqual(digest([byTime.readout.weight]), digest([byNumber.readout.weight]));
  const [a, b] = await Promise.all(["time", "number"].map(async (name) => {
    const { tensors } = (await readCheckpoint(join(folder.path, name)))!;
    return Object.entries(tensors).map(([tensor, { data }]) => `${tensor} ${digest([data])}`);
  }));
  assert.deepEqual(a, b);
  await train(join(folder.path, "time"), {
    ...minutes,
    onPlan: ({ batches, secondsPerBatch }) =>
      assert.deepEqual([batches, secondsPerBatch], [planned, undefined]),
  });
});

Deno.test("no minutes at all are the probe: the same readout as a probe by hand", async () => {
  using folder = new TemporaryFolder();
  const outcome = (await train(folder.path, { batches: undefined, minutes: 0 }))!;
  assert.equal(outcome.batches, 0);
  const eye = eyeFor(connectome, "larva");
  await using brain = await wake(connectome, eye, positions, options.brain);
  const rows = trainRows(positions).subarray(0, options.probe);
  const features = await readRows(brain, eye, positions, rows, { steps: options.steps });
  const { weight, bias } = await fitProbe(features, positions, rows, { seed: 1 });
  assert.equal(digest([outcome.readout.weight, outcome.readout.bias]), digest([weight, bias]));
  assert.deepEqual(outcome.scores, outcome.probe);
  assert.equal(outcome.againstProbe.loss.value, 0);
});

Deno.test("what is frozen stays as it is, and only what learns is in the checkpoint", async () => {
  using folder = new TemporaryFolder();
  const still = { readoutStep: 0, synapseStep: 0, neuronStep: 0, batches: 5, checkEvery: 5 };
  const { readout } = (await train(join(folder.path, "still"), still))!;
  const probe = (await train(join(folder.path, "probe"), { ...still, batches: 0 }))!;
  assert.equal(digest([readout.weight, readout.bias]), digest([probe.readout.weight, probe.readout.bias]));
  const named = async (name: string) => Object.keys((await readCheckpoint(join(folder.path, name)))!.tensors);
  assert.ok(!(await named("still")).some((each) => each.startsWith("brain.")));
  await train(join(folder.path, "neurons"), { ...still, neuronStep: 1e-3, brainOptimiser: "sgd" });
  assert.deepEqual((await named("neurons")).filter((each) => each.startsWith("brain.")).sort(), [
    "brain.bias",
    "brain.bias.first",
    "brain.gain",
    "brain.gain.first",
  ]);
});

Deno.test("the leash keeps every strength near the measured one, also after a stop", async () => {
  using folder = new TemporaryFolder();
  const leash = { synapseStep: 0.5, maxChange: 0.2, batches: 12, checkEvery: 6 };
  const stop = join(folder.path, "stop");
  await train(folder.path, {
    ...leash,
    onCheck: ({ batch }) => batch === 6 && Deno.writeTextFileSync(stop, ""),
  });
  await Deno.remove(stop);
  await train(folder.path, leash);
  const theta = (await readCheckpoint(folder.path))!.tensors["brain.theta"]!.data as Float64Array;
  await using brain = await FlyBrain.create(connectome, options.brain);
  let furthest = 0;
  theta.forEach((value, k) => {
    furthest = Math.max(furthest, Math.abs(softplus(value) / softplus(brain.theta[k]!) - 1));
  });
  assert.ok(furthest > 0.19 && furthest < 0.2001, `${furthest}`);
});

Deno.test("a learner gets better at a batch that it sees again and again: the readout alone, and the brain alone", async () => {
  const eye = eyeFor(connectome, "larva");
  const rows = trainRows(positions).subarray(0, 32);
  for (const step of [{ readoutStep: 0.01 }, { readoutStep: 0, synapseStep: 0.01, neuronStep: 0.01 }]) {
    await using brain = await wake(connectome, eye, positions, options.brain);
    const shown = trainRows(positions).subarray(0, 400);
    const features = await readRows(brain, eye, positions, shown, { steps: options.steps });
    const probe = await fitProbe(features, positions, shown);
    const settings = resolveStreamSettings({ ...options, synapseStep: 0, neuronStep: 0, ...step });
    const learner = new StreamLearner(brain, eye, positions, probe, settings);
    const losses: number[] = [];
    for (let i = 0; i < 12; i++) losses.push((await learner.learn(rows, 1)).policy);
    assert.ok(losses.at(-1)! < losses[0]! - 0.01, `${JSON.stringify(step)}: ${losses}`);
  }
});

Deno.test("what the probe was shown is kept in files, and a broken one is made again", async () => {
  using folder = new TemporaryFolder();
  const eye = eyeFor(connectome, "larva");
  await using brain = await wake(connectome, eye, positions, options.brain);
  const rows = trainRows(positions).subarray(0, 50);
  let shown = 0;
  const show = async () => {
    const source = await showForProbe(folder.path, brain, eye, positions, rows, {
      steps: [4],
      stop: () => Promise.resolve(false),
      onProgress: () => shown++,
    });
    const out = new Float32Array(rows.length * source!.columns);
    source!.batch(rows, out);
    return out;
  };
  const first = await show();
  assert.deepEqual([shown, await show(), shown], [1, first, 1]);
  await Deno.truncate(join(folder.path, "probe", "00000000.safetensors"), 100);
  assert.deepEqual(await show(), first);
  assert.equal(shown, 2);
});

Deno.test("the checkpoint of another kind of run, and too few positions, are refused", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, { ...streamRunConfig(options), inputs: {} });
    await run.save({ tensors: {}, metadata: {}, state: { day: 1 } });
  }
  await assert.rejects(train(folder.path), (error) => {
    assert.ok(error instanceof DataError);
    assert.match(error.message, /a streaming run's is wanted/);
    return true;
  });
  await assert.rejects(train(join(folder.path, "few"), { train: 100 }), /there are 100 training/);
  assert.throws(() => streamRunConfig({ batch: 0.5 }), RangeError);
  assert.throws(() => streamRunConfig({ synapseStep: -1 }), RangeError);
});

Deno.test(
  "numpy opens a run's checkpoint and finds strengths and readout in it",
  requires("python"),
  async () => {
    using folder = new TemporaryFolder();
    await train(folder.path, { batches: 2, checkEvery: 2 });
    const code = [
      "import json, struct, sys, numpy as np",
      "raw = open(sys.argv[1], 'rb').read()",
      "n = struct.unpack('<Q', raw[:8])[0]",
      "header = json.loads(raw[8:8 + n])",
      "meta = header.pop('__metadata__')",
      "kinds = {'F64': 'f8', 'F32': 'f4', 'U8': 'u1'}",
      "take = lambda e: np.frombuffer(raw[8 + n:][slice(*e['data_offsets'])], '<' + kinds[e['dtype']]).reshape(e['shape'])",
      "strength = np.log1p(np.exp(take(header['brain.theta'])))",
      "print(json.dumps([json.loads(meta['state'])['stage'], meta['about'][:15], list(take(header['readout.weight']).shape),",
      "  len(strength), bool((strength > 0).all())]))",
    ];
    const { stdout, success } = await new Deno.Command(PYTHON, {
      args: ["-c", code.join("\n"), join(folder.path, "checkpoint.safetensors")],
      stderr: "inherit",
    }).output();
    assert.ok(success);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [
      "done",
      "a streaming run",
      [connectome.output.length, 134],
      connectome.pre.length,
      true,
    ]);
  },
);
