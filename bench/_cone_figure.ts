import * as Plot from "@observablehq/plot";
import { type Connectome, connectomeDigest, growModelFly } from "flychess/connectome";
import { card, PALETTE, TYPE_SIZE, TYPEFACE } from "flychess/figures";
import { newDocument } from "../lib/figures/_document.ts";
import { coneOf, type ConeStep } from "./_cone.ts";
import { uniformWiring } from "./_wiring.ts";

/** One wiring's cone. */
export interface ConeOfBrain {
  readonly name: string;
  readonly connectome: string;
  readonly neurons: number;
  readonly connections: number;
  readonly steps: readonly ConeStep[];
}

/** What the figure is drawn from. */
export interface ConeFigure {
  readonly command: string;
  readonly seed: number;
  /** The steps that are read. */
  readonly read: readonly number[];
  readonly modelFly: ConeOfBrain;
  readonly uniformWiring: ConeOfBrain;
}

function cone(connectome: Connectome, read: readonly number[]): ConeOfBrain {
  return {
    name: connectome.name,
    connectome: connectomeDigest(connectome),
    neurons: connectome.sign.length,
    connections: connectome.pre.length,
    steps: coneOf(connectome, read),
  };
}

/** Counts what is computed on a model fly and on uniform wiring of the same size. */
export function countCone(command: string, scale: number): ConeFigure {
  const seed = 1, read = [12], fly = growModelFly({ scale, seed });
  return {
    command,
    seed,
    read,
    modelFly: cone(fly, read),
    uniformWiring: cone(uniformWiring(fly, seed), read),
  };
}

/** How many steps over all connections the cone comes to. */
export function stepsNeeded({ steps, connections }: ConeOfBrain): number {
  return steps.reduce((sum, step) => sum + step.connections / connections, 0);
}

/** Draws the rows of every step. */
export function drawCone({ modelFly, uniformWiring }: ConeFigure): string {
  const { neurons, steps } = modelFly, count = (value: number) => value.toLocaleString("en-US");
  const bars = [
    ...steps.map((step) => ({ ...step, brain: "model fly" })),
    ...uniformWiring.steps.map((step) => ({ ...step, brain: "uniform" })),
  ];
  const shares = steps.map(({ step, rows, connections }, i) => ({
    step,
    rows: Math.max(rows, uniformWiring.steps[i]!.rows),
    share: `${Math.round(100 * connections / modelFly.connections)} %`,
  }));
  const needed = stepsNeeded(modelFly).toFixed(1);
  const title =
    `Read at step ${steps.length}, a think needs the connections of ${needed} steps of ${steps.length}`;
  const plot = Plot.plot({
    document: newDocument(),
    width: 700,
    height: 300,
    marginLeft: 64,
    marginRight: 10,
    marginTop: 40,
    marginBottom: 44,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    fx: { label: null, padding: 0.15 },
    x: { axis: null, domain: ["model fly", "uniform"], padding: 0.05 },
    y: { label: null, ticks: 4, tickFormat: ",d", domain: [0, neurons * 1.06] },
    marks: [
      Plot.gridY({ ticks: 4, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      Plot.barY(bars, {
        fx: "step",
        x: "brain",
        y: "rows",
        fill: ({ brain }: { brain: string }) => brain === "model fly" ? PALETTE.subject : PALETTE.quiet,
      }),
      Plot.ruleY([0], { stroke: PALETTE.ink }),
      Plot.text(shares, {
        fx: "step",
        x: () => "model fly",
        y: "rows",
        text: "share",
        dy: -8,
        dx: 9,
        fill: PALETTE.subject,
      }),
      Plot.text(["neurons computed"], {
        frameAnchor: "top-left",
        dy: -32,
        dx: -60,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
        fx: () => 1,
        textAnchor: "start",
      }),
    ],
  });
  return card([{ svg: plot.outerHTML, x: 20, y: 0 }], {
    title,
    caption: [
      `Steps 1 to ${steps.length}. Blue: ${modelFly.name}, ${count(neurons)} neurons;`,
      `above it, the share of its ${count(modelFly.connections)} connections.`,
      `Grey: uniform wiring of the same size (${stepsNeeded(uniformWiring).toFixed(1)} steps).`,
      "Left: no board has got further. Right: the rest reaches no descending neuron in time.",
    ],
    alt: `Neurons computed at each step: ${
      steps.map(({ step, rows }) => `${step}: ${count(rows)}`).join(", ")
    }. ${title}.`,
    width: 740,
    height: 304,
  });
}
