import { basename, join } from "node:path";
import { connectomeDigest, loadConnectome } from "../lib/connectome/mod.ts";
import {
  chessbenchShard,
  excludeHeldOut,
  loadPositions,
  parseShards,
  shippedPositions,
} from "../lib/data/mod.ts";
import { eyeFor } from "../lib/eye/mod.ts";
import { headsArithmetic } from "../lib/readout/mod.ts";
import {
  cpuTemperature,
  type DayShard,
  daySteps,
  LONG_FIT,
  machineRoom,
  openRun,
  runDay,
  type RunFolder,
  THROTTLE,
  Throttle,
  wake,
} from "../lib/training/mod.ts";
import {
  type Command,
  readEye,
  readName,
  readNumber,
  readOptions,
  readSeed,
  readSteps,
  UsageError,
} from "./_command.ts";
import { readEngine, readFitEngine } from "./_engine.ts";
import { rateDay } from "./_day_rating.ts";
import { interruptSignal } from "./_progress.ts";
import { findStockfish } from "./_stockfish.ts";

/** `fly train day`. */
export const command: Command = {
  name: "train day",
  summary: "the long run: download shards, show them to the brain, fit every few hours, for days",
  goesOn: true,
  help: `
Usage: deno task fly train day --connectome FILE [options]

Shows the positions that are here to the brain and fits a readout, then takes shard after shard of ChessBench: the next
one is downloaded while the brain works on the last. Every few hours the readout is fitted again on everything. Killed at
any moment, the same command goes on where it was. 'touch runs/NAME/stop' ends it cleanly; 'fly watch --run NAME' draws it.

  --connectome FILE      from 'fly connectome build' or 'fly connectome grow'
  --positions FILE       from 'fly data prepare'; its HOLD and VAL judge every fit (those that come with the library)
  --curriculum-positions FILE  lessons in finishing, from 'fly data curriculum'
  --curriculum SHARE     share of every batch that comes from them (0.1)
  --shards LIST          shards of ChessBench in this order, for example 0-99 (0-1023)
  --file FILE            a shard that is here already, instead of --shards: ChessBench's or one from 'fly data prepare'; may be
                         given several times
  --from URL             a mirror: the shards come from URL/NAME
  --name NAME            the run's folder, runs/NAME (day)
  --read STEPS           steps whose mean is read, with commas between (9,10,11,12)
  --eye NAME             fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
  --engine NAME          wasm, webgpu, tensorflow, reference or auto (wasm)
  --precision NAME       of the wasm engine: float32, int16 or int8, which is the fastest (float32)
  --fit-every HOURS      hours between two fits; turned into shards once, after the first shard (6)
  --fit-every-shards N   shards between two fits, instead of hours
  --fits N               end after so many fits (when no shard is left)
  --batch N              positions a step of the fit (${LONG_FIT.batch})
  --rate N               the fit's largest step size; it falls on a cosine to 0 (${LONG_FIT.rate})
  --passes N             passes of a fit (${LONG_FIT.maxPasses})
  --fit-engine NAME      wasm or tensorflow: what multiplies in the fit (wasm)
  --games N              after every fit, play so many games against each rung of a ladder (see 'fly ladder') and log the Elo;
                         needs Stockfish (0: none)
  --nodes N              positions a move for the Stockfish of those games (10000)
  --target DEGREES       the processor is held to this temperature in °C, where it has a sensor (${THROTTLE.target})
  --min-free-gb N        the oldest blocks go while the disk has less left than this (10)
  --max-cache-gb N       the oldest blocks go while the cache is larger than this (no limit)
  --min-memory-gb N      work is broken off and waits while less memory is left than this (1)
  --seed N               seed of the fits (1)

Example: deno task fly train day --connectome data/fly.arrow --positions data/positions.arrow --shards 6-200`,

  async run(args) {
    const { values } = readOptions(args, {
      connectome: { type: "string" },
      positions: { type: "string" },
      "curriculum-positions": { type: "string" },
      curriculum: { type: "string", default: "0.1" },
      shards: { type: "string", default: "0-1023" },
      file: { type: "string", multiple: true },
      from: { type: "string" },
      name: { type: "string", default: "day" },
      read: { type: "string", default: "9,10,11,12" },
      eye: { type: "string", default: "auto" },
      engine: { type: "string", default: "wasm" },
      precision: { type: "string", default: "float32" },
      "fit-engine": { type: "string", default: "wasm" },
      "fit-every": { type: "string", default: "6" },
      "fit-every-shards": { type: "string" },
      fits: { type: "string" },
      batch: { type: "string", default: String(LONG_FIT.batch) },
      rate: { type: "string", default: String(LONG_FIT.rate) },
      passes: { type: "string", default: String(LONG_FIT.maxPasses) },
      games: { type: "string", default: "0" },
      nodes: { type: "string", default: "10000" },
      target: { type: "string", default: String(THROTTLE.target) },
      "min-free-gb": { type: "string", default: "10" },
      "max-cache-gb": { type: "string" },
      "min-memory-gb": { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
    });
    if (!values.connectome) throw new UsageError("--connectome FILE is wanted");
    const eyeName = readEye(values.eye), name = readName(values.name);
    const engine = readEngine(values);
    const whole = (name: "batch" | "passes" | "fits" | "fit-every-shards") =>
      values[name] === undefined ? undefined : readNumber(name, values[name], { whole: true, least: 1 });
    const steps = readSteps(values.read);
    const target = readNumber("target", values.target, { least: 30, most: 110 });
    const minFreeGb = readNumber("min-free-gb", values["min-free-gb"], { least: 0 });
    const maxCacheGb = values["max-cache-gb"] === undefined
      ? undefined
      : readNumber("max-cache-gb", values["max-cache-gb"], { least: 0 });
    const availableBytes = 1e9 * readNumber("min-memory-gb", values["min-memory-gb"], { least: 0 });
    const settings = {
      shardsPerFit: whole("fit-every-shards"),
      fitEveryHours: readNumber("fit-every", values["fit-every"], { least: 0.001 }),
      fits: whole("fits"),
    };
    const fit = {
      batch: whole("batch")!,
      maxPasses: whole("passes")!,
      rate: readNumber("rate", values.rate, { least: 1e-9 }),
      seed: readSeed(values.seed),
      curriculumShare: readNumber("curriculum", values.curriculum, { least: 0, most: 0.9 }),
    };
    const fitEngine = readFitEngine(values["fit-engine"]);
    const shards: DayShard[] = values.file?.map((path) => ({ name: basename(path), path })) ??
      parseShards(values.shards).map(chessbenchShard);

    const games = readNumber("games", values.games, { whole: true, least: 0 });
    const nodes = readNumber("nodes", values.nodes, { whole: true, least: 1 });
    if (games > 0) await findStockfish();

    const signal = interruptSignal();
    const connectome = await loadConnectome(values.connectome);
    const lessons = values["curriculum-positions"];
    const curriculum = lessons === undefined ? undefined : await loadPositions(lessons);
    const all = values.positions === undefined
      ? await shippedPositions()
      : await loadPositions(values.positions);
    const positions = curriculum === undefined ? all : excludeHeldOut(all, [curriculum]);
    const eye = eyeFor(connectome, eyeName);
    const usual = values.engine === "wasm" && values.precision === "float32";
    await using run = await openRun(join("runs", name), {
      kind: "day",
      eye: eyeName,
      steps,
      shards: shards.map(({ name }) => name),
      shardsPerFit: settings.shardsPerFit ?? null,
      fitEveryHours: settings.fitEveryHours,
      ...fit,
      // A run without them is one of the defaults.
      ...usual ? {} : { engine: `${values.engine} ${values.precision}` },
      ...fitEngine === "wasm" ? {} : { arithmetic: headsArithmetic(fitEngine) },
      inputs: {
        connectome: connectomeDigest(connectome),
        positions: positions.digest,
        ...(curriculum === undefined ? {} : { curriculum: curriculum.digest }),
      },
    });
    const throttle = new Throttle({
      temperature: () => cpuTemperature(),
      target,
      brake: Math.max(THROTTLE.brake, target + 8),
      release: Math.min(THROTTLE.release, target),
    });
    await using brain = await wake(connectome, eye, positions, { engine, signal });
    await using work = await daySteps({
      folder: run.folder,
      brain,
      eye,
      positions,
      curriculum,
      shards,
      steps,
      fit: { ...fit, engine: fitEngine },
      throttle,
      limits: { minFreeGb, maxCacheGb },
      rate: games === 0 ? undefined : (fits, work) =>
        rateDay(
          { folder: run.folder, brain, eye, steps, games, nodes, seed: fit.seed },
          fits,
          work,
        ),
      download: { from: values.from },
    });
    const room = () => machineRoom(run.folder);
    console.log(
      `${connectome.name}: a long run in ${run.folder}, ${shards.length.toLocaleString("en-US")} shards`,
    );
    console.log(
      `'deno task fly watch --run ${name}' draws it, 'touch ${join(run.folder, "stop")}' ends it`,
    );
    const logged: RunFolder = {
      folder: run.folder,
      checkpoint: () => run.checkpoint(),
      save: (checkpoint) => run.save(checkpoint),
      stopAsked: () => run.stopAsked(),
      async log(event, values = {}) {
        await run.log(event, values);
        if (event !== "status") console.log(lineOf(event, values));
      },
    };
    const { ended, state } = await runDay(logged, work, settings, {
      signal,
      machine: { temperature: () => cpuTemperature(), share: () => throttle.state.share, room },
      // The cache makes room for itself down to minFreeGb; below half of it something else fills the disk.
      limits: { freeBytes: 5e8 * minFreeGb, availableBytes },
    });
    const fits = `${state.fits.toLocaleString("en-US")} fits, ${
      state.positions.toLocaleString("en-US")
    } positions`;
    if (ended === "done") console.log(`Done: ${fits}. The readout is ${join(run.folder, "readout.arrow")}`);
    else {
      console.log(
        `Stopped, as asked, after ${fits}. The same command goes on from here once ${
          join(run.folder, "stop")
        } is gone.`,
      );
    }
  },
};

function lineOf(event: string, values: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(values).map(([name, value]) =>
    `${name} ${
      typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 4 }) : value
    }`
  );
  return `${new Date().toTimeString().slice(0, 8)}  ${event}: ${told.join(", ")}`;
}
