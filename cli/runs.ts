import { join } from "node:path";
import { compareConfigs, listRuns, type RunSummary, summarizeRun } from "../lib/training/mod.ts";
import { type Command, readOptions } from "./_command.ts";
import { table } from "./_table.ts";

/** `fly runs` */
export const command: Command = {
  name: "runs",
  summary: "list the runs there are, or set some beside each other",
  help: `
Usage: deno task fly runs [NAME...] [options]

Without names it lists every run: what kind it is, how far, its lowest loss on VAL, and the numbers on HOLD that it ended
with. With names it sets those runs beside each other and says in which options they differ. It reads config.json and
log.jsonl and changes nothing; a run may be at work.

  --folder FOLDER  where runs are kept (runs)
  --json           print it as JSON

Example: deno task fly runs plain leash`,

  async run(args) {
    const names = args.filter((word, i) => !word.startsWith("-") && args[i - 1] !== "--folder");
    const { values } = readOptions(args.filter((word) => !names.includes(word)), {
      folder: { type: "string", default: "runs" },
      json: { type: "boolean", default: false },
    });
    const runs = names.length === 0 ? await listRuns(values.folder) : await Promise.all(
      names.map((name) => summarizeRun(name.includes("/") ? name : join(values.folder, name))),
    );
    if (values.json) {
      console.log(JSON.stringify(runs, null, 2));
      return;
    }
    if (runs.length === 0) {
      console.log(`There is no run in ${values.folder} yet: 'deno task fly train' makes one.`);
      return;
    }
    console.log(overview(runs));
    if (names.length > 1) console.log(`\n${differences(runs)}`);
  },
};

function overview(runs: readonly RunSummary[]): string {
  const share = (value: number | undefined) => value === undefined ? "" : `${(100 * value).toFixed(1)} %`;
  const text = table(
    ["run", "kind", "state", "began", "last said", "VAL loss", "HOLD loss", "top-1", "good moves"],
    runs.map(({ name, config, state, began, last, valLoss, hold }) => [
      name,
      config.kind,
      state,
      began?.slice(0, 16).replace("T", " ") ?? "",
      said(last),
      valLoss?.toFixed(4) ?? "",
      hold?.loss.toFixed(4) ?? "",
      share(hold?.top1),
      share(hold?.good),
    ]),
  );
  return `${text}\n\nVAL loss: the lowest during the run. A stopped run goes on with the command that began it.`;
}

function said(last: RunSummary["last"]): string {
  if (last === undefined) return "";
  const { event, batch, batches, pass } = last;
  const count = (value: unknown) => Number(value).toLocaleString("en-US");
  if (typeof batch === "number") return `${event} at batch ${count(batch)} of ${count(batches)}`;
  return typeof pass === "number" ? `${event} ${count(pass)}` : event;
}

function differences(runs: readonly RunSummary[]): string {
  const found = compareConfigs(runs.map(({ config }) => config));
  if (found.length === 0) return "They differ in no option.";
  const short = (text: string) => /^"[0-9a-f]{64}"$/.test(text) ? text.slice(1, 13) : text;
  const text = table(
    ["They differ in", ...runs.map(({ name }) => name)],
    found.map(({ field, values }) => [field, ...values.map(short)]),
  );
  return found.some(({ field }) => field === "inputs.positions")
    ? `${text}\n\nTheir positions differ: the losses above are of other positions and say nothing about each other.`
    : text;
}
