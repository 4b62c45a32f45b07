import assert from "node:assert/strict";
import fc from "fast-check";
import { nearestWord } from "../../lib/common/mod.ts";

Deno.test("a word with two slips is found, one with three is not", () => {
  for (const slip of ["demo", "Demo", "demmo", "dem", "dmeo", "damo", "edmo", "deom1"]) {
    assert.equal(nearestWord(slip, ["train", "demo", "match"]), "demo", slip);
  }
  for (const other of ["dxxxo", "", "x", "de mo to", "mat"]) {
    assert.notEqual(nearestWord(other, ["train", "demo", "match"]), "demo", other);
  }
  assert.equal(nearestWord("xy", ["ab"]), undefined, "a word that shares no letter is not meant");
});

Deno.test("of several words the nearest is taken", () => {
  assert.equal(nearestWord("cahced", ["cached2", "cached", "ached"]), "cached");
  fc.assert(fc.property(fc.string({ minLength: 1 }), fc.array(fc.string()), (word, words) => {
    assert.equal(nearestWord(word, [...words, word])?.toLowerCase(), word.toLowerCase());
  }));
});
