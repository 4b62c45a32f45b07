import { type LongWork, Random } from "../../common/mod.ts";
import { type Connectome, type NameColumn, NO_COLUMN } from "../connectome.ts";
import { csrFromEdges } from "../csr.ts";
import { addBody } from "./_body.ts";
import { addCentralBrain, addCentralComplex } from "./_central_brain.ts";
import { type Floor, planCounts } from "./_counts.ts";
import { addDescending } from "./_descending.ts";
import { eyeColumns } from "./_eye_columns.ts";
import { Groups } from "./_groups.ts";
import { addMushroomBody } from "./_mushroom_body.ts";
import { addOpticLobe, addPhotoreceptors } from "./_optic_lobe.ts";
import { photoreceptors } from "./_photoreceptors.ts";
import { COLUMNS, CONNECTIONS, DESCENDING_VISUAL, LABELLED, NEURONS, PLACED } from "./_published.ts";
import { Roster } from "./_roster.ts";
import { somas } from "./_somas.ts";
import { SynapseCounts } from "./_synapse_counts.ts";
import { dealTransmitters } from "./_transmitters.ts";
import { addVisualPaths } from "./_visual_paths.ts";
import { wire } from "./_wiring.ts";
import { FIRST_TYPES } from "./_optic_lobe_types.ts";

/** How large a model fly is, and which one. */
export interface ModelFlyOptions {
  /** From 1/256 to 1; 1 is as large as MaleCNS. Default 1/8. */
  readonly scale?: number;
  /** A whole number from 0 to 2^32 - 1: another seed grows another fly of the same kind. Default 1. */
  readonly seed?: number;
}

/** The smallest fly that makes sense: below it nothing but floors is left. */
const LEAST_SCALE = 1 / 256;

/**
 * Grows a model fly: a nervous system with the superclasses, types, transmitters, columnar eye, degrees and paths
 * published for MaleCNS v1.0, and otherwise drawn by chance. It is not a fly's brain, and everything that is
 * measured on it should say so; `docs/model-fly.md` sets what it is grown from beside what comes out.
 *
 * Below scale 1 intrinsic populations shrink with the scale, and floors keep it a fly that can see and learn.
 * Every neuron listens to about as many others at any scale.
 *
 * @returns The nervous system; `provenance` holds scale, seed and the floors that applied.
 * @throws {RangeError} If scale or seed is out of range.
 *
 * @example A small fly
 * ```ts
 * import { growModelFly } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64, seed: 3 });
 * assert.equal(fly.name, "model fly (scale 1/64, seed 3)");
 * assert.ok(fly.input.length >= 8 * 64);
 * assert.ok(fly.output.length >= 128);
 * ```
 */
export function growModelFly(options: ModelFlyOptions = {}, work: LongWork = {}): Connectome {
  const { scale = 1 / 8, seed = 1 } = options;
  if (!(scale >= LEAST_SCALE && scale <= 1)) {
    throw new RangeError(
      `Cannot grow a model fly: its scale is ${scale}, a number from 1/256 to 1 is wanted`,
    );
  }
  const { signal, onProgress } = work;
  signal?.throwIfAborted();
  const stream = (name: string) => new Random(seed, `model fly ${name}`);
  const counts = planCounts(scale);
  const eyes = eyeColumns(scale);
  const shrink = Math.sqrt(eyes.R.h1.length / COLUMNS.R);

  const roster = new Roster();
  addPhotoreceptors(roster, photoreceptors(eyes, scale, stream("photoreceptors")));
  addOpticLobe(roster, eyes, counts, shrink, stream("optic lobe"));
  const projection = addVisualPaths(roster, eyes, counts, shrink, stream("visual paths"));
  addCentralBrain(roster, counts, projection, stream("central brain"));
  addCentralComplex(roster, counts, projection, stream("central complex"));
  addMushroomBody(roster, counts);
  addDescending(roster, counts, DESCENDING_VISUAL, projection, stream("descending"));
  addBody(roster, counts);
  hideLabels(
    roster,
    Math.round(LABELLED * (eyes.L.h1.length + eyes.R.h1.length) / (COLUMNS.L + COLUMNS.R)),
    stream("labels"),
  );

  const floors: Floor[] = [...counts.floors, ...eyeFloors(scale, eyes, roster)];
  const wanted = Math.round(CONNECTIONS * roster.neurons / NEURONS);
  const groups = new Groups(roster, eyes, stream("groups"));
  const edges = wire(roster, groups, wanted, new SynapseCounts(), stream("wiring"), onProgress);
  signal?.throwIfAborted();

  const place = places(roster.neurons, stream("order"));
  const renumber = (list: Int32Array) => {
    for (let e = 0; e < edges.count; e++) list[e] = place[list[e]!]!;
    return list.subarray(0, edges.count);
  };
  const csr = csrFromEdges(
    roster.neurons,
    renumber(edges.pre),
    renumber(edges.post),
    edges.synapses.subarray(0, edges.count),
  );
  return {
    name: `model fly (scale ${scaleName(scale)}, seed ${seed})`,
    provenance: {
      generator: "growModelFly",
      version: 1,
      scale,
      seed,
      floors,
      connectionsWanted: wanted,
      publishedFor: "MaleCNS v1.0",
    },
    ...table(roster, eyes, place, dealTransmitters(roster, stream("transmitters")), stream("somas")),
    ...csr,
  };
}

/** Where the eye is larger than the scale alone would make it. */
function eyeFloors(scale: number, eyes: ReturnType<typeof eyeColumns>, roster: Roster): Floor[] {
  const placed = roster.groups.get("photoreceptor")!.filter((i) => roster.column[i]! >= 0).length;
  return [
    { population: "placed photoreceptors", scaled: Math.round(PLACED * scale), kept: placed },
    {
      population: "eye columns",
      scaled: Math.round((COLUMNS.L + COLUMNS.R) * scale),
      kept: eyes.L.h1.length + eyes.R.h1.length,
    },
  ].filter(({ scaled, kept }) => kept > scaled);
}

function scaleName(scale: number): string {
  const parts = 1 / scale;
  return scale === 1 ? "1" : Number.isInteger(parts) ? `1/${parts}` : String(scale);
}

/** Takes the label off some columnar cells, mostly of the left eye, until as many are left as in the annotations. */
function hideLabels(roster: Roster, wanted: number, random: Random): void {
  const labelled: number[] = [];
  const free: number[] = [];
  for (const { type, region, first, count } of roster.runs) {
    if (region === "photoreceptor") continue;
    for (let i = first; i < first + count; i++) {
      if (!roster.labelled[i]) continue;
      labelled.push(i);
      // Photoreceptors find their place by these.
      if (!FIRST_TYPES.includes(type) && (roster.side[i] === 0 || random.float() < 0.03)) free.push(i);
    }
  }
  const surplus = Math.min(free.length, Math.max(0, labelled.length - wanted));
  for (const i of random.shuffle(free).slice(0, surplus)) roster.labelled[i] = false;
}

/** How far neurons stray from the order of their types, in shares of all neurons. */
const STRAY = 0.78;

/** Where every neuron stands in the table: by type, but not in a row, as bodies of a volume come. */
function places(neurons: number, random: Random): Int32Array {
  const key = Float64Array.from({ length: neurons }, (_, i) => i / neurons + STRAY * (random.float() - 0.5));
  const order = Int32Array.from({ length: neurons }, (_, i) => i).sort((a, b) => key[a]! - key[b]! || a - b);
  const place = new Int32Array(neurons);
  for (let k = 0; k < neurons; k++) place[order[k]!] = k;
  return place;
}

/** Names of neurons, in the order of their first appearance. */
function nameColumn(names: readonly string[]): NameColumn {
  const seen = new Map<string, number>();
  const index = Uint16Array.from(names, (name) => {
    if (!seen.has(name)) seen.set(name, seen.size);
    return seen.get(name)!;
  });
  return { names: [...seen.keys()], index };
}

function table(
  roster: Roster,
  eyes: ReturnType<typeof eyeColumns>,
  place: Int32Array,
  transmitters: readonly string[],
  random: Random,
): Pick<Connectome, "neurons" | "sign" | "input" | "output"> {
  const neurons = roster.neurons;
  const blank = () => new Array<string>(neurons);
  const names = {
    type: blank(),
    superclass: blank(),
    class: blank(),
    region: blank(),
    transmitter: blank(),
    side: blank(),
  };
  const soma = new Float32Array(3 * neurons);
  const column = new Int16Array(2 * neurons).fill(NO_COLUMN);
  const sign = new Int8Array(neurons);
  const input: number[] = [];
  const output: number[] = [];
  const bodies = somas(roster, eyes, random);
  for (const run of roster.runs) {
    for (let i = run.first; i < run.first + run.count; i++) {
      const at = place[i]!;
      names.type[at] = run.type;
      names.superclass[at] = run.superclass;
      names.class[at] = run.class;
      names.region[at] = run.region;
      names.transmitter[at] = transmitters[i]!;
      names.side[at] = roster.side[i] === 0 ? "L" : "R";
      soma.set(bodies.subarray(3 * i, 3 * i + 3), 3 * at);
      const eye = roster.side[i] === 0 ? eyes.L : eyes.R;
      column.set(roster.shownColumn(i, eye.h1, eye.h2), 2 * at);
      const inhibits = ["gaba", "glutamate", "histamine"].includes(transmitters[i]!);
      sign[at] = inhibits && run.region !== "photoreceptor" ? -1 : 1;
      if (run.region === "photoreceptor") input.push(at);
      if (run.region === "descending") output.push(at);
    }
  }
  return {
    neurons: {
      id: Float64Array.from({ length: neurons }, (_, k) => 10_001 + k),
      type: nameColumn(names.type),
      superclass: nameColumn(names.superclass),
      class: nameColumn(names.class),
      transmitter: nameColumn(names.transmitter),
      region: nameColumn(names.region),
      side: nameColumn(names.side),
      soma,
      column,
    },
    sign,
    input: Int32Array.from(input).sort(),
    output: Int32Array.from(output).sort(),
  };
}
