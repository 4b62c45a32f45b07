import type { Progress, Random } from "../../common/mod.ts";
import type { Groups } from "./_groups.ts";
import { EYE_TO_PROJECTION, PHOTORECEPTORS } from "./_published.ts";
import type { Recipe, Roster, Source } from "./_roster.ts";
import type { SynapseCounts } from "./_synapse_counts.ts";

/** Connections as they are drawn. */
export interface Edges {
  readonly pre: Int32Array;
  readonly post: Int32Array;
  readonly synapses: Uint16Array;
  /** How many of the entries are used. */
  readonly count: number;
}

/** Draws after which a slot is given up: a small group has no more members to offer. */
const TRIES = 14;

/** How many times more synapses a photoreceptor makes: its contacts are the largest of the optic lobe. */
const EYE_SYNAPSES = 5;

/** Connections that are there whatever the recipes draw. */
interface Given {
  readonly pre: number[];
  readonly post: number[];
}

/** Wires a roster with as near as possible to `wanted` connections, no pair twice, none onto itself. */
export function wire(
  roster: Roster,
  groups: Groups,
  wanted: number,
  counts: SynapseCounts,
  random: Random,
  onProgress?: (progress: Progress) => void,
): Edges {
  const neurons = roster.neurons;
  const mains = firstTargets(roster, groups, random);
  const given: Given = { pre: [...mains.pre], post: [...mains.post] };
  eyeToProjection(roster, groups, given, random);
  wholes(roster, groups, given, random);
  const byReceiver = sortGiven(neurons, given);

  const slots = drawSlots(roster, wanted - byReceiver.pre.length, random);
  const room = wanted + 16;
  const edges = {
    pre: new Int32Array(room),
    post: new Int32Array(room),
    synapses: new Uint16Array(room),
    count: 0,
  };
  const stamp = new Int32Array(neurons).fill(-1);
  const rows = new Int32Array(neurons + 1);
  // Photoreceptors were added first.
  const eyeEnd = roster.groups.get("photoreceptor")!.length;
  const put = (pre: number, post: number) => {
    stamp[pre] = post;
    edges.pre[edges.count] = pre;
    edges.post[edges.count] = post;
    edges.synapses[edges.count++] = counts.draw(random) * (pre < eyeEnd ? EYE_SYNAPSES : 1);
  };
  const drawers = new Map<Recipe, Drawer>();
  for (const run of roster.runs) {
    let drawer = drawers.get(run.recipe);
    if (!drawer) drawers.set(run.recipe, drawer = new Drawer(run.recipe.sources, groups));
    for (let j = run.first; j < run.first + run.count; j++) {
      rows[j] = edges.count;
      stamp[j] = j;
      for (let k = byReceiver.start[j]!; k < byReceiver.start[j + 1]!; k++) put(byReceiver.pre[k]!, j);
      for (let slot = 0; slot < slots[j]!; slot++) {
        const pre = drawer.draw(j, stamp, random);
        if (pre >= 0) put(pre, j);
      }
      if (j % 4_096 === 0) {
        onProgress?.({ task: "wiring", done: edges.count, total: wanted, unit: "connections" });
      }
    }
  }
  rows[neurons] = edges.count;
  topUp(roster, rows, edges, drawers, wanted, stamp, put, random);
  onProgress?.({ task: "wiring", done: edges.count, total: edges.count, unit: "connections" });
  strengthenFirst(roster, edges, mains, random);
  return edges;
}

/** Draws senders by a recipe. */
class Drawer {
  readonly #sources: readonly Source[];
  readonly #cumulative: Float64Array;
  readonly #groups: Groups;

  constructor(sources: readonly Source[], groups: Groups) {
    this.#groups = groups;
    this.#sources = sources.filter((source) => groups.has(source.group));
    let sum = 0;
    this.#cumulative = Float64Array.from(this.#sources, (source) => sum += source.weight);
  }

  /** A sender that is not stamped with the receiver yet, or -1. */
  draw(receiver: number, stamp: Int32Array, random: Random): number {
    const last = this.#sources.length - 1;
    if (last < 0) return -1;
    const whole = this.#cumulative[last]!;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const at = random.float() * whole;
      let k = 0;
      while (k < last && this.#cumulative[k]! <= at) k++;
      const found = this.#groups.draw(this.#sources[k]!, receiver, 1 + 0.12 * attempt, random);
      if (found >= 0 && stamp[found] !== receiver) return found;
    }
    return -1;
  }
}

/** How many connections every neuron draws; together `total`. */
function drawSlots(roster: Roster, total: number, random: Random): Int32Array {
  const wish = new Float64Array(roster.neurons);
  let whole = 0;
  for (const { recipe, first, count } of roster.runs) {
    for (let j = first; j < first + count; j++) {
      wish[j] = recipe.inputs * Math.exp(recipe.spread * random.normal() - recipe.spread ** 2 / 2);
      whole += wish[j]!;
    }
  }
  const slots = new Int32Array(roster.neurons);
  let owed = 0;
  for (let j = 0; j < slots.length; j++) {
    owed += wish[j]! * total / whole;
    slots[j] = Math.round(owed);
    owed -= slots[j]!;
  }
  return slots;
}

/** Gives connections that some neurons found no sender for to others, in random order. */
function topUp(
  roster: Roster,
  rows: Int32Array,
  edges: Edges,
  drawers: ReadonlyMap<Recipe, Drawer>,
  wanted: number,
  stamp: Int32Array,
  put: (pre: number, post: number) => void,
  random: Random,
): void {
  const recipeOf = new Map<number, Recipe>();
  for (const run of roster.runs) {
    for (let j = run.first; j < run.first + run.count; j++) recipeOf.set(j, run.recipe);
  }
  const order = random.shuffle(Int32Array.from({ length: roster.neurons }, (_, j) => j));
  stamp.fill(-1);
  for (const j of order) {
    const missing = wanted - edges.count;
    if (missing <= 0) break;
    const degree = rows[j + 1]! - rows[j]!;
    const more = Math.min(missing, Math.ceil(degree * 0.25));
    stamp[j] = j;
    for (let e = rows[j]!; e < rows[j + 1]!; e++) stamp[edges.pre[e]!] = j;
    const drawer = drawers.get(recipeOf.get(j)!)!;
    for (let slot = 0; slot < more; slot++) {
      const pre = drawer.draw(j, stamp, random);
      if (pre >= 0) put(pre, j);
    }
  }
}

/** The labelled cells that a photoreceptor of a kind talks to most, in order of preference. */
const FIRST_TARGETS: Readonly<Record<string, readonly string[]>> = {
  "R1-R6": ["L1", "L2", "L3"],
  R7: ["Mi9", "Tm9", "Mi1"],
  R8: ["Mi4", "Tm20", "Mi1"],
};

/** For every placed photoreceptor, a connection onto a labelled cell of its own column. */
function firstTargets(roster: Roster, groups: Groups, random: Random): Given {
  const given: Given = { pre: [], post: [] };
  for (const [kind, types] of Object.entries(FIRST_TARGETS)) {
    for (const i of roster.groups.get(kind) ?? []) {
      const side = roster.side[i]!;
      const column = roster.column[i]!;
      const from = kind === "R1-R6" ? random.int(types.length) : 0;
      for (let k = 0; k < types.length; k++) {
        const type = types[(from + k) % types.length]!;
        const target = groups.inColumn(type, side, column).find((j) => roster.labelled[j] === true);
        if (target === undefined) continue;
        given.pre.push(i);
        given.post.push(target);
        break;
      }
    }
  }
  return given;
}

/** Connections from photoreceptors straight onto projection neurons, as many a photoreceptor as published. */
function eyeToProjection(roster: Roster, groups: Groups, given: Given, random: Random): void {
  const cells = roster.groups.get("direct") ?? [];
  if (cells.length === 0) return;
  const eye = roster.groups.get("photoreceptor")!.length;
  const wanted = Math.round(EYE_TO_PROJECTION * eye / PHOTORECEPTORS);
  const taken = new Set<number>();
  for (let tries = 0; taken.size < wanted && tries < 40 * wanted; tries++) {
    const post = cells[random.int(cells.length)]!;
    const group = random.float() < 0.15 ? "R1-R6" : random.float() < 0.5 ? "R7" : "R8";
    const pre = groups.draw({ group, weight: 1, near: 4, own: 1 }, post, 1, random);
    const pair = pre * roster.neurons + post;
    if (pre < 0 || taken.has(pair)) continue;
    taken.add(pair);
    given.pre.push(pre);
    given.post.push(post);
  }
}

/** Connections from everyone of a group, each with its chance. */
function wholes(roster: Roster, groups: Groups, given: Given, random: Random): void {
  for (const run of roster.runs) {
    for (const { group, chance, bothSides } of run.recipe.wholes ?? []) {
      const members = [groups.members(group, 0), groups.members(group, 1)];
      for (let j = run.first; j < run.first + run.count; j++) {
        for (const side of [0, 1]) {
          if (!bothSides && side !== roster.side[j]) continue;
          for (const i of members[side]!) {
            if (i === j || random.float() >= chance) continue;
            given.pre.push(i);
            given.post.push(j);
          }
        }
      }
    }
  }
}

function sortGiven(neurons: number, given: Given): { start: Int32Array; pre: Int32Array } {
  const start = new Int32Array(neurons + 1);
  for (const post of given.post) start[post + 1]!++;
  for (let j = 0; j < neurons; j++) start[j + 1]! += start[j]!;
  const next = start.slice();
  const pre = new Int32Array(given.pre.length);
  given.pre.forEach((i, e) => pre[next[given.post[e]!]!++] = i);
  return { start, pre };
}

/** Makes a photoreceptor's first target the labelled cell that it has most synapses with. */
function strengthenFirst(roster: Roster, edges: Edges, mains: Given, random: Random): void {
  const first = new Map(mains.pre.map((pre, k) => [pre, mains.post[k]!]));
  const most = new Map<number, number>();
  const mainEdge = new Map<number, number>();
  for (let e = 0; e < edges.count; e++) {
    const pre = edges.pre[e]!;
    const target = first.get(pre);
    if (target === undefined || !roster.labelled[edges.post[e]!]) continue;
    if (edges.post[e] === target) mainEdge.set(pre, e);
    else most.set(pre, Math.max(most.get(pre) ?? 0, edges.synapses[e]!));
  }
  for (const [pre, e] of mainEdge) {
    edges.synapses[e] = Math.max(edges.synapses[e]! + 20, (most.get(pre) ?? 0) + 1 + random.int(10));
  }
}
