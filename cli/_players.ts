import {
  DopaminePlayer,
  EnginePlayer,
  FlyPlayer,
  greedyPlayer,
  partlyRandom,
  type Player,
  randomPlayer,
} from "../lib/play/mod.ts";
import { UsageError } from "./_command.ts";
import { nearestWord } from "../lib/common/mod.ts";
import { runReady } from "./_run_ready.ts";
import type { Flies } from "./_load_fly.ts";
import { findStockfish } from "./_stockfish.ts";
import type { LongWork } from "../lib/common/mod.ts";

/** The names of players as the help of a command lists them. */
export const PLAYER_NAMES = `
  random             any legal move
  greedy             takes the most it can
  stockfish:NODES    Stockfish at full strength
  sf-elo:ELO         Stockfish at an Elo that it offers, or sf-elo:lowest
  sf-skill:LEVEL     Stockfish at a skill level, 0 to 20
  run:NAME           the fly of a run of any kind, runs/NAME
  run:NAME+W         the same with imagination that it trusts with weight W, a number or inf
  newborn:SEED       a fly whose readout is random numbers; +W as above
  NAME/25            any of them with 25 % of its moves at random`.trimEnd();

/** How players are made. */
export interface PlayerSettings {
  /** Where flies come from. */
  readonly flies: Flies;
  /** Seed of all dice. */
  readonly seed: number;
  /** Positions a move for a weakened Stockfish. */
  readonly nodes: number;
}

/** A player's name, taken apart. */
interface PlayerName {
  readonly kind: string;
  readonly rest: string;
  readonly who: string;
  readonly imagination: number | undefined;
  /** Of engines. */
  readonly strength: number | undefined;
}

/** `NAME/25`: the player's name, and the percent of its moves at random. */
function mixture(name: string): [player: string, percent: number] | undefined {
  const mixed = /^(.+)\/(\d+(?:\.\d+)?)$/.exec(name);
  return mixed && !mixed[1]!.includes("/") && Number(mixed[2]) <= 100
    ? [mixed[1]!, Number(mixed[2])]
    : undefined;
}

/**
 * Looks whether there is such a player, before any other is made: flies take long.
 *
 * @throws {UsageError} If the name makes no sense.
 * @throws {DataError} If the run has no fly.
 */
export async function checkPlayer(name: string): Promise<void> {
  const mixed = mixture(name);
  if (mixed !== undefined) return await checkPlayer(mixed[0]);
  const { kind, who, imagination } = readPlayer(name);
  if (kind === "run" && await runReady(who) === "dopamine" && imagination !== undefined) {
    throw new UsageError(`'${name}' is no player: a dopamine fly looks ahead always, ${who} is wanted`);
  }
}

function readPlayer(name: string): PlayerName {
  const at = name.indexOf(":");
  const [kind, rest] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
  const [, who = "", weight] = /^(.*?)(?:\+([^/+]*))?$/.exec(rest)!;
  const strength = /^\d+$/.test(rest) ? Number(rest) : undefined;
  const known = kind === "run"
    ? who !== ""
    : kind === "newborn"
    ? /^\d+$/.test(who)
    : kind === "stockfish"
    ? Boolean(strength)
    : kind === "sf-elo"
    ? strength !== undefined || rest === "lowest"
    : kind === "sf-skill"
    ? strength !== undefined
    : (kind === "random" || kind === "greedy") && at < 0;
  if (!known) {
    const meant = at < 0 ? nearestWord(name, ["random", "greedy"]) : undefined;
    throw new UsageError(
      `'${name}' is no player` + (meant === undefined ? "" : `, did you mean '${meant}'?`) +
        `${meant === undefined ? "; one" : " One"} of these is wanted:${PLAYER_NAMES}`,
    );
  }
  if (weight !== undefined && weight !== "inf" && !/^\d+(\.\d+)?$/.test(weight)) {
    throw new UsageError(`the weight of '${name}' is '${weight}', a number or inf is wanted`);
  }
  const imagination = weight === undefined ? undefined : weight === "inf" ? Infinity : Number(weight);
  return { kind, rest, who, imagination, strength };
}

/**
 * Makes a player from its name on the command line.
 *
 * @param name One of `PLAYER_NAMES`.
 * @param stack Disposes of whatever it holds.
 * @throws {UsageError} If there is no such player.
 */
export async function makePlayer(
  name: string,
  settings: PlayerSettings,
  stack: AsyncDisposableStack,
  work: LongWork = {},
): Promise<Player> {
  const { seed, nodes, flies } = settings;
  const mixed = mixture(name);
  if (mixed !== undefined) {
    return partlyRandom(await makePlayer(mixed[0], settings, stack, work), mixed[1] / 100, { seed });
  }
  const { kind, rest, who, imagination, strength } = readPlayer(name);
  if (kind === "random") return randomPlayer({ seed });
  if (kind === "greedy") return greedyPlayer({ seed });
  if (kind === "run") {
    const dopamine = await flies.loadDopamine(who, work);
    if (dopamine !== undefined) {
      if (imagination === undefined) return new DopaminePlayer(dopamine, { name: rest });
      throw new UsageError(`'${name}' is no player: a dopamine fly looks ahead always, ${who} is wanted`);
    }
    return new FlyPlayer(await flies.load(who, work), { name: rest, imagination });
  }
  if (kind === "newborn") {
    return new FlyPlayer(await flies.newborn(Number(who), work), { name, imagination });
  }
  const path = await findStockfish();
  if (kind === "stockfish") return stack.use(await EnginePlayer.create({ path, nodes: strength! }));
  if (kind === "sf-elo") {
    return stack.use(await EnginePlayer.create({ path, nodes, elo: strength ?? "lowest" }));
  }
  return stack.use(await EnginePlayer.create({ path, nodes, skill: strength! }));
}
