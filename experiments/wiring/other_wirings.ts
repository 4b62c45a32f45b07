import {
  type Connectome,
  randomWiring,
  shuffleDegrees,
  shuffleDistances,
  shuffleWiring,
} from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import { meanReach, type Reach, reachOf } from "./reach.ts";

/** Wirings that the measured one stands beside, one for each seed. */
export const WIRINGS = {
  /** Every neuron keeps how many connections it sends and receives. */
  degrees: (connectome: Connectome, seed: number): Connectome => shuffleDegrees(connectome, seed),
  /** It also stays as many connections away from the eye. */
  distances: (connectome: Connectome, seed: number): Connectome =>
    shuffleDistances(connectome, seed, { sources: Int32Array.from(eyeFor(connectome, "auto").cell) }),
  /** The reference's shuffle. */
  reference: shuffleWiring,
  /** A random graph of equal size. */
  random: randomWiring,
} as const;

/** The kinds besides the degree-preserving shuffles: too few of each for a rank. */
export const OTHER_KINDS = ["distances", "reference", "random"] as const;

/** How near the eye is to what is read, the mean over some wirings of a kind. */
export function reachOfKind(kind: keyof typeof WIRINGS, connectome: Connectome, count: number): Reach {
  return meanReach(Array.from({ length: count }, (_, i) => reachOf(WIRINGS[kind](connectome, i + 1))));
}
