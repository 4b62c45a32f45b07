import { Buffer } from "node:buffer";
import { DataError, writeFileAtomic } from "flychess/common";
import type { Judged } from "flychess/readout";

/** One fitted readout and what it did on HOLD. */
export interface FittedPoint {
  /** What it reads: `blind`, `direct input`, `step 12`, ... */
  readonly reading: string;
  /** Training positions. */
  readonly positions: number;
  /** Seed of the draw of training positions and of their order. */
  readonly seed: number;
  /** Penalty on the weights that VAL chose; null where there is none to choose. */
  readonly penalty: number | null;
  /** The same for what steps side by side say beyond their mean. */
  readonly contrastPenalty: number | null;
  /** Passes of the chosen fit. */
  readonly passes: number;
  /** Its VAL loss, in nats. */
  readonly valLoss: number;
  /** What it did with every HOLD position. */
  readonly judged: Judged;
}

/** What decides all points of a file; a value that differs is another experiment. */
export type CurveConfig = Readonly<Record<string, string | number | boolean | readonly number[]>>;

const KIND = "flychess learning curve points 1";

/**
 * Finished points, kept in a JSON file that is written whole after each: whoever is killed goes on with the first one that
 * is missing.
 */
export class PointStore {
  /** Its file. */
  readonly path: string;
  /** What the points were made with. */
  readonly config: CurveConfig;
  #engine: string;
  readonly #points: FittedPoint[];

  private constructor(path: string, config: CurveConfig, engine: string, points: FittedPoint[]) {
    this.path = path;
    this.config = config;
    this.#engine = engine;
    this.#points = points;
  }

  /**
   * Opens a file of points or starts one.
   *
   * @throws {DataError} If its points were made with other inputs or settings.
   */
  static async open(path: string, config: CurveConfig): Promise<PointStore> {
    let text: string;
    try {
      text = await Deno.readTextFile(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return new PointStore(path, config, "", []);
      throw error;
    }
    const content = parse(text, path);
    for (const key of new Set([...Object.keys(config), ...Object.keys(content.config)])) {
      const found = JSON.stringify(content.config[key]), wanted = JSON.stringify(config[key]);
      if (found !== wanted) {
        throw new DataError(
          `Cannot go on with ${path}: its ${key} is ${found}, ${wanted} is wanted; take another --out, or delete it`,
        );
      }
    }
    return new PointStore(path, config, content.engine, content.points.map(unpack));
  }

  /**
   * Reads a file of points, whatever they were made with.
   *
   * @throws {DataError} If it is no such file.
   */
  static async read(path: string): Promise<PointStore> {
    const { config, engine, points } = parse(await Deno.readTextFile(path), path);
    return new PointStore(path, config, engine, points.map(unpack));
  }

  /** The points so far. */
  get points(): readonly FittedPoint[] {
    return this.#points;
  }

  /** How the brain ran; empty before it did. */
  get engine(): string {
    return this.#engine;
  }

  set engine(engine: string) {
    this.#engine = engine;
  }

  /** A point, if it is there. */
  find(reading: string, positions: number, seed: number): FittedPoint | undefined {
    return this.#points.find((point) =>
      point.reading === reading && point.positions === positions && point.seed === seed
    );
  }

  /** Keeps points, all of them or none. */
  async add(points: readonly FittedPoint[]): Promise<void> {
    this.#points.push(...points);
    const content = {
      kind: KIND,
      config: this.config,
      engine: this.#engine,
      points: this.#points.map(pack),
    };
    await writeFileAtomic(this.path, JSON.stringify(content) + "\n");
  }
}

/** A point with what it did on HOLD as text. */
type PackedPoint = Omit<FittedPoint, "judged"> & { readonly judged: Record<keyof Judged, string> };

const ARRAYS = {
  rows: Int32Array,
  top1: Uint8Array,
  good: Uint8Array,
  loss: Float64Array,
  valueError: Float64Array,
  game: Int32Array,
};

function pack({ judged, ...point }: FittedPoint): PackedPoint {
  const text = ({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBufferLike>) =>
    Buffer.from(new Uint8Array(buffer, byteOffset, byteLength)).toString("base64");
  const { rows, top1, good, loss, valueError, game } = judged;
  return {
    ...point,
    judged: {
      rows: text(rows),
      top1: text(top1),
      good: text(good),
      loss: text(loss),
      valueError: text(valueError),
      game: text(game),
    },
  };
}

function unpack({ judged, ...point }: PackedPoint): FittedPoint {
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64")).buffer;
  return {
    ...point,
    judged: {
      rows: new ARRAYS.rows(bytes(judged.rows)),
      top1: new ARRAYS.top1(bytes(judged.top1)),
      good: new ARRAYS.good(bytes(judged.good)),
      loss: new ARRAYS.loss(bytes(judged.loss)),
      valueError: new ARRAYS.valueError(bytes(judged.valueError)),
      game: new ARRAYS.game(bytes(judged.game)),
    },
  };
}

function parse(
  text: string,
  path: string,
): { config: CurveConfig; engine: string; points: PackedPoint[] } {
  try {
    const content = JSON.parse(text);
    if (content.kind === KIND && Array.isArray(content.points)) return content;
  } catch {
    // Told below.
  }
  throw new DataError(`Cannot go on with ${path}: it is no '${KIND}'; delete it to start again`);
}
