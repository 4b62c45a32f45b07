import assert from "node:assert/strict";
import fc from "fast-check";
import { Random } from "flychess/common";
import {
  bootstrapLadder,
  expectedScore,
  fitLadder,
  moveAccuracy,
  type Pairing,
  performanceRating,
  rateLadder,
  verdict,
} from "flychess/rating";
import { PYTHON, requires } from "../_requirements.ts";

const anchor = { player: "a", rating: 1320 };

/** A ladder of five whose games are drawn by chance. */
function ladder(seed: number): Pairing[] {
  const random = new Random(seed);
  const names = ["a", "b", "c", "d", "e"];
  return names.flatMap((first, i) =>
    names.slice(i + 1).map((second) => {
      const wins = random.int(12);
      const draws = random.int(8);
      return { first, second, wins, draws, losses: random.int(12) };
    })
  ).filter((p) => p.wins + p.draws + p.losses > 0);
}

Deno.test("`performanceRating()` turns `expectedScore()` round", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 500, max: 3000 }), (points, opponent) => {
      const rating = performanceRating(points, 100, opponent);
      assert.ok(Math.abs(expectedScore(rating - opponent) - points / 100) < 1e-9);
    }),
  );
  assert.throws(() => performanceRating(21, 20, 1320), /21 points of 20 games/);
});

Deno.test("`verdict()` calls the engine's own move best whatever it costs", () => {
  assert.equal(verdict(0, -300, true), "best");
  assert.deepEqual(
    [0, -40, -80, -140, -400].map((cp) => verdict(0, cp, false)),
    ["good", "good", "inaccuracy", "mistake", "blunder"],
  );
  assert.equal(moveAccuracy(0, 50), 100);
});

Deno.test("`fitLadder()` does not care who is called first", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const pairings = ladder(seed);
      const turned = pairings.map(({ first, second, wins, draws, losses }) => ({
        first: second,
        second: first,
        wins: losses,
        draws,
        losses: wins,
      }));
      const one = fitLadder(pairings, { anchor });
      const other = fitLadder(turned, { anchor });
      for (const [player, rating] of one) assert.ok(Math.abs(rating - other.get(player)!) < 1e-6);
    }),
    { numRuns: 30 },
  );
});

Deno.test("`rateLadder()` puts every rating inside its interval, the anchor on its own", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      for (const { player, rating, low, high } of rateLadder(ladder(seed), { anchor }).players) {
        if (player === "a") assert.deepEqual([low, rating, high], [1320, 1320, 1320]);
        else assert.ok(low < rating && rating < high, `${player}: ${low} ${rating} ${high}`);
      }
    }),
    { numRuns: 20 },
  );
});

Deno.test("`rateLadder()` stays finite where somebody lost every game, and says how little that tells", () => {
  const { players } = rateLadder([{ first: "a", second: "b", wins: 20, draws: 0, losses: 0 }], { anchor });
  const loser = players.find(({ player }) => player === "b")!;
  assert.ok(Number.isFinite(loser.rating) && loser.rating < 800);
  assert.ok(loser.high < 1000);
  assert.ok(loser.low < 300);
});

Deno.test("`rateLadder()` is surer of drawn games than of the same score by wins and losses", () => {
  const width = (pairing: Pairing) => {
    const { low, high } = rateLadder([pairing], { anchor }).players.find(({ player }) => player === "b")!;
    return high - low;
  };
  const drawn = width({ first: "a", second: "b", wins: 2, draws: 36, losses: 2 });
  const decided = width({ first: "a", second: "b", wins: 20, draws: 0, losses: 20 });
  assert.ok(drawn < 0.6 * decided, `${drawn} against ${decided}`);
});

Deno.test("`rateLadder()` warns of a player whose score does not depend on its opponent", () => {
  const rungs = ["a", "b", "c", "d", "e"];
  const pairings = rungs.slice(1).map((second, k) => ({
    first: rungs[k]!,
    second,
    wins: 30,
    draws: 6,
    losses: 4,
  }));
  const flat = rungs.map((second) => ({ first: "flat", second, wins: 0, draws: 40, losses: 0 }));
  const { players } = rateLadder([...pairings, ...flat], { anchor });
  assert.equal(players.find(({ player }) => player === "flat")!.fitsBadly, true);
  assert.equal(players.find(({ player }) => player === "flat")!.drawRate, 1);
});

Deno.test("a ladder without games between its parts, or without its anchor, is refused by name", () => {
  const apart: Pairing[] = [
    { first: "a", second: "b", wins: 1, draws: 0, losses: 1 },
    { first: "c", second: "d", wins: 1, draws: 0, losses: 1 },
  ];
  assert.throws(() => rateLadder(apart, { anchor }), /c, d: no games join them/);
  assert.throws(() => fitLadder(apart, { anchor: { player: "x", rating: 0 } }), /anchor x has no games/);
});

Deno.test("`bootstrapLadder()` gives the same intervals for the same seed", () => {
  const pairings = ladder(3);
  const once = bootstrapLadder(pairings, { anchor, refits: 20, seed: 5 });
  assert.deepEqual(bootstrapLadder(pairings, { anchor, refits: 20, seed: 5 }), once);
  assert.notDeepEqual(bootstrapLadder(pairings, { anchor, refits: 20, seed: 6 }), once);
});

const SCIPY = `
import json, sys
import numpy as np
from scipy.optimize import minimize
p = json.load(sys.stdin)
names = sorted({n for m in p for n in (m["first"], m["second"])})
k = {n: i for i, n in enumerate(names)}
def loss(r):
    r = np.concatenate([[0.0], r])
    total = 0.0
    for m in p:
        games = m["wins"] + m["draws"] + m["losses"] + 1
        points = m["wins"] + m["draws"] / 2 + 0.5
        gap = (r[k[m["first"]]] - r[k[m["second"]]]) * np.log(10) / 400
        total += points * np.logaddexp(0, -gap) + (games - points) * np.logaddexp(0, gap)
    return total
best = minimize(loss, np.zeros(len(names) - 1), method="BFGS", options={"gtol": 1e-9})
print(json.dumps(dict(zip(names, np.concatenate([[0.0], best.x]).tolist()))))
`;

Deno.test({
  name: "`fitLadder()` agrees with SciPy on the same likelihood to 0.1 Elo",
  ...requires("scipy"),
  async fn() {
    const pairings = ladder(11);
    const python = new Deno.Command(PYTHON, {
      args: ["-c", SCIPY],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = python.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(pairings)));
    await writer.close();
    const { stdout } = await python.output();
    const wanted = JSON.parse(new TextDecoder().decode(stdout)) as Record<string, number>;
    for (const [player, rating] of fitLadder(pairings, { anchor })) {
      assert.ok(
        Math.abs(rating - 1320 - wanted[player]!) < 0.1,
        `${player}: ${rating - 1320}, ${wanted[player]}`,
      );
    }
  },
});
