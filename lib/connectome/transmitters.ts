import { DataError, nearestWord } from "../common/mod.ts";

/** The transmitters that the MaleCNS tables name, and what a neuron that releases them does (reference, "The connectome"). */
export const TRANSMITTER_SIGNS: ReadonlyMap<string, 1 | -1> = new Map([
  ["acetylcholine", 1],
  ["gaba", -1],
  // Mostly through GluCl, an inhibitory channel, in flies.
  ["glutamate", -1],
  // Photoreceptors release it too, but excite here: nothing behind the eye would ever fire otherwise.
  ["histamine", -1],
  // Slow modulators: counted as exciting, a simplification.
  ["dopamine", 1],
  ["serotonin", 1],
  ["octopamine", 1],
]);

/** What other tables call them: FlyWire's ACH, GLUT, SER, DA and OCT, and what is usual in papers. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["ach", "acetylcholine"],
  ["cholinergic", "acetylcholine"],
  ["gabaergic", "gaba"],
  ["glu", "glutamate"],
  ["glut", "glutamate"],
  ["glutamatergic", "glutamate"],
  ["ha", "histamine"],
  ["hist", "histamine"],
  ["histaminergic", "histamine"],
  ["da", "dopamine"],
  ["dop", "dopamine"],
  ["dopaminergic", "dopamine"],
  ["5-ht", "serotonin"],
  ["5ht", "serotonin"],
  ["ser", "serotonin"],
  ["serotonergic", "serotonin"],
  ["oa", "octopamine"],
  ["oct", "octopamine"],
  ["octopaminergic", "octopamine"],
]);

/** Words that say nothing: MaleCNS writes `unclear` or leaves the cell empty, other tables one of these. */
const UNKNOWN: ReadonlySet<string> = new Set([
  "",
  "unclear",
  "unknown",
  "none",
  "null",
  "nan",
  "na",
  "n/a",
  "?",
]);

/**
 * The name that this library uses for a transmitter, whatever a table calls it: in lower case, synonyms brought to one word.
 *
 * @param transmitter For example `GABA`, `ACh` or `5-HT`.
 * @returns A key of `TRANSMITTER_SIGNS`; `undefined` if the word is none of them, nor a synonym.
 */
export function transmitterName(transmitter: string): string | undefined {
  const word = transmitter.trim().toLowerCase();
  return TRANSMITTER_SIGNS.has(word) ? word : SYNONYMS.get(word);
}

/**
 * What a neuron does to those it sends to: +1 excites, -1 inhibits.
 *
 * @param transmitter What it releases, in capitals or not, or a usual synonym (`ACh`, `GLUT`, `5-HT`). Where that is not
 * known (nothing, `unclear`, `unknown`, `NA`), it excites, like acetylcholine.
 * @param photoreceptor Whether it is a photoreceptor: they excite, whatever they release.
 * @throws {DataError} If there is no such transmitter: a slip must not turn a neuron round in silence.
 *
 * @example
 * ```ts
 * import { signOf } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(["GABA", "ACh", "unclear"].map((each) => signOf(each)), [-1, 1, 1]);
 * assert.throws(() => signOf("gabba"), /did you mean 'gaba'/);
 * ```
 */
export function signOf(transmitter: string, photoreceptor = false): 1 | -1 {
  if (photoreceptor) return 1;
  const name = transmitterName(transmitter);
  if (name !== undefined) return TRANSMITTER_SIGNS.get(name)!;
  if (UNKNOWN.has(transmitter.trim().toLowerCase())) return 1;
  const meant = nearestWord(transmitter.trim(), TRANSMITTER_SIGNS.keys());
  throw new DataError(
    `Cannot tell what a neuron does: its transmitter is '${transmitter}', ` +
      (meant === undefined ? "" : `did you mean '${meant}'? One of `) +
      `${[...TRANSMITTER_SIGNS.keys()].join(", ")} or a sign is wanted`,
  );
}
