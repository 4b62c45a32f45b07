import {
  aplCut,
  aplWeights,
  changedDrive,
  divisiveCalyx,
  DopamineBrain,
  type DopamineRule,
  glances,
  HabituatedSignal,
  HeardTrace,
  mushroomBody,
  OwnThresholds,
  projectionNeurons,
  retune,
  SeparatedFly,
  separatingGate,
  strongestCut,
  taughtVotes,
  weaken,
} from "flychess/bio";
import type { Connectome } from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import { LARGE } from "../dopamine/arms.ts";

/** One fly of the study: everything in which flies differ. */
export interface Arm {
  /** In tables and figures. */
  readonly name: string;
  /** What its eye sees of a board after a move. */
  readonly sees: "all" | "changes" | "two glances";
  /** Whether its Kenyon cells are judged by what they fire more than before the move. */
  readonly habituated: boolean;
  /** Whether projection neurons are normalised divisively on their way to Kenyon cells. */
  readonly divisive: boolean;
  /** Who passes: the strongest, by APL's own weights, by own thresholds, or those furthest above them. */
  readonly cut: "strongest" | "APL" | "own thresholds" | "furthest";
  /** Share of Kenyon cells, or of positions for own thresholds, 0 to 1. */
  readonly share: number;
  /** Steps of a look. */
  readonly steps: number;
  /** Whether tags are what MBONs have heard; otherwise what cells pass at the last step. */
  readonly heard: boolean;
  /** Whether MBONs vote as strongly as dopamine reaches them; otherwise all alike. */
  readonly taught: boolean;
  /** The rule, its rate and its drift. */
  readonly rule: "weaken" | "retune";
  readonly rate: number;
  readonly drift: number;
  /** Whether the rate falls to 0 evenly as lessons go on. */
  readonly falling: boolean;
}

/** The reference's fly and rule (its sections 9 and 10). */
export const BASE: Arm = {
  name: "base rule",
  sees: "all",
  habituated: false,
  divisive: false,
  cut: "strongest",
  share: 0.05,
  steps: 12,
  heard: false,
  taught: false,
  rule: "weaken",
  rate: 0.1,
  drift: 0.001,
  falling: false,
};

/** What the ideas that helped come to when used together; its rate, share and steps were chosen on VAL pairs of the larva. */
export const ALL_TOGETHER: Arm = {
  ...BASE,
  name: "all together",
  sees: "changes",
  share: 0.1,
  steps: 5,
  heard: true,
  taught: true,
  rule: "retune",
  rate: 15,
  drift: 0,
  falling: true,
};

/**
 * The flies of the study: the base, each idea alone, all that helped together, and that without one of its parts.
 *
 * @param steps Steps of the short look: how soon the board reaches MBONs differs from brain to brain.
 */
export function armsOf(steps: number): { readonly main: readonly Arm[]; readonly side: readonly Arm[] } {
  const together = { ...ALL_TOGETHER, steps }, { rate, falling } = together;
  return {
    main: [BASE, together],
    side: [
      { ...BASE, name: "eye used to the position", sees: "changes" },
      { ...BASE, name: "Kenyon cells used to it", habituated: true },
      { ...BASE, name: "strengthening by compartment", rule: "retune", rate, drift: 0, falling },
      { ...together, name: "together, eye not used to it", sees: "all" },
      { ...together, name: "together, weakening only", rule: "weaken" },
      { ...together, name: "together, all MBONs vote", taught: false },
      { ...together, name: "together, 12 steps", steps: 12 },
      { ...BASE, name: "APL's own weights", cut: "APL" },
      { ...BASE, name: "own thresholds", cut: "own thresholds" },
      { ...BASE, name: "furthest above thresholds", cut: "furthest" },
      { ...BASE, name: "divisive projection neurons", divisive: true },
      { ...together, name: "together and divisive", divisive: true },
      { ...BASE, name: "two glances", sees: "two glances" },
      { ...BASE, name: "a larger rate that falls", rate, drift: 0, falling },
    ],
  };
}

/**
 * Makes the fly of an arm, not calibrated yet; `retune` finds its synapses at half of what was measured.
 *
 * @returns The fly, and its rule when so much of the lessons is done, 0 to 1.
 */
export function flyOf(
  connectome: Connectome,
  arm: Arm,
  workers: number | undefined,
): { readonly fly: SeparatedFly; readonly rule: (done: number) => DopamineRule } {
  const body = mushroomBody(connectome), { share, steps, rate, drift } = arm;
  const signal = arm.habituated ? new HabituatedSignal() : undefined;
  const thresholds = arm.cut === "own thresholds" || arm.cut === "furthest"
    ? new OwnThresholds({ share, strongest: arm.cut === "furthest" })
    : undefined;
  const cut = thresholds ??
    (arm.cut === "APL" ? aplCut(aplWeights(connectome, body.kenyon), share) : strongestCut(share));
  const trace = new HeardTrace(separatingGate({ signal, cut }), { steps });
  const calyx = arm.divisive ? divisiveCalyx(projectionNeurons(connectome, body.kenyon)) : undefined;
  const brain = new DopamineBrain(connectome, body, {
    gate: trace,
    steps,
    // Wide enough for lessons, and faster where a look is long (docs/dopamine.md).
    precision: connectome.pre.length > LARGE ? "int16" : "float32",
    workers,
    calyx,
  });
  if (arm.rule === "retune") {
    brain.synapses.strength.set(brain.synapses.measured.map((value) => value / 2));
  }
  const see = {
    "all": undefined,
    "changes": (...parts: Parameters<typeof changedDrive>) => [changedDrive(...parts)],
    "two glances": (...parts: Parameters<typeof glances>) => glances(...parts),
  }[arm.sees];
  const fly = new SeparatedFly(brain, eyeFor(connectome), {
    see,
    signal,
    thresholds,
    heard: arm.heard ? trace : undefined,
    votes: arm.taught ? taughtVotes(body) : undefined,
  });
  const rule = (done: number): DopamineRule => {
    const options = { rate: arm.falling ? rate * (1 - done) : rate, drift };
    return arm.rule === "retune"
      ? (...parts) => retune(...parts, options)
      : (...parts) => weaken(...parts, options);
  };
  return { fly, rule };
}
