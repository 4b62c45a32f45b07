import type { Judged } from "flychess/readout";

/** Above every number of a game. */
const OWN_GAME = 0x4000_0000;

/**
 * Several judgements of the same rows, one after the other: a game that is drawn again then brings its positions of every
 * seed. A position of no game is a game of its own, with all its seeds.
 */
export function joinJudged(all: readonly Judged[]): Judged {
  const count = all.reduce((sum, { rows }) => sum + rows.length, 0);
  const joined = {
    rows: new Int32Array(count),
    top1: new Uint8Array(count),
    good: new Uint8Array(count),
    loss: new Float64Array(count),
    valueError: new Float64Array(count),
    game: new Int32Array(count),
  };
  let done = 0;
  for (const one of all) {
    joined.rows.set(one.rows, done);
    joined.top1.set(one.top1, done);
    joined.good.set(one.good, done);
    joined.loss.set(one.loss, done);
    joined.valueError.set(one.valueError, done);
    joined.game.set(one.game.map((game, i) => game < 0 ? OWN_GAME + one.rows[i]! : game), done);
    done += one.rows.length;
  }
  return joined;
}
