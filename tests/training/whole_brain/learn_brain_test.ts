import assert from "node:assert/strict";
import { join } from "node:path";
import { softplus, wasmEngine } from "../../../lib/brain/mod.ts";
import { initialTheta } from "../../../lib/brain/strengths.ts";
import { DataError, digest } from "../../../lib/common/mod.ts";
import { drive } from "../../../lib/eye/mod.ts";
import { denseFeatures, judge, loadReadout } from "../../../lib/readout/mod.ts";
import {
  holdRows,
  learnBrain,
  type LearnBrainCheck,
  type LearnBrainOptions,
  type LearnBrainOutcome,
  learnBrainRunConfig,
  LEARNED_BRAIN,
  loadBrain,
  openRun,
  readCheckpoint,
  readLog,
} from "../../../lib/training/mod.ts";
import { randomConnectome } from "../../brain/_small_brains.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";
import { cachedCase } from "../_cached_case.ts";

const { connectome, positions } = cachedCase();
const options: LearnBrainOptions = {
  eye: "larva",
  brainSteps: 3,
  read: [2, 3],
  batch: 32,
  batches: 12,
  calibration: 64,
  checkEvery: 5,
  decay: 0.1,
  headDecay: 0.2,
  dropout: 0.1,
  dark: 0.1,
  valueWeight: 0.5,
  echo: 0.1,
  average: 0.8,
  brain: { engine: wasmEngine({ workers: 0 }) },
};

async function learn(folder: string, changes: LearnBrainOptions = {}) {
  const all = { ...options, ...changes };
  await using run = await openRun(folder, { ...learnBrainRunConfig(all), inputs: {} });
  const outcome = await learnBrain(run, connectome, positions, all);
  await outcome?.brain[Symbol.asyncDispose]();
  return outcome;
}

/** Digests of all that a run leaves behind. */
async function left(folder: string): Promise<string[]> {
  const names = ["checkpoint.safetensors", ...Object.values(LEARNED_BRAIN)];
  return await Promise.all(names.map(async (name) => digest([await Deno.readFile(join(folder, name))])));
}

Deno.test("`learnBrain()` ends with the same bits when it is stopped at every batch", async () => {
  using one = new TemporaryFolder();
  using other = new TemporaryFolder();
  const checks: LearnBrainCheck[] = [];
  const whole = await learn(one.path, { onCheck: (check) => checks.push(check) });
  assert.deepEqual(checks.map(({ batch }) => batch), [5, 10, 12]);
  assert.equal(whole?.batches, 12);
  let starts = 0, outcome: LearnBrainOutcome | undefined;
  while (outcome === undefined) {
    starts++;
    const controller = new AbortController();
    try {
      outcome = await learn(other.path, {
        signal: controller.signal,
        onProgress: ({ task }) => {
          if (task === "learning") controller.abort();
        },
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  }
  assert.equal(starts, 12 + 3 + 1, "once for every batch and check, and once to finish");
  assert.deepEqual(await left(other.path), await left(one.path));
  const checked = (await readLog(other.path)).filter(({ event }) => event === "check");
  assert.deepEqual(checked.map(({ valLoss }) => valLoss), checks.map(({ loss }) => loss));
  await using _run = await openRun(other.path, { ...learnBrainRunConfig(options), inputs: {} });
  await assert.rejects(
    openRun(other.path, { ...learnBrainRunConfig({ ...options, decay: 0 }), inputs: {} }),
    DataError,
  );
});

Deno.test("`loadBrain()` gives the brain that learned, which reads what was judged", async () => {
  using folder = new TemporaryFolder();
  const outcome = await learn(folder.path, { apart: true });
  const path = join(folder.path, LEARNED_BRAIN.brain);
  await using brain = await loadBrain(path, connectome, options.brain);
  assert.equal(brain.steps, 3);
  const { readout, metadata } = await loadReadout(join(folder.path, LEARNED_BRAIN.readout));
  assert.equal(metadata["read"], "each of steps 2, 3");
  const rows = holdRows(positions), outputs = connectome.output.length;
  const shown = drive(outcome!.eye, positions.board, { rows });
  const [two, three] = [await brain.read(shown, { steps: [2] }), await brain.read(shown, { steps: [3] })];
  const rates = new Float32Array(2 * two.length);
  for (let b = 0; b < rows.length; b++) {
    for (const [r, own] of [two, three].entries()) {
      rates.set(own.subarray(b * outputs, (b + 1) * outputs), (2 * b + r) * outputs);
    }
  }
  const judged = judge(readout, denseFeatures(rates, 2 * outputs, { rows }), positions, rows);
  assert.deepEqual(judged.loss, outcome!.judged.loss);
  await assert.rejects(loadBrain(path, randomConnectome(6, 3200, 12_000)), DataError);
  await assert.rejects(loadBrain(join(folder.path, LEARNED_BRAIN.result), connectome), DataError);
});

Deno.test("`learnBrain()` learns: random positions by heart, with signs and wiring as measured", async () => {
  using folder = new TemporaryFolder();
  const checks: LearnBrainCheck[] = [];
  const outcome = await learn(folder.path, {
    train: 64,
    batches: 60,
    checkEvery: 20,
    headStep: 0.02,
    onCheck: (check) => checks.push(check),
  });
  const [first, , last] = checks;
  assert.ok(last!.trainLoss < 0.7 * first!.trainLoss, `${first!.trainLoss} to ${last!.trainLoss}`);
  assert.equal(checks.findLast(({ best }) => best)?.batch, outcome?.bestBatch);
  const { tensors } = (await readCheckpoint(folder.path))!;
  assert.equal(tensors["theta"]?.data.length, connectome.pre.length);
});

Deno.test("with step sizes of 0 for the brain only its heads learn, from what the calibrated brain says", async () => {
  using folder = new TemporaryFolder();
  const checks: LearnBrainCheck[] = [];
  const only = { synapseStep: 0, neuronStep: 0, headStep: 0.02, batches: 40, train: 64, checkEvery: 20 };
  const { brain } = (await learn(folder.path, { ...only, onCheck: (check) => checks.push(check) }))!;
  assert.deepEqual(brain.theta, initialTheta(connectome));
  assert.ok(brain.gain.every((each) => each === brain.gain[0]));
  assert.ok(checks[1]!.trainLoss < checks[0]!.trainLoss);
});

Deno.test("decay pulls strengths towards the measured ones", async () => {
  const far = async (decay: number) => {
    using folder = new TemporaryFolder();
    const { brain } = (await learn(folder.path, { decay, synapseStep: 0.1, checkEvery: 12 }))!;
    const measured = initialTheta(connectome);
    return brain.theta.reduce((sum, each, k) => sum + Math.abs(each - measured[k]!), 0);
  };
  assert.ok(await far(5) < 0.9 * await far(0));
});

/** What was learned with the settings above and those below off, by the code from before they were there. */
const WAS = { strength: 16367.654981537855, loss: 2.777320615506755 };

const OFF = {
  headDecay: undefined,
  gain: 0.5,
  bias: 0.3,
  leak: 0.5,
  dropout: 0,
  dark: 0,
  valueWeight: 1,
  echo: 0,
  average: 0,
} as const;

Deno.test("what can be left off changes nothing where it is off, and something where it is on", async () => {
  const learned = async (changes: LearnBrainOptions) => {
    using folder = new TemporaryFolder();
    const { brain, judged } = (await learn(folder.path, { ...OFF, ...changes }))!;
    return [
      brain.theta.reduce((sum, each) => sum + Math.abs(each)),
      judged.loss.reduce((sum, each) => sum + each) / judged.loss.length,
    ] as const;
  };
  const [strength, loss] = await learned({});
  // As it was before there were such settings; sums were in another order then.
  assert.ok(
    Math.abs(strength - WAS.strength) < 1e-3 && Math.abs(loss - WAS.loss) < 1e-4,
    `${strength}, ${loss}`,
  );
  for (
    const changes of [
      { brainOpt: "sgd" as const },
      { maxChange: 0.01 },
      { synapsesAfter: 0.5 },
      { gain: 0.4 },
      { bias: 0.2 },
      { leak: 0.6 },
      { dropout: 0.1 },
      { dark: 0.1 },
      { valueWeight: 0.5 },
      { echo: 0.1 },
      { average: 0.8 },
    ]
  ) {
    assert.notEqual((await learned(changes))[0], strength, Object.keys(changes)[0]);
  }
});

Deno.test("a run's config names later settings only where they are used: a run from before goes on", () => {
  const before = learnBrainRunConfig({ decay: 0.1 });
  assert.deepEqual(learnBrainRunConfig({ ...OFF, decay: 0.1, headDecay: 0.1 }), before);
  assert.ok(!("dropout" in before || "headDecay" in before));
  const now = learnBrainRunConfig({ decay: 0.1, headDecay: 0, dark: 0.2, average: 0.9 });
  assert.deepEqual([now["headDecay"], now["dark"], now["average"]], [0, 0.2, 0.9]);
});

Deno.test("synapses that wait to the end stay as measured, and a leash keeps strengths near", async () => {
  const learned = async (changes: LearnBrainOptions) => {
    using folder = new TemporaryFolder();
    return (await learn(folder.path, { ...OFF, decay: 0, ...changes }))!.brain;
  };
  const waits = await learned({ synapsesAfter: 0.99 });
  assert.deepEqual(waits.theta, initialTheta(connectome));
  assert.ok(waits.gain.some((each) => each !== 0.5));
  const leashed = await learned({ synapseStep: 0.5, maxChange: 0.1 });
  const measured = initialTheta(connectome);
  const changes = leashed.theta.map((each, k) => Math.abs(softplus(each) / softplus(measured[k]!) - 1));
  assert.ok(changes.every((each) => each < 0.1 + 1e-5) && changes.some((each) => each > 0.05));
});

Deno.test("with all the weight on the policy no value is learned", async () => {
  using folder = new TemporaryFolder();
  const { readout } = (await learn(folder.path, { valueWeight: 0, average: 0 }))!;
  const columns = readout.bias.length;
  assert.equal(readout.bias[columns - 1], 0);
  assert.ok(readout.weight.every((each, i) => i % columns !== columns - 1 || each === 0));
  assert.ok(readout.weight.some((each) => each !== 0));
});

Deno.test("`learnBrain()` refuses settings out of range, and stops where it is told to", async () => {
  const wrong: LearnBrainOptions[] = [
    { batch: 0 },
    { brainSteps: 1.5 },
    { synapseStep: -0.1 },
    { headStep: -1 },
    { gain: -0.1 },
    { bias: NaN },
    { leak: 0 },
    { dropout: 1 },
    { dark: -0.1 },
    { valueWeight: -1 },
    { echo: -1 },
    { average: 1 },
    { passes: 0, batches: undefined },
  ];
  for (const each of wrong) assert.throws(() => learnBrainRunConfig({ ...options, ...each }), RangeError);
  using folder = new TemporaryFolder();
  await assert.rejects(learn(folder.path, { train: 31 }), RangeError);
  using other = new TemporaryFolder();
  await Deno.mkdir(other.path, { recursive: true });
  await Deno.writeTextFile(join(other.path, "stop"), "");
  assert.equal(await learn(other.path), undefined);
  await Deno.remove(join(other.path, "stop"));
  assert.equal((await learn(other.path))?.batches, 12);
});
