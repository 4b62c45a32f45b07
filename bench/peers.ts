/**
 * `deno task bench:peers`: the engine beside PyTorch, TensorFlow and SciPy, on the same brain, in turns.
 */
import { availableParallelism, cpus } from "node:os";
import { cpuUsage } from "node:process";
import { parseArgs } from "node:util";
import { writeFileAtomic } from "flychess/common";
import { alternate, type Contestant } from "./_contest.ts";
import { Peer, PEERS } from "./_peer.ts";
import { makeSubject, NARROW, type Subject, SUBJECTS } from "./_peer_subjects.ts";
import {
  besidePytorch,
  describePeers,
  latency,
  type Name,
  type Narrow,
  type Results,
  summary,
} from "./_peers_summary.ts";
import { findPython } from "./_python.ts";
import { makeTrainer } from "./_trainer.ts";
import type { FlyBrain } from "flychess/brain";
import type { Drive } from "flychess/eye";

const HELP =
  `Usage: deno task bench:peers [--json FILE] [--scale 1] [--rounds 5] [--seconds 2] [--python PATH]

Measures the wasm engine beside PyTorch, TensorFlow and SciPy on two brains as large as MaleCNS (a model fly, and
uniform random wiring): everybody takes a turn, one after the other, several times; medians are compared.

  --json FILE    where the numbers go (bench/results/engine.json; only the whole run at scale 1 belongs there)
  --scale N      a smaller brain, down to 1/256
  --rounds N     turns each
  --seconds N    how long a turn takes at least
  --threads N    threads for everybody (all cores)
  --python PATH  a Python with the packages of bench/requirements.txt (.venv/bin/python)
  --subject NAME modelFly or uniformWiring, for one of them only`;

/** Positions at once that are tried before everybody gets his best. */
const BATCHES = [16, 32, 64, 128, 256];
/** Training keeps more of each position. */
const TRAINING_BATCHES = [8, 16, 32];
/** How far answers may be from ours. */
const NEAR = 1e-4;
/** How far gradients may be from ours, as a share of the length. */
const NEAR_GRADIENT = 0.02;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
}

interface Thinker {
  readonly brain: FlyBrain;
  drive(positions: number): Drive;
}

function forward({ brain, drive }: Thinker, batch: number, seconds: number): Contestant {
  const seen = drive(batch);
  return { batch, turn: () => timed(batch, seconds, () => brain.read(seen)) };
}

async function timed(batch: number, seconds: number, act: () => Promise<unknown>) {
  await act(); // workers wake up, plans are made
  const start = performance.now(), before = cpuUsage();
  let positions = 0, elapsed = 0;
  do {
    await act();
    positions += batch;
    elapsed = (performance.now() - start) / 1000;
  } while (elapsed < seconds);
  const { user, system } = cpuUsage(before);
  return { positions, seconds: elapsed, processorSeconds: (user + system) / 1e6 };
}

const peerTurn = (peer: Peer, work: "forward" | "train", batch: number, seconds: number): Contestant => ({
  batch,
  turn: () => peer.measure({ do: work, batch, seconds }),
});

/** The batch that is fastest for somebody by the clock: a batch that leaves a core without work is not anybody's best. */
async function bestBatch(batches: readonly number[], make: (batch: number) => Contestant): Promise<number> {
  let best = batches[0]!, most = 0;
  for (const batch of batches) {
    const { positions, seconds } = await make(batch).turn();
    if (positions / seconds <= most) continue;
    most = positions / seconds;
    best = batch;
  }
  return best;
}

/** Throws unless a peer's rates of the first 16 positions are ours. */
async function compareRates(subject: Subject, peer: Peer): Promise<number> {
  const answers = `${subject.folder}/${peer.name}.f32`, batch = 16;
  await peer.measure({ do: "forward", batch, seconds: 0, answers });
  const theirs = new Float32Array((await Deno.readFile(answers)).buffer);
  const ours = await subject.brain.read(subject.drive(batch));
  const outputs = ours.length / batch;
  let largest = theirs.length === ours.length ? 0 : Infinity;
  for (let i = 0; i < ours.length; i++) {
    const position = Math.floor(i / outputs), output = i % outputs;
    largest = Math.max(largest, Math.abs(ours[i]! - theirs[output * batch + position]!));
  }
  if (!(largest <= NEAR)) {
    throw new Error(
      `Cannot compare with ${peer.name}: its rates are up to ${largest} away, ${NEAR} is wanted`,
    );
  }
  return largest;
}

/**
 * How far the peers' gradients of theta are from ours, as a share of its length. Rates that round to the other side of the
 * threshold have another gradient, so that this is not held to the tolerance of the rates.
 */
async function compareGradients(subject: Subject, peers: readonly Peer[]): Promise<Record<string, number>> {
  const batch = TRAINING_BATCHES[0]!, differences: Record<string, number> = {};
  const { theta } = await subject.brain.backward(subject.drive(batch), subject.error(batch), { window: 6 });
  for (const peer of peers) {
    if (peer.name === "scipy") continue;
    const answers = `${subject.folder}/${peer.name}_gradient.f32`;
    await peer.measure({ do: "train", batch, seconds: 0, answers });
    const theirs = new Float32Array((await Deno.readFile(answers)).buffer);
    let apart = 0, length = 0;
    for (let k = 0; k < theta.length; k++) {
      apart += (theirs[k]! - theta[k]!) ** 2;
      length += theta[k]! ** 2;
    }
    differences[peer.name] = Math.sqrt(apart / length);
    if (!(differences[peer.name]! <= NEAR_GRADIENT)) {
      throw new Error(
        `Cannot compare with ${peer.name}: its gradient is ${differences[peer.name]} of its length away, ` +
          `${NEAR_GRADIENT} is wanted`,
      );
    }
  }
  return differences;
}

/** Fewer bits beside the best peer of the same run, and how far their rates are from float32's. */
async function narrowSummary(subject: Subject, results: Results, precision: Narrow) {
  const mine = results[precision]!;
  const best = Math.max(...PEERS.map((peer) => results[peer]?.positionsPerSecond ?? 0));
  const seen = subject.drive(64);
  const exact = await subject.brain.read(seen), rounded = await subject.narrow[precision].read(seen);
  let largest = 0, sum = 0;
  for (let i = 0; i < exact.length; i++) {
    const apart = Math.abs(exact[i]! - rounded[i]!);
    largest = Math.max(largest, apart);
    sum += apart;
  }
  return {
    positionsPerSecond: mine.positionsPerSecond,
    batch: mine.batch,
    ratioToBestPeer: mine.positionsPerSecond / best,
    differenceOfRates: { mean: sum / exact.length, largest },
  };
}

/** Says what is going on to somebody who waits for minutes. */
function note(what: string): void {
  console.error(`  ${what} ...`);
}

async function measureSubject(subject: Subject, python: string, threads: number, options: Options) {
  const { rounds, seconds } = options;
  const peers: Peer[] = [];
  try {
    note("starting PyTorch, TensorFlow and SciPy");
    for (const name of PEERS) peers.push(await Peer.start(name, python, subject.folder, threads));
    const differences: Record<string, number> = {};
    for (const peer of peers) differences[peer.name] = await compareRates(subject, peer);

    const meet = async (
      what: string,
      batch: (name: Name) => number,
      more: Partial<Record<Name, Contestant>> = {},
    ): Promise<Results> => {
      note(what);
      return await alternate<Name>(
        Object.fromEntries([
          ["flychess", forward(subject, batch("flychess"), seconds)],
          ...Object.entries(more),
          ...peers.map((peer) => [peer.name, peerTurn(peer, "forward", batch(peer.name), seconds)]),
        ]) as Record<Name, Contestant>,
        rounds,
      );
    };
    note("looking for everybody's best batch");
    const best: Partial<Record<Name, number>> = {
      flychess: await bestBatch(BATCHES, (batch) => forward(subject, batch, 0.5)),
    };
    for (const peer of peers) {
      best[peer.name] = await bestBatch(BATCHES, (batch) => peerTurn(peer, "forward", batch, 0.5));
    }
    const narrow: Partial<Record<Name, Contestant>> = {};
    for (const precision of NARROW) {
      const thinker = { brain: subject.narrow[precision], drive: subject.drive };
      const batch = await bestBatch(BATCHES, (batch) => forward(thinker, batch, 0.5));
      narrow[precision] = forward(thinker, batch, seconds);
    }
    const atBest = await meet("forward, best batch each", (name) => best[name]!, narrow);
    const at16 = await meet("forward, 16 at once", () => 16);
    const one = await meet("one position", () => 1);
    const thirty = await meet("30 positions", () => 30);

    // Training changes the float32 brain, and then it would no longer be the one that the narrow ones were made of.
    const int16 = await narrowSummary(subject, atBest, "int16");
    const int8 = await narrowSummary(subject, atBest, "int8");

    note("comparing gradients, looking for the best training batch");
    const trainer = makeTrainer(subject);
    const turn = (batch: number, seconds: number): Contestant => {
      const step = trainer(batch);
      return { batch, turn: () => timed(batch, seconds, step) };
    };
    const gradientDifferences = await compareGradients(subject, peers);
    const learners: Partial<Record<Name, Contestant>> = {
      flychess: turn(await bestBatch(TRAINING_BATCHES, (batch) => turn(batch, 0.5)), seconds),
    };
    for (const peer of peers) {
      if (peer.name === "scipy") continue; // it has no gradients
      const fastest = await bestBatch(TRAINING_BATCHES, (batch) => peerTurn(peer, "train", batch, 0.5));
      learners[peer.name] = peerTurn(peer, "train", fastest, seconds);
    }
    note("training steps");
    const training = await alternate(learners as Record<Name, Contestant>, rounds);
    return {
      connectome: { name: subject.name, digest: subject.digest },
      forward: { ...summary(atBest), atBatch16: summary(at16) },
      int16,
      int8,
      train: summary(training),
      one: { ...latency(one), ...besidePytorch(one, at16) },
      thirty: { ...latency(thirty), ...besidePytorch(thirty, at16) },
      largestDifferenceOfRates: differences,
      differenceOfGradients: gradientDifferences,
      versions: Object.assign({}, ...peers.map(({ versions }) => versions)) as Record<string, string>,
    };
  } finally {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
  }
}

type Measured = Awaited<ReturnType<typeof measureSubject>>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      json: { type: "string", default: "bench/results/engine.json" },
      scale: { type: "string", default: "1" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      threads: { type: "string", default: String(availableParallelism()) },
      python: { type: "string" },
      subject: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const python = findPython(values.python);
  const options = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  const [upper = "1", lower = "1"] = values.scale.split("/");
  const root = await Deno.makeTempDir({ prefix: "flychess-peers-" });
  const measured: Partial<Record<typeof SUBJECTS[number], Measured>> = {};
  let engine = "";
  try {
    for (const which of SUBJECTS) {
      if (values.subject !== undefined && values.subject !== which) continue;
      console.error(`${which}: wiring and calibrating`);
      await using subject = await makeSubject(which, Number(upper) / Number(lower), root);
      engine = subject.brain.engine.description;
      measured[which] = await measureSubject(subject, python, Number(values.threads), options);
      console.log(describePeers(measured[which]));
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
  const { modelFly, uniformWiring } = measured;
  const result = {
    command: ["deno task bench:peers", ...Deno.args].join(" "),
    machine: {
      processor: cpus()[0]?.model ?? "unknown",
      cores: availableParallelism(),
      os: Deno.build.target,
    },
    runtime: { deno: Deno.version.deno, v8: Deno.version.v8, engine, threads: Number(values.threads) },
    ...(modelFly ?? {}),
    ...(uniformWiring ? { uniformWiring } : {}),
  };
  await writeFileAtomic(values.json, JSON.stringify(result, null, 2) + "\n");
  console.log(`\nWrote ${values.json}.`);
}

if (import.meta.main) await main();
