/**
 * `deno task bench:fit`: how many positions a second the cached fit learns from, with our own kernels and with TensorFlow's
 * products, taking turns, and what the time goes into.
 *
 * @module
 */
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { Random, writeFileAtomic } from "flychess/common";
import { shippedPositions } from "flychess/data";
import { dealDeck, type Deck, headsArithmetic, type HeadsEngine, HeadsTrainer } from "flychess/readout";
import { table } from "../cli/_table.ts";
import { type FitParts, timeParts } from "./_fit_parts.ts";
import { median } from "./_contest.ts";
import { type FitSpeed, whole } from "./_fit_table.ts";

const HELP = `Usage: deno task bench:fit [--json FILE] [--rounds 15] [--seconds 0] [--batches 128,256,1024]

  --json FILE     where the numbers go
  --rounds N      turns of each engine
  --seconds N     how long a turn takes at least; each learns from 8,192 positions
  --batches LIST  positions of a step

Without TensorFlow ('deno task setup:tensorflow') our own kernels are measured alone.`;

/** Neurons read: the model fly's of scale 1, and the larva's. */
const NEURONS = [1314, 346];
/** Positions of a step; 128 is what 'fly train cached' takes. */
const BATCHES = "128,256,1024";
/** Positions of a deck. */
const POSITIONS = 8192;

async function measure(
  deck: Deck,
  batch: number,
  engines: readonly HeadsEngine[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<FitSpeed> {
  const neurons = deck.columns, order = Int32Array.from({ length: deck.count }, (_, i) => i);
  using stack = new DisposableStack();
  const trainers = new Map<HeadsEngine, HeadsTrainer>();
  for (const engine of engines) {
    const options = { columns: neurons, kept: 1, combinations: 1, batch, decay: 0.01, engine };
    const trainer = stack.use(await HeadsTrainer.create(options));
    trainers.set(engine, trainer);
    await trainer.learn(deck, order, { rate: 1e-5 });
  }
  const rates = Object.fromEntries(engines.map((engine) => [engine, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [engine, trainer] of trainers) {
      const started = performance.now();
      let learned = 0, spent = 0;
      do {
        await trainer.learn(deck, order, { rate: 1e-5 });
        learned += order.length;
        spent = (performance.now() - started) / 1000;
      } while (spent < seconds);
      rates[engine]!.push(learned / spent);
    }
  }
  const parts: Partial<Record<HeadsEngine, FitParts>> = {};
  for (const engine of engines) parts[engine] = await timeParts(engine, deck, batch);
  return { neurons, batch, rates, parts };
}

function describe(speeds: readonly FitSpeed[]): string {
  const rows = speeds.flatMap(({ neurons, batch, rates, parts }) =>
    (["wasm", "tensorflow"] as const).filter((engine) => rates[engine] !== undefined).map((engine) => {
      const all = rates[engine]!, spent = parts[engine]!;
      return [
        whole(neurons),
        whole(batch),
        engine,
        whole(median(all)),
        `${whole(Math.min(...all))} to ${whole(Math.max(...all))}`,
        ...[spent.features, spent.scores, spent.losses, spent.gradients, spent.adam].map((each) =>
          each.toFixed(2)
        ),
      ];
    })
  );
  const heads = ["neurons", "batch", "engine", "positions/s", "turns"];
  return table([...heads, "features us", "scores", "losses", "gradients", "Adam"], rows);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "string" },
      rounds: { type: "string", default: "15" },
      batches: { type: "string", default: BATCHES },
      seconds: { type: "string", default: "0" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const plan = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  const batches = values.batches.split(",").map(Number);
  const engines: HeadsEngine[] = ["wasm"], arithmetic = [headsArithmetic("wasm")];
  try {
    arithmetic.push(headsArithmetic("tensorflow"));
    engines.push("tensorflow");
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores`;
  console.log(`${machine}; ${arithmetic.join(" and ")}`);
  const positions = await shippedPositions(), speeds: FitSpeed[] = [];
  for (const neurons of NEURONS) {
    const deck = dealDeck(positions, positions.hold + positions.val, POSITIONS, neurons);
    const random = new Random(1, "rates");
    for (let i = 0; i < deck.rates.length; i++) deck.rates[i] = random.int(256);
    for (const batch of batches) speeds.push(await measure(deck, batch, engines, plan));
  }
  console.log(describe(speeds));
  console.log(
    "Positions a second: the turn in the middle. The rest: microseconds a position, the shortest of many times; wasm's " +
      "on one core, TensorFlow's products and Adam on all.",
  );
  if (values.json === undefined) return;
  const command = ["deno task bench:fit", ...Deno.args].join(" "),
    date = new Date().toISOString().slice(0, 10);
  await writeFileAtomic(
    values.json,
    JSON.stringify({ command, machine, date, arithmetic, ...plan, speeds }, null, 2) + "\n",
  );
}

if (import.meta.main) await main();
