import assert from "node:assert/strict";
import fc from "fast-check";
import {
  approach,
  dopamineReach,
  doses,
  EligibilityTrace,
  exchangeDopamine,
  kenyonGate,
  kenyonOverlap,
  keptCells,
  materialBalance,
  mbonValence,
  pairsRight,
  tags,
  transmitterValence,
  weaken,
} from "../../lib/bio/mod.ts";
import { parseFen } from "../../lib/chess/mod.ts";
import { check } from "../golden_checks/dopamine.ts";

const rates = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

Deno.test("the rules of the dopamine fly give the golden values", async () => {
  check(JSON.parse(await Deno.readTextFile(new URL("../golden/dopamine.json", import.meta.url))));
});

Deno.test("`keptCells()` gives the reference's 203 of 4,064, and never none", () => {
  assert.equal(keptCells(4_064, 0.05), 203);
  assert.equal(keptCells(3, 0.05), 1);
});

Deno.test("`kenyonGate()` lets nobody pass on more than its rate, in any version", () => {
  fc.assert(fc.property(rates, fc.constantFrom("sigmoid", "step", "subtract"), (list, version) => {
    kenyonGate(list, { version, share: 0.2 }).forEach((passed, k) => {
      assert.ok(passed >= 0 && passed <= list[k]!);
    });
  }));
});

Deno.test("`kenyonGate()` in its failed versions cuts at one rate: a step, or a subtraction", () => {
  const list = [0.1, 0.5, 0.4, 0.9];
  assert.deepEqual([...kenyonGate(list, { share: 0.5, version: "step" })], [0, 0.5, 0, 0.9]);
  assert.deepEqual([...kenyonGate(list, { share: 0.5, version: "subtract" })], [0, 0, 0, 0.4]);
});

Deno.test("`kenyonGate()` refuses what is out of range", () => {
  assert.throws(() => kenyonGate([1], { share: 0 }), /Cannot gate Kenyon cells: the share is 0, /);
  assert.throws(() => kenyonGate([1], { width: -1 }), RangeError);
  assert.throws(() => kenyonGate([]), /there are 0, at least 1 is wanted/);
});

Deno.test("`kenyonOverlap()` is 1 for the same cells and 0 for others", () => {
  assert.equal(kenyonOverlap([0.9, 0.8, 0.1, 0], [0.7, 0.6, 0.2, 0], 0.75), 1);
  assert.equal(kenyonOverlap([0.9, 0.8, 0, 0], [0, 0, 0.9, 0.8], 0.75), 0);
  assert.throws(() => kenyonOverlap([1], [1, 2]), RangeError);
});

Deno.test("`mbonValence()` goes against the dopamine, and by transmitter only where there is a tie", () => {
  const transmitter = ["gaba", "acetylcholine", "gaba", "acetylcholine"];
  assert.deepEqual([...mbonValence({ pam: [0, 5, 3, 3], ppl1: [1, 4, 3, 3], transmitter })], [1, -1, -1, 1]);
  assert.deepEqual([...transmitterValence(transmitter)], [-1, 1, -1, 1]);
  assert.throws(() => mbonValence({ pam: [], ppl1: [1], transmitter: ["gaba"] }), RangeError);
});

Deno.test("`dopamineReach()` is 0 where there is no dopamine neuron at all", () => {
  assert.deepEqual([...dopamineReach([2, 8, 0])], [0.25, 1, 0]);
  assert.deepEqual([...dopamineReach([0, 0])], [0, 0]);
});

Deno.test("`approach()` adds what means approach and takes off what means avoid", () => {
  assert.deepEqual([...approach([0.5, 0.25, 1, 1, 0.5, 1], Int8Array.of(1, -1, 0))], [0.25, 0.5]);
  assert.throws(() => approach([1, 2, 3], Int8Array.of(1, -1)), RangeError);
});

Deno.test("`doses()` of a pair and of its mirror image add up to 1, and are clipped at 30", () => {
  fc.assert(fc.property(fc.double({ noNaN: true, min: -25, max: 25 }), (difference) => {
    const [one] = doses([difference], [0]), [other] = doses([0], [difference]);
    assert.ok(Math.abs(one! + other! - 1) < 1e-12);
  }));
  assert.deepEqual(doses([0], [1e9]), doses([0], [30]));
});

Deno.test("no synapse leaves [0, measured], whatever the doses", () => {
  const amount = fc.oneof(
    fc.double({ min: 0, max: 2, noNaN: true }),
    fc.double({ min: 0, max: 1.7e308, noNaN: true }),
  );
  const change = fc.record({
    sugar: fc.array(amount, { minLength: 3, maxLength: 3 }),
    shock: fc.array(amount, { minLength: 3, maxLength: 3 }),
    rate: amount,
    drift: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const reach = fc.record({
    pam: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
    ppl1: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
  });
  const strengths = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 });
  fc.assert(fc.property(strengths, reach, fc.array(change, { maxLength: 12 }), (list, reached, changes) => {
    const measured = Float64Array.from(list);
    const synapses = { kenyon: 3, mbon: 2, measured, strength: measured.slice() };
    for (const { sugar, shock, rate, drift } of changes) {
      weaken(synapses, reached, { sugar, shock }, { rate, drift });
      synapses.strength.forEach((strength, i) => assert.ok(strength >= 0 && strength <= measured[i]!));
    }
  }));
});

Deno.test("`weaken()` without dopamine only drifts back", () => {
  const synapses = { kenyon: 1, mbon: 1, measured: Float64Array.of(1), strength: Float64Array.of(0.5) };
  weaken(synapses, { pam: [1], ppl1: [1] }, { sugar: [0], shock: [0] });
  assert.equal(synapses.strength[0], 0.5005);
});

Deno.test("`weaken()` refuses a negative tag and sizes that do not fit", () => {
  const synapses = { kenyon: 1, mbon: 1, measured: Float64Array.of(1), strength: Float64Array.of(1) };
  const reach = { pam: [1], ppl1: [1] };
  assert.throws(() => weaken(synapses, reach, { sugar: [-1], shock: [0] }), /sugar 0 is -1/);
  assert.throws(() => weaken(synapses, reach, { sugar: [], shock: [0] }), /sugar has 0 numbers/);
  assert.throws(() => weaken(synapses, reach, { sugar: [0], shock: [0] }, { drift: 2 }), RangeError);
  assert.throws(() => weaken({ ...synapses, mbon: 2 }, reach, { sugar: [0], shock: [0] }), RangeError);
});

Deno.test("`tags()` averages over the lessons", () => {
  assert.deepEqual([...tags([1, 0, 1, 1], [0.5, 1])], [0.75, 0.5]);
  assert.throws(() => tags([1, 2, 3], [1, 1]), RangeError);
});

Deno.test("`pairsRight()` counts a tie half", () => {
  assert.equal(pairsRight([1, 0, 2, 5], [0, 1, 2, 1]), 0.625);
  assert.throws(() => pairsRight([], []), RangeError);
});

Deno.test("`materialBalance()` counts both sides", () => {
  const board = parseFen("k7/8/8/8/8/8/qP6/K1RN4 w - - 0 1");
  assert.equal(materialBalance(board, "white"), 0);
  const ahead = parseFen("k7/8/8/8/8/8/rP6/K1RB4 w - - 0 1");
  assert.equal(materialBalance(ahead, "white"), 4);
  assert.equal(materialBalance(ahead, "black"), -4);
});

Deno.test("`exchangeDopamine()` pays a tenth a pawn and takes a twentieth for a check", () => {
  assert.equal(exchangeDopamine({ before: 0, after: 3, inCheck: false }), 0.30000000000000004);
  assert.equal(exchangeDopamine({ before: 0, after: 0, inCheck: true }), -0.05);
});

Deno.test("a trace fades and forgets at a new game", () => {
  const trace = new EligibilityTrace(1, { decay: 0.5 });
  trace.add([1]);
  trace.add([1]);
  assert.deepEqual([...trace.value], [1.5]);
  assert.deepEqual([...trace.tags(2).sugar, ...trace.tags(2).shock], [3, 0]);
  trace.clear();
  assert.deepEqual([...trace.value], [0]);
  assert.throws(() => trace.add([1, 2]), RangeError);
  assert.throws(() => new EligibilityTrace(1, { decay: 2 }), RangeError);
});
