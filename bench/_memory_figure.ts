import { connectomeDigest, growModelFly } from "flychess/connectome";
import { card, escapeXml, PALETTE, TYPE_SIZE, TYPEFACE } from "flychess/figures";
import { areaParts, layOutThink, LINE_BYTES, LINE_POSITIONS } from "../lib/brain/engines/wasm/_layout.ts";
import { planTiles } from "../lib/brain/engines/wasm/_tiles.ts";

/** The engine's own tile, see `wasmEngine`. */
const TILE = { senders: 12_288, receivers: 2048 };
const STEPS = 12;

/** A part of the engine's memory. */
export interface MemoryPart {
  readonly what: string;
  readonly whose: "all workers" | "each worker" | "learning";
  readonly bytes: number;
}

/** What the figure is drawn from. */
export interface MemoryFigure {
  readonly command: string;
  readonly seed: number;
  readonly name: string;
  readonly connectome: string;
  readonly neurons: number;
  readonly connections: number;
  readonly line: { readonly bytes: number; readonly positions: number };
  readonly tile: {
    readonly senders: number;
    readonly receivers: number;
    readonly columns: number;
    readonly bands: number;
  };
  /** `[columns][bands]`: connections of each tile. */
  readonly tiles: readonly number[];
  readonly parts: readonly MemoryPart[];
}

/** Lays a model fly out as the engine does, in float32, for one worker. */
export function countMemory(command: string, scale: number): MemoryFigure {
  const seed = 1,
    fly = growModelFly({ scale, seed }),
    neurons = fly.sign.length,
    connections = fly.pre.length;
  const tiling = planTiles(fly, TILE),
    { columns, bands, sizes } = tiling;
  const { layout } = layOutThink({
    neurons,
    steps: STEPS,
    leak: 0.5,
    connections,
    workers: 1,
    tiling,
    short: false,
  });
  const tiles = new Array<number>(columns * bands).fill(0);
  for (let row = 0; row < neurons; row++) {
    for (let column = 0; column < columns; column++) {
      tiles[column * bands + Math.floor(row / TILE.receivers)]! += sizes[row * columns + column]!;
    }
  }
  const { odd, even, drive, sums } = areaParts(layout, 0);
  const part = (whose: MemoryPart["whose"], what: string, bytes: number): MemoryPart => ({
    what,
    whose,
    bytes,
  });
  return {
    command,
    seed,
    name: fly.name,
    connectome: connectomeDigest(fly),
    neurons,
    connections,
    line: { bytes: LINE_BYTES, positions: LINE_POSITIONS },
    tile: { ...TILE, columns, bands },
    tiles,
    parts: [
      part("all workers", "connections, row by row", layout.tiles - layout.pairs),
      part("all workers", "the same in tiles", layout.slot - layout.tiles),
      part("all workers", "where each one is in them", layout.units - layout.slot),
      part("all workers", "homeostasis, gain, bias", layout.constants - layout.scale),
      part("all workers", "rates the board cannot change", layout.table - layout.constants),
      part("all workers", "rows to compute at each step", layout.areas - layout.table),
      part("each worker", "rates before the step", even - odd),
      part("each worker", "rates after the step", drive - even),
      part("each worker", "what the eye adds", sums - drive),
      part("each worker", "sums of what is read", layout.areas + layout.areaBytes - sums),
      part("learning", "each worker: 12 steps to walk back", layout.backBytes),
      part("learning", "4 gradients and their sum", layout.scratch - layout.gradients),
    ],
  };
}

const count = (value: number) => value.toLocaleString("en-US");
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

interface Look {
  readonly size?: number;
  readonly fill?: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly bold?: boolean;
}

function text(x: number, y: number, words: string, look: Look = {}): string {
  const { size = TYPE_SIZE.small, fill = PALETTE.ink, anchor = "start", bold = false } = look;
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}"${
    bold ? ' font-weight="600"' : ""
  }>${escapeXml(words)}</text>`;
}

function rect(x: number, y: number, width: number, height: number, more: string): string {
  return `<rect x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${width.toFixed(2)}" height="${
    height.toFixed(2)
  }" ${more}/>`;
}

/** Neurons one below the other, positions side by side. */
function drawLines({ neurons, line }: MemoryFigure): string {
  const left = 116, cell = 26, height = 20, parts: string[] = [];
  parts.push(text(0, 14, "A state: one line a neuron", { size: TYPE_SIZE.text, bold: true }));
  for (let position = 1; position <= line.positions; position++) {
    const words = String(position), x = left + (position - 0.5) * cell;
    parts.push(text(x, 40, words, { fill: PALETTE.faint, anchor: "middle" }));
  }
  parts.push(text(left - 10, 40, "position", { fill: PALETTE.faint, anchor: "end" }));
  const names = ["neuron 1", "neuron 2", "...", `neuron ${count(neurons)}`];
  names.forEach((name, i) => {
    const y = 48 + i * (height + 4);
    parts.push(text(left - 10, y + 14, name, { anchor: "end" }));
    if (name === "...") return;
    for (let position = 0; position < line.positions; position++) {
      const fill = i === 0 ? PALETTE.subject : PALETTE.quiet;
      parts.push(
        rect(
          left + position * cell,
          y,
          cell - 2,
          height,
          `fill="${fill}" fill-opacity="${i === 0 ? 0.8 : 0.6}"`,
        ),
      );
    }
  });
  const beside = left + line.positions * cell + 10;
  parts.push(
    text(beside, 56, `${line.bytes} bytes: one cache line,`, { fill: PALETTE.subject }),
    text(beside, 72, "fetched once for all", { fill: PALETTE.subject }),
    text(beside, 88, `${line.positions} positions`, { fill: PALETTE.subject }),
    text(beside, 134, `${megabytes(neurons * line.bytes)} a state`, { fill: PALETTE.faint }),
  );
  return parts.join("\n");
}

/** The connections by sender and receiver, cut into tiles. */
function drawTiles({ tile, tiles, line }: MemoryFigure): string {
  const { columns, bands, senders, receivers } = tile, top = 62, width = 308, height = 300;
  const wide = width / columns, high = height / bands, most = Math.max(...tiles), parts: string[] = [];
  parts.push(
    text(0, 14, "The connections, in tiles", { size: TYPE_SIZE.text, bold: true }),
    text(0, 34, `${columns} columns of ${count(senders)} senders; their lines,`, { fill: PALETTE.second }),
    text(0, 50, `${Math.round(senders * line.bytes / 1024)} kB, stay in the core's own cache`, {
      fill: PALETTE.second,
    }),
  );
  for (let column = 0; column < columns; column++) {
    for (let band = 0; band < bands; band++) {
      const share = Math.sqrt(tiles[column * bands + band]! / most);
      parts.push(
        rect(
          column * wide,
          top + band * high,
          wide - 1,
          high - 0.4,
          `fill="${PALETTE.subject}" fill-opacity="${(0.06 + 0.94 * share).toFixed(3)}"`,
        ),
      );
    }
  }
  // The walk: down one column, then the next.
  const x = wide / 2, end = top + height;
  parts.push(
    rect(-1, top - 1, wide + 1, height + 2, `fill="none" stroke="${PALETTE.second}" stroke-width="2"`),
    `<path d="M${x} ${top + 8}V${
      end - 10
    }m-5 -8l5 8l5 -8" fill="none" stroke="${PALETTE.second}" stroke-width="2"/>`,
    text(0, end + 18, `${bands} bands of ${count(receivers)} receivers. A step walks down`, {
      fill: PALETTE.ink,
    }),
    text(0, end + 34, "one column, then the next. Darker: more connections."),
  );
  return parts.join("\n");
}

/** What lies in memory, by size. */
function drawParts({ parts }: MemoryFigure): string {
  const left = 210, most = Math.max(...parts.map(({ bytes }) => bytes)), width = 76, drawn: string[] = [];
  const colours = {
    "all workers": PALETTE.subject,
    "each worker": PALETTE.second,
    learning: PALETTE.control,
  };
  const heads = {
    "all workers": "All workers share",
    "each worker": "Each worker has of its own",
    learning: "Only touched when it learns",
  };
  let y = 0;
  for (const whose of ["all workers", "each worker", "learning"] as const) {
    y += 14;
    drawn.push(text(0, y, heads[whose], { size: TYPE_SIZE.text, bold: true, fill: colours[whose] }));
    for (const { what, bytes } of parts.filter((part) => part.whose === whose)) {
      y += 22;
      const long = width * bytes / most;
      drawn.push(
        text(left - 10, y, what, { anchor: "end" }),
        rect(left, y - 11, Math.max(1, long), 14, `fill="${colours[whose]}"`),
        text(left + long + 6, y, megabytes(bytes), { fill: PALETTE.faint }),
      );
    }
    y += 24;
  }
  return drawn.join("\n");
}

/** Draws where everything lies. */
export function drawMemory(figure: MemoryFigure): string {
  const panel = (inside: string) =>
    `<svg width="10" height="10" font-family="${TYPEFACE}">\n${inside}\n</svg>`;
  const { name, neurons, connections } = figure;
  return card([
    { svg: panel(drawLines(figure)), x: 20, y: 6 },
    { svg: panel(drawTiles(figure)), x: 20, y: 170 },
    { svg: panel(drawParts(figure)), x: 364, y: 170 },
  ], {
    title: "What is used together lies together",
    caption: [
      `${name}: ${count(neurons)} neurons, ${count(connections)} connections, float32.`,
    ],
    alt:
      `Three parts. A state has one line of ${figure.line.bytes} bytes a neuron, ${figure.line.positions} positions ` +
      `side by side. The connections are cut into ${figure.tile.columns} columns and ${figure.tile.bands} bands. ` +
      `Memory: ${figure.parts.map(({ what, bytes }) => `${what} ${megabytes(bytes)}`).join(", ")}.`,
    width: 740,
    height: 580,
  });
}
