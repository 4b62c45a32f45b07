/**
 * `deno task reproduce malecns`: everything of a measured brain, from nothing: downloads its tables, makes one file of
 * them, teaches it for so many minutes and makes its figures.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { reproduceSteps } from "./_reproduce_steps.ts";

const HELP = `Usage: deno task reproduce malecns [options]
       deno task reproduce larva [options]

Downloads the tables (MaleCNS v1.0: 566 MB, the larva: 3 MB), makes one brain file of them, lets a readout learn from
positions for so many minutes, and makes every figure that applies to this brain. It prints each command before it runs
it; each can be given alone. Stopped, the same command goes on; what is done is not done again.

  --minutes N         minutes of learning (60)
  --figure-minutes N  minutes for figures, 0 for none; the next call goes on with those that are left (no limit)
  --shards LIST       learns from shards of ChessBench, downloaded at 70 MB each, such as 0-5 (otherwise from
                      data/positions.arrow, or from the positions that ship with flychess)
  --only NAMES        these figures alone, with commas between
  --quick             figures in their short form, into runs/figures_quick
  --probe N           positions of the probe, before the brain learns (50000, or all)
  --train N           training positions, from the front (all)
  --data FOLDER       where tables and brains go (data)
  --from URL          a mirror of the tables
  --files FILE        other tables of the same kind, see 'fly connectome download --help'
  --list              prints the commands and does nothing
`;

/** Runs a program of the clone; gives its exit status. */
async function runStep(args: readonly string[]): Promise<number> {
  const [program, ...rest] = args;
  const file = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", file, ...rest],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  return code;
}

/** A step as a person types it. */
function typed(args: readonly string[]): string {
  const [program, ...rest] = args;
  const task = program === "cli.ts" ? "fly" : "figures";
  return `deno task ${task} ${rest.join(" ")}`;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: "string", default: "60" },
      "figure-minutes": { type: "string" },
      shards: { type: "string" },
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      probe: { type: "string" },
      train: { type: "string" },
      data: { type: "string", default: "data" },
      from: { type: "string" },
      files: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [brain] = positionals;
  if (values.help) {
    console.log(HELP);
    Deno.exit(0);
  }
  if (positionals.length !== 1 || brain !== "malecns" && brain !== "larva") {
    const found = positionals.length === 0
      ? "no brain is named"
      : positionals.length > 1
      ? `found '${positionals.join(" ")}'`
      : `there is no '${brain}'`;
    console.error(`Cannot reproduce: ${found}; malecns or larva is wanted`);
    console.error("'deno task reproduce --help' tells how to use it.");
    Deno.exit(2);
  }
  const number = (name: "minutes" | "figure-minutes" | "probe" | "train"): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!(Number(text) >= 0)) {
      console.error(`--${name} is '${text}', a number of at least 0 is wanted`);
      Deno.exit(2);
    }
    return Number(text);
  };
  const steps = await reproduceSteps({
    ...values,
    brain,
    minutes: number("minutes")!,
    figureMinutes: number("figure-minutes"),
    probe: number("probe"),
    train: number("train"),
  });
  for (const [i, { what, time }] of steps.entries()) console.log(`  ${i + 1}. ${what}: ${time}`);
  if (values.list) {
    for (const { args } of steps) console.log(`\n${typed(args)}`);
    Deno.exit(0);
  }
  for (const [i, step] of steps.entries()) {
    const name = `${i + 1}. ${step.what}`;
    if (await step.done?.()) {
      console.log(`\n${name}: was done`);
      continue;
    }
    console.log(`\n${name}\n$ ${typed(step.args)}`);
    const code = await runStep(step.args);
    if (code !== 0) {
      console.error(`\nStopped at '${step.what}' (status ${code}). The same command goes on from there.`);
      Deno.exit(code);
    }
  }
  console.log(`\nAll of ${brain} is done.`);
}
