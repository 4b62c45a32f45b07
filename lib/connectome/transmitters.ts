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

/**
 * What a neuron does to those it sends to: +1 excites, -1 inhibits.
 *
 * @param transmitter What it releases; a word that is not known excites, like acetylcholine.
 * @param photoreceptor Whether it is a photoreceptor: they excite, whatever they release.
 */
export function signOf(transmitter: string, photoreceptor = false): 1 | -1 {
  return photoreceptor ? 1 : TRANSMITTER_SIGNS.get(transmitter) ?? 1;
}
