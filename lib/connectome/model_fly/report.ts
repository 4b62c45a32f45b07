import { countColumns } from "../count_columns.ts";
import { type Connectome, type NameColumn, NO_COLUMN } from "../connectome.ts";
import { type HopHistogram, hopHistogram, hopsFrom, hopsTo, pathShare } from "../hops.ts";
import { medianDistance, reverseCuthillMcKee } from "../locality.ts";
import type { Floor } from "./_counts.ts";
import {
  CLASSES,
  COLUMNS,
  CONNECTIONS,
  DESCENDING_VISUAL,
  EYE_TO_PROJECTION,
  NEURONS,
  PHOTORECEPTORS,
  PLACED,
  SUPERCLASSES,
  TEN_SYNAPSES,
  TRANSMITTERS,
} from "./_published.ts";

export type { Floor } from "./_counts.ts";

/** One figure as published for MaleCNS v1.0 and as found in a nervous system. */
export interface ModelFlyFigure {
  /** What is counted, in words. */
  readonly figure: string;
  /** Published for MaleCNS v1.0: a number, or the least and the most where only a range is given. */
  readonly published: number | readonly [number, number];
  /** As measured. */
  readonly grown: number;
  /** Whether it is a share from 0 to 1 rather than a count. */
  readonly share: boolean;
}

/** What `modelFlyReport` measures. */
export interface ModelFlyReport {
  /** The name of what was measured. */
  readonly name: string;
  /** Published figures beside grown ones. */
  readonly figures: readonly ModelFlyFigure[];
  /** The floors that applied while it grew. */
  readonly floors: readonly Floor[];
  /** Hops from the nearest photoreceptor to every neuron. */
  readonly fromEye: HopHistogram;
  /** Hops from the nearest photoreceptor to every descending neuron. */
  readonly eyeToDescending: HopHistogram;
  /** Hops from every neuron to the nearest descending neuron. */
  readonly toDescending: HopHistogram;
  /** Connections that a neuron receives at these shares of all neurons, from fewest to most: `[share, connections]`. */
  readonly inDegree: readonly (readonly [number, number])[];
  /** The most synapses of a connection. */
  readonly mostSynapses: number;
}

/** Shares of the neurons at which the in-degree is given. */
const QUANTILES = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1] as const;
/** Regions whose neurons are visual (reference, "Measuring strength"). */
const VISUAL: readonly string[] = ["photoreceptor", "optic lobe", "visual projection"];

/**
 * Measures a model fly, or another nervous system with the same names, and sets it beside what is published for
 * MaleCNS v1.0. At scale 1 everything is within 2 % of it; below, counts shrink and shares stay.
 *
 * @param connectome A model fly.
 *
 * @example A small fly still has a fly's shares
 * ```ts
 * import { growModelFly, modelFlyReport } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const { figures, eyeToDescending } = modelFlyReport(growModelFly({ scale: 1 / 64 }));
 * const hearing = figures.find(({ figure }) => figure === "descending neurons that hear a visual neuron");
 * assert.ok(Math.abs(hearing!.grown - 0.51) < 0.02);
 * assert.equal(eyeToDescending.counts.findIndex((neurons) => neurons > 0), 2);
 * ```
 */
export function modelFlyReport(connectome: Connectome): ModelFlyReport {
  const { neurons, rowStart, pre, synapses, input, output } = connectome;
  const count = connectome.sign.length;
  const from = hopsFrom(connectome, input);
  const eyeToDescending = hopHistogram(from, output);
  const figures: ModelFlyFigure[] = [];
  const add = (figure: string, published: ModelFlyFigure["published"], grown: number, share = false) =>
    figures.push({ figure, published, grown, share });

  add("neurons", NEURONS, count);
  add("connections", CONNECTIONS, pre.length);
  const superclasses = tally(neurons.superclass);
  for (const [name, published] of Object.entries(SUPERCLASSES)) {
    add(`superclass ${name}`, published, superclasses.get(name) ?? 0);
  }
  const classes = tally(neurons.class);
  for (const [name, published] of Object.entries(CLASSES)) {
    add(`class ${name}`, published, classes.get(name) ?? 0);
  }
  const transmitters = tally(neurons.transmitter);
  const called = Object.values(TRANSMITTERS).reduce((sum, n) => sum + n, 0);
  for (const [name, published] of Object.entries(TRANSMITTERS)) {
    add(`transmitter ${name}`, published / called, (transmitters.get(name) ?? 0) / count, true);
  }
  const columns = countColumns(connectome);
  add("eye columns, left", COLUMNS.L, columns.L ?? 0);
  add("eye columns, right", COLUMNS.R, columns.R ?? 0);
  add("photoreceptors", PHOTORECEPTORS, input.length);
  add(
    "photoreceptors placed on the eye",
    PLACED,
    input.filter((i) => neurons.column[2 * i] !== NO_COLUMN).length,
  );
  add("connections from photoreceptors to visual projection", EYE_TO_PROJECTION, eyeToProjection(connectome));
  add("descending neurons that hear a visual neuron", DESCENDING_VISUAL, hearVisual(connectome), true);
  add(
    "hops from the eye to a descending neuron, shortest",
    2,
    eyeToDescending.counts.findIndex((n) => n > 0),
  );
  add("hops from the eye to a descending neuron, median", [3, 4], eyeToDescending.median);
  add("connections on a path within 12 steps", 0.98, pathShare(connectome), true);
  let strong = 0;
  let mostSynapses = 0;
  for (const n of synapses) {
    if (n >= 10) strong++;
    if (n > mostSynapses) mostSynapses = n;
  }
  add("connections of at least 10 synapses", TEN_SYNAPSES, strong / pre.length, true);
  add("median distance between connected neurons, as they come", 31_770, medianDistance(connectome));
  add(
    "median distance between connected neurons, reordered",
    19_314,
    medianDistance(connectome, reverseCuthillMcKee(connectome)),
  );

  const degrees = Int32Array.from({ length: count }, (_, j) => rowStart[j + 1]! - rowStart[j]!).sort();
  const { floors } = connectome.provenance as { floors?: readonly Floor[] };
  return {
    name: connectome.name,
    figures,
    floors: floors ?? [],
    fromEye: hopHistogram(from),
    eyeToDescending,
    toDescending: hopHistogram(hopsTo(connectome, output)),
    inDegree: QUANTILES.map((share) => [share, degrees[Math.max(0, Math.ceil(share * count) - 1)] ?? 0]),
    mostSynapses,
  };
}

function tally({ names, index }: NameColumn): Map<string, number> {
  const counts = new Array<number>(names.length).fill(0);
  for (const i of index) counts[i]!++;
  return new Map(names.map((name, i) => [name, counts[i]!]));
}

function eyeToProjection({ neurons, rowStart, pre }: Connectome): number {
  const { names, index } = neurons.region;
  const eye = names.indexOf("photoreceptor");
  const projection = names.indexOf("visual projection");
  let found = 0;
  for (let j = 0; j < index.length; j++) {
    if (index[j] !== projection) continue;
    for (let e = rowStart[j]!; e < rowStart[j + 1]!; e++) if (index[pre[e]!] === eye) found++;
  }
  return found;
}

function hearVisual({ neurons, rowStart, pre, output }: Connectome): number {
  const { names, index } = neurons.region;
  const visual = names.map((name) => VISUAL.includes(name));
  let found = 0;
  for (const j of output) {
    let hears = false;
    for (let e = rowStart[j]!; e < rowStart[j + 1]! && !hears; e++) hears = visual[index[pre[e]!]!]!;
    if (hears) found++;
  }
  return found / output.length;
}
