import type { Connectome } from "../connectome/mod.ts";
import { dopamineReach, mbonValence, transmitterValence } from "./valence.ts";

/** The cells of a mushroom body that learning needs, and what the connectome says they mean. */
export interface MushroomBody {
  /** `[kenyon]`: the Kenyon cells, ascending. */
  readonly kenyon: Int32Array;
  /** `[mbon]`: the output neurons, ascending. */
  readonly mbon: Int32Array;
  /** `[mbon]`: their types, for example `MBON11`. */
  readonly type: readonly string[];
  /** `[mbon]`: +1 approach, -1 avoid, 0 neither (larva only). */
  readonly valence: Int8Array;
  /** `[mbon]`: how much reward dopamine reaches it, 0 to 1. */
  readonly pam: Float64Array;
  /** `[mbon]`: how much punishment dopamine reaches it, 0 to 1. */
  readonly ppl1: Float64Array;
  /** `[mbon]`: synapses from reward dopamine neurons. */
  readonly pamSynapses: Float64Array;
  /** `[mbon]`: synapses from punishment dopamine neurons. */
  readonly ppl1Synapses: Float64Array;
  /** The dopamine neurons of reward that reach MBONs, ascending; only lessons by the fly's own dopamine ask for them. */
  readonly reward?: Int32Array | undefined;
  /** And those of punishment. */
  readonly punishment?: Int32Array | undefined;
  /** How valence and the kinds of dopamine were told, in a sentence. */
  readonly assumption: string;
}

/** How meaning is read from a connectome. */
export interface MushroomBodyOptions {
  /** `dopamine`: against the dopamine that reaches an MBON; `transmitter`: the reference's first try. Not for larvae. */
  readonly valence?: "dopamine" | "transmitter" | undefined;
  /**
   * For larvae, whose table names no PAM and PPL1: a dopamine neuron counts as punishment if more than half of its
   * synapses onto MBONs go to approach cells (`app`, the default) or to avoid cells (`av`, to see what hangs on it).
   */
  readonly punished?: "app" | "av" | undefined;
}

/** Types of larval MBONs as `buildLarva` names them, by meaning (Winding et al. 2023); all others are 0. */
const LARVA_VALENCE: ReadonlyMap<string, number> = new Map([["MBON-app", 1], ["MBON-av", -1]]);
/** The type of the larva's dopamine neurons. */
const LARVA_DOPAMINE = "MBIN-DAN";

/**
 * Finds the mushroom body of a connectome: Kenyon cells and MBONs by region, dopamine neurons by type.
 *
 * In an adult, PAM (`PAM01`...) are the reward and PPL1 (`PPL101`...) the punishment, and an MBON's valence is the
 * opposite of the dopamine that reaches it. In a larva the table says which MBONs mean approach and avoid, and which
 * of the two a dopamine neuron reaches most tells its kind: an assumption, which `punished` turns round.
 *
 * @param connectome MaleCNS, a model fly, a larva, or a control made from one.
 * @throws {RangeError} If it has no Kenyon cell or no MBON.
 * @throws {TypeError} If an option is none of those named.
 *
 * @example A grown fly has all of it
 * ```ts
 * import { mushroomBody } from "flychess/bio";
 * import { growModelFly } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const body = mushroomBody(await growModelFly({ scale: 1 / 32 }));
 * assert.ok(body.kenyon.length > body.mbon.length);
 * assert.ok(body.valence.includes(1) && body.valence.includes(-1));
 * ```
 */
export function mushroomBody(connectome: Connectome, options: MushroomBodyOptions = {}): MushroomBody {
  const { valence = "dopamine", punished = "app" } = options;
  checkOptions(valence, punished);
  const { type: types, region, transmitter: releases } = connectome.neurons;
  const inRegion = (name: string) =>
    Int32Array.from(region.index.keys()).filter((i) => region.names[region.index[i]!] === name);
  const kenyon = inRegion("Kenyon cell"), mbon = inRegion("MBON");
  if (kenyon.length === 0 || mbon.length === 0) {
    throw new RangeError(
      `Cannot find the mushroom body of ${connectome.name}: it has ${kenyon.length} Kenyon cells and ` +
        `${mbon.length} MBONs, at least 1 of each is wanted`,
    );
  }
  const typeOf = (neuron: number) => types.names[types.index[neuron]!]!;
  const type = Array.from(mbon, typeOf);
  if (type.some((name) => LARVA_VALENCE.has(name))) {
    const means = Int8Array.from(type, (name) => LARVA_VALENCE.get(name) ?? 0);
    const dopamine = larvaDopamine(connectome, mbon, type, typeOf, punished);
    return {
      kenyon,
      mbon,
      type,
      valence: means,
      ...reached(dopamine),
      assumption: "valence as the larva's table names it (app, av; 0 for all others); a dopamine neuron " +
        `punishes if more than half of its synapses onto MBONs go to ${punished} cells, else it rewards`,
    };
  }
  const dopamine = dopamineFrom(connectome, mbon, (neuron) => {
    const name = typeOf(neuron);
    return /^PAM\d/.test(name) ? "reward" : /^PPL1\d/.test(name) ? "punishment" : undefined;
  });
  const { pam, ppl1 } = dopamine;
  const transmitter = Array.from(mbon, (neuron) => releases.names[releases.index[neuron]!]!);
  const against = valence === "dopamine";
  return {
    kenyon,
    mbon,
    type,
    valence: against ? mbonValence({ pam, ppl1, transmitter }) : transmitterValence(transmitter),
    ...reached(dopamine),
    assumption: against
      ? "valence against the dopamine that reaches an MBON, ties by transmitter"
      : "valence by transmitter: acetylcholine approach, everything else avoid",
  };
}

interface DopamineSynapses {
  readonly pam: Float64Array;
  readonly ppl1: Float64Array;
  readonly reward: Int32Array;
  readonly punishment: Int32Array;
}

function reached(
  { pam, ppl1, reward, punishment }: DopamineSynapses,
): Pick<MushroomBody, "pam" | "ppl1" | "pamSynapses" | "ppl1Synapses" | "reward" | "punishment"> {
  return {
    pam: dopamineReach(pam),
    ppl1: dopamineReach(ppl1),
    pamSynapses: pam,
    ppl1Synapses: ppl1,
    reward,
    punishment,
  };
}

/** Counts the synapses of the dopamine neurons that reach MBONs, by kind. */
function dopamineFrom(
  { rowStart, pre, synapses }: Connectome,
  mbon: Int32Array,
  kindOf: (neuron: number) => "reward" | "punishment" | undefined,
): DopamineSynapses {
  const cells = { reward: new Set<number>(), punishment: new Set<number>() };
  const from = { reward: new Float64Array(mbon.length), punishment: new Float64Array(mbon.length) };
  mbon.forEach((neuron, n) => {
    for (let k = rowStart[neuron]!; k < rowStart[neuron + 1]!; k++) {
      const kind = kindOf(pre[k]!);
      if (kind === undefined) continue;
      from[kind][n]! += synapses[k]!;
      cells[kind].add(pre[k]!);
    }
  });
  const ascending = (set: Set<number>) => Int32Array.from(set).sort();
  return {
    pam: from.reward,
    ppl1: from.punishment,
    reward: ascending(cells.reward),
    punishment: ascending(cells.punishment),
  };
}

function larvaDopamine(
  connectome: Connectome,
  mbon: Int32Array,
  type: readonly string[],
  typeOf: (neuron: number) => string,
  punished: "app" | "av",
): DopamineSynapses {
  const { rowStart, pre, synapses } = connectome;
  const onto = new Map<number, { all: number; marked: number }>();
  mbon.forEach((neuron, n) => {
    for (let k = rowStart[neuron]!; k < rowStart[neuron + 1]!; k++) {
      if (typeOf(pre[k]!) !== LARVA_DOPAMINE) continue;
      const count = onto.get(pre[k]!) ?? { all: 0, marked: 0 };
      count.all += synapses[k]!;
      if (type[n] === `MBON-${punished}`) count.marked += synapses[k]!;
      onto.set(pre[k]!, count);
    }
  });
  return dopamineFrom(connectome, mbon, (neuron) => {
    const count = onto.get(neuron);
    return count === undefined ? undefined : 2 * count.marked > count.all ? "punishment" : "reward";
  });
}

function checkOptions(valence: string, punished: string): void {
  if (valence !== "dopamine" && valence !== "transmitter") {
    throw new TypeError(
      `Cannot find the mushroom body: the valence is '${valence}', dopamine or transmitter is wanted`,
    );
  }
  if (punished !== "app" && punished !== "av") {
    throw new TypeError(
      `Cannot find the mushroom body: the punished cells are '${punished}', app or av is wanted`,
    );
  }
}
