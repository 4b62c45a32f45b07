import { connectomeDigest } from "../lib/connectome/mod.ts";
import { EnginePlayer, greedyPlayer, type Player, randomPlayer } from "../lib/play/mod.ts";
import type { Interval } from "../lib/readout/mod.ts";
import {
  type BioCheck,
  type BioOutcome,
  bioRunConfig,
  type BioSettings,
  trainBio,
} from "../lib/training/mod.ts";
import {
  type Command,
  readName,
  readNumber,
  readOptions,
  readSeed,
  readWord,
  UsageError,
} from "./_command.ts";
import { CHANGE_HELP, CHANGE_OPTIONS, readChanges } from "./_connectome_changes.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { findStockfish } from "./_stockfish.ts";
import { mushroomBody } from "../lib/bio/mod.ts";
import { openTrainRun, stoppedAsAsked, trainInputs, unlessRefused } from "./_train_run.ts";
import { table } from "./_table.ts";

/** Positions a move of the last opponent, Stockfish at skill level 0. */
const NODES = 10_000;

/** `fly train-bio` */
export const command: Command = {
  name: "train-bio",
  summary: "teach a dopamine fly: no backprop, only synapses onto its mushroom body's output neurons weaken",
  goesOn: true,
  help: `
Usage: deno task fly train-bio [options]

Teaches a fly as flies learn. It looks at positions after a move; its mushroom body's output neurons (MBONs) say approach
or avoid. Sugar for the position after the teacher's move and a shock for another one weaken synapses from the Kenyon cells
that were active onto the MBONs that this dopamine reaches. Nothing else changes. At the end it is judged on held-out pairs
(HOLD), before and after. Stopped or killed at any moment, the same command goes on where it was and ends the same. 'touch
runs/NAME/stop' ends it cleanly; 'fly match run:NAME random' plays with what came out.

What it learns from
  --connectome FILE  from 'fly connectome build' or 'fly connectome grow' (a model fly at scale 1/8, grown here)
  --positions FILE   from 'fly data prepare' (the positions that come with the library)
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
${CHANGE_HELP}
How long
  --minutes N        minutes of learning, turned into lessons (or games) once (15)
  --lessons N        that many lessons instead
  --batch N          lessons that change synapses once, by their average (64)
How it learns
  --against KIND     what stands against the teacher's move: random, or second, its second best (random)
  --rate N           share of a synapse that a full dose takes (0.1)
  --drift N          share of the way back to the measured strength after every change (0.001)
  --temperature N    how sharply it prefers (1)
  --tagged KIND      active Kenyon cells, or only by what differs between the two positions (active)
  --seed N           seed of the order of lessons, of the other moves and of the intervals (1)
Learning from games instead
  --games            it plays and learns from what it wins and loses: a random mover, then a greedy one, then Stockfish
                     at skill level 0 where there is one, each once it scores above 60 % over 50 games
  --count N          that many games instead of minutes
Its brain
  --share N          share of Kenyon cells that pass the cut (0.05)
  --width N          width of the cut, in rate (0.01)
  --cut VERSION      sigmoid, step or subtract (sigmoid)
  --cut-on WHAT      mbon: what MBONs receive; all: all that Kenyon cells send (mbon)
  --valence KIND     an adult's MBONs: against the dopamine that reaches them, or by transmitter (dopamine)
  --punished KIND    a larva: whom neurons of punishment reach most, app or av cells (app)
  --precision KIND   float32, int16 or float64 (float32)
What it keeps
  --name NAME        the run's folder, runs/NAME (bio)
  --check-every N    lessons, or games, between two checks on VAL (6400, or 50)
  --save-seconds N   seconds between two checkpoints (30)
  --workers N        threads (one a core)

Examples:
  deno task fly train-bio --minutes 2
  deno task fly train-bio --connectome data/larva.arrow --positions data/positions.arrow --name larva-bio --lessons 32000`,

  async run(args) {
    const { values } = readOptions(args, {
      connectome: { type: "string" },
      positions: { type: "string" },
      eye: { type: "string", default: "auto" },
      ...CHANGE_OPTIONS,
      minutes: { type: "string", default: "15" },
      lessons: { type: "string" },
      batch: { type: "string", default: "64" },
      against: { type: "string", default: "random" },
      rate: { type: "string", default: "0.1" },
      drift: { type: "string", default: "0.001" },
      temperature: { type: "string", default: "1" },
      tagged: { type: "string", default: "active" },
      seed: { type: "string", default: "1" },
      games: { type: "boolean", default: false },
      count: { type: "string" },
      share: { type: "string", default: "0.05" },
      width: { type: "string", default: "0.01" },
      cut: { type: "string", default: "sigmoid" },
      "cut-on": { type: "string", default: "mbon" },
      valence: { type: "string", default: "dopamine" },
      punished: { type: "string", default: "app" },
      precision: { type: "string", default: "float32" },
      name: { type: "string", default: "bio" },
      "check-every": { type: "string" },
      "save-seconds": { type: "string", default: "30" },
      workers: { type: "string" },
    });
    const { games } = values, name = readName(values.name);
    if (values.lessons !== undefined && games) {
      throw new UsageError("--lessons and --games do not go together, --count is wanted for games");
    }
    if (values.count !== undefined && !games) {
      throw new UsageError("--count is for --games, --lessons is wanted for lessons");
    }
    const one = <const Word extends string>(
      option: "against" | "cut" | "cut-on" | "eye" | "precision" | "punished" | "tagged" | "valence",
      ...words: Word[]
    ): Word => readWord(option, values[option], words);
    const whole = (option: string, text: string) => readNumber(option, text, { whole: true, least: 1 });
    const count = games ? values.count : values.lessons;
    const settings: BioSettings = {
      eye: one("eye", "fair", "first", "larva", "auto"),
      lessons: games ? "games" : "tutor",
      count: count === undefined ? undefined : whole(games ? "count" : "lessons", count),
      minutes: readNumber("minutes", values.minutes, { least: 0 }),
      batch: whole("batch", values.batch),
      against: one("against", "random", "second"),
      rate: readNumber("rate", values.rate, { least: 0 }),
      drift: readNumber("drift", values.drift, { least: 0, most: 1 }),
      temperature: readNumber("temperature", values.temperature, { least: 1e-6 }),
      tagged: one("tagged", "active", "differs"),
      share: readNumber("share", values.share, { least: 1e-6, most: 1 }),
      width: readNumber("width", values.width, { least: 1e-6 }),
      version: one("cut", "sigmoid", "step", "subtract"),
      gated: one("cut-on", "mbon", "all"),
      valence: one("valence", "dopamine", "transmitter"),
      punished: one("punished", "app", "av"),
      precision: one("precision", "float32", "int16", "float64"),
      checkEvery: values["check-every"] === undefined
        ? undefined
        : whole("check-every", values["check-every"]),
      seed: readSeed(values.seed),
    };
    const saveSeconds = readNumber("save-seconds", values["save-seconds"], { least: 0 });
    const workers = values.workers === undefined
      ? undefined
      : readNumber("workers", values.workers, { whole: true, least: 0 });
    const changes = readChanges(values);
    const started = performance.now();

    using bars = new ProgressBars();
    const { connectome, positions } = await trainInputs(values, changes, { onProgress: bars.report });
    await using stack = new AsyncDisposableStack();
    const opponents = games ? await opponentsOf(settings.seed!, stack) : [];
    mushroomBody(connectome, settings); // Throws where there is none, before the run takes its name.
    await using run = await openTrainRun(name, connectome, settings.eye!, {
      ...bioRunConfig(settings),
      ...games ? { opponents: opponents.map((player) => player.name) } : {},
      inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
    });
    const unit = games ? "games" : "lessons";
    let checks = 0;
    const outcome = await unlessRefused(run, () =>
      trainBio(run, connectome, positions, {
        ...settings,
        ...games ? { opponents } : {},
        workers,
        saveSeconds,
        signal: interruptSignal(),
        onProgress: bars.report,
        onPlan: ({ count }) => console.log(`${number(count)} ${unit} in all.`),
        onCheck: (check) => {
          if (checks++ === 0) {
            bars.quiet();
            console.log(checkHead(unit));
          }
          console.log(checkLine(check));
        },
      }));
    bars[Symbol.dispose]();
    if (outcome === undefined) {
      console.log(stoppedAsAsked(run));
      return;
    }
    console.log(`\n${summary(connectome.name, outcome, unit)}`);
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `\nKept in ${run.folder}: checkpoint.safetensors, result.json, log.jsonl. Done in ${minutes} minutes.`,
    );
  },
};

/** Ever harder ones; the last where there is a Stockfish. */
async function opponentsOf(seed: number, stack: AsyncDisposableStack): Promise<Player[]> {
  const players: Player[] = [randomPlayer({ seed }), greedyPlayer({ seed })];
  const path = await findStockfish().catch(() => undefined);
  if (path !== undefined) {
    players.push(stack.use(await EnginePlayer.create({ path, nodes: NODES, skill: 0 })));
  }
  return players;
}

const number = (value: number): string => value.toLocaleString("en-US");
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

function checkHead(unit: string): string {
  return `\n             --------- VAL ---------   cells in   synapses\n` +
    `${unit.padStart(11)}  pairs right  harder ones   common      left`;
}

function checkLine({ given, right, harder, overlap, left, score, opponent }: BioCheck): string {
  const games = opponent === undefined
    ? ""
    : `  against ${opponent}${score === undefined ? "" : ` ${percent(score)} of its last games`}`;
  return number(given).padStart(11) + percent(right).padStart(13) +
    (Number.isNaN(harder) ? "-" : percent(harder)).padStart(13) + percent(overlap).padStart(9) +
    percent(left).padStart(10) + games;
}

function summary(name: string, { eye, assumption, given, scores }: BioOutcome, unit: string): string {
  const { before, after, gain, counts } = scores;
  const range = ({ value, low, high }: Interval, sign = false) => {
    const each = (share: number) => (sign && share > 0 ? "+" : "") + (100 * share).toFixed(1);
    return `${each(value)} (${each(low)} to ${each(high)})`;
  };
  const rows = [["pairs", "pairs right", counts.pairs], ["harder", "harder pairs right", counts.harder], [
    "moves",
    "teacher's move of all",
    counts.moves,
  ]] as const;
  return [
    `${name}, ${eye.name} eye: ${number(given)} ${unit}; ${assumption}.`,
    "",
    table(
      ["on HOLD, %", "before", "after", "gain", "of"],
      rows.filter(([key]) => after[key] !== undefined).map(([key, words, count]) => [
        words,
        range(before[key]!),
        range(after[key]!),
        range(gain[key]!, true),
        number(count),
      ]),
    ),
    "",
    "Pairs: the position after the teacher's move against the one after a random other move (harder: its second best); a " +
    "coin gets 50 %. In brackets 95 % intervals by game; the gain is taken pair by pair.",
  ].join("\n");
}
