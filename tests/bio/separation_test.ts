import assert from "node:assert/strict";
import fc from "fast-check";
import {
  aplCut,
  aplWeights,
  type CalyxGate,
  type CellCut,
  changedDrive,
  changedSquares,
  divisiveCalyx,
  DopamineBrain,
  fairThresholds,
  Familiarity,
  glances,
  HabituatedSignal,
  HeardTrace,
  kenyonGate,
  lessonPairs,
  mushroomBody,
  OwnThresholds,
  projectionNeurons,
  retune,
  SeparatedFly,
  separatingGate,
  strongestCut,
  taughtVotes,
  weaken,
  withBefore,
} from "../../lib/bio/mod.ts";
import { connectomeFromTables, growModelFly } from "../../lib/connectome/mod.ts";
import { shippedPositions } from "../../lib/data/mod.ts";
import { drive, eyeFor } from "../../lib/eye/mod.ts";

const fly = await growModelFly({ scale: 1 / 32 });
const eye = eyeFor(fly), positions = await shippedPositions(), body = mushroomBody(fly);
const pairs = withBefore(positions, lessonPairs(positions, [...Array(12).keys()], { seed: 1 }));
const rate = fc.double({ min: 0, max: 1, noNaN: true });
const ratesOf = (size: number) => fc.array(rate, { minLength: size, maxLength: size });
const first = { step: 1, position: 0 };

function passed(cut: CellCut, rates: readonly number[], moment = first): Float64Array {
  const out = new Float64Array(rates.length);
  separatingGate({ cut }).pass(Float64Array.from(rates), out, moment);
  return out;
}

Deno.test("`separatingGate()` of rates and the strongest cut is the reference's gate", () => {
  fc.assert(fc.property(ratesOf(30), fc.constantFrom(0.05, 0.1, 0.5, 1), (rates, share) => {
    const wanted = kenyonGate(rates, { share });
    passed(strongestCut(share), rates).forEach((value, k) => assert.ok(Math.abs(value - wanted[k]!) < 1e-12));
  }));
});

Deno.test("what a Kenyon cell passes lies between 0 and its rate, whatever the cut", () => {
  const thresholds = new OwnThresholds({ strongest: true });
  const cuts = [
    strongestCut(0.1),
    aplCut({ weight: Float64Array.from({ length: 10 }, (_, k) => k + 1) }, 0.3),
    thresholds,
  ];
  fc.assert(fc.property(ratesOf(10), fc.constantFrom(...cuts), (rates, cut) => {
    passed(cut, rates).forEach((value, k) => assert.ok(value >= 0 && value <= rates[k]!));
  }));
});

Deno.test("`aplCut()` holds a cell down by its own weight: of two alike the less inhibited passes", () => {
  const [held, free] = passed(aplCut({ weight: Float64Array.of(1.5, 0.5) }, 0.5), [0.6, 0.6]);
  assert.ok(held! < 1e-9);
  assert.equal(free, 0.3); // it stands at the cut
});

Deno.test("`aplCut()` with equal weights is the cut that knows no cell from another", () => {
  fc.assert(fc.property(ratesOf(20), (rates) => {
    const equal = passed(aplCut({ weight: new Float64Array(20).fill(1) }, 0.2), rates);
    assert.deepEqual(equal, passed(strongestCut(0.2), rates));
  }));
});

Deno.test("`aplWeights()` adds both sides' synapses; a cell without any is held like the average", () => {
  const small = connectomeFromTables(
    [
      { id: 1, type: "KC", region: "Kenyon cell" },
      { id: 2, type: "KC", region: "Kenyon cell" },
      { id: 3, type: "KC", region: "Kenyon cell" },
      { id: 4, type: "APL" },
      { id: 5, type: "APL" },
      { id: 6, type: "PN" },
    ],
    [
      { pre: 4, post: 1, synapses: 3 },
      { pre: 5, post: 1, synapses: 3 },
      { pre: 6, post: 1, synapses: 3 },
      { pre: 6, post: 2, synapses: 3 },
      { pre: 4, post: 3, synapses: 3 },
      { pre: 6, post: 3, synapses: 3 },
    ],
    { input: [6], output: [1] },
    { name: "three Kenyon cells" },
  );
  const { weight, neurons, reached } = aplWeights(small, Int32Array.of(0, 1, 2));
  assert.deepEqual([neurons, reached], [2, 2]);
  // Shares of all input: 2 of 3 and 1 of 2, on average 7/12.
  assert.ok(Math.abs(weight[0]! - 8 / 7) < 1e-12 && weight[1] === 1 && Math.abs(weight[2]! - 6 / 7) < 1e-12);
  const without = aplWeights(small, Int32Array.of(5));
  assert.deepEqual([...without.weight], [1]);
});

Deno.test("`fairThresholds()` let every cell pass for the same share of positions", () => {
  fc.assert(fc.property(fc.uniqueArray(rate, { minLength: 40, maxLength: 40 }), (signals) => {
    const thresholds = fairThresholds(signals, 2, 0.25);
    for (let k = 0; k < 2; k++) {
      const own = signals.filter((_, i) => i % 2 === k);
      assert.equal(own.filter((signal) => signal >= thresholds[k]!).length, 5);
    }
  }));
});

Deno.test("`OwnThresholds` cuts at the strongest until it is settled, then every step has its own", () => {
  const own = new OwnThresholds({ share: 0.5 });
  assert.throws(() => own.settle(), /no position was watched/);
  assert.deepEqual(passed(own, [0.2, 0.8]), passed(strongestCut(0.5), [0.2, 0.8]));
  passed(own, [0.1, 0.9]);
  passed(own, [0.5, 0.5], { step: 2, position: 0 });
  own.settle();
  assert.deepEqual([...own.thresholds!.get(1)!], [0.2, 0.9]);
  assert.deepEqual([...own.thresholds!.get(2)!], [0.5, 0.5]);
  assert.equal(passed(own, [0.2, 0.2])[0], 0.1);
  assert.throws(() => passed(own, [0.2, 0.2], { step: 3, position: 0 }), RangeError);
});

Deno.test("`OwnThresholds` with `strongest` keeps the number of cells that are on", () => {
  const order = fc.shuffledSubarray([...Array(60).keys()], { minLength: 60, maxLength: 60 });
  fc.assert(fc.property(order, (places) => {
    // Square roots: no two differences are the same.
    const all = places.map((place) => Math.sqrt(place + 1) / 8);
    const own = new OwnThresholds({ share: 0.2, strongest: true });
    for (const at of [0, 20]) passed(own, all.slice(at, at + 20));
    own.settle();
    const rates = all.slice(40), out = passed(own, rates);
    // Three are above the cut, the fourth of the 20 stands at it and passes half.
    assert.equal(rates.filter((rate, k) => out[k]! > rate / 2 + 1e-9).length, 3);
    assert.equal(rates.filter((rate, k) => Math.abs(out[k]! - rate / 2) < 1e-9).length, 1);
  }));
});

Deno.test("`HabituatedSignal` takes off what the position of the same place and step had", () => {
  const signal = new HabituatedSignal({ amount: 0.5 }), left = new Float64Array(1);
  const read = (value: number, step: number, position: number) => {
    signal.read(Float64Array.of(value), left, { step, position });
    return left[0]!;
  };
  signal.watch(2);
  assert.equal(read(0.4, 1, 0), 0.4);
  read(0.8, 1, 1);
  signal.settle();
  assert.deepEqual([read(1, 1, 0), read(1, 1, 1), read(1, 1, 2), read(1, 2, 0)], [0.8, 0.6, 0.8, 1]);
  signal.watch(0);
  assert.equal(read(1, 1, 0), 1);
  assert.throws(() => new HabituatedSignal({ amount: 2 }), RangeError);
});

Deno.test("`changedDrive()` of 0 is the board, of 1 only what changed, and both add up", () => {
  const seen = drive(eye, pairs.good), old = drive(eye, pairs.before);
  const none = changedDrive(eye, pairs.before, pairs.good, { amount: 0 });
  assert.deepEqual(none.neuron, seen.neuron);
  const dense = ({ start, neuron, value }: typeof none, b: number) => {
    const x = new Float64Array(fly.sign.length);
    for (let k = start[b]!; k < start[b + 1]!; k++) x[neuron[k]!]! += value?.[k] ?? 1;
    return x;
  };
  for (const amount of [0.25, 1]) {
    const changed = changedDrive(eye, pairs.before, pairs.good, { amount });
    for (let b = 0; b < pairs.count; b++) {
      const now = dense(seen as typeof none, b), before = dense(old as typeof none, b);
      assert.deepEqual(dense(changed, b), now.map((value, i) => value - amount * before[i]!));
    }
  }
  assert.equal(changedDrive(eye, pairs.good, pairs.good).neuron.length, 0);
});

Deno.test("`glances()` see squares near the change in full and the rest in part", () => {
  const e2e4 = { before: pairs.before.subarray(0, 96), after: pairs.good.subarray(0, 96) };
  const squares = changedSquares(e2e4.before, e2e4.after);
  assert.ok(squares.length >= 2 && squares.length <= 4);
  const squareOf = new Map([...eye.cell].map((neuron, i) => [neuron, eye.square[i]!]));
  const looks = glances(eye, e2e4.before, e2e4.after, { reach: 0, rest: 0.5 });
  for (const [i, look] of looks.entries()) {
    const centre = i === 0 ? squares[0] : squares.at(-1);
    look.neuron.forEach((neuron, k) =>
      assert.equal(look.value![k], squareOf.get(neuron) === centre ? 1 : 0.5)
    );
  }
  const [whole] = glances(eye, e2e4.before, e2e4.after, { reach: 7 });
  assert.ok(whole.value!.every((value) => value === 1));
});

const synapses = (strength: readonly number[]) => ({
  kenyon: 2,
  mbon: 2,
  measured: Float64Array.of(1, 0.5, 0, 0.25),
  strength: Float64Array.from(strength, (share, at) => share * [1, 0.5, 0, 0.25][at]!),
});

Deno.test("`retune()` never leaves [0, measured], whatever the tags and options", () => {
  const tag = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(fc.property(
    ratesOf(4),
    fc.tuple(tag, tag, tag, tag),
    ratesOf(4),
    fc.record({ rate: tag, strengthening: rate, drift: rate, rest: rate }),
    (shares, tagged, reach, options) => {
      const now = synapses(shares);
      const [a, b, c, d] = tagged;
      const [pam0, pam1, ppl0, ppl1] = reach;
      retune(now, { pam: [pam0!, pam1!], ppl1: [ppl0!, ppl1!] }, { sugar: [a, b], shock: [c, d] }, options);
      now.strength.forEach((value, at) => assert.ok(value >= 0 && value <= now.measured[at]!));
    },
  ));
});

Deno.test("`retune()` without strengthening and drift is `weaken()`", () => {
  fc.assert(fc.property(ratesOf(4), ratesOf(4), ratesOf(4), (shares, tagged, reach) => {
    const one = synapses(shares), other = synapses(shares);
    const reached = { pam: reach.slice(0, 2), ppl1: reach.slice(2) };
    const tags = { sugar: tagged.slice(0, 2), shock: tagged.slice(2) };
    retune(one, reached, tags, { strengthening: 0 });
    weaken(other, reached, tags, { drift: 0 });
    one.strength.forEach((value, at) => assert.ok(Math.abs(value - other.strength[at]!) < 1e-12));
  }));
});

Deno.test("`Familiarity`: novelty is within 0 and 1, falls when a pattern is met, and comes back", () => {
  fc.assert(fc.property(ratesOf(8), ratesOf(8), (one, other) => {
    const memory = new Familiarity(8);
    memory.meet(other);
    const before = memory.novelty(one);
    memory.meet(one);
    const after = memory.novelty(one);
    assert.ok(after >= 0 && after <= 1 + 1e-12);
    if (Math.max(...one) > 1e-6) assert.ok(after < before + 0.06); // recovery gives back at most 0.05
    memory.clear();
    assert.ok(Math.abs(memory.novelty(one) - 1) < 1e-12);
  }));
  assert.throws(() => new Familiarity(2).meet([1]), RangeError);
});

Deno.test("a separated fly with no separation is the dopamine fly", async () => {
  const gate = separatingGate({ cut: strongestCut(0.2) });
  const brain = new DopamineBrain(fly, body, { gate }),
    plain = new DopamineBrain(fly, body, { gate: { share: 0.2 } });
  const separated = new SeparatedFly(brain, eye);
  await separated.calibrate(pairs);
  await plain.setHomeostasis(brain.homeostasis!);
  const { good } = await separated.look(pairs), wanted = (await plain.look(drive(eye, pairs.good))).approach;
  good.forEach((value, b) => assert.ok(Math.abs(value - wanted[b]!) < 1e-9));
});

Deno.test("a fly used to the position tells two moves apart by more cells, and looks at pairs alone as in company", async () => {
  const overlap = async (signal?: HabituatedSignal) => {
    const gate = separatingGate({ cut: strongestCut(0.1), ...(signal ? { signal } : {}) });
    const separated = new SeparatedFly(new DopamineBrain(fly, body, { gate }), eye, { signal });
    await separated.calibrate(pairs);
    const all = await separated.look(pairs);
    const alone = await separated.look({
      count: 1,
      row: pairs.row.subarray(4, 5),
      before: pairs.before.subarray(4 * 96, 5 * 96),
      good: pairs.good.subarray(4 * 96, 5 * 96),
      bad: pairs.bad.subarray(4 * 96, 5 * 96),
    });
    assert.equal(alone.good[0], all.good[4]);
    assert.equal(alone.bad[0], all.bad[4]);
    return all.overlap;
  };
  assert.ok(await overlap(new HabituatedSignal()) < await overlap());
});

Deno.test("lessons by `retune` keep every synapse within what was measured", async () => {
  const own = new OwnThresholds({ share: 0.2 });
  const brain = new DopamineBrain(fly, body, { gate: separatingGate({ cut: own }) });
  const separated = new SeparatedFly(brain, eye, { thresholds: own });
  const { strength, measured } = brain.synapses;
  strength.set(measured.map((value) => value / 2));
  await separated.calibrate(pairs);
  assert.ok(own.thresholds !== null);
  await separated.teach(pairs, (...parts) => retune(...parts, { rate: 5 }), { temperature: 0.1 });
  assert.ok(strength.some((value, at) => value > measured[at]! / 2));
  assert.ok(strength.some((value, at) => value < measured[at]! / 2));
  assert.ok(strength.every((value, at) => value >= 0 && value <= measured[at]!));
});

Deno.test("`HeardTrace` is a weighted mean of the steps before the last, the newest counting most", () => {
  const open = { name: "open", pass: (rates: Float64Array, out: Float64Array) => out.set(rates) };
  const trace = new HeardTrace(open, { steps: 3 });
  const step = (step: number, value: number) =>
    trace.pass(Float64Array.of(value), new Float64Array(1), { step, position: 0 });
  step(1, 0.4);
  step(2, 0.8);
  step(3, 100);
  assert.ok(Math.abs(trace.heard(0)[0]! - (0.25 * 0.4 + 0.5 * 0.8)) < 1e-12);
  step(1, 0.4); // another look starts anew
  assert.equal(trace.heard(0)[0], 0.2);
  assert.throws(() => trace.heard(1), RangeError);
});

Deno.test("`taughtVotes()` are valences, as large as the dopamine that reaches", () => {
  const votes = taughtVotes(body);
  votes.forEach((vote, n) => {
    assert.ok(Math.abs(vote) <= 1 && vote * body.valence[n]! >= 0);
    assert.equal(Math.abs(vote), body.valence[n] === 0 ? 0 : Math.max(body.pam[n]!, body.ppl1[n]!));
  });
});

Deno.test("votes of 0 leave a fly without an opinion", async () => {
  const brain = new DopamineBrain(fly, body);
  const separated = new SeparatedFly(brain, eye, { votes: new Float64Array(body.mbon.length) });
  await separated.calibrate(pairs);
  const { good, bad, right } = await separated.look(pairs);
  assert.ok([...good, ...bad].every((value) => value === 0));
  assert.equal(right, 0.5);
});

Deno.test("a fly that glances adds up both glances", async () => {
  const see = (...parts: Parameters<typeof glances>) => glances(...parts);
  const brain = new DopamineBrain(fly, body), separated = new SeparatedFly(brain, eye, { see });
  await separated.calibrate(pairs);
  const { good } = await separated.look(pairs);
  const [one, other] = await Promise.all(
    glances(eye, pairs.before, pairs.good).map(async (look) => (await brain.look(look)).approach),
  );
  good.forEach((value, b) => assert.ok(Math.abs(value - one![b]! - other![b]!) < 1e-9));
});

Deno.test("`projectionNeurons()` are those that reach Kenyon cells from outside the mushroom body", () => {
  const found = new Set(projectionNeurons(fly, body.kenyon)), { region, type } = fly.neurons;
  assert.ok(found.size > 0);
  for (const neuron of found) {
    assert.ok(!["Kenyon cell", "MBON", "DAN"].includes(region.names[region.index[neuron]!]!));
    assert.ok(!["APL", "DPM"].includes(type.names[type.index[neuron]!]!));
  }
});

Deno.test("`divisiveCalyx()` keeps 0 to 1 and the order, and takes a common rise out", () => {
  fc.assert(fc.property(ratesOf(6), (rates) => {
    const out = new Float64Array(6);
    divisiveCalyx(new Int32Array(6)).pass(Float64Array.from(rates), out);
    for (let i = 0; i < 6; i++) {
      assert.ok(out[i]! >= 0 && out[i]! <= 1);
      for (let j = 0; j < 6; j++) if (rates[i]! > rates[j]!) assert.ok(out[i]! >= out[j]! - 1e-15); // the quotient is rounded
    }
  }));
  const passed = (...rates: number[]) => {
    const out = new Float64Array(rates.length);
    divisiveCalyx(new Int32Array(rates.length), { half: 1e-6 }).pass(Float64Array.from(rates), out);
    return out;
  };
  passed(0.1, 0.2, 0.3).forEach((value, i) => assert.ok(Math.abs(value - passed(0.3, 0.6, 0.9)[i]!) < 1e-3));
});

Deno.test("a calyx that passes rates as they are changes nothing, and a divisive one does", async () => {
  const senders = projectionNeurons(fly, body.kenyon), seen = drive(eye, pairs.good);
  const lookOf = async (calyx?: CalyxGate) => {
    await using brain = new DopamineBrain(fly, body, {
      gate: { share: 0.2 },
      precision: "float32",
      workers: 0,
      calyx,
    });
    await brain.calibrate(seen);
    return (await brain.look(seen)).kenyon;
  };
  const plain = await lookOf(),
    open = await lookOf({ name: "open", senders, pass: (rates, out) => out.set(rates) });
  open.forEach((value, i) => assert.ok(Math.abs(value - plain[i]!) < 1e-3, `${value} ${plain[i]}`));
  assert.ok((await lookOf(divisiveCalyx(senders))).some((value, i) => Math.abs(value - plain[i]!) > 0.05));
  assert.throws(() => new DopamineBrain(fly, body, { calyx: divisiveCalyx(senders) }), TypeError);
});
