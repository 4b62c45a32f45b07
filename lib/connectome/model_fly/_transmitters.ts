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
  const dealt = new Array<string | undefined>(roster.neurons);
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
  /** Gives neurons of a type that have none yet a transmitter, up to `most`. */
  const give = (run: Run, transmitter: string, most: number) => {
    for (let j = run.first; j < run.first + run.count && most > 0; j++) {
      if (dealt[j] !== undefined) continue;
      dealt[j] = transmitter;
      left.set(transmitter, left.get(transmitter)! - 1);
      most--;
    }
  };
  // The rare ones first: few types may have them.
  for (const transmitter of ["histamine", "octopamine", "serotonin", "dopamine"]) {
    for (const run of open) if (may(run, transmitter)) give(run, transmitter, left.get(transmitter)!);
  }
  const common = ["acetylcholine", "glutamate", "gaba"];
  for (const run of open) {
    for (let j = run.first; j < run.first + run.count; j++) {
      if (dealt[j] !== undefined) continue;
      const remaining = common.map((name) => Math.max(0, left.get(name)!));
      let at = random.float() * remaining.reduce((a, b) => a + b, 0);
      const k = Math.max(0, remaining.findIndex((n) => (at -= n) < 0));
      // A type has one transmitter, but for the last of each, where the count runs out.
      give(run, common[k]!, Math.max(1, remaining[k]!));
    }
  }
  return dealt.map((name) => name ?? common[0]!);
}
