import { Random } from "flychess/common";
import { expectedScore, nextPairing, type Pairing, rateLadder } from "flychess/rating";

/** True ratings of a simulated ladder, the anchor first. */
export interface Truth {
  readonly name: string;
  readonly ratings: readonly number[];
  /** Pairs that play, by number. */
  readonly pairs: readonly (readonly [number, number])[];
}

/** Counts of a pairing's games. */
export interface Counts {
  wins: number;
  draws: number;
  losses: number;
}

/**
 * Games between two players by chance: the expected score is Elo's, and draws are as many as asked for where the players are
 * even.
 *
 * @param gap How much higher the first is rated.
 * @param share Of the draws that the expected score allows.
 */
export function playByChance(random: Random, gap: number, share: number, games: number): Counts {
  const expected = expectedScore(gap);
  const draw = share * 2 * Math.min(expected, 1 - expected);
  const win = expected - draw / 2;
  const count = { wins: 0, draws: 0, losses: 0 };
  for (let g = 0; g < games; g++) {
    const at = random.float();
    count[at < win ? "wins" : at < win + draw ? "draws" : "losses"]++;
  }
  return count;
}

/** How sure the flies' ratings are after so many games, played evenly or where they tell most. */
export interface PlanQuality {
  /** Games of the whole ladder. */
  readonly games: number;
  /** Square root of the mean squared error of the flies' ratings, Elo. */
  readonly error: { readonly even: number; readonly adaptive: number };
  /** Median width of their intervals, Elo. */
  readonly width: { readonly even: number; readonly adaptive: number };
  /** Share of their intervals that hold the truth. */
  readonly coverage: { readonly even: number; readonly adaptive: number };
}

/** What choosing pairings saves. */
export interface AdaptiveSetting {
  readonly gaps: string;
  readonly draws: string;
  readonly ladders: number;
  readonly plans: readonly PlanQuality[];
  /** Share of the even plan's games that the adaptive one does without for the same width of intervals. */
  readonly saving: number;
}

/** Games a pairing of the even plans. */
const EVEN = [4, 6, 8, 12, 16, 20];
/** As `fly ladder --adaptive` plays. */
const FIRST_GAMES = 2, NEXT_GAMES = 4;

const round = (value: number, digits = 1) => Number(value.toFixed(digits));

interface Found {
  readonly off: number[];
  readonly widths: number[];
  covered: number;
}

/** Plays ladders both ways. The flies are the players behind the rungs: their ratings are wanted. */
export function adaptiveLadders(
  truth: Truth,
  { name, share }: { readonly name: string; readonly share: number },
  { rungs, ladders, seed }: { readonly rungs: number; readonly ladders: number; readonly seed: number },
): AdaptiveSetting {
  const { ratings, pairs } = truth;
  const flies = ratings.map((_, k) => k).slice(rungs);
  const anchor = { player: "0", rating: ratings[0]! };
  const budgets = EVEN.map((games) => games * pairs.length);
  const empty = () => budgets.map((): Found => ({ off: [], widths: [], covered: 0 }));
  const found = { even: empty(), adaptive: empty() };
  const note = (into: Found, sums: readonly Counts[]) => {
    const { players } = rateLadder(pairingsOf(pairs, sums), { anchor });
    for (const fly of flies) {
      const { rating, low, high } = players.find(({ player }) => player === `${fly}`)!;
      into.off.push(rating - ratings[fly]!);
      into.widths.push(high - low);
      into.covered += Number(low <= ratings[fly]! && ratings[fly]! <= high);
    }
  };
  const random = new Random(seed, `adaptive, ${truth.name}, ${name}`);
  const games = (pair: number, count: number) => {
    const [i, j] = pairs[pair]!;
    return playByChance(random, ratings[i]! - ratings[j]!, share, count);
  };
  for (let ladder = 0; ladder < ladders; ladder++) {
    const even = pairs.map(() => ({ wins: 0, draws: 0, losses: 0 }));
    let played = 0;
    EVEN.forEach((count, k) => {
      even.forEach((sum, pair) => add(sum, games(pair, count - played)));
      played = count;
      note(found.even[k]!, even);
    });
    const chosen = pairs.map((_, pair) => games(pair, FIRST_GAMES));
    let spent = FIRST_GAMES * pairs.length;
    budgets.forEach((budget, k) => {
      while (spent + NEXT_GAMES <= budget) {
        const [next] = nextPairing(pairingsOf(pairs, chosen), {
          anchor,
          candidates: pairs.map(([i, j]) => [`${i}`, `${j}`] as const),
          games: NEXT_GAMES,
          of: flies.map(String),
        });
        const pair = pairs.findIndex(([i, j]) => `${i}` === next!.first && `${j}` === next!.second);
        add(chosen[pair]!, games(pair, NEXT_GAMES));
        spent += NEXT_GAMES;
      }
      note(found.adaptive[k]!, chosen);
    });
  }
  const both = <T>(of: (found: Found) => T, k: number) => ({
    even: of(found.even[k]!),
    adaptive: of(found.adaptive[k]!),
  });
  const plans = budgets.map((games, k): PlanQuality => ({
    games,
    error: both(({ off }) => round(Math.sqrt(off.reduce((sum, x) => sum + x * x, 0) / off.length)), k),
    width: both(({ widths }) => round(widths.toSorted((a, b) => a - b)[widths.length >> 1]!), k),
    coverage: both(({ covered, off }) => round(covered / off.length, 4), k),
  }));
  return { gaps: truth.name, draws: name, ladders, plans, saving: round(savingOf(plans), 3) };
}

/** Where the adaptive plan's intervals are as narrow as those of the longest even plan. */
function savingOf(plans: readonly PlanQuality[]): number {
  const full = plans.at(-1)!, wanted = full.width.even;
  const at = plans.findIndex(({ width }) => width.adaptive <= wanted);
  if (at < 0) return 0;
  const here = plans[at]!, before = plans[at - 1];
  if (before === undefined) return 1 - here.games / full.games;
  // Widths fall as a power of the games: a straight line between logarithms.
  const share = Math.log(before.width.adaptive / wanted) /
    Math.log(before.width.adaptive / here.width.adaptive);
  return 1 - before.games * (here.games / before.games) ** share / full.games;
}

function pairingsOf(pairs: Truth["pairs"], sums: readonly Counts[]): Pairing[] {
  return pairs.map(([i, j], pair) => ({ first: `${i}`, second: `${j}`, ...sums[pair]! }));
}

function add(sum: Counts, more: Counts): void {
  sum.wins += more.wins;
  sum.draws += more.draws;
  sum.losses += more.losses;
}
