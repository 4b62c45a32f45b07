/**
 * `deno task figures`: remakes every figure that can be made of what is on disk, and skips what is up to date.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { interruptSignal, ProgressBars } from "../cli/_progress.ts";
import { EXPERIMENTS } from "./_all.ts";
import { missingBrains } from "./making/missing_inputs.ts";
import { FIGURES, isFigureName, planFigures, QUICK_FIGURES } from "./making/plan.ts";
import type { PlannedFigure } from "./making/planned_figure.ts";
import { timeInWords, timeOfAll, Times } from "./making/times.ts";

const HELP = `Usage: deno task figures [options]

Makes every figure that can be made of what is on disk, brain after brain, in the order of 'deno task experiment --help':
of the larva (data/larva.arrow) and MaleCNS (data/malecns.arrow) where they are there, of a model fly always; on the
positions of data/positions.arrow, or else on those that ship with flychess. What is up to date is left as it is: its
numbers are of this brain, these positions and this seed; its picture is drawn again. What figures/ keeps of a brain or
positions that are not here, or of another seed, is left as well, since pages cite it, and a figure that is missing there is
not made of other positions than its neighbours unless --only names it: --out makes them of what is here somewhere else,
--again in their place. Stopped, the same command goes on.

  --only NAMES      experiments or figures, with commas between: controls,blame_larva
  --brain NAMES     larva, model_fly, malecns
  --connectome FILE another saved connectome, and no other brain
  --positions FILE  other positions
  --quick           a model fly of scale 1/32, the positions that ship with flychess, few repeats; into runs/figures_quick
  --seed N          decides every draw (1)
  --data FOLDER     where brains and positions lie (data)
  --out FOLDER      where figures go (figures; runs/figures_quick with --quick)
  --minutes N       stops after so many
  --longest HOURS   leaves out what would take longer, unless --only names it (24)
  --list            prints what would be done, and does nothing
  --again           makes also what is up to date, and what figures/ keeps of other inputs
  --workers N       threads (one a core)
`;

/** Makes one figure; says whether it went well. */
async function makeOne(
  figure: PlannedFigure,
  { signal, times }: { readonly signal: AbortSignal; readonly times: Times },
): Promise<boolean> {
  const started = performance.now();
  using bars = new ProgressBars();
  try {
    await figure.make({ signal, onProgress: bars.report });
  } catch (error) {
    bars[Symbol.dispose]();
    if (signal.aborted) return false;
    console.error(`${figure.name}: ${error instanceof Error ? error.stack ?? error.message : error}`);
    return false;
  }
  bars[Symbol.dispose]();
  const seconds = (performance.now() - started) / 1000;
  if (figure.todo === "make") await times.keep(figure.name, seconds);
  console.log(`${figure.name}: ${figure.todo === "make" ? "made" : "drawn"} in ${timeInWords(seconds)}`);
  return true;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      brain: { type: "string" },
      connectome: { type: "string" },
      positions: { type: "string" },
      quick: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      data: { type: "string", default: "data" },
      out: { type: "string" },
      minutes: { type: "string" },
      longest: { type: "string" },
      list: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
      workers: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    Deno.exit(0);
  }
  const { quick } = values;
  const out = values.out ?? (quick ? QUICK_FIGURES : FIGURES);
  const only = values.only?.split(","), brains = values.brain?.split(",");
  const wrong = only?.find((name) => !isFigureName(name));
  if (wrong !== undefined) {
    console.error(`There is no experiment or figure '${wrong}'; 'deno task experiment --help' lists them.`);
    Deno.exit(2);
  }
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) {
    console.error(`--minutes is '${values.minutes}', a number above 0 is wanted`);
    Deno.exit(2);
  }
  const interrupt = interruptSignal();
  const signal = minutes === undefined
    ? interrupt
    : AbortSignal.any([interrupt, AbortSignal.timeout(minutes * 60_000)]);
  const missing = await missingBrains({
    ...values,
    only,
    brains,
    experiments: Object.keys(EXPERIMENTS),
  });
  for (const sentence of missing) console.error(sentence);
  if (missing.length > 0) Deno.exit(1);
  const times = await Times.open({ quick });
  const plan = await planFigures({
    quick,
    only,
    brains,
    connectome: values.connectome,
    positions: values.positions,
    seed: Number(values.seed),
    data: values.data,
    out,
    again: values.again,
    longest: values.longest === undefined ? undefined : Number(values.longest),
    workers: values.workers === undefined ? undefined : Number(values.workers),
  });
  const width = Math.max(0, ...plan.map(({ name }) => name.length));
  for (const { name, todo, why } of plan) {
    const time = todo === "make" ? times.of(name) : undefined;
    const what = { make: "to be made", draw: "to be drawn", none: "left" }[todo];
    console.log(
      `  ${name.padEnd(width)}  ${what.padEnd(11)}  ${why}${
        time === undefined ? "" : `; took ${timeInWords(time)}`
      }`,
    );
  }
  const left = plan.filter(({ todo }) => todo !== "none");
  const guess = timeOfAll(left, times);
  console.log(`\n${left.length} of ${plan.length} figures to do${guess === "" ? "" : `: ${guess}`}`);
  if (plan.some(({ kept }) => kept)) {
    console.log(
      `${out}/ keeps what pages cite: made of another brain, other positions or another seed, it is replaced only with --again.\n` +
        "Your own: 'deno task figures --quick' takes minutes, 'deno task figures --out runs/mine' makes all of what is here.\n" +
        "docs/figures.md says how to get the inputs of those that are kept.",
    );
  }
  if (values.list) Deno.exit(0);
  let failed = 0, done = 0;
  for (const figure of left) {
    if (signal.aborted) break;
    if (await makeOne(figure, { signal, times })) done++;
    else if (!signal.aborted) failed++;
  }
  if (signal.aborted) {
    console.log(`Stopped with ${left.length - done} left. The same command goes on from here.`);
    Deno.exit(interrupt.aborted ? 130 : failed === 0 ? 0 : 1);
  }
  const all = plan.some(({ kept }) => kept) ? "All that can be made of what is here" : `All in ${out}`;
  console.log(failed === 0 ? `${all} is up to date.` : `${failed} could not be made.`);
  Deno.exit(failed === 0 ? 0 : 1);
}
