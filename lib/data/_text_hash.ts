/** 32 bits that stand for a text (FNV-1a, finished as MurmurHash3 is). */
export function textHash(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Takes a share of what it is shown, by lot. The lot of a text depends on the seed alone, so that neither the order of
 * sources nor their number changes what is taken.
 *
 * @param share From 0 to 1.
 */
export function shareOf(share: number, seed: number): (text: string) => boolean {
  const start = textHash(`share ${seed}`);
  return (text) => share >= 1 || textHash(text, start) < share * 0x100000000;
}
