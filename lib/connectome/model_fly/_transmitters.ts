import type { Random } from "../../common/mod.ts";
import { TRANSMITTERS } from "./_published.ts";
import type { Roster, Run } from "./_roster.ts";

/** Whether neurons of a type may release what is left over of a transmitter. */
function may(run: Run, transmitter: string): boolean {
  switch (transmitter) {
    // Bristles and other touch cells release it too, and nothing else that sends does.
    case "histamine":
      return run.type.startsWith("SN") || run.type.startsWith("BM");
    case "dopamine":
    case "serotonin":
    case "octopamine":
      return run.superclass === "cb_intrinsic" || run.superclass.startsWith("vnc_");
    default:
      return true;
  }
}

/**
 * Deals transmitters out so that their shares are the published ones: types that are known keep theirs, the rest
 * takes what is left, type by type in random order.
 *
 * @returns The transmitter of every neuron.
 */
export function dealTransmitters(roster: Roster, random: Random): string[] {
  const published = Object.values(TRANSMITTERS).reduce((sum, n) => sum + n, 0);
  const left = new Map<string, number>();
  let whole = 0;
  for (const [name, count] of Object.entries(TRANSMITTERS)) {
    whole += count;
    const before = Math.round((whole - count) * roster.neurons / published);
    left.set(name, Math.round(whole * roster.neurons / published) - before);
  }
  const dealt = new Array<string>(roster.neurons);
  const open: Run[] = [];
  for (const run of roster.runs) {
    if (run.transmitter === undefined) {
      open.push(run);
      continue;
    }
    dealt.fill(run.transmitter, run.first, run.first + run.count);
    left.set(run.transmitter, left.get(run.transmitter)! - run.count);
  }
  random.shuffle(open);
  // The rare ones first: few types may have them.
  const rare = ["histamine", "octopamine", "serotonin", "dopamine"];
  const taken = new Set<Run>();
  for (const transmitter of rare) {
    for (const run of open) {
      if (left.get(transmitter)! < run.count) continue;
      if (taken.has(run) || !may(run, transmitter)) continue;
      if (left.get(transmitter)! <= 0) break;
      dealt.fill(transmitter, run.first, run.first + run.count);
      left.set(transmitter, left.get(transmitter)! - run.count);
      taken.add(run);
    }
  }
  const common = ["acetylcholine", "glutamate", "gaba"];
  for (const run of open) {
    if (taken.has(run)) continue;
    let j = run.first;
    while (j < run.first + run.count) {
      const remaining = common.map((name) => Math.max(0, left.get(name)!));
      let at = random.float() * remaining.reduce((a, b) => a + b, 0);
      let k = remaining.findIndex((n) => (at -= n) < 0);
      if (k < 0) k = 0;
      const many = Math.min(run.first + run.count - j, Math.max(1, remaining[k]!));
      dealt.fill(common[k]!, j, j + many);
      left.set(common[k]!, left.get(common[k]!)! - many);
      j += many;
    }
  }
  return dealt;
}
