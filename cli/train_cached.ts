import { join } from "node:path";
import type { Connectome } from "../lib/connectome/mod.ts";
import { connectomeDigest } from "../lib/connectome/mod.ts";
import { loadPositions } from "../lib/data/mod.ts";
import { describeEye } from "../lib/eye/mod.ts";
import type { Interval, Scores } from "../lib/readout/mod.ts";
import {
  CACHED_FIT,
  type CachedOutcome,
  cachedRunConfig,
  type CachedRunOptions,
  LONG_FIT,
  trainCached,
} from "../lib/training/mod.ts";
import { CHANGE_HELP, CHANGE_OPTIONS, changesConfig, readChanges } from "./_connectome_changes.ts";
import {
  type Command,
  readEye,
  readName,
  readNumber,
  readOptions,
  readSeed,
  readSteps,
  readWord,
} from "./_command.ts";
import { readEngine, readFitEngine } from "./_engine.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { joinSteps } from "./_read_option.ts";
import { openTrainRun, stoppedAsAsked, trainInputs, unlessRefused } from "./_train_run.ts";
import { table } from "./_table.ts";

/** `fly train cached` */
export const command: Command = {
  name: "train cached",
  summary: "run the brain once over all positions, keep its rates, and fit a readout on them to the end",
  goesOn: true,
  help: `
Usage: deno task fly train cached [options]

Shows every position to the brain once and keeps the rates of its descending neurons as bytes, then fits a linear
readout on them, pass after pass, with a step size that follows a cosine to 0, and judges it on held-out positions
(HOLD) beside the blind baseline. Stopped or killed at any moment, the same command goes on where it was and ends the
same. 'touch runs/NAME/stop' ends it after a pass.

  --connectome FILE  from 'fly connectome build' or 'fly connectome grow' (a model fly at scale 1/8, grown here)
  --positions FILE   from 'fly data prepare' (the positions that come with the library)
${CHANGE_HELP}
  --name NAME        the run's folder, runs/NAME (cached)
  --cache FOLDER     where the rates are kept (cache, in the run's folder)
  --train N          training positions to fit on, from the front (all)
  --read STEPS       brain steps whose mean is read, for example 2 3 4 (9 10 11 12, as in the reference; the larva says
                     most at step 3)
  --side-by-side     reads each of the steps on its own instead of their mean
  --penalty LIST     penalties to try on the weights, with commas between; VAL decides (0.01,0)
  --side-penalty LIST  the same for what steps side by side say beyond their mean (0.01,0.0001)
  --curriculum SHARE share of every batch that comes from the lessons in finishing (0.1, with their file)
  --curriculum-positions FILE  the lessons, from 'fly data curriculum'
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
  --engine NAME      wasm, webgpu, tensorflow, reference or auto (wasm)
  --precision NAME   of the wasm engine: float32, int16 or int8 (float32)
  --schedule NAME    cosine: so many passes, the step size at last 0; halving: after a pass that does not lower the
                     loss on other held-out positions (VAL) half the step, until four in a row do not (cosine)
  --batch N          positions a step (${LONG_FIT.batch}; ${CACHED_FIT.batch} with halving)
  --rate N           the first step size, or the largest (0.002)
  --fit-engine NAME  wasm or tensorflow: what multiplies in the fit; tensorflow, where 'deno task setup:tensorflow' has
                     linked it, is faster on processors with AVX-512 (wasm)
  --passes N         passes (${LONG_FIT.maxPasses}), or passes at most (${CACHED_FIT.maxPasses} with halving)
  --block-rows N     positions of a block of the cache (262144)
  --min-free-gb N    the oldest blocks go while the disk has less left than this (0)
  --max-cache-gb N   the oldest blocks go while the cache is larger than this (no limit)
  --seed N           seed of the order of positions and of the intervals (1)

Example: deno task fly train cached --connectome data/larva.arrow --positions data/positions.arrow --side-by-side`,

  async run(args) {
    const { values } = readOptions(joinSteps(args), {
      connectome: { type: "string" },
      positions: { type: "string" },
      ...CHANGE_OPTIONS,
      name: { type: "string", default: "cached" },
      cache: { type: "string" },
      train: { type: "string" },
      read: { type: "string", default: "9,10,11,12" },
      "side-by-side": { type: "boolean", default: false },
      penalty: { type: "string", default: "0.01,0" },
      "side-penalty": { type: "string", default: "0.01,0.0001" },
      curriculum: { type: "string", default: "0.1" },
      "curriculum-positions": { type: "string" },
      eye: { type: "string", default: "auto" },
      engine: { type: "string", default: "wasm" },
      precision: { type: "string", default: "float32" },
      schedule: { type: "string", default: LONG_FIT.schedule },
      batch: { type: "string" },
      rate: { type: "string", default: "0.002" },
      passes: { type: "string" },
      "fit-engine": { type: "string", default: "wasm" },
      "block-rows": { type: "string" },
      "min-free-gb": { type: "string" },
      "max-cache-gb": { type: "string" },
      seed: { type: "string", default: "1" },
    });
    const name = readName(values.name);
    const list = (option: "penalty" | "side-penalty") =>
      values[option].split(",").map((each) => readNumber(option, each, { least: 0 }));
    const optional = (option: "min-free-gb" | "max-cache-gb") =>
      values[option] === undefined ? undefined : readNumber(option, values[option], { least: 0 });
    const schedule = readWord("schedule", values.schedule, ["cosine", "halving"]);
    const usual = schedule === "cosine" ? LONG_FIT : CACHED_FIT;
    const whole = (option: "batch" | "passes", usual: number) =>
      values[option] === undefined ? usual : readNumber(option, values[option], { whole: true, least: 1 });
    const lessons = values["curriculum-positions"];
    const engine = readEngine(values);
    const asked: CachedRunOptions = {
      eye: readEye(values.eye),
      steps: readSteps(values.read),
      sideBySide: values["side-by-side"],
      decays: list("penalty"),
      contrastDecays: list("side-penalty"),
      curriculumShare: readNumber("curriculum", values.curriculum, { least: 0, most: 0.9 }),
      train: values.train === undefined
        ? undefined
        : readNumber("train", values.train, { whole: true, least: 256 }),
      seed: readSeed(values.seed),
      fit: {
        schedule,
        batch: whole("batch", usual.batch),
        maxPasses: whole("passes", usual.maxPasses),
        rate: readNumber("rate", values.rate, { least: 1e-9 }),
        engine: readFitEngine(values["fit-engine"]),
      },
      cacheFolder: values.cache,
      blockRows: values["block-rows"] === undefined
        ? undefined
        : readNumber("block-rows", values["block-rows"], { whole: true, least: 1 }),
      minFreeGb: optional("min-free-gb"),
      maxCacheGb: optional("max-cache-gb"),
      brain: { engine },
    };
    const changes = readChanges(values);
    const started = performance.now();

    using bars = new ProgressBars();
    const { connectome, positions } = await trainInputs(values, changes, { onProgress: bars.report });
    const curriculum = lessons === undefined ? undefined : await loadPositions(lessons);
    const options: CachedRunOptions = { ...asked, curriculum };
    await using run = await openTrainRun(name, connectome, asked.eye!, {
      ...cachedRunConfig(options),
      kind: "cached",
      seed: options.seed ?? 1,
      engine: `${values.engine} ${values.precision}`,
      ...changesConfig(changes),
      inputs: {
        connectome: connectomeDigest(connectome),
        positions: positions.digest,
        ...(curriculum === undefined ? {} : { curriculum: curriculum.digest }),
      },
    });
    let fit = "";
    const outcome = await unlessRefused(run, () =>
      trainCached(run, connectome, positions, {
        ...options,
        signal: interruptSignal(),
        onProgress: bars.report,
        onRetire: ({ file, rows, reason }) =>
          console.log(`retired ${file}, ${rows.toLocaleString("en-US")} positions: ${reason}`),
        onPass: (of, { pass, rate, trainLoss, valLoss, bestLoss }, blindLoss) => {
          if (of !== fit) {
            fit = of;
            bars.quiet();
            console.log(
              `\n${fitTitle(of, options.steps!)}\n  pass      step  training loss  VAL loss  against blind`,
            );
          }
          const against = valLoss - blindLoss;
          console.log(
            `  ${String(pass).padStart(4)}  ${rate.toExponential(1).padStart(8)}  ${
              trainLoss.toFixed(4).padStart(13)
            }  ${valLoss.toFixed(4).padStart(8)}  ${signed(against).padStart(13)}${
              valLoss === bestLoss ? "  best" : ""
            }`,
          );
        },
      }));
    bars[Symbol.dispose]();
    if (outcome === undefined) {
      console.log(stoppedAsAsked(run));
      return;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `\n${summary(connectome, outcome, options.steps!)}\n\nKept in ${
        join(run.folder, "readout.arrow")
      }. Done in ${seconds} s.`,
    );
  },
};

/** What a fit reads: `mean of steps 9 to 12, penalty 0.01`. */
function fitTitle(fit: string, steps: readonly number[]): string {
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const row = steps.length > 2 && last - first + 1 === steps.length;
  const which = row ? `${first} to ${last}` : steps.join(", ");
  return fit
    .replace(/^mean/, steps.length === 1 ? `step ${which}` : `mean of steps ${which}`)
    .replace(/^side by side/, `steps ${which}, side by side`);
}

const signed = (value: number): string => (value < 0 ? "" : "+") + value.toFixed(4);

function summary(
  connectome: Connectome,
  outcome: CachedOutcome,
  steps: readonly number[],
): string {
  const { eye, engine, trained, judged, scores, blind, againstBlind, curriculum, chosen, fits } = outcome;
  // A fit starts from the blind baseline; its loss there is the same but for rounding.
  const beaten = (valLoss: number) => valLoss < outcome.blindValLoss - 1e-6;
  const blindly = fits.every(({ valLoss }) => !beaten(valLoss));
  const held = judged.rows.length.toLocaleString("en-US");
  const percent = ({ value, low, high }: Interval) =>
    `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
  const nats = ({ value, low, high }: Interval) =>
    `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  const line = (
    name: string,
    { top1, good, loss }: Scores,
  ) => [name, percent(top1), percent(good), nats(loss)];
  const rows = [line("blind", blind), line(connectome.name, scores), line("difference", againstBlind)];
  return [
    `${connectome.name}, ${eye.name} eye, fitted on ${
      trained.toLocaleString("en-US")
    } positions, judged on ` +
    `${held} held-out ones (HOLD)`,
    describeEye(eye),
    `Engine: ${engine}`,
    ...fits.length > 1
      ? [
        "",
        ...fits.map(({ name, valLoss, passes }) =>
          `${fitTitle(name, steps)}: ` +
          (beaten(valLoss)
            ? `VAL loss ${valLoss.toFixed(4)}`
            : "on VAL never better than the blind baseline") +
          `, ${passes} passes`
        ),
      ]
      : [],
    blindly
      ? "Kept: the blind baseline, which no fit was better than on VAL after any pass"
      : `Kept: ${fitTitle(chosen, steps)}`,
    "",
    table(["", "top-1", "good moves", "loss"], rows),
    ...curriculum === undefined
      ? []
      : ["", `Fastest wins in the curriculum's held-out positions: ${percent(curriculum.top1)}`],
    "",
    "In brackets: 95 % intervals, games drawn again. A good move is within 1 percent point of the teacher's best.",
  ].join("\n");
}
