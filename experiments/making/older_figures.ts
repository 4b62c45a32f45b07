import { FIGURES as ENGINE } from "../../bench/draw.ts";
import type { ConeFigure } from "../../bench/_cone_figure.ts";
import type { MemoryFigure } from "../../bench/_memory_figure.ts";
import type { Scales } from "../../bench/_scales.ts";
import { type DemoResult, drawDemo } from "../../cli/_demo_figure.ts";
import { comparisonMarkdown } from "../../cli/_comparison.ts";
import { regrow } from "./brains.ts";
import { drawLadder, type LadderNumbers } from "../ladder/figure.ts";
import { ladderTables } from "../ladder/tables.ts";
import { figure as drawLearningCurve } from "../learning_curve/figure.ts";
import { tables as learningCurveTables } from "../learning_curve/tables.ts";
import type { LearningCurve } from "../learning_curve.ts";

/** An input that a figure's numbers name. */
export interface NamedInput {
  /** What it calls itself. */
  readonly name: string;
  /** Its digest. */
  readonly digest: string;
}

/** Where an older figure's numbers come from. */
export interface OlderInputs {
  readonly connectomes: readonly NamedInput[];
  /** Digests. */
  readonly positions: readonly string[];
}

/** A figure that a script of its own makes, without `EXPERIMENTS`. */
export interface OlderFigure {
  /** Draws it from its numbers; without it, there is only a file of numbers. */
  draw?(numbers: unknown): string;
  /** Its inputs. */
  inputs(numbers: unknown): OlderInputs;
  /** Its tables in Markdown, by name. */
  tables?(numbers: unknown): Readonly<Record<string, string>>;
  /** Makes it again, as arguments of `deno`; without it, a machine or hours of its own are wanted, see its `command`. */
  readonly remake?: readonly string[];
}

const NOTHING: OlderInputs = { connectomes: [], positions: [] };

/** Reads a file of numbers as what wrote it. */
function of<T>(numbers: unknown): T {
  return numbers as T;
}

const COUNT = ["run", "-A", "bench/draw.ts", "--count"];

const OLDER: Readonly<Record<string, OlderFigure>> = {
  demo: {
    draw: (numbers) => {
      const result = of<DemoResult>(numbers), connectome = regrow(result.subject);
      if (connectome === undefined) {
        throw new TypeError(`Cannot draw the demo: its brain is '${result.subject}', a model fly is wanted`);
      }
      return drawDemo(result, connectome);
    },
    tables: (numbers) => ({ brains: comparisonMarkdown(of<DemoResult>(numbers).brains) }),
    inputs: (numbers) => {
      const { subject, connectome, positions } = of<DemoResult>(numbers);
      return { connectomes: [{ name: subject, digest: connectome }], positions: [positions] };
    },
    remake: ["task", "demo"],
  },
  engine_cone: {
    draw: (numbers) => ENGINE.engine_cone(of<ConeFigure>(numbers)),
    inputs: (numbers) => {
      const { name, connectome } = of<ConeFigure>(numbers).modelFly;
      return { ...NOTHING, connectomes: [{ name, digest: connectome }] };
    },
    remake: COUNT,
  },
  engine_memory: {
    draw: (numbers) => ENGINE.engine_memory(of<MemoryFigure>(numbers)),
    inputs: (numbers) => {
      const { name, connectome } = of<MemoryFigure>(numbers);
      return { ...NOTHING, connectomes: [{ name, digest: connectome }] };
    },
    remake: COUNT,
  },
  engine_scale: {
    draw: (numbers) => ENGINE.engine_scale(of<Scales>(numbers)),
    inputs: (numbers) => ({
      ...NOTHING,
      connectomes: of<Scales>(numbers).rows.map(({ scale, connectome }) => ({
        name: `model fly (scale ${scale}, seed 1)`,
        digest: connectome,
      })),
    }),
  },
  ladder: {
    inputs: () => NOTHING,
    remake: [
      "run",
      "-A",
      "experiments/ladder_simulation.ts",
      "--ladders",
      "1000",
      "--adaptive",
      "24",
      "--seed",
      "1",
    ],
  },
};

/** Ladders whose games were played: hours, and no second run plays the same. */
const LADDER_GAMES: OlderFigure = {
  draw: (numbers) => drawLadder(of<LadderNumbers>(numbers)),
  tables: (numbers) => ({ ...ladderTables(of<LadderNumbers>(numbers)) }),
  inputs: (numbers) => {
    const { connectome, positions } = of<LadderNumbers>(numbers);
    return { connectomes: [connectome], positions: [positions] };
  },
};

const LEARNING_CURVE: OlderFigure = {
  draw: (numbers) => drawLearningCurve(of<LearningCurve>(numbers)),
  tables: (numbers) => learningCurveTables(of<LearningCurve>(numbers)),
  inputs: (numbers) => {
    const { connectome, positions } = of<LearningCurve>(numbers);
    return { connectomes: [connectome], positions: [positions.digest] };
  },
};

/** The figures that are always wanted. */
export const OLDER_NAMES: readonly string[] = Object.keys(OLDER);

/** An older figure by its name. */
export function olderFigure(name: string): OlderFigure | undefined {
  if (/^ladder_games_/.test(name)) return LADDER_GAMES;
  return OLDER[name] ?? (/^learning_curve(_|$)/.test(name) ? LEARNING_CURVE : undefined);
}
