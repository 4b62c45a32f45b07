/** Where two JSON values differ. */
export interface JsonDifference {
  /** The field, with dots between: `inputs.positions`. */
  readonly field: string;
  /** What stands in the first, as JSON; `nothing` where it has no such field. */
  readonly found: string;
  /** What stands in the second. */
  readonly wanted: string;
}

/** All fields in which two JSON values differ. The order of fields does not count. */
export function differences(found: unknown, wanted: unknown, field = ""): JsonDifference[] {
  if (isObject(found) && isObject(wanted)) {
    return [...new Set([...Object.keys(found), ...Object.keys(wanted)])].flatMap((name) =>
      differences(found[name], wanted[name], field === "" ? name : `${field}.${name}`)
    );
  }
  const [a, b] = [found, wanted].map((value) => value === undefined ? "nothing" : JSON.stringify(value));
  return a === b ? [] : [{ field, found: a!, wanted: b! }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
