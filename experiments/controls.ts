/**
 * Is the wiring the reason? The real wiring beside shuffles that keep less and less of it, lesions of every region, a
 * silenced brain, no brain at all, and no board at all. Each is calibrated, shown the same positions and read twice: by the
 * reference's probe of 8 passes, and fitted to the end.
 *
 * @module
 */
import { type FlyBrain, wasmEngine } from "flychess/brain";
import type { LongWork } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import { drive, type Eye, eyeFor, silence } from "flychess/eye";
import {
  bestArithmetic,
  constantFeatures,
  type Deck,
  driveFeatures,
  fitBlind,
  fitProbe,
  judge,
  noFeatures,
} from "flychess/readout";
import { holdRows, type SafeTensors, trainRows, valRows, wake } from "flychess/training";
import { controlBrains, type ControlCounts, controlCounts, GROUPS } from "./controls/brains.ts";
import { deckSpread, hearingShare, neuronsOf, spreadOf } from "./controls/measures.ts";
import { type ControlsNumbers, type JudgedBrain, packBrain, summarizeControls } from "./controls/result.ts";
import type { ExperimentOptions } from "./_experiment.ts";
import { endOf, fitHeadsToEnd } from "./shared/fit_to_end.ts";
import { isKept, kept } from "./shared/kept.ts";
import { deckFeatures, deckOf, frontOf, lookAt, QUICK_ROWS } from "./shared/looks.ts";
import { precisionFor } from "./shared/precision.ts";

export { figure } from "./controls/figure.ts";

/** The question. */
export const question =
  "Is the wiring the reason? Real wiring, shuffles, lesions, a silenced brain, no brain, no board.";

/** HOLD positions that Kenyon cells are watched on. */
const WATCHED = 512;

/** What may be set beyond what every experiment is given. */
export interface ControlsOptions extends ExperimentOptions {
  /** Training positions; 8,192 by default. */
  readonly train?: number;
  /** How many brains of each kind. */
  readonly counts?: ControlCounts;
  /** Resamples an interval; 1,000 by default. */
  readonly resamples?: number;
}

/** Measures; each brain that is finished is kept. The real wiring and blind are wanted, also of what is there so far. */
export async function run(options: ControlsOptions): Promise<ControlsNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const connections = connectome.pre.length;
  const counts = options.counts ?? controlCounts(connections, quick);
  const most = quick ? { ...QUICK_ROWS, train: 1024 } : { train: 8192 };
  const positions = frontOf(options.positions, { ...most, ...options.train && { train: options.train } });
  const eye = eyeFor(connectome, "auto");
  const precision = precisionFor(connectome);
  const hold = holdRows(positions), train = trainRows(positions), end = endOf(connectome.output.length);
  const settings = {
    hold: hold.length,
    train: train.length,
    val: valRows(positions).length,
    steps: [12],
    precision,
    arithmetic: bestArithmetic(),
    end: quick ? { ...end, passes: 6, penalties: [0.3], first: 0.3 } : end,
  };
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    seed,
    ...settings,
  };
  const report = (name: string): LongWork => ({
    signal,
    onProgress: onProgress && ((progress) => onProgress({ ...progress, task: `${name}: ${progress.task}` })),
  });
  const blind = await fitBlind(positions, train, report("blind"));

  /** Reads a deck both ways. */
  const judged = async (deck: Deck, work: LongWork) => {
    const features = deckFeatures(deck);
    const probe = await fitProbe(features, positions, train, { seed, ...work });
    const end = await fitHeadsToEnd(deck, positions, {
      seed,
      blind,
      settings: settings.end,
      workers,
      ...work,
    });
    return {
      probe: judge(probe, features, positions, hold),
      end: judge(end.readout, features, positions, hold),
      penalty: end.penalty,
      pass: end.pass,
    };
  };
  const piece = (name: string, make: () => Promise<SafeTensors>) => kept(keep, name, inputs, make);
  const found: JudgedBrain[] = [], left: string[] = [];
  const add = async (
    group: string,
    name: string,
    make: () => Promise<Omit<JudgedBrain, "group" | "name">>,
  ) => {
    if (options.soFar && !await isKept(keep, name)) {
      left.push(name);
      return;
    }
    found.push(
      packBrain.open(
        await piece(name, async () => packBrain.close({ group, name, ...await make() })),
        positions,
      ),
    );
  };

  await add(GROUPS.real, GROUPS.real, () => look(connectome, GROUPS.real));
  await add(GROUPS.direct, GROUPS.direct, async () => ({
    ...await judged(deckOf(driveFeatures(eye, positions), positions), report(GROUPS.direct)),
    connections: 0,
  }));
  await add(GROUPS.silenced, GROUPS.silenced, async () => {
    await using brain = await awake(connectome, report(GROUPS.silenced));
    const rates = await brain.read(silence(1), { signal });
    const deck = deckOf(constantFeatures(rates, positions.count), positions);
    return { ...await judged(deck, report(GROUPS.silenced)), connections };
  });
  await add(GROUPS.blind, GROUPS.blind, () => {
    const seen = judge(blind, noFeatures(positions.count), positions, hold);
    return Promise.resolve({ probe: seen, end: seen, connections: 0 });
  });
  for (const control of controlBrains(connectome, counts, seed)) {
    await add(control.group, control.name, () => look(control.make(connectome), control.name));
  }
  return {
    settings,
    eye: { name: eye.name, cells: eye.cell.length },
    counts,
    ...left.length > 0 && { left },
    ...summarizeControls(found, { resamples: options.resamples ?? 1000, seed }),
  };

  /** Wakes a wiring. */
  function awake(wiring: Connectome, work: LongWork): Promise<FlyBrain> {
    return wake(wiring, eyeOf(wiring), positions, {
      engine: wasmEngine({ precision }),
      ...workers === undefined ? {} : { workers },
      calibrationPositions: Math.min(256, train.length),
      ...work,
    });
  }

  /** Wakes a wiring, shows it every position and reads it. */
  async function look(wiring: Connectome, name: string): Promise<Omit<JudgedBrain, "group" | "name">> {
    const work = report(name), seeing = eyeOf(wiring);
    await using brain = await awake(wiring, work);
    const deck = await lookAt(brain, seeing, positions, { steps: settings.steps, ...work });
    const kenyon = neuronsOf(wiring, "Kenyon cell"), watched = hold.subarray(0, WATCHED);
    const rates = kenyon.length === 0
      ? []
      : await brain.read(drive(seeing, positions.board, { rows: watched }), { neurons: kenyon, signal });
    return {
      ...await judged(deck, work),
      connections: wiring.pre.length,
      hearing: hearingShare(wiring, seeing),
      spread: {
        descending: deckSpread(deck, hold.length),
        ...kenyon.length > 0 && { kenyon: spreadOf(rates, kenyon.length) },
      },
    };
  }

  /** A wiring's eye: the same for all that keep the neurons, another where the fly was grown again. */
  function eyeOf(wiring: Connectome): Eye {
    return wiring.neurons === connectome.neurons ? eye : eyeFor(wiring, "auto");
  }
}
