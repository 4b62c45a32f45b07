/**
 * How strong are flies? Takes the ladder that `fly ladder` has played and writes figures/ladder_games_BRAIN.json, its picture,
 * and every game as compressed PGN.
 *
 *   deno task fly ladder run:cached run:cached+1 --connectome data/larva.arrow --name ladder
 *   deno run -A experiments/ladder_games.ts runs/ladder larva --connectome data/larva.arrow
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DataError, writeFileAtomic } from "flychess/common";
import { connectomeDigest, loadConnectome } from "flychess/connectome";
import { loadPositions, shippedPositions } from "flychess/data";
import { makePgn, type MatchResult } from "flychess/play";
import { drawLadder, type LadderNumbers, type LadderPlayer } from "./ladder/figure.ts";
import { ladderTables } from "./ladder/tables.ts";

/** A match as `fly ladder` keeps it. */
interface KeptMatch extends MatchResult {
  readonly pairing: readonly [string, string];
  readonly settings: LadderNumbers["settings"];
}

/** Every match in a ladder's folder, in the order of its pairings. */
export async function keptMatches(folder: string, ladder: LadderNumbers): Promise<KeptMatch[]> {
  const matches: KeptMatch[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!/^[0-9a-f]{16}\.json$/.test(name)) continue;
    matches.push(JSON.parse(await Deno.readTextFile(join(folder, name))));
  }
  const order = (match: KeptMatch) =>
    ladder.pairings.findIndex(({ first, second }) =>
      first === match.pairing[0] && second === match.pairing[1]
    );
  const before = ({ settings }: KeptMatch) => Number(settings.before ?? 0);
  const own = matches.filter((match) =>
    order(match) >= 0 &&
    ["nodes", "seed", "connectome", "positions"].every((name) =>
      match.settings[name] === ladder.settings[name]
    )
  ).sort((a, b) => order(a) - order(b) || before(a) - before(b));
  for (const [k, { first, second, wins, draws, losses }] of ladder.pairings.entries()) {
    const found = own.filter((match) => order(match) === k);
    const sum = (of: "wins" | "draws" | "losses") => found.reduce((all, match) => all + match[of], 0);
    if (sum("wins") === wins && sum("draws") === draws && sum("losses") === losses) continue;
    throw new DataError(
      `The games of ${first} against ${second} in ${folder} are not those of its ladder.json`,
    );
  }
  return own;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { connectome: { type: "string" }, positions: { type: "string" }, out: { type: "string" } },
  });
  const [folder, label] = positionals;
  if (folder === undefined || label === undefined || values.connectome === undefined) {
    console.error(
      "Usage: deno run -A experiments/ladder_games.ts FOLDER BRAIN --connectome FILE [--positions FILE]",
    );
    Deno.exit(2);
  }
  const kept: LadderNumbers = JSON.parse(await Deno.readTextFile(join(folder, "ladder.json")));
  const connectome = await loadConnectome(values.connectome);
  const positions = values.positions === undefined
    ? await shippedPositions()
    : await loadPositions(values.positions);
  const name = values.out ?? `ladder_games_${label}`;
  const numbers: LadderNumbers = {
    ...kept,
    connectome: { name: connectome.name, digest: connectomeDigest(connectome) },
    positions: positions.digest,
    // JSON has no infinity: JSON.stringify wrote null.
    players: kept.players as readonly LadderPlayer[],
    games: `${name}.pgn.gz`,
  };
  const games = (await keptMatches(folder, numbers)).flatMap((match) =>
    match.games.map((game) =>
      makePgn({ ...game, probability: game.probability.map(() => null) }, {
        event: `ladder, ${connectome.name}`,
      })
    )
  );
  const packed = new Blob([games.join("\n")]).stream().pipeThrough(new CompressionStream("gzip"));
  await writeFileAtomic(`figures/${name}.pgn.gz`, new Uint8Array(await new Response(packed).arrayBuffer()));
  await writeFileAtomic(`figures/${name}.json`, JSON.stringify(numbers, null, 1) + "\n");
  await writeFileAtomic(`figures/${name}.svg`, drawLadder(numbers));
  console.log(`${games.length.toLocaleString("en-US")} games\n\n${ladderTables(numbers).games}`);
}
