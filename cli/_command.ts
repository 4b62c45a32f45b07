import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestWord } from "../lib/common/nearest_word.ts";
import type { EyeName } from "../lib/eye/mod.ts";

/** One command of `fly`: the words that call it, what it is for, and what it does. */
export interface Command {
  /** The words after `fly`, for example `connectome show`. */
  readonly name: string;
  /** What it does, in one line of the list of commands. */
  readonly summary: string;
  /** The text that `--help` prints: how to call it, its options with their defaults, an example. */
  readonly help: string;
  /** Whether the same command goes on where it was interrupted. */
  readonly goesOn?: boolean;
  /**
   * Does it.
   *
   * @param args The words after the name.
   * @throws {UsageError} If the words make no sense; any other error is printed as its message.
   */
  run(args: string[]): Promise<void>;
}

/** The command line makes no sense: the message is printed with a word about `--help`, and the exit status is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options that a command takes, as `node:util` names them. */
type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads a command's options; whatever `parseArgs` refuses becomes a `UsageError`.
 *
 * @param args The words after the command's name.
 * @param options What it takes.
 * @param positionals The words without a dash that it takes; more or fewer are a `UsageError`. If the last ends in
 * `...`, it stands for one or more.
 */
export function readOptions<const O extends Options>(
  args: string[],
  options: O,
  positionals: readonly string[] = [],
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>> {
  let parsed;
  try {
    parsed = parseArgs({ args: joinNegative(args, options), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(
      refusal(error instanceof Error ? error.message : String(error), Object.keys(options)),
    );
  }
  const many = positionals.at(-1)?.endsWith("...") ?? false;
  const { length } = parsed.positionals;
  if (many ? length < positionals.length : length !== positionals.length) {
    const wanted = positionals.length === 0 ? "no file or word" : positionals.join(" ");
    const found = parsed.positionals.length === 0 ? "nothing" : `'${parsed.positionals.join(" ")}'`;
    throw new UsageError(`found ${found} where ${wanted} is wanted`);
  }
  return parsed;
}

/** `--seed -1` as `--seed=-1`: what is wrong with a negative number is said by whoever reads it. */
function joinNegative(args: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const name = joined.at(-1)?.slice(2) ?? "";
    const takes = joined.at(-1)?.startsWith("--") && options[name]?.type === "string";
    if (takes && /^-\d/.test(word)) joined.push(`${joined.pop()}=${word}`);
    else joined.push(word);
  }
  return joined;
}

/** What `parseArgs` refuses, in this program's words. */
function refusal(message: string, options: readonly string[]): string {
  const unknown = /^Unknown option '(-+)([^'=]*)/.exec(message);
  if (unknown !== null) {
    const meant = nearestWord(unknown[2]!, options);
    return `there is no option '${unknown[1]}${unknown[2]}'` +
      (meant === undefined ? "" : `, did you mean '--${meant}'?`);
  }
  const bare = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (missing|is ambiguous)/.exec(message);
  if (bare !== null) return `${bare[1]} stands without a value, one is wanted`;
  const flag = /^Option '(?:-\w, )?(--[\w-]+)' does not take an argument/.exec(message);
  return flag !== null ? `${flag[1]} stands with a value, none is wanted` : message.split(". ")[0]!;
}

/** Words as they are read aloud: `a or b`, `one of a, b or c`. */
export function anyOf(words: readonly string[]): string {
  const [last, ...others] = [...words].reverse();
  if (others.length === 0) return last ?? "";
  return `${others.length > 1 ? "one of " : ""}${others.reverse().join(", ")} or ${last}`;
}

/**
 * One of a few words from the command line.
 *
 * @throws {UsageError} If it is another one.
 */
export function readWord<const Word extends string>(
  option: string,
  text: string | undefined,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  const meant = nearestWord(text ?? "", words);
  throw new UsageError(
    `--${option} is '${text}', ` +
      (meant === undefined ? "" : `did you mean '${meant}'? `) +
      capital(`${anyOf(words)} is wanted`, meant !== undefined),
  );
}

function capital(text: string, begins: boolean): string {
  return begins ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The eye's name from the command line. */
export function readEye(text: string): EyeName {
  return readWord("eye", text, ["fair", "first", "larva", "auto"]);
}

/**
 * A run's name from the command line.
 *
 * @throws {UsageError} If it cannot be a folder's name.
 */
export function readName(text: string): string {
  if (/^[\w.-]*[\w-][\w.-]*$/.test(text)) return text;
  throw new UsageError(`--name is '${text}', letters, digits, . - and _ are wanted`);
}

/** The engines that a brain can run on, by their names on the command line. */
export const ENGINES = ["wasm", "webgpu", "tensorflow", "reference", "auto"] as const;

/** A seed from the command line. */
export function readSeed(text: string, option = "seed"): number {
  return readNumber(option, text, { whole: true, least: 0, most: 0xffffffff });
}

/** Steps of the brain from the command line, with commas between. */
export function readSteps(text: string, most = 12): number[] {
  return text.split(",").map((step) => readNumber("read", step, { whole: true, least: 1, most }));
}

/**
 * A number from the command line.
 *
 * @throws {UsageError} If it is not a number within the limits.
 */
export function readNumber(
  option: string,
  text: string,
  limits: { whole?: boolean; least?: number; most?: number } = {},
): number {
  const fraction = /^(\d+)\/(\d+)$/.exec(text);
  const value = fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(text);
  const least = limits.least ?? -Infinity;
  const most = limits.most ?? Infinity;
  if (
    text.trim() === "" || !Number.isFinite(value) || value < least || value > most ||
    (limits.whole && !Number.isInteger(value))
  ) {
    const kind = limits.whole ? "a whole number" : "a number";
    const range = (Number.isFinite(least) ? ` of at least ${least}` : "") +
      (Number.isFinite(most) ? `${Number.isFinite(least) ? " and" : " of"} at most ${most}` : "");
    throw new UsageError(`--${option} is '${text}', ${kind}${range} is wanted`);
  }
  return value;
}
