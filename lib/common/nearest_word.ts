/**
 * The word that somebody may have meant: the nearest one of a list, if it is near enough.
 *
 * Near is told by the edit distance of Damerau and Levenshtein (optimal string alignment): letters to put in, to leave out,
 * to change, or to swap with their neighbour. Capitals do not count. Of equally near words the first is taken.
 *
 * @param word What was written.
 * @param words What there is.
 * @param most The largest distance that still counts; never as large as the word is long.
 * @returns `undefined` if none is near.
 *
 * @example A misspelt command
 * ```ts
 * import { nearestWord } from "flychess/common";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nearestWord("dmeo", ["train", "demo"]), "demo");
 * assert.equal(nearestWord("chess", ["train", "demo"]), undefined);
 * ```
 */
export function nearestWord(word: string, words: Iterable<string>, most = 2): string | undefined {
  let nearest: string | undefined;
  let least = Math.min(most, word.length - 1) + 1;
  for (const each of words) {
    const far = distance(word.toLowerCase(), each.toLowerCase());
    if (far >= least) continue;
    least = far;
    nearest = each;
  }
  return nearest;
}

function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
      }
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
