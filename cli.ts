/**
 * `deno task fly <command>`: the command line. Every command is one file under cli/; it is loaded only when it
 * is called, so that a small command starts fast.
 *
 * @module
 */
import { type Command, UsageError } from "./cli/_command.ts";
import { nearestWord } from "./lib/common/nearest_word.ts";

/** Every command by its words, with the file that does it. */
const COMMANDS: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  "connectome download": () => import("./cli/connectome_download.ts"),
  "connectome build": () => import("./cli/connectome_build.ts"),
  "connectome show": () => import("./cli/connectome_show.ts"),
  "connectome grow": () => import("./cli/connectome_grow.ts"),
  "data teacher": () => import("./cli/data_teacher.ts"),
  "data prepare": () => import("./cli/data_prepare.ts"),
  "data download": () => import("./cli/data_download.ts"),
  "data curriculum": () => import("./cli/data_curriculum.ts"),
  "data suite": () => import("./cli/data_suite.ts"),
  "cache enqueue": () => import("./cli/cache_enqueue.ts"),
  "cache worker": () => import("./cli/cache_worker.ts"),
  "cache gather": () => import("./cli/cache_gather.ts"),
  "train day": () => import("./cli/train_day.ts"),
  "runs": () => import("./cli/runs.ts"),
  "watch": () => import("./cli/watch.ts"),
  "probe": () => import("./cli/probe.ts"),
  "train": () => import("./cli/train.ts"),
  "train brain": () => import("./cli/train_brain.ts"),
  "train-bio": () => import("./cli/train_bio.ts"),
  "train cached": () => import("./cli/train_cached.ts"),
  "ladder": () => import("./cli/ladder.ts"),
  "match": () => import("./cli/match.ts"),
  "suite": () => import("./cli/suite.ts"),
  "uci": () => import("./cli/uci.ts"),
  "engines": () => import("./cli/engines.ts"),
  "demo": () => import("./cli/demo.ts"),
};

/** The commands of a group, such as those of `fly data`; all of them without one. */
async function list(group = ""): Promise<string> {
  const names = Object.keys(COMMANDS).filter((name) => group === "" || isIn(group, name));
  const loaded = await Promise.all(names.map((name) => COMMANDS[name]!()));
  const width = Math.max(...loaded.map(({ command }) => command.name.length));
  return loaded.map(({ command }) => `  ${command.name.padEnd(width)}  ${command.summary}`).join("\n");
}

function isIn(group: string, name: string): boolean {
  return name === group || name.startsWith(`${group} `);
}

const USAGE = "Usage: deno task fly <command> [options]";
const EACH_HELP = "'deno task fly <command> --help' tells how to use one.";

/** Says that there is no such command, and which ones there are where the first word is right. */
async function unknownCommand(args: readonly string[]): Promise<void> {
  const words = args.filter((word) => !word.startsWith("-"));
  const names = Object.keys(COMMANDS);
  const group = names.some((name) => name.startsWith(`${words[0]} `)) ? words[0]! : "";
  const written = group === "" ? words[0] ?? args[0]! : words.slice(0, 2).join(" ");
  if (written === group) {
    console.error(`Cannot run 'fly ${group}': a second word is wanted\n`);
  } else {
    const known = group === "" ? [...names, ...names.map((name) => name.split(" ")[0]!)] : names;
    const meant = nearestWord(words.slice(0, 2).join(" "), known) ?? nearestWord(written, known);
    console.error(
      `Cannot run 'fly ${args.join(" ")}': there is no such command` +
        (meant === undefined ? "" : `, did you mean '${meant}'?`) + (group === "" ? "" : "\n"),
    );
  }
  console.error(
    group === "" ? "'deno task fly --help' lists all commands." : `${await list(group)}\n\n${EACH_HELP}`,
  );
}

/** What went wrong, for somebody who has not read the code: the system's own words about files are terse. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const file = /'([^']+)'$/.exec(error.message)?.[1];
  if (file !== undefined && error instanceof Deno.errors.NotFound) {
    return `Cannot open ${file}: there is no such file or folder`;
  }
  if (file !== undefined && error instanceof Deno.errors.PermissionDenied) {
    return `Cannot open ${file}: the system does not allow it`;
  }
  return error.message;
}

/** Runs one command line and gives its exit status: 0 done, 1 failed, 2 not understood, 130 interrupted. */
export async function main(args: readonly string[]): Promise<number> {
  const found = Object.keys(COMMANDS).filter((name) => {
    const words = name.split(" ");
    return words.every((word, i) => args[i] === word);
  }).sort((a, b) => b.length - a.length)[0];
  const words = found?.split(" ") ?? [];
  const next = args[words.length];
  const help = args.includes("--help") || args.includes("-h");
  // 'fly train cahced' is no 'fly train' with a word too many.
  const inGroup = found !== undefined && next !== undefined && !next.startsWith("-") &&
    Object.keys(COMMANDS).some((name) => name.startsWith(`${found} `));
  if (found === undefined || inGroup) {
    const group = help && args.length === 2 ? args[0]! : "";
    if (args.length === 0 || ["help", "--help", "-h"].includes(args[0]!)) {
      console.log(`${USAGE}\n\n${await list()}\n\n${EACH_HELP}`);
      return 0;
    }
    if (Object.keys(COMMANDS).some((name) => group !== "" && isIn(group, name))) {
      console.log(`${USAGE}\n\n${await list(group)}\n\n${EACH_HELP}`);
      return 0;
    }
    await unknownCommand(args);
    return 2;
  }
  const { command } = await COMMANDS[found]!();
  const rest = args.slice(words.length);
  if (help) {
    console.log(command.help.trim());
    return 0;
  }
  try {
    await command.run(rest);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`Cannot run 'fly ${found}': ${error.message}`);
      console.error(`'deno task fly ${found} --help' tells how to use it.`);
      return 2;
    }
    if (error instanceof DOMException && error.name === "AbortError") {
      console.error(`Interrupted.${command.goesOn ? " The same command goes on from here." : ""}`);
      return 130;
    }
    if (Deno.env.get("FLYCHESS_DEBUG")) console.error(error);
    else console.error(inWords(error));
    return 1;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
