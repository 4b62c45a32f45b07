import assert from "node:assert/strict";
import { join } from "node:path";
import { buildMaleCns, type ConnectomeIds, connectomeIds } from "../../lib/connectome/mod.ts";

/** The table in a folder whose name begins so. */
function findTable(folder: string, start: string): string {
  const found = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.startsWith(start) && name.endsWith(".feather"));
  assert.equal(found.length, 1, `${folder} has ${found.length} tables ${start}*.feather, one is wanted`);
  return join(folder, found[0]!);
}

/** The first difference of two JSON values, in words, or `undefined`. */
function difference(found: unknown, wanted: unknown, path: string): string | undefined {
  if (Object.is(found, wanted)) return undefined;
  const both = [found, wanted];
  if (both.some((value) => typeof value !== "object" || value === null)) {
    return `${path} is ${JSON.stringify(found)}, ${JSON.stringify(wanted)} is wanted`;
  }
  const [a, b] = both as [Record<string, unknown>, Record<string, unknown>];
  const keysFound = Object.keys(a);
  const extra = keysFound.find((key) => !Object.hasOwn(b, key));
  if (extra !== undefined) return `${path} has '${extra}', which is not wanted`;
  for (const key of Object.keys(b)) {
    if (!Object.hasOwn(a, key)) return `${path} lacks '${key}'`;
    const inside = difference(a[key], b[key], `${path}.${key}`);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/**
 * Builds the three tables in a folder and compares the result with `expected.json` in it, key by key.
 *
 * @throws {assert.AssertionError} At the first difference.
 */
export async function check(folder: string): Promise<void> {
  const wanted = JSON.parse(await Deno.readTextFile(join(folder, "expected.json"))) as Record<
    string,
    unknown
  >;
  const { connectome } = await buildMaleCns({
    annotations: findTable(folder, "body-annotations"),
    neurotransmitters: findTable(folder, "body-neurotransmitters"),
    weights: findTable(folder, "connectome-weights"),
  });
  const found: ConnectomeIds = connectomeIds(connectome);
  // A value may say what kind of file it is; that is not part of a build.
  const { kind: _kind, ...values } = wanted;
  for (const key of Object.keys(found)) assert.ok(key in values, `expected.json lacks '${key}'`);
  const problem = difference(found, values, "build");
  assert.equal(problem, undefined, problem);
}
