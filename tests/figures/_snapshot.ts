import assert from "node:assert/strict";

/** Rounds the numbers of a drawing, so that another machine's last digit does not matter. */
function rounded(svg: string): string {
  return svg.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100));
}

/**
 * Compares a drawing with the file of that name beside the tests. A changed one is left there as
 * `NAME-changed.svg`, to be looked at and, if it is right, put in the file's place.
 */
export async function assertSnapshot(svg: string, name: string): Promise<void> {
  const file = new URL(`snapshots/${name}.svg`, import.meta.url);
  const changed = new URL(`snapshots/${name}-changed.svg`, import.meta.url);
  const kept = await Deno.readTextFile(file).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  });
  if (rounded(svg) === rounded(kept)) {
    await Deno.remove(changed).catch(() => {});
    return;
  }
  await Deno.mkdir(new URL("snapshots/", import.meta.url), { recursive: true });
  await Deno.writeTextFile(changed, svg);
  assert.fail(`the drawing differs from tests/figures/snapshots/${name}.svg; look at ${name}-changed.svg`);
}
