import { writeFileAtomic } from "../lib/common/mod.ts";
import { connectomeDigest, loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, shippedPositions } from "../lib/data/mod.ts";
import { describeEye } from "../lib/eye/mod.ts";
import { compareBrains, usualControls } from "../lib/training/mod.ts";
import {
  type Command,
  readEye,
  readNumber,
  readOptions,
  readSeed,
  readSteps,
  readWord,
  UsageError,
} from "./_command.ts";
import { COMPARISON_LEGEND, comparisonFigure, comparisonJson, comparisonTable } from "./_comparison.ts";
import { checkOutput } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";

/** `fly probe` */
export const command: Command = {
  name: "probe",
  summary: "fit a readout on a frozen brain and print it beside its controls",
  help: `
Usage: deno task fly probe --connectome FILE [options]

Calibrates the brain, shows it positions, fits a linear readout on its descending neurons and prints top-1, good
moves and held-out loss with 95 % intervals, beside the blind baseline, the photoreceptors read directly, the
silenced brain, shuffled wirings and the brain without its optic lobe.

  --connectome FILE  from 'fly connectome build' or 'fly connectome grow'
  --positions FILE   from 'fly data prepare' (the positions that come with the library)
  --train N          training positions to fit on (50000, the reference's probe)
  --fit probe|end    8 passes, or until the VAL loss stops falling (probe)
  --read STEPS       steps whose mean is read, with commas between (12)
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
  --shuffles N       how many shuffled brains (2)
  --seed N           seed of the shuffles, the readouts and the intervals (1)
  --json FILE        also write the numbers
  --figure FILE      also draw them (SVG)

Example: deno task fly probe --connectome data/larva.arrow --positions data/positions.arrow`,

  async run(args) {
    const { values } = readOptions(args, {
      connectome: { type: "string" },
      positions: { type: "string" },
      train: { type: "string", default: "50000" },
      fit: { type: "string", default: "probe" },
      read: { type: "string", default: "12" },
      eye: { type: "string", default: "auto" },
      shuffles: { type: "string", default: "2" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
      figure: { type: "string" },
    });
    if (!values.connectome) throw new UsageError("--connectome FILE is wanted");
    const eye = readEye(values.eye);
    const fit = readWord("fit", values.fit, ["probe", "end"]);
    const steps = readSteps(values.read);
    const train = readNumber("train", values.train, { whole: true, least: 256 });
    const shuffles = readNumber("shuffles", values.shuffles, { whole: true, least: 0, most: 1000 });
    const seed = readSeed(values.seed);
    for (const path of [values.json, values.figure]) if (path) await checkOutput(path);
    const started = performance.now();

    const connectome = await loadConnectome(values.connectome);
    using bars = new ProgressBars();
    const positions = values.positions === undefined
      ? await shippedPositions({ onProgress: bars.report })
      : await loadPositions(values.positions);
    const comparison = await compareBrains(connectome, positions, {
      signal: interruptSignal(),
      onProgress: bars.report,
      controls: usualControls(connectome, { shuffles, seed }),
      eye,
      train,
      steps,
      fit,
      seed,
    });
    await using _brain = comparison.brain;
    bars[Symbol.dispose]();

    const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
    const line = `${comparison.trained.toLocaleString("en-US")} positions, judged on ` +
      `${comparison.held.toLocaleString("en-US")} held-out ones`;
    console.log(`${connectome.name}, ${comparison.eye.name} eye, fitted on ${line}`);
    console.log(describeEye(comparison.eye) + "\n");
    console.log(comparisonTable(comparison, connectome.name));
    console.log(`\n${COMPARISON_LEGEND}\n\nDone in ${seconds} s.`);
    if (values.json) {
      const result = {
        command: `deno task fly probe ${args.join(" ")}`,
        subject: connectome.name,
        connectome: connectomeDigest(connectome),
        positions: positions.digest,
        trained: comparison.trained,
        held: comparison.held,
        brains: comparisonJson(comparison),
        seconds,
      };
      await writeFileAtomic(values.json, JSON.stringify(result, null, 2) + "\n");
    }
    if (values.figure) {
      const title = `${connectome.name} beside its controls`;
      await writeFileAtomic(
        values.figure,
        comparisonFigure(comparison, connectome.name, title, [`Fitted on ${line}.`]),
      );
    }
  },
};
