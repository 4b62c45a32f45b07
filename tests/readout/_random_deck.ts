import { Random } from "../../lib/common/mod.ts";
import type { Positions } from "../../lib/data/positions.ts";
import { dealDeck, type Deck } from "../../lib/readout/mod.ts";

/** A deck of all positions with rates by chance, the same for the same seed. */
export function randomDeck(positions: Positions, columns: number, seed: number = 1): Deck {
  const deck = dealDeck(positions, 0, positions.count, columns), random = new Random(seed, "rates");
  for (let i = 0; i < deck.rates.length; i++) deck.rates[i] = random.int(256);
  return deck;
}
