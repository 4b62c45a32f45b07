import { type Connectome, type Region, REGIONS } from "./connectome.ts";

/**
 * Cuts regions out of a nervous system: drops every connection whose sender is in one of them (reference,
 * section 1). The neurons stay, so that inputs and outputs keep their numbers; what they receive stays too.
 *
 * @param connectome The nervous system; it is not changed.
 * @param regions One region or several, from `REGIONS`.
 * @returns A new one, named `NAME without optic lobe`.
 * @throws {RangeError} If there is no such region; the message lists those there are.
 *
 * @example A fly without its optic lobes
 * ```ts
 * import { growModelFly, lesion } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const cut = lesion(fly, "optic lobe");
 * assert.equal(cut.name, "model fly (scale 1/64, seed 1) without optic lobe");
 * assert.ok(cut.pre.length < fly.pre.length);
 * ```
 */
export function lesion(connectome: Connectome, regions: Region | readonly Region[]): Connectome {
  const wanted = typeof regions === "string" ? [regions] : [...new Set(regions)];
  const { names, index } = connectome.neurons.region;
  for (const region of wanted) {
    if (!(REGIONS as readonly string[]).includes(region)) {
      throw new RangeError(
        `Cannot cut a region out: there is no '${region}', one of ${REGIONS.join(", ")} is wanted`,
      );
    }
  }
  if (wanted.length === 0) {
    throw new RangeError(`Cannot cut a region out: none is named, one of ${REGIONS.join(", ")} is wanted`);
  }
  const cut = names.map((name) => (wanted as readonly string[]).includes(name));
  const { rowStart, pre, synapses } = connectome;
  const start = new Int32Array(rowStart.length);
  let kept = 0;
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let e = rowStart[i]!; e < rowStart[i + 1]!; e++) if (!cut[index[pre[e]!]!]) kept++;
    start[i + 1] = kept;
  }
  const left = new Int32Array(kept);
  const counts = synapses instanceof Uint16Array ? new Uint16Array(kept) : new Uint32Array(kept);
  let place = 0;
  for (let e = 0; e < pre.length; e++) {
    if (cut[index[pre[e]!]!]) continue;
    left[place] = pre[e]!;
    counts[place++] = synapses[e]!;
  }
  return {
    ...connectome,
    name: `${connectome.name} without ${wanted.join(", ")}`,
    provenance: {
      control: "lesion",
      regions: wanted,
      connectionsDropped: pre.length - kept,
      of: { name: connectome.name, provenance: connectome.provenance },
    },
    rowStart: start,
    pre: left,
    synapses: counts,
  };
}
