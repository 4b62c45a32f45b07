/**
 * `deno task experiment NAME`: one question, its numbers and its picture.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { join } from "node:path";
import { nearestWord } from "flychess/common";
import { interruptSignal, ProgressBars } from "../cli/_progress.ts";
import { connectomeDigest, growModelFly, loadConnectome } from "flychess/connectome";
import { loadPositions, shippedPositions } from "flychess/data";
import { EXPERIMENTS } from "./_all.ts";
import { brainLabel, readScale } from "./making/brains.ts";
import { keyOf, makeFigure, readNumbers } from "./making/make_figure.ts";
import { otherInputs } from "./making/missing_inputs.ts";
import { FIGURES, keepFolder, QUICK_FIGURES } from "./making/plan.ts";

const HELP =
  `Usage: deno task experiment NAME [--connectome FILE] [--positions FILE] [--seed 1] [--quick] [--out FILE]

  --connectome FILE  a saved connectome; without it a model fly is grown, at --scale
  --scale S          the model fly's size (1; 1/32 with --quick)
  --positions FILE   from 'fly data prepare'; without it the positions that ship with flychess
  --seed N           decides every draw (1)
  --quick            fewer positions and repeats
  --keep FOLDER      where finished pieces are kept, so that a stopped run goes on (runs/experiments/NAME-DIGEST)
  --so-far           sums up what is finished and makes nothing new ('controls' and 'pattern_separation' can)
  --workers N        threads (one a core)
  --out FILE         numbers go to FILE.json, the picture to FILE.svg (figures/NAME_BRAIN, such as figures/steps_larva,
                     figures/steps_model_fly or, with --scale 1/8, figures/steps_model_fly_8; with --quick in
                     runs/figures_quick). Wanted where figures/ keeps it of another brain, other positions or another seed

Experiments:`;

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      connectome: { type: "string" },
      scale: { type: "string" },
      positions: { type: "string" },
      seed: { type: "string", default: "1" },
      quick: { type: "boolean", default: false },
      keep: { type: "string" },
      "so-far": { type: "boolean", default: false },
      workers: { type: "string" },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const [name = ""] = positionals;
  const load = EXPERIMENTS[name];
  if (!values.help && name !== "" && load === undefined) {
    const meant = nearestWord(name, Object.keys(EXPERIMENTS));
    console.error(
      `There is no experiment '${name}'.${meant === undefined ? "" : ` Did you mean '${meant}'?`} ` +
        "'deno task experiment --help' lists all.",
    );
    Deno.exit(2);
  }
  if (values.help || load === undefined) {
    const rows: string[] = [];
    for (const [each, open] of Object.entries(EXPERIMENTS)) {
      rows.push(`  ${each.padEnd(20)} ${(await open()).question}`);
    }
    console.log(`${HELP}\n${rows.join("\n")}`);
    Deno.exit(values.help ? 0 : 2);
  }
  const experiment = await load();
  const { quick } = values, seed = Number(values.seed);
  const scale = readScale(values.scale ?? (quick ? "1/32" : "1"));
  const connectome = values.connectome === undefined
    ? growModelFly({ scale, seed: 1 })
    : await loadConnectome(values.connectome);
  const refusal = experiment.refuses?.(connectome);
  if (refusal !== undefined) {
    console.error(`${name} makes no sense on ${connectome.name}: ${refusal}`);
    Deno.exit(1);
  }
  const positions = values.positions === undefined
    ? await shippedPositions()
    : await loadPositions(values.positions);
  const command = ["deno task experiment", ...Deno.args].join(" ");
  const label = brainLabel(values.connectome, quick ? 1 : scale), digest = connectomeDigest(connectome);
  const out = values.out ?? join(quick ? QUICK_FIGURES : FIGURES, `${name}_${label}`);
  if (values.out === undefined && !quick) {
    const kept = await readNumbers(`${out}.json`);
    const other = kept &&
      otherInputs(kept, keyOf(name, { connectome, positions, seed, quick }), connectome.name);
    if (other !== undefined) {
      console.error(`${out}, which pages cite, ${other}: give --out FILE to make it of these, elsewhere.`);
      Deno.exit(1);
    }
  }
  using bars = new ProgressBars();
  await makeFigure(name, experiment, {
    connectome,
    positions,
    seed,
    quick,
    keep: values.keep ??
      (quick ? join(QUICK_FIGURES, "keep", `${name}_${label}`) : keepFolder(name, digest)),
    soFar: values["so-far"],
    workers: values.workers === undefined ? undefined : Number(values.workers),
    command,
    out,
    signal: interruptSignal(),
    onProgress: bars.report,
  });
  bars[Symbol.dispose]();
  const kinds = ["json", "svg", ...experiment.page === undefined ? [] : ["html"]];
  console.log(`Wrote ${kinds.map((kind) => `${out}.${kind}`).join(", ").replace(/, ([^,]*)$/, " and $1")}.`);
}
