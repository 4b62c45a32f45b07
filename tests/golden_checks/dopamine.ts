import assert from "node:assert/strict";
import { dopamineReach, doses, kenyonGate, keptCells, mbonValence, tags, weaken } from "../../lib/bio/mod.ts";

/** A golden file of kind `dopamine` (tests/golden/README.md). */
interface DopamineGolden {
  readonly share: number;
  readonly width: number;
  readonly kept: number;
  readonly measured: number[][];
  readonly plastic: number[][];
  readonly pam_synapses: number[];
  readonly ppl1_synapses: number[];
  readonly transmitter: string[];
  readonly valence: number[];
  readonly pam: number[];
  readonly ppl1: number[];
  readonly rates_good: number[][];
  readonly rates_bad: number[][];
  readonly gated_good: number[][];
  readonly gated_bad: number[][];
  readonly approach_good: number[];
  readonly approach_bad: number[];
  readonly dose: number[];
  readonly sugar: number[];
  readonly shock: number[];
  readonly eta: number;
  readonly kappa: number;
  readonly after: number[][];
}

const TOLERANCE = 1e-9;

function near(name: string, found: ArrayLike<number>, wanted: readonly number[]): void {
  assert.equal(found.length, wanted.length, `${name}: ${found.length} values, ${wanted.length} are wanted`);
  wanted.forEach((value, i) => {
    if (Math.abs(found[i]! - value) <= TOLERANCE) return;
    assert.fail(`${name} ${i}: found ${found[i]}, wanted ${value} within ${TOLERANCE}`);
  });
}

/**
 * Checks a golden file of kind `dopamine`: gate, valence, reach, doses, tags and one batch's change.
 *
 * @throws {AssertionError} Naming array, index, what was found and what was wanted.
 */
export function check(golden: unknown): void {
  const wanted = golden as DopamineGolden;
  const { share, width } = wanted;
  assert.equal(keptCells(wanted.measured.length, share), wanted.kept, "kept");
  const gated = (rates: number[][]) =>
    Float64Array.from(rates.flatMap((row) => [...kenyonGate(row, { share, width })]));
  const good = gated(wanted.rates_good), bad = gated(wanted.rates_bad);
  near("gated_good", good, wanted.gated_good.flat());
  near("gated_bad", bad, wanted.gated_bad.flat());

  const valence = mbonValence({
    pam: wanted.pam_synapses,
    ppl1: wanted.ppl1_synapses,
    transmitter: wanted.transmitter,
  });
  near("valence", valence, wanted.valence);
  const pam = dopamineReach(wanted.pam_synapses), ppl1 = dopamineReach(wanted.ppl1_synapses);
  near("pam", pam, wanted.pam);
  near("ppl1", ppl1, wanted.ppl1);

  const dose = doses(wanted.approach_good, wanted.approach_bad);
  near("dose", dose, wanted.dose);
  const sugar = tags(good, dose), shock = tags(bad, dose);
  near("sugar", sugar, wanted.sugar);
  near("shock", shock, wanted.shock);

  const synapses = {
    kenyon: wanted.measured.length,
    mbon: wanted.transmitter.length,
    measured: Float64Array.from(wanted.measured.flat()),
    strength: Float64Array.from(wanted.plastic.flat()),
  };
  weaken(synapses, { pam, ppl1 }, { sugar, shock }, { rate: wanted.eta, drift: wanted.kappa });
  near("after", synapses.strength, wanted.after.flat());
}
