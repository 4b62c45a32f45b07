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
  const mixed = /^(.+)\/(\d+(?:\.\d+)?)$/.exec(name);
  if (mixed && !mixed[1]!.includes("/") && Number(mixed[2]) <= 100) {
    return partlyRandom(await makePlayer(mixed[1]!, settings, stack, work), Number(mixed[2]) / 100, { seed });
  }
  if (name === "random") return randomPlayer({ seed });
  if (name === "greedy") return greedyPlayer({ seed });
  const at = name.indexOf(":");
  const [kind, rest] = at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
  const [, who, weight] = /^(.*?)(?:\+(inf|\d+(?:\.\d+)?))?$/.exec(rest)!;
  const imagination = weight === undefined ? undefined : weight === "inf" ? Infinity : Number(weight);
  if (kind === "run" && who !== "") {
    const dopamine = await flies.loadDopamine(who!, work);
    if (dopamine !== undefined) {
      if (imagination === undefined) return new DopaminePlayer(dopamine, { name: rest });
      throw new UsageError(`'${name}' is no player: a dopamine fly looks ahead always, ${who} is wanted`);
    }
    return new FlyPlayer(await flies.load(who!, work), { name: rest, imagination });
  }
  if (kind === "newborn" && /^\d+$/.test(who!)) {
    return new FlyPlayer(await flies.newborn(Number(who), work), { name, imagination });
  }
  const strength = /^\d+$/.test(rest) ? Number(rest) : undefined;
  const path = () => findStockfish();
  if (kind === "stockfish" && strength) {
    return stack.use(await EnginePlayer.create({ path: await path(), nodes: strength }));
  }
  if (kind === "sf-elo" && (strength !== undefined || rest === "lowest")) {
    return stack.use(await EnginePlayer.create({ path: await path(), nodes, elo: strength ?? "lowest" }));
  }
  if (kind === "sf-skill" && strength !== undefined) {
    return stack.use(await EnginePlayer.create({ path: await path(), nodes, skill: strength }));
  }
  throw new UsageError(`'${name}' is no player; one of these is wanted:${PLAYER_NAMES}`);
}
