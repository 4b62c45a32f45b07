import type { LongWork } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";

/** What every experiment is given. */
export interface ExperimentOptions extends LongWork {
  /** The brain it is about. */
  readonly connectome: Connectome;
  /** Positions with a teacher's opinion, HOLD and VAL in front. */
  readonly positions: Positions;
  /** Decides every draw. */
  readonly seed: number;
  /** Fewer positions and repeats: the same picture in a minute or two on a small brain, for looking and for tests. */
  readonly quick: boolean;
  /** A folder of its own for what a second run need not do again; the experiment checks that it fits its inputs. */
  readonly keep: string;
  /** Whether only what is finished is summed up, by experiments of many pieces that can (`controls`); no by default. */
  readonly soFar?: boolean | undefined;
  /** Threads; one a core by default. They change no number. */
  readonly workers?: number | undefined;
}

/** What `NAME.json` says about where its numbers come from. */
export interface Origin {
  /** The experiment's name. */
  readonly experiment: string;
  /** The command that makes it again. */
  readonly command: string;
  /** Its seed. */
  readonly seed: number;
  /** Whether it was the short version. */
  readonly quick: boolean;
  /** Whether times or games are in it, which no second run repeats to the digit. */
  readonly measured: boolean;
  /** Which brain. */
  readonly connectome: {
    readonly name: string;
    /** SHA-256 of its arrays. */
    readonly digest: string;
    readonly neurons: number;
    readonly connections: number;
    /** Neurons that are read. */
    readonly read: number;
  };
  /** Which positions. */
  readonly positions: {
    /** SHA-256 of the records. */
    readonly digest: string;
    readonly hold: number;
    readonly val: number;
    readonly train: number;
  };
}

/** An experiment's numbers with their origin: what `NAME.json` holds, and all that its picture is drawn from. */
export type Result<Numbers> = Origin & Numbers;

/**
 * What `experiments/NAME.ts` exports. Numbers are plain JSON: whoever draws the picture a year from now has only them.
 */
export interface Experiment<Numbers extends object = object> {
  /** The question it answers, one line. */
  readonly question: string;
  /** Whether times or games are among its numbers; no by default. */
  readonly measured?: boolean;
  /** Why it makes no sense on a connectome; undefined where it does. */
  refuses?(connectome: Connectome): string | undefined;
  /** Roughly how many hours it takes on two cores, where that is more than one. */
  hours?(options: Pick<ExperimentOptions, "connectome" | "positions" | "quick">): number;
  /** Measures. */
  run(options: ExperimentOptions): Promise<Numbers>;
  /** Draws what `run` measured: a whole SVG file, the same one for the same numbers. */
  figure(result: Result<Numbers>): string;
  /** Draws the same numbers as a page that moves under the mouse, a whole HTML file: too large to be kept with the project. */
  page?(result: Result<Numbers>): Promise<string>;
  /** The same numbers as tables in Markdown, by name, for pages that show them (`deno task readme`). */
  tables?(result: Result<Numbers>): Readonly<Record<string, string>>;
}

/** Where an experiment's numbers come from. */
export function originOf(
  experiment: string,
  options: Pick<ExperimentOptions, "connectome" | "positions" | "seed" | "quick">,
  { command, measured }: Pick<Origin, "command" | "measured">,
): Origin {
  const { connectome, positions, seed, quick } = options;
  return {
    experiment,
    command,
    seed,
    quick,
    measured,
    connectome: {
      name: connectome.name,
      digest: connectomeDigest(connectome),
      neurons: connectome.neurons.id.length,
      connections: connectome.pre.length,
      read: connectome.output.length,
    },
    positions: {
      digest: positions.digest,
      hold: positions.hold,
      val: positions.val,
      train: positions.count - positions.hold - positions.val,
    },
  };
}
