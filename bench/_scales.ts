import * as Plot from "@observablehq/plot";
import { FlyBrain, wasmEngine } from "flychess/brain";
import { connectomeDigest, growModelFly } from "flychess/connectome";
import { card, PALETTE, TYPE_SIZE, TYPEFACE } from "flychess/figures";
import { table } from "../cli/_table.ts";
import { newDocument } from "../lib/figures/_document.ts";
import type { Precision } from "./_alone.ts";
import { randomDrive } from "./_boards.ts";
import { measureSpeed } from "./_forward.ts";
import { PRECISIONS } from "./_rows.ts";

const SCALES = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];
/** Positions at once; homeostasis is measured on as many. */
export const BATCH = 64;
/** Turns that each arithmetic takes; the best counts, as a slow one is somebody else's minute. */
const ROUNDS = 3;

/** One brain. */
export interface ScaleRow {
  /** The model fly's scale, as a fraction. */
  readonly scale: string;
  /** Its digest. */
  readonly connectome: string;
  readonly neurons: number;
  readonly connections: number;
  /** By precision. */
  readonly positionsPerSecond: Readonly<Record<Precision, number>>;
}

/** What the figure is drawn from. */
export interface Scales {
  readonly command: string;
  readonly machine: string;
  readonly date: string;
  /** Positions at once. */
  readonly batch: number;
  readonly rows: readonly ScaleRow[];
}

/**
 * Measures model flies up to a scale, the arithmetics in turns.
 *
 * @param most The largest scale.
 * @param seconds How long all turns of one arithmetic take at least.
 */
export async function measureScales(most: number, seconds: number): Promise<ScaleRow[]> {
  const rows: ScaleRow[] = [];
  for (const scale of SCALES.filter((scale) => scale <= most)) {
    const connectome = growModelFly({ scale }), speeds: Partial<Record<Precision, number>> = {};
    await using stack = new AsyncDisposableStack();
    const drive = randomDrive(connectome, BATCH, 2), brains: [Precision, FlyBrain][] = [];
    for (const precision of PRECISIONS) {
      const brain = stack.use(await FlyBrain.create(connectome, { engine: wasmEngine({ precision }) }));
      await brain.calibrate(randomDrive(connectome, BATCH, 1));
      await brain.read(drive);
      brains.push([precision, brain]);
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [precision, brain] of brains) {
        const { positionsPerSecond } = await measureSpeed(BATCH, seconds / ROUNDS, () => brain.read(drive));
        speeds[precision] = Math.max(speeds[precision] ?? 0, positionsPerSecond);
      }
    }
    rows.push({
      scale: scale === 1 ? "1" : `1/${1 / scale}`,
      connectome: connectomeDigest(connectome),
      neurons: connectome.sign.length,
      connections: connectome.pre.length,
      positionsPerSecond: speeds as Record<Precision, number>,
    });
  }
  return rows;
}

/** The rows as text: nanoseconds a connection say whether a large brain costs more than its size. */
export function describeScales(rows: readonly ScaleRow[]): string {
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  return [
    `\nAs the model fly grows, ${BATCH} positions at once:`,
    table(
      [
        "Scale",
        "Neurons",
        "Connections",
        ...PRECISIONS.map((precision) => `${precision}, positions/s`),
        ...PRECISIONS.map((precision) => `${precision}, ns a connection`),
      ],
      rows.map(({ scale, neurons, connections, positionsPerSecond }) => [
        scale,
        whole(neurons),
        whole(connections),
        ...PRECISIONS.map((precision) => whole(positionsPerSecond[precision])),
        ...PRECISIONS.map((precision) => (1e9 / positionsPerSecond[precision] / connections).toFixed(2)),
      ]),
    ),
  ].join("\n");
}

const COLOUR: Readonly<Record<Precision, string>> = {
  float32: PALETTE.subject,
  int16: PALETTE.control,
  int8: PALETTE.second,
};

/** Draws the cost of a position over the size of the brain. */
export function drawScales({ machine, batch, rows }: Scales): string {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const times = (value: number) => value < 10 ? value.toFixed(1) : value.toFixed(0);
  const dearer = first.positionsPerSecond.float32 / last.positionsPerSecond.float32;
  const title = `${times(last.connections / first.connections)} times the connections take ` +
    `${times(dearer)} times as long`;
  const points = PRECISIONS.flatMap((precision) =>
    rows.map(({ scale, connections, positionsPerSecond }) => ({
      precision,
      scale,
      connections,
      milliseconds: 1000 / positionsPerSecond[precision],
    }))
  );
  const inside = { x: "connections", y: "milliseconds" } as const;
  const colour = ({ precision }: { precision: Precision }) => COLOUR[precision];
  const plot = Plot.plot({
    document: newDocument(),
    width: 640,
    height: 340,
    marginLeft: 60,
    marginRight: 70,
    marginTop: 34,
    marginBottom: 48,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    x: { type: "log", label: null, tickFormat: "~s", ticks: 4, inset: 12 },
    y: { type: "log", label: null, tickFormat: "~r", ticks: 4, inset: 8 },
    marks: [
      Plot.gridX({ ticks: 4, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      Plot.gridY({ ticks: 4, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      ...PRECISIONS.map((precision) =>
        Plot.line(points.filter((point) => point.precision === precision), {
          ...inside,
          stroke: COLOUR[precision],
          strokeWidth: 2.5,
        })
      ),
      Plot.dot(points, { ...inside, r: 3.5, fill: colour }),
      Plot.text(points.filter(({ precision }) => precision === "float32"), {
        ...inside,
        text: "scale",
        dy: -13,
        dx: -6,
        fill: PALETTE.faint,
      }),
      Plot.text(points.filter(({ scale }) => scale === last.scale), {
        ...inside,
        text: "precision",
        dx: 10,
        textAnchor: "start",
        fill: colour,
        fontWeight: 600,
      }),
      Plot.text(["milliseconds a position"], {
        frameAnchor: "top-left",
        dy: -26,
        dx: -48,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
      Plot.text(["connections"], {
        frameAnchor: "bottom",
        dy: 40,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
    ],
  });
  return card([{ svg: plot.outerHTML, x: 20, y: 0 }], {
    title,
    caption: [
      `Model flies of scale ${first.scale} to ${last.scale} (the grey fractions), ${batch} positions at once, step 12 read;`,
      `the best of ${ROUNDS} turns. ${machine}.`,
    ],
    alt:
      `Milliseconds a position over the number of connections, both logarithmic, for float32, int16 and int8: ` +
      `${title}.`,
    width: 680,
    height: 344,
  });
}
