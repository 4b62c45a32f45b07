import type { GateVersion } from "../../bio/mod.ts";
import type { EyeName } from "../../eye/mod.ts";
import type { JsonValue } from "../../common/mod.ts";

/** What decides the result of a dopamine fly's run. What is left out has the reference's value (sections 9 and 10). */
export interface BioSettings {
  /** Which eye; `auto`: the fair eye where there are columns, else the larva's. */
  readonly eye?: EyeName | undefined;
  /** `tutor`: pairs of positions with a teacher (the default); `games`: rewards and punishments of its own games. */
  readonly lessons?: "tutor" | "games" | undefined;
  /** How many lessons, or games. By default `minutes` says. */
  readonly count?: number | undefined;
  /** Minutes to learn for; 15 by default. They are turned into lessons or games once, from measured speed. */
  readonly minutes?: number | undefined;
  /** Lessons of a batch, which change synapses once by their average; 64 by default. */
  readonly batch?: number | undefined;
  /** What a lesson's other move is: a `random` one (the default), or the teacher's `second` best. */
  readonly against?: "random" | "second" | undefined;
  /** Share of the measured strength that a full dose takes, eta; 0.1 by default. */
  readonly rate?: number | undefined;
  /** Share of the way back after every change, kappa; 0.001 by default. */
  readonly drift?: number | undefined;
  /** How sharply the fly prefers, T; 1 by default. */
  readonly temperature?: number | undefined;
  /** Which Kenyon cells are tagged: `active` ones (the default), or only by what `differs` between two positions. */
  readonly tagged?: "active" | "differs" | undefined;
  /** The share of Kenyon cells that pass; 0.05 by default. */
  readonly share?: number | undefined;
  /** Width of the cut, in rate; 0.01 by default. */
  readonly width?: number | undefined;
  /** How the cut is made; `sigmoid` by default. */
  readonly version?: GateVersion | undefined;
  /** Where the cut acts: on what MBONs receive (`mbon`, the default), or on all that Kenyon cells send. */
  readonly gated?: "mbon" | "all" | undefined;
  /** How an adult's MBONs get their meaning: against the `dopamine` that reaches them (the default), or by `transmitter`. */
  readonly valence?: "dopamine" | "transmitter" | undefined;
  /** For a larva: whom the neurons of punishment reach most, `app` (the default) or `av` cells. */
  readonly punished?: "app" | "av" | undefined;
  /** Which arithmetic: `float32` (the default), `int16` or `float64`. */
  readonly precision?: "float64" | "float32" | "int16" | undefined;
  /** Moves of each side after which a game is a draw; 200 by default. */
  readonly moveLimit?: number | undefined;
  /** Lessons (or games) between two checks on VAL; 6,400 (or 50) by default. */
  readonly checkEvery?: number | undefined;
  /** VAL rows of a check; 1,024 by default, or as many as there are. */
  readonly checkRows?: number | undefined;
  /** HOLD rows that the end is judged on; 4,096 by default, or as many as there are. */
  readonly holdRows?: number | undefined;
  /** HOLD rows in which it looks at every move, for top-1; 512 by default. */
  readonly moveRows?: number | undefined;
  /** Seed of the order of lessons, of the other moves, of games and of the intervals; 1 by default. */
  readonly seed?: number | undefined;
}

/** Settings with nothing left open. */
export type ResolvedBioSettings =
  & { readonly [Name in Exclude<keyof BioSettings, "count">]-?: NonNullable<BioSettings[Name]> }
  & { readonly count: number | undefined };

/**
 * Fills in what is left open.
 *
 * @throws {RangeError} If a setting is out of range.
 */
export function resolveBioSettings(settings: BioSettings = {}): ResolvedBioSettings {
  const { lessons = "tutor" } = settings;
  const resolved = {
    eye: settings.eye ?? "auto",
    lessons,
    count: settings.count,
    minutes: settings.minutes ?? 15,
    batch: settings.batch ?? 64,
    against: settings.against ?? "random",
    rate: settings.rate ?? 0.1,
    drift: settings.drift ?? 0.001,
    temperature: settings.temperature ?? 1,
    tagged: settings.tagged ?? "active",
    share: settings.share ?? 0.05,
    width: settings.width ?? 0.01,
    version: settings.version ?? "sigmoid",
    gated: settings.gated ?? "mbon",
    valence: settings.valence ?? "dopamine",
    punished: settings.punished ?? "app",
    precision: settings.precision ?? "float32",
    moveLimit: settings.moveLimit ?? 200,
    checkEvery: settings.checkEvery ?? (lessons === "tutor" ? 6400 : 50),
    checkRows: settings.checkRows ?? 1024,
    holdRows: settings.holdRows ?? 4096,
    moveRows: settings.moveRows ?? 512,
    seed: settings.seed ?? 1,
  } as const;
  const whole = ["batch", "checkEvery", "checkRows", "holdRows", "moveLimit"] as const;
  for (const name of whole) {
    if (!Number.isInteger(resolved[name]) || resolved[name] < 1) {
      throw new RangeError(`Cannot train: ${name} is ${resolved[name]}, a whole number from 1 is wanted`);
    }
  }
  for (const name of ["count", "moveRows"] as const) {
    const value = resolved[name];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
      throw new RangeError(`Cannot train: ${name} is ${value}, a whole number from 0 is wanted`);
    }
  }
  for (const name of ["minutes", "rate", "drift"] as const) {
    if (!(resolved[name] >= 0 && resolved[name] < Infinity)) {
      throw new RangeError(`Cannot train: ${name} is ${resolved[name]}, a number from 0 is wanted`);
    }
  }
  if (lessons !== "tutor" && lessons !== "games") {
    throw new TypeError(`Cannot train: lessons is '${lessons}', tutor or games is wanted`);
  }
  return resolved;
}

/**
 * What a dopamine fly's run writes into its `config.json` besides the digests of its inputs.
 *
 * @param settings The run's settings.
 * @throws {RangeError} If a setting is out of range.
 */
export function bioRunConfig(
  settings: BioSettings = {},
): { kind: "bio"; seed: number } & Record<string, JsonValue> {
  const { count, minutes, ...rest } = resolveBioSettings(settings);
  return { kind: "bio", ...rest, count: count ?? null, minutes: count === undefined ? minutes : null };
}
