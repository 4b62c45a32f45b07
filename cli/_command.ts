import { parseArgs, type ParseArgsConfig } from "node:util";

/** One command of `fly`: the words that call it, what it is for, and what it does. */
export interface Command {
  /** The words after `fly`, for example `connectome show`. */
  readonly name: string;
  /** What it does, in one line of the list of commands. */
  readonly summary: string;
  /** The text that `--help` prints: how to call it, its options with their defaults, an example. */
  readonly help: string;
  /**
   * Does it.
   *
   * @param args The words after the name.
   * @throws {UsageError} If the words make no sense; any other error is printed as its message.
   */
  run(args: string[]): Promise<void>;
}

/** The command line makes no sense: the message is printed with the command's usage and the exit status is 2. */
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
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split(". ")[0]! : String(error));
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
