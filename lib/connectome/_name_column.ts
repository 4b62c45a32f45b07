import { DataError } from "../common/mod.ts";
import type { NameColumn } from "./connectome.ts";

/** The most different names that a `NameColumn` can tell apart. */
const MOST_NAMES = 0x10000;

/**
 * Stores each name of a column once.
 *
 * @param what What the names are, for the error ("type").
 * @param texts The name of every neuron, `""` where unknown.
 */
export function nameColumn(what: string, texts: readonly string[]): NameColumn {
  const place = new Map<string, number>();
  const index = new Uint16Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    let at = place.get(text);
    if (at === undefined) {
      at = place.size;
      place.set(text, at);
    }
    // Past the limit the index wraps; the check below refuses the column.
    index[i] = at;
  }
  if (place.size > MOST_NAMES) {
    throw new DataError(
      `Cannot store the neurons' ${what}: there are ${place.size} different names, at most ${MOST_NAMES} are wanted`,
    );
  }
  return { names: [...place.keys()], index };
}
