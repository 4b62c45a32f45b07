/** Where two JSON values differ. */
export interface JsonDifference {
  /** The field, with dots between: `inputs.positions`. */
  readonly field: string;
  /** What stands in the first, as JSON; `nothing` where it has no such field. */
  readonly found: string;
  /** What stands in the second. */
  readonly wanted: string;
}

/** The first field in which two JSON values differ. The order of fields does not count. */
export function firstDifference(found: unknown, wanted: unknown, field = ""): JsonDifference | undefined {
  if (isObject(found) && isObject(wanted)) {
    for (const name of new Set([...Object.keys(found), ...Object.keys(wanted)])) {
      const inner = firstDifference(found[name], wanted[name], field === "" ? name : `${field}.${name}`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  const [a, b] = [found, wanted].map((value) => value === undefined ? "nothing" : JSON.stringify(value));
  return a === b ? undefined : { field, found: a!, wanted: b! };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
