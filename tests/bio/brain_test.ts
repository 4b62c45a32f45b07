import assert from "node:assert/strict";
import fc from "fast-check";
import {
  afterstateBits,
  DopamineBrain,
  type GateMoment,
  lessonPairs,
  mushroomBody,
  ownDoses,
  scorePairs,
  takeOutSynapses,
  tutor,
} from "../../lib/bio/mod.ts";
import { FlyBrain } from "../../lib/brain/mod.ts";
import { afterstate, boardBits, legalMoves, packMove, parseFen } from "../../lib/chess/mod.ts";
import {
  type Connectome,
  connectomeFromTables,
  growModelFly,
  shuffleWiring,
} from "../../lib/connectome/mod.ts";
import { shippedPositions } from "../../lib/data/mod.ts";
import { drive, eyeFor } from "../../lib/eye/mod.ts";
import { check } from "../golden_checks/bio_brain.ts";

const fly = await growModelFly({ scale: 1 / 32 });
const eye = eyeFor(fly), positions = await shippedPositions();
const pairs = lessonPairs(positions, Array.from({ length: 20 }, (_, row) => row), { seed: 1 });

async function awake(connectome: Connectome, options = {}): Promise<DopamineBrain> {
  const brain = new DopamineBrain(connectome, mushroomBody(connectome), { gate: { share: 0.2 }, ...options });
  await brain.calibrate(drive(eye, pairs.good));
  return brain;
}

/** A larva of ten: what each type's synapses mean is written beside it. */
function larva(): Connectome {
  return connectomeFromTables(
    [
      { id: 1, type: "KC-1claw", region: "Kenyon cell" },
      { id: 2, type: "MBON-app", region: "MBON" },
      { id: 3, type: "MBON-av", region: "MBON" },
      { id: 4, type: "MBON-neith", region: "MBON" },
      { id: 5, type: "MBIN-DAN", region: "DAN" },
      { id: 6, type: "MBIN-DAN", region: "DAN" },
      { id: 7, type: "MBIN-OAN", region: "DAN" },
    ],
    [
      { pre: 1, post: 2, synapses: 4 },
      { pre: 5, post: 2, synapses: 6 }, // most of 5's: punishment
      { pre: 5, post: 3, synapses: 2 },
      { pre: 6, post: 2, synapses: 1 }, // half of 6's: reward
      { pre: 6, post: 4, synapses: 1 },
      { pre: 7, post: 2, synapses: 9 }, // no dopamine
    ],
    { input: [1], output: [2] },
    { name: "a small larva" },
  );
}

Deno.test("the dopamine fly's brain gives the golden values", async () => {
  await check(JSON.parse(await Deno.readTextFile(new URL("../golden/bio_brain.json", import.meta.url))));
});

Deno.test("`mushroomBody()` of a larva takes valence from the table and tells punishment by whom it reaches", () => {
  const body = mushroomBody(larva());
  assert.deepEqual([...body.valence], [1, -1, 0]);
  assert.deepEqual([...body.ppl1Synapses], [6, 2, 0]);
  assert.deepEqual([...body.pamSynapses], [1, 0, 1]);
  const turned = mushroomBody(larva(), { punished: "av" });
  assert.deepEqual([...turned.ppl1Synapses], [0, 0, 0]);
  assert.deepEqual([...turned.pamSynapses], [7, 2, 1]);
});

Deno.test("`mushroomBody()` of an adult: PPL1 means approach, PAM avoid, or by transmitter", () => {
  const body = mushroomBody(fly);
  body.valence.forEach((valence, n) => {
    const punished = body.ppl1Synapses[n]! - body.pamSynapses[n]!;
    if (punished !== 0) assert.equal(valence, Math.sign(punished));
  });
  assert.notDeepEqual(mushroomBody(fly, { valence: "transmitter" }).valence, body.valence);
});

Deno.test("`mushroomBody()` refuses a connectome without one", () => {
  const none = connectomeFromTables([{ id: 1 }], [], { input: [1], output: [1] }, { name: "one cell" });
  assert.throws(() => mushroomBody(none), /Cannot find the mushroom body of one cell: it has 0 Kenyon cells/);
});

Deno.test("`takeOutSynapses()` leaves every other connection, and adds up a pair connected twice", () => {
  const model = {
    neurons: 3,
    rowStart: Int32Array.of(0, 0, 3, 4),
    pre: Int32Array.of(0, 0, 2, 0),
    weight: Float64Array.of(0.25, -0.5, 0.125, 1),
  };
  const { synapses, rest } = takeOutSynapses(model, Int32Array.of(0), Int32Array.of(1));
  assert.deepEqual([...synapses.measured], [0.75]);
  assert.deepEqual([...rest.rowStart], [0, 0, 1, 2]);
  assert.deepEqual([[...rest.pre], [...rest.weight]], [[2, 0], [0.125, 1]]);
});

Deno.test("a brain whose cut lets everybody pass at full strength is the ordinary brain", async () => {
  // A share of 1 cuts at the weakest cell; the step passes it whole.
  const brain = await awake(fly, { gate: { share: 1, version: "step" } });
  await using plain = await FlyBrain.create(fly, { engine: "reference" });
  await plain.calibrate(drive(eye, pairs.good.subarray(0, 96 * 8)));
  await brain.calibrate(drive(eye, pairs.good.subarray(0, 96 * 8)));
  const seen = drive(eye, pairs.bad.subarray(0, 96 * 3));
  const wanted = await plain.rates(seen);
  (await brain.rates(seen)).forEach((rate, i) => assert.ok(Math.abs(rate - wanted[i]!) < 1e-7));
});

Deno.test("the same pairs scored twice flip none, alone or in company", async () => {
  const brain = await awake(fly);
  const first = await scorePairs(brain, eye, pairs), second = await scorePairs(brain, eye, pairs);
  assert.deepEqual(second, first);
  for (const b of [0, 7, 13]) {
    const alone = await brain.look(drive(eye, pairs.good.subarray(b * 96, (b + 1) * 96)));
    assert.equal(alone.approach[0], first.good[b]);
  }
});

Deno.test("no synapse leaves [0, measured] in lessons, on a fly and on a shuffled one", async () => {
  for (const connectome of [fly, shuffleWiring(fly, 1)]) {
    const brain = await awake(connectome);
    for (const rate of [0.1, 50, 1e6]) {
      await tutor(brain, eye, pairs, { rate });
      const { strength, measured } = brain.synapses;
      assert.ok(strength.every((now, i) => now >= 0 && now <= measured[i]!));
    }
    assert.ok(brain.synapses.strength.includes(0));
  }
});

Deno.test("silent cells' synapses come back in lessons, never beyond measured", async () => {
  const weakened = async (silent: number) => {
    const brain = await awake(fly);
    for (let lesson = 0; lesson < 4; lesson++) await tutor(brain, eye, pairs, { rate: 5, drift: 0, silent });
    const { strength, measured } = brain.synapses;
    assert.ok(strength.every((now, i) => now >= 0 && now <= measured[i]!));
    return strength.reduce((a, b) => a + b);
  };
  assert.ok(await weakened(0.05) > await weakened(0));
});

Deno.test("`ownDoses()` asks the neurons that bring dopamine to MBONs", async () => {
  const brain = await awake(fly), { reward, punishment, pam } = brain.body;
  const typeOf = (neuron: number) => fly.neurons.type.names[fly.neurons.type.index[neuron]!]!;
  assert.ok(reward!.length > 0 && Array.from(reward!, typeOf).every((type) => type.startsWith("PAM")));
  assert.ok(
    punishment!.length > 0 && Array.from(punishment!, typeOf).every((type) => type.startsWith("PPL1")),
  );
  assert.ok(pam.some((reach) => reach > 0));
  const { sugar, shock } = await ownDoses(brain, eye, pairs);
  const rates = await brain.read(drive(eye, pairs.good), reward!);
  const mean = rates.subarray(0, reward!.length).reduce((a, b) => a + b) / reward!.length;
  assert.ok(Math.abs(sugar[0]! - (1 - mean)) < 1e-12);
  assert.equal(shock.length, pairs.count);
  const { dose } = await tutor(brain, eye, pairs, { dose: "own" });
  assert.deepEqual(dose, sugar);
  const nobody = { ...brain.body, reward: undefined };
  const without = new DopamineBrain(fly, nobody);
  await without.calibrate(drive(eye, pairs.good));
  await assert.rejects(
    ownDoses(without, eye, pairs),
    /Cannot ask the fly's own dopamine neurons: there are 0/,
  );
});

Deno.test("many lessons of the same pairs make the fly prefer the better positions by more", async () => {
  const brain = await awake(fly);
  const few = lessonPairs(positions, [3, 5, 8, 9], { seed: 2 });
  const gap = ({ good, bad }: { good: Float64Array; bad: Float64Array }) =>
    good.reduce((sum, value, b) => sum + value - bad[b]!, 0);
  const before = gap(await scorePairs(brain, eye, few));
  for (let lesson = 0; lesson < 10; lesson++) {
    await tutor(brain, eye, few, { rate: 1, tagged: "differs", drift: 0 });
  }
  assert.ok(gap(await scorePairs(brain, eye, few)) > before);
});

Deno.test("where the cut acts changes what the brain thinks", async () => {
  const one = await awake(fly), all = await awake(fly, { gated: "all" });
  const seen = drive(eye, pairs.bad);
  assert.notDeepEqual((await all.look(seen)).mbon, (await one.look(seen)).mbon);
});

Deno.test("a brain that is not calibrated, a foreign drive and odd options are refused", async () => {
  const body = mushroomBody(fly), brain = new DopamineBrain(fly, body), seen = drive(eye, pairs.good);
  await assert.rejects(brain.look(seen), /the brain is not calibrated/);
  await assert.rejects(brain.calibrate({ ...seen, neuron: seen.neuron.map(() => 1e8) }), RangeError);
  await assert.rejects(brain.calibrate(seen, { floor: 0 }), RangeError);
  await assert.rejects(brain.calibrate(seen, { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.throws(() => new DopamineBrain(fly, body, { steps: 0 }), RangeError);
  assert.throws(() => new DopamineBrain(fly, body, { leak: 2 }), RangeError);
  const few = Float64Array.of(1);
  await assert.rejects(brain.setHomeostasis({ mean: few, spread: few }), RangeError);
  const wrong = { precision: "int8" as "int16" };
  assert.throws(() => new DopamineBrain(fly, body, wrong), /the precision is 'int8'/);
});

/** The largest difference of two lists. */
function apart(first: Float64Array, second: Float64Array): number {
  return first.reduce((most, value, i) => Math.max(most, Math.abs(value - second[i]!)), 0);
}

Deno.test("an engine thinks what float64 thinks, with the cut anywhere, as measured and after lessons", async () => {
  for (const gated of ["mbon", "all"] as const) {
    const slow = await awake(fly, { gated });
    await using fast = await awake(fly, { gated, precision: "float32", workers: 0 });
    assert.ok(apart(fast.synapses.measured, slow.synapses.measured) === 0);
    const seen = drive(eye, pairs.bad);
    assert.ok(apart(await fast.rates(seen), await slow.rates(seen)) < 1e-4);
    for (const brain of [slow, fast]) {
      brain.synapses.strength.forEach((w, i, all) => all[i] = w * (i % 3) / 2);
    }
    assert.ok(apart((await fast.look(seen)).approach, (await slow.look(seen)).approach) < 1e-4);
  }
});

Deno.test("an engine in 16 bits thinks nearly that", async () => {
  const slow = await awake(fly), seen = drive(eye, pairs.bad);
  await using fast = await awake(fly, { precision: "int16", workers: 0 });
  const [one, other] = [await slow.look(seen), await fast.look(seen)];
  assert.ok(apart(one.kenyon, other.kenyon) < 0.05);
  assert.ok(apart(one.approach, other.approach) < 0.2);
});

Deno.test("an engine's answers do not depend on threads or company, and flip none when asked again", async () => {
  await using alone = await awake(fly, { precision: "float32", workers: 0 });
  await using crew = await awake(fly, { precision: "float32", workers: 2 });
  const first = await scorePairs(alone, eye, pairs);
  assert.deepEqual(await scorePairs(crew, eye, pairs), first);
  assert.deepEqual(await scorePairs(alone, eye, pairs), first);
  const one = await alone.look(drive(eye, pairs.good.subarray(7 * 96, 8 * 96)));
  assert.equal(one.approach[0], first.good[7]);
});

Deno.test("a cut of one's own is told whose rates it cuts", async () => {
  const asked = new Set<string>();
  const gate = {
    name: "everybody",
    pass(rates: Float64Array, out: Float64Array, { step, position }: GateMoment) {
      asked.add(`${step} ${position}`);
      out.set(rates);
    },
  };
  for (const precision of ["float64", "float32"] as const) {
    await using brain = await awake(fly, { gate, precision, workers: 0 });
    asked.clear();
    await brain.look(drive(eye, pairs.bad.subarray(0, 2 * 96)));
    const wanted = [0, 1].flatMap((position) => Array.from({ length: 12 }, (_, i) => `${i + 1} ${position}`));
    assert.deepEqual([...asked].sort(), wanted.sort());
  }
});

Deno.test("homeostasis can be handed on", async () => {
  const one = await awake(fly), other = new DopamineBrain(fly, mushroomBody(fly), { gate: { share: 0.2 } });
  await other.setHomeostasis(one.homeostasis!);
  const seen = drive(eye, pairs.bad);
  assert.deepEqual(await other.look(seen), await one.look(seen));
});

Deno.test("`afterstateBits()` is what the rules of chess say, with castling, en passant and promotions", () => {
  const boards = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1",
    "r3k2r/8/8/8/3Pp3/8/8/4K3 b kq d3 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  ];
  for (const fen of boards) {
    const { side } = parseFen(fen);
    for (const move of legalMoves(fen)) {
      const wanted = boardBits(afterstate(fen, move.uci), { view: side });
      assert.deepEqual(afterstateBits(boardBits(fen), packMove(move)), wanted, `${fen} ${move.uci}`);
    }
  }
});

Deno.test("`lessonPairs()` depends on the seed and on a row alone", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 5 }), fc.nat(), (rows, seed) => {
      const together = lessonPairs(positions, rows, { seed });
      let at = 0;
      for (const row of rows) {
        const alone = lessonPairs(positions, [row], { seed });
        if (alone.count === 0) continue;
        assert.equal(together.row[at], row);
        assert.deepEqual(together.bad.subarray(at * 96, (at + 1) * 96), alone.bad);
        assert.notDeepEqual(alone.good, alone.bad);
        at++;
      }
      assert.equal(together.count, at);
    }),
    { numRuns: 20 },
  );
  const seeds = [1, 2].map((seed) => lessonPairs(positions, [...Array(30).keys()], { seed }).bad);
  assert.notDeepEqual(seeds[0], seeds[1]);
  assert.throws(() => lessonPairs(positions, [-1], { seed: 1 }), RangeError);
});

Deno.test("`lessonPairs()` against the second best takes the teacher's second move", () => {
  const rows = Array.from({ length: 10 }, (_, row) => row);
  const harder = lessonPairs(positions, rows, { seed: 1, against: "second" });
  harder.row.forEach((row, b) => {
    const move = positions.move[row * 96 + positions.best[row * 8 + 1]!]!;
    const board = positions.board.subarray(row * 96, (row + 1) * 96);
    assert.deepEqual(harder.bad.subarray(b * 96, (b + 1) * 96), afterstateBits(board, move));
  });
  assert.ok(harder.count > 0);
});
