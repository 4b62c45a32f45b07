import type { Random } from "../../common/mod.ts";
import type { Region } from "../connectome.ts";
import { acrossEye } from "./_eye_columns.ts";
import type { Eyes } from "./_optic_lobe.ts";
import type { Roster } from "./_roster.ts";

/** The middle of the brain in voxels of 8 nm: x from the fly's right to its left, y down, z backwards. */
const BRAIN = [47_500, 28_000, 26_000] as const;
/** The middle of the nerve cord, behind and below the brain. */
const CORD = [47_500, 52_000, 88_000] as const;

/** How deep in the eye a cell lies, from the retina (0) to the lobula (1). */
function depth(region: Region, type: string): number {
  if (region === "photoreceptor") return 0;
  if (/^(L\d|C\d|T1|Am1|Lawf)/.test(type)) return 0.22;
  if (/^(Mi|Tm|Dm|Cm|Pm|Y)/.test(type)) return 0.45;
  return 0.75;
}

/** Where cell bodies lie: eyes and optic lobes at the sides, the brain between them, the nerve cord below. */
export function somas(roster: Roster, eyes: Eyes, random: Random): Float32Array {
  const soma = new Float32Array(3 * roster.neurons).fill(NaN);
  const near = (spread: number) => spread * random.normal();
  for (const { region, type, first, count } of roster.runs) {
    // Sensory cells have their bodies outside the volume.
    if (region === "sensory") continue;
    const lobe = region === "photoreceptor" || region === "optic lobe" || region === "visual projection";
    const cluster = [near(9_000), near(7_000), near(6_000)] as const;
    for (let i = first; i < first + count; i++) {
      const side = roster.side[i] === 0 ? 1 : -1;
      if (lobe && region === "photoreceptor" && roster.column[i]! < 0) continue;
      if (lobe) {
        const eye = roster.side[i] === 0 ? eyes.L : eyes.R;
        const c = roster.column[i]! >= 0 ? roster.column[i]! : random.int(eye.h1.length);
        const half = Math.sqrt(eye.h1.length / 892);
        const middle = acrossEye(18.6 * half, 20.3 * half);
        const [x, y] = acrossEye(eye.h1[c]!, eye.h2[c]!);
        const turn = (x - middle[0]) / (15.3 * half) * 1.1;
        const rise = (y - middle[1]) / (18.6 * half) * 1.1;
        const radius = (1 - 0.55 * depth(region, type)) * 24_000;
        soma.set([
          BRAIN[0] + side * (22_000 + radius * Math.cos(rise) * Math.cos(turn) + near(500)),
          BRAIN[1] - radius * Math.sin(rise) + near(500),
          BRAIN[2] + radius * Math.cos(rise) * Math.sin(turn) + near(500),
        ], 3 * i);
      } else if (
        region === "nerve cord" || region === "ascending" || type.startsWith("MN0") || type === "EN"
      ) {
        soma.set([
          CORD[0] + side * Math.abs(near(6_000)),
          CORD[1] + near(5_000),
          CORD[2] + Math.max(-1, Math.min(1, near(0.5))) * 34_000,
        ], 3 * i);
      } else {
        // On the rind of the brain, type by type.
        const [a, b, c] = [cluster[0] + near(2_500), cluster[1] + near(2_500), cluster[2] + near(2_500)];
        const size = Math.hypot(a / 19_000, b / 14_000, c / 12_000) || 1;
        const rind = (0.85 + 0.15 * random.float()) / size;
        soma.set([BRAIN[0] + side * Math.abs(a * rind), BRAIN[1] + b * rind, BRAIN[2] + c * rind], 3 * i);
      }
    }
  }
  return soma;
}
