import { connectomeDigest } from "../lib/connectome/mod.ts";
import { describeEye } from "../lib/eye/mod.ts";
import {
  learnBrain,
  type LearnBrainCheck,
  type LearnBrainOutcome,
  learnBrainRunConfig,
  type LearnBrainSettings,
} from "../lib/training/mod.ts";
import {
  type Command,
  readEye,
  readName,
  readNumber,
  readOptions,
  readSeed,
  readSteps,
  readWord,
  UsageError,
} from "./_command.ts";
import { CHANGE_HELP, CHANGE_OPTIONS, changesConfig, readChanges } from "./_connectome_changes.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { openTrainRun, stoppedAsAsked, trainInputs, unlessRefused } from "./_train_run.ts";
import { SCORES_LEGEND, scoresTable } from "./_scores.ts";

/** `fly train brain` */
export const command: Command = {
  name: "train brain",
  summary: "train a whole brain with its readout, through its homeostasis",
  goesOn: true,
  help: `
Usage: deno task fly train brain [options]

Trains the strengths, gains and biases of a whole brain together with the linear readout on its descending neurons. Every
batch measures its own homeostasis and the error is walked back through that measuring, so that it is never out of date;
signs and wiring stay as measured. Now and then the brain is calibrated and judged on held-out positions (VAL), the best
is kept, and at the end it is judged on others (HOLD), beside the blind baseline. Stopped or killed at any moment, the
same command goes on where it was and ends the same. It runs on one core. Few steps are quick even in a large brain: only
what lies between eye and readout in so many steps is computed. 'fly match run:NAME random' plays with what came out.

What it learns from
  --connectome FILE  from 'fly connectome build' or 'fly connectome grow' (a model fly at scale 1/8, grown here)
  --positions FILE   from 'fly data prepare' (the positions that come with the library)
  --train N          training positions, from the front (all)
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
${CHANGE_HELP}
How long
  --passes N         times that every position is seen (5)
  --batches N        that many batches instead
  --batch N          positions a batch, a multiple of 32 (256)
How it learns
  --brain-steps N    steps of a think, all walked back through (4)
  --read STEPS       brain steps that are read, with commas between (the last)
  --side-by-side     the readout reads those steps side by side, not their mean
  --synapse-step N   step size of the connections' strengths (0.01)
  --neuron-step N    step size of the neurons' gains and biases (0.003)
  --readout-step N   step size of the readout (0.002); with the two above 0 it learns alone, the control
  --decay N          pull of strengths towards the measured ones and of the readout towards 0, a share of a step (0)
  --brain-opt NAME   how the brain descends: adam, or sgd with momentum 0.9 (adam)
  --max-change N     the leash: how far a strength may get from the measured one, as a share of it (0: none)
  --synapses-after N share of the batches in which synapses still wait, and gains, biases and readout go before (0)
  --gain N           every neuron's gain where learning begins (0.5)
  --bias N           every neuron's bias where learning begins (0.3)
  --leak N           how far a rate moves towards its target each step, up to 1 (0.5)
  --readout-decay N  the readout's pull where it is another (that of --decay)
  --dropout N        share of the rates read that is left out, drawn anew for every position (0)
  --dark N           share of the eye's lit cells that stay dark, drawn anew for every position (0)
  --value-weight N   what the value's error weighs beside the policy's (1)
  --echo N           what a linear guess of the eye's lit cells weighs while learning, so that the board comes through to
                     the neurons read (0: none)
  --average N        judge and keep a running average of what is learned, of which each batch leaves this share; 0.999 is
                     about the last 1,000 batches (0: none)
  --floor N          the smallest spread that homeostasis divides by (0.02)
  --seed N           seed of the order of positions and of the intervals (1)
What it keeps
  --name NAME        the run's folder, runs/NAME (brain)
  --check-every N    batches between two checks on VAL (250)
  --save-seconds N   seconds between two checkpoints (60)

Example:
  deno task fly train brain --connectome data/larva.arrow --positions data/positions.arrow --name larva-brain`,

  async run(args) {
    const { values } = readOptions(args, {
      connectome: { type: "string" },
      positions: { type: "string" },
      train: { type: "string" },
      eye: { type: "string", default: "auto" },
      ...CHANGE_OPTIONS,
      passes: { type: "string", default: "5" },
      batches: { type: "string" },
      batch: { type: "string", default: "256" },
      "brain-steps": { type: "string", default: "4" },
      read: { type: "string" },
      "side-by-side": { type: "boolean", default: false },
      "synapse-step": { type: "string", default: "0.01" },
      "neuron-step": { type: "string", default: "0.003" },
      "readout-step": { type: "string", default: "0.002" },
      decay: { type: "string", default: "0" },
      "brain-opt": { type: "string", default: "adam" },
      "max-change": { type: "string", default: "0" },
      "synapses-after": { type: "string", default: "0" },
      gain: { type: "string", default: "0.5" },
      bias: { type: "string", default: "0.3" },
      leak: { type: "string", default: "0.5" },
      "readout-decay": { type: "string" },
      dropout: { type: "string", default: "0" },
      dark: { type: "string", default: "0" },
      "value-weight": { type: "string", default: "1" },
      echo: { type: "string", default: "0" },
      average: { type: "string", default: "0" },
      floor: { type: "string", default: "0.02" },
      seed: { type: "string", default: "1" },
      name: { type: "string", default: "brain" },
      "check-every": { type: "string", default: "250" },
      "save-seconds": { type: "string", default: "60" },
    });
    const name = readName(values.name);
    const brainOpt = readWord("brain-opt", values["brain-opt"], ["adam", "sgd"]);
    const whole = (option: "batch" | "check-every" | "brain-steps") =>
      readNumber(option, values[option], { whole: true, least: 1 });
    const number = (
      option: "synapse-step" | "neuron-step" | "readout-step" | "decay" | "value-weight" | "echo",
    ) => readNumber(option, values[option], { least: 0 });
    const share = (option: "dropout" | "dark" | "average" | "max-change" | "synapses-after") =>
      readNumber(option, values[option], { least: 0, most: 0.99999 });
    const optional = (option: "train" | "batches", least: number) =>
      values[option] === undefined ? undefined : readNumber(option, values[option], { whole: true, least });
    const brainSteps = whole("brain-steps"), batch = whole("batch");
    if (batch % 32 !== 0) throw new UsageError(`--batch is ${batch}, a multiple of 32 is wanted`);
    const settings: LearnBrainSettings = {
      eye: readEye(values.eye),
      brainSteps,
      read: values.read === undefined ? undefined : readSteps(values.read, brainSteps),
      apart: values["side-by-side"],
      train: optional("train", 256),
      batch,
      batches: optional("batches", 1),
      passes: readNumber("passes", values.passes, { least: 1e-6 }),
      synapseStep: number("synapse-step"),
      neuronStep: number("neuron-step"),
      headStep: number("readout-step"),
      decay: number("decay"),
      headDecay: values["readout-decay"] === undefined
        ? undefined
        : readNumber("readout-decay", values["readout-decay"], { least: 0 }),
      brainOpt,
      maxChange: share("max-change"),
      synapsesAfter: share("synapses-after"),
      gain: readNumber("gain", values.gain, { least: 0 }),
      bias: readNumber("bias", values.bias),
      leak: readNumber("leak", values.leak, { least: 1e-6, most: 1 }),
      dropout: share("dropout"),
      dark: share("dark"),
      valueWeight: number("value-weight"),
      echo: number("echo"),
      average: share("average"),
      floor: readNumber("floor", values.floor, { least: 1e-6 }),
      checkEvery: whole("check-every"),
      seed: readSeed(values.seed),
    };
    const saveSeconds = readNumber("save-seconds", values["save-seconds"], { least: 0 });
    const changes = readChanges(values);
    const started = performance.now();

    using bars = new ProgressBars();
    const { connectome, positions } = await trainInputs(values, changes, { onProgress: bars.report });
    await using run = await openTrainRun(name, connectome, settings.eye!, {
      ...learnBrainRunConfig(settings),
      ...changesConfig(changes),
      inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
    });
    let checks = 0;
    const outcome = await unlessRefused(run, () =>
      learnBrain(run, connectome, positions, {
        ...settings,
        saveSeconds,
        signal: interruptSignal(),
        onProgress: bars.report,
        onCheck: (check) => {
          if (checks++ === 0) {
            bars.quiet();
            console.log(CHECK_HEAD);
          }
          console.log(checkLine(check));
        },
      }));
    bars[Symbol.dispose]();
    if (outcome === undefined) {
      console.log(stoppedAsAsked(run));
      return;
    }
    await using _brain = outcome.brain;
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(`\n${summary(connectome.name, outcome, batch)}`);
    console.log(
      `\nKept in ${run.folder}: brain.safetensors, readout.arrow, hold.safetensors, result.json, checkpoint.safetensors, log.jsonl. ` +
        `Done in ${minutes} minutes.`,
    );
  },
};

const count = (value: number): string => value.toLocaleString("en-US");

const CHECK_HEAD = "\n             training   ------ VAL ------\n" +
  "  positions      loss     loss   top-1    good";

function checkLine({ positions, trainLoss, loss, top1, good, best }: LearnBrainCheck): string {
  const share = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(7);
  return `${count(positions).padStart(11)}  ${trainLoss.toFixed(4).padStart(8)}  ${loss.toFixed(4)} ${
    share(top1)
  } ${share(good)}${best ? "  best" : ""}`;
}

function summary(name: string, outcome: LearnBrainOutcome, batch: number): string {
  const { eye, batches, bestBatch, judged, scores, blind, againstBlind } = outcome;
  return [
    `${name}, ${eye.name} eye: ${count(batches * batch)} positions in ${
      count(batches)
    } batches, best on VAL after ` +
    `${count(bestBatch)}; judged on ${count(judged.rows.length)} held-out positions (HOLD)`,
    describeEye(eye),
    "",
    scoresTable([["blind", blind], ["the brain that learned", scores], ["minus blind", againstBlind]]),
    "",
    SCORES_LEGEND,
  ].join("\n");
}
