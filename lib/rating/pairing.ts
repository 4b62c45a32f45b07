/** What two players did against each other. */
export interface Pairing {
  /** Name of one player. */
  readonly first: string;
  /** Name of the other. */
  readonly second: string;
  /** Games that `first` won. */
  readonly wins: number;
  /** Games drawn. */
  readonly draws: number;
  /** Games that `first` lost. */
  readonly losses: number;
}

/** Which player stands where, so that the others' ratings mean something. */
export interface Anchor {
  /** Name of a player who has games. */
  readonly player: string;
  /** Its rating. */
  readonly rating: number;
}

/** Points and games between players by number, as the fits take them. */
export interface Meeting {
  readonly i: number;
  readonly j: number;
  readonly games: number;
  /** Points of `i`, a draw counting one half. */
  readonly points: number;
}

/** Players by number (in order of appearance) and their meetings, checked. */
export function meetingsOf(
  pairings: readonly Pairing[],
  anchor: Anchor,
): { players: string[]; anchorIndex: number; meetings: Meeting[] } {
  const index = new Map<string, number>();
  const number = (name: string) => {
    if (!index.has(name)) index.set(name, index.size);
    return index.get(name)!;
  };
  const meetings = pairings.map(({ first, second, wins, draws, losses }) => {
    for (const count of [wins, draws, losses]) {
      if (Number.isFinite(count) && count >= 0) continue;
      throw new RangeError(
        `Cannot rate ${first} against ${second}: ${count} games, a number from 0 is wanted`,
      );
    }
    if (first === second) throw new RangeError(`Cannot rate ${first}: it is said to have played itself`);
    return { i: number(first), j: number(second), games: wins + draws + losses, points: wins + draws / 2 };
  }).filter(({ games }) => games > 0);
  const players = [...index.keys()];
  const anchorIndex = index.get(anchor.player);
  if (anchorIndex === undefined) {
    throw new RangeError(
      `Cannot rate: the anchor ${anchor.player} has no games, one of ${players.join(", ")} is wanted`,
    );
  }
  requireConnected(players, anchorIndex, meetings);
  return { players, anchorIndex, meetings };
}

/** Ratings of players that no chain of games joins to the anchor would mean nothing. */
function requireConnected(players: readonly string[], anchor: number, meetings: readonly Meeting[]): void {
  const reached = new Set([anchor]);
  for (let grown = true; grown;) {
    grown = false;
    for (const { i, j } of meetings) {
      if (reached.has(i) === reached.has(j)) continue;
      reached.add(i).add(j);
      grown = true;
    }
  }
  const apart = players.filter((_, k) => !reached.has(k));
  if (apart.length > 0) {
    throw new RangeError(
      `Cannot rate ${apart.join(", ")}: no games join them to the anchor ${players[anchor]}, some are wanted`,
    );
  }
}
