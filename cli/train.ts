import { connectomeDigest } from "../lib/connectome/mod.ts";
import { describeEye } from "../lib/eye/mod.ts";
import {
  type StreamCheck,
  type StreamOutcome,
  streamRunConfig,
  type StreamSettings,
  trainStream,
} from "../lib/training/mod.ts";
import {
  type Command,
  ENGINES,
  readEye,
  readName,
  readNumber,
  readOptions,
  readSeed,
  readSteps,
  readWord,
} from "./_command.ts";
import { CHANGE_HELP, CHANGE_OPTIONS, changesConfig, readChanges } from "./_connectome_changes.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { joinSteps } from "./_read_option.ts";
import { openTrainRun, stoppedAsAsked, trainInputs, unlessRefused } from "./_train_run.ts";
import { SCORES_LEGEND, scoresTable } from "./_scores.ts";

/** `fly train` */
export const command: Command = {
  name: "train",
  summary: "fit a readout, then let it and the brain learn from a stream of positions",
  goesOn: true,
  help: `
Usage: deno task fly train [options]

Calibrates the brain, fits a linear readout on its descending neurons as they are (the probe), then streams positions
past it for the minutes given; the readout learns and, where told to, so do the strengths of the brain's connections.
Now and then it says how it does on held-out positions (VAL) beside the blind baseline, which never looks at the board,
and at the end on others (HOLD), with intervals. Stopped or killed at any moment, the same command goes on where it was
and ends the same. 'touch runs/NAME/stop' ends it cleanly; 'fly runs' lists what there is.

What it learns from
  --connectome FILE  from 'fly connectome build' or 'fly connectome grow' (a model fly at scale 1/8, grown here)
  --positions FILE   from 'fly data prepare' (the positions that come with the library)
  --train N          training positions, from the front (all)
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
${CHANGE_HELP}
How long
  --minutes N        minutes of learning after the probe, turned into batches once, after the probe (25); 0: only the probe
  --batches N        that many batches instead
  --batch N          positions a batch (128)
  --probe N          positions of the probe (50000)
How it learns
  --readout-step N   step size of the readout (0.0003)
  --synapse-step N   step size of the connections' strengths (0: they stay as measured)
  --neuron-step N    step size of the neurons' gains and biases (0)
  --brain-opt NAME   adam or sgd, gradient descent with momentum 0.9: how the brain moves (adam); sgd wants larger steps, on
                     the larva 1 for neurons and 10 for synapses
  --max-change N     keeps every strength within this share of the measured one, for example 0.2 (no limit)
  --window N         brain steps that an error walks back (6)
  --read STEPS       brain steps whose mean is read, for example 9 10 11 12 (12, as in the reference; the larva that does
                     not learn says most at step 3); side by side they are read by 'fly train cached'
  --calm-unreached   neurons that no board reaches do not answer differences of rounding
  --engine NAME      wasm, webgpu, tensorflow, reference or auto (wasm)
  --seed N           seed of the order of positions and of the intervals (1)
What it keeps
  --name NAME        the run's folder, runs/NAME (train)
  --check-every N    batches between two checks on VAL (250)
  --snapshot-every N batches between two copies of the readout in runs/NAME/snapshots (0: none)
  --save-seconds N   seconds between two checkpoints (60)

Examples:
  deno task fly train --minutes 2
  deno task fly train --connectome data/larva.arrow --positions data/positions.arrow --name larva-leash \\
    --minutes 25 --neuron-step 1 --synapse-step 10 --brain-opt sgd --max-change 0.2 --calm-unreached`,

  async run(args) {
    const { values } = readOptions(joinSteps(args), {
      connectome: { type: "string" },
      positions: { type: "string" },
      train: { type: "string" },
      eye: { type: "string", default: "auto" },
      ...CHANGE_OPTIONS,
      minutes: { type: "string", default: "25" },
      batches: { type: "string" },
      batch: { type: "string", default: "128" },
      probe: { type: "string", default: "50000" },
      "readout-step": { type: "string", default: "0.0003" },
      "synapse-step": { type: "string", default: "0" },
      "neuron-step": { type: "string", default: "0" },
      "brain-opt": { type: "string", default: "adam" },
      "max-change": { type: "string" },
      window: { type: "string", default: "6" },
      read: { type: "string", default: "12" },
      "calm-unreached": { type: "boolean", default: false },
      engine: { type: "string", default: "wasm" },
      seed: { type: "string", default: "1" },
      name: { type: "string", default: "train" },
      "check-every": { type: "string", default: "250" },
      "snapshot-every": { type: "string", default: "0" },
      "save-seconds": { type: "string", default: "60" },
    });
    const name = readName(values.name);
    const brainOptimiser = readWord("brain-opt", values["brain-opt"], ["adam", "sgd"]);
    const engine = readWord("engine", values.engine, ENGINES);
    const whole = (option: "batch" | "probe" | "check-every" | "snapshot-every", least = 1) =>
      readNumber(option, values[option], { whole: true, least });
    const step = (option: "readout-step" | "synapse-step" | "neuron-step") =>
      readNumber(option, values[option], { least: 0 });
    const optional = (option: "train" | "batches", least: number) =>
      values[option] === undefined ? undefined : readNumber(option, values[option], { whole: true, least });
    const settings: StreamSettings = {
      eye: readEye(values.eye),
      steps: readSteps(values.read),
      calm: values["calm-unreached"],
      train: optional("train", 256),
      probe: whole("probe"),
      batch: whole("batch"),
      batches: optional("batches", 0),
      minutes: readNumber("minutes", values.minutes, { least: 0 }),
      readoutStep: step("readout-step"),
      synapseStep: step("synapse-step"),
      neuronStep: step("neuron-step"),
      brainOptimiser,
      maxChange: values["max-change"] === undefined
        ? undefined
        : readNumber("max-change", values["max-change"], { least: 1e-6, most: 0.999 }),
      window: readNumber("window", values.window, { whole: true, least: 1, most: 12 }),
      checkEvery: whole("check-every"),
      snapshotEvery: whole("snapshot-every", 0),
      seed: readSeed(values.seed),
    };
    const saveSeconds = readNumber("save-seconds", values["save-seconds"], { least: 0 });
    const changes = readChanges(values);
    const started = performance.now();

    using bars = new ProgressBars();
    const { connectome, positions } = await trainInputs(values, changes, { onProgress: bars.report });
    await using run = await openTrainRun(name, connectome, settings.eye!, {
      ...streamRunConfig(settings),
      engine,
      ...changesConfig(changes),
      inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
    });
    let checks = 0;
    const outcome = await unlessRefused(run, () =>
      trainStream(run, connectome, positions, {
        ...settings,
        brain: { engine },
        saveSeconds,
        signal: interruptSignal(),
        onProgress: bars.report,
        onPlan: ({ batches, secondsPerBatch }) => console.log(planned(batches, settings, secondsPerBatch)),
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
    const seconds = (performance.now() - started) / 1000;
    console.log(`\n${summary(connectome.name, outcome, settings)}`);
    console.log(
      `\nKept in ${run.folder}: readout.arrow, result.json, checkpoint.safetensors, log.jsonl. Done in ${
        duration(seconds)
      }.`,
    );
  },
};

const count = (value: number): string => value.toLocaleString("en-US");

function duration(seconds: number): string {
  return seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} minutes`;
}

function planned(
  batches: number,
  { batch = 128 }: StreamSettings,
  secondsPerBatch: number | undefined,
): string {
  if (batches === 0) return "Only the probe: nothing else is learned.";
  const text = `Learns from ${count(batches)} batches of ${count(batch)} positions, ${
    count(batches * batch)
  } in all`;
  if (secondsPerBatch === undefined) return `${text}.`;
  return `${text}, about ${duration(batches * secondsPerBatch)}: ${
    count(Math.round(batch / secondsPerBatch))
  } positions a second.`;
}

const CHECK_HEAD = "\n           training     ----- VAL -----              blind baseline\n" +
  "  batch        loss     loss   top-1    good      loss   top-1    good   step size";

function checkLine(check: StreamCheck): string {
  const share = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(7);
  return `${count(check.batch).padStart(7)}  ${(check.trainLoss?.toFixed(4) ?? "").padStart(10)}  ${
    check.valLoss.toFixed(4)
  } ${share(check.top1)} ${share(check.good)}    ${check.blindLoss.toFixed(4)} ${share(check.blindTop1)} ${
    share(check.blindGood)
  }   x ${check.factor.toFixed(3)}`;
}

function summary(name: string, outcome: StreamOutcome, { batch = 128 }: StreamSettings): string {
  const { eye, engine, batches, probed, judged, scores, blind, probe, againstBlind, againstProbe } = outcome;
  return [
    `${name}, ${eye.name} eye: a probe of ${count(probed)} positions, then ${count(batches * batch)} in ${
      count(batches)
    } batches; judged on ${count(judged.rows.length)} held-out positions (HOLD)`,
    describeEye(eye),
    `Engine: ${engine}`,
    "",
    scoresTable([
      ["blind", blind],
      ["probe", probe],
      ...batches === 0 ? [] : [[`after ${count(batches)} batches`, scores] as const],
      ["minus blind", againstBlind],
      ...batches === 0 ? [] : [["minus probe", againstProbe] as const],
    ]),
    "",
    SCORES_LEGEND,
  ].join("\n");
}
