/** An option that an engine has said it takes. */
export interface EngineOption {
  /** As the engine spells it. */
  readonly name: string;
  /** A whole number, yes or no, one of a list, text, or a button that takes no value. */
  readonly type: "spin" | "check" | "combo" | "string" | "button";
  /** Its value unless set, as the engine writes it. */
  readonly default?: string;
  /** The least value of a `spin`. */
  readonly min?: number;
  /** The greatest value of a `spin`. */
  readonly max?: number;
  /** The values of a `combo`. */
  readonly values?: readonly string[];
}

const TYPES = ["spin", "check", "combo", "string", "button"] as const;

/** Reads an `option name ... type ...` line of the UCI protocol; `undefined` if it is not one. */
export function parseOption(line: string): EngineOption | undefined {
  const match = /^option name (.+?) type (\w+)(?: (.*))?$/.exec(line);
  const type = TYPES.find((each) => each === match?.[2]);
  if (!match || type === undefined) return undefined;
  const words = (match[3] ?? "").split(
    / (?=(?:default|min|max|var)(?: |$))|^(?=(?:default|min|max|var)(?: |$))/,
  );
  const values: string[] = [];
  const found: { default?: string; min?: number; max?: number } = {};
  for (const word of words) {
    const space = word.indexOf(" ");
    const [key, value] = space < 0 ? [word, ""] : [word.slice(0, space), word.slice(space + 1)];
    if (key === "default") found.default = value === "<empty>" ? "" : value;
    else if ((key === "min" || key === "max") && value !== "") found[key] = Number(value);
    else if (key === "var") values.push(value);
  }
  return { name: match[1]!, type, ...found, ...(values.length > 0 ? { values } : {}) };
}

/**
 * The `setoption` line that gives an option a value.
 *
 * @throws {TypeError} If the value is the wrong kind for the option.
 * @throws {RangeError} If the value is outside what the engine allows.
 */
export function makeSetOption(option: EngineOption, value: string | number | boolean): string {
  const action = `Cannot set the engine's option ${option.name}`;
  const found = typeof value === "string" ? `'${value}'` : String(value);
  const line = (text: string) => `setoption name ${option.name} value ${text}`;
  switch (option.type) {
    case "spin": {
      if (typeof value !== "number") throw new TypeError(`${action}: ${found} is given, a number is wanted`);
      const { min = -Infinity, max = Infinity } = option;
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new RangeError(`${action}: ${found} is given, a whole number from ${min} to ${max} is wanted`);
      }
      return line(String(value));
    }
    case "check":
      if (typeof value !== "boolean") {
        throw new TypeError(`${action}: ${found} is given, true or false is wanted`);
      }
      return line(String(value));
    case "combo":
      if (typeof value !== "string") throw new TypeError(`${action}: ${found} is given, text is wanted`);
      if (!option.values?.includes(value)) {
        throw new RangeError(`${action}: ${found} is given, one of ${option.values?.join(", ")} is wanted`);
      }
      return line(value);
    case "string":
      if (typeof value !== "string") throw new TypeError(`${action}: ${found} is given, text is wanted`);
      // deno-lint-ignore no-control-regex -- a line break would start another command
      if (/[\x00-\x1f]/.test(value)) throw new RangeError(`${action}: the text holds a control character`);
      return line(value === "" ? "<empty>" : value);
    case "button":
      if (value !== true) throw new TypeError(`${action}: ${found} is given, true (press it) is wanted`);
      return `setoption name ${option.name}`;
  }
}
