/**
 * Prints the table of docs/engine.md from the committed comparison:
 * `deno run --allow-read bench/_peers_table.ts bench/results/engine.json`.
 */
interface Rates {
  readonly positionsPerSecond: number;
  readonly peers: Readonly<Record<string, number>>;
}

interface Milliseconds {
  readonly milliseconds: number;
  readonly peers: Readonly<Record<string, number>>;
}

interface Subject {
  readonly forward: Rates & { readonly atBatch16: Rates };
  readonly int16: { readonly positionsPerSecond: number };
  readonly int8: { readonly positionsPerSecond: number };
  readonly train: Rates;
  readonly one: Milliseconds;
  readonly thirty: Milliseconds;
}

/** What `deno task bench:peers` writes, as far as the table needs it. */
export interface PeersResults extends Subject {
  readonly uniformWiring: Subject;
}

const PEERS = ["pytorch", "tensorflow", "scipy"] as const;

function line(
  what: string,
  own: number,
  peers: Readonly<Record<string, number>>,
  faster: "more" | "less",
): string {
  const found = PEERS.map((peer) => peers[peer]).filter((value) => value !== undefined);
  const ratio = faster === "more" ? own / Math.max(...found) : Math.min(...found) / own;
  const cell = (value: number | undefined) => value === undefined ? "" : value.toFixed(0);
  return `| ${what} | ${cell(own)} | ${PEERS.map((peer) => cell(peers[peer])).join(" | ")} | ${
    ratio.toFixed(2)
  } |`;
}

function lines(name: string, { forward, int16, int8, train, one, thirty }: Subject): string[] {
  return [
    line(`${name}: forward, positions a second`, forward.positionsPerSecond, forward.peers, "more"),
    line(`${name}: the same, int16`, int16.positionsPerSecond, forward.peers, "more"),
    line(`${name}: the same, int8`, int8.positionsPerSecond, forward.peers, "more"),
    line(
      `${name}: float32, 16 at once`,
      forward.atBatch16.positionsPerSecond,
      forward.atBatch16.peers,
      "more",
    ),
    line(`${name}: training step, positions a second`, train.positionsPerSecond, train.peers, "more"),
    line(`${name}: one position, ms`, one.milliseconds, one.peers, "less"),
    line(`${name}: 30 positions, ms`, thirty.milliseconds, thirty.peers, "less"),
  ];
}

/** The comparison as a Markdown table. */
export function peersTable(results: PeersResults): string {
  return [
    "| | flychess | PyTorch | TensorFlow | SciPy | times the best peer |",
    "| - | -: | -: | -: | -: | -: |",
    ...lines("model fly", results),
    ...lines("uniform wiring", results.uniformWiring),
  ].join("\n");
}

if (import.meta.main) console.log(peersTable(JSON.parse(await Deno.readTextFile(Deno.args[0]!))));
