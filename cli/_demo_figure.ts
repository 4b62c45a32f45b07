import { boardBits } from "../lib/chess/mod.ts";
import type { Connectome } from "../lib/connectome/mod.ts";
import { fairEye } from "../lib/eye/mod.ts";
import { card, eyeBoard } from "../lib/figures/mod.ts";
import { beatsBlind, comparisonCharts, type ComparisonLine } from "./_comparison.ts";

/** The position after 1.e4, Black to move. */
export const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** The line that the demo is about. */
export const SUBJECT = "model fly";

/** What `figures/demo.json` holds. */
export interface DemoResult {
  readonly command: string;
  /** The picture's title. */
  readonly finding: string;
  /** The brain's name. */
  readonly subject: string;
  /** Its digest. */
  readonly connectome: string;
  /** Digest of the positions. */
  readonly positions: string;
  /** Training positions. */
  readonly trained: number;
  /** Held-out positions. */
  readonly held: number;
  readonly brains: readonly ComparisonLine[];
  /** The favourite replies to 1.e4. */
  readonly replies: readonly { readonly move: string; readonly probability: number }[];
}

/** What the demo found, in one sentence. */
export function demoFinding(
  brains: readonly Pick<ComparisonLine, "name" | "lossAgainstBlind" | "lossAgainstBrain">[],
): string {
  if (!beatsBlind(brains.find(({ name }) => name === SUBJECT)!)) {
    return "This model fly's descending neurons did not carry the chessboard";
  }
  const shuffles = brains.filter(({ name }) => name.startsWith("shuffle"));
  return "A model fly's descending neurons carry the chessboard" +
    (shuffles.every(({ lossAgainstBrain }) => lossAgainstBrain.high < 0)
      ? ", and shuffled wirings carry it better"
      : shuffles.every(({ lossAgainstBrain }) => lossAgainstBrain.low > 0)
      ? ", better than shuffled wirings do"
      : "");
}

/**
 * Draws the demo's result.
 *
 * @param result Its numbers.
 * @param connectome The model fly that they are of, for the picture of its eye.
 */
export function drawDemo(result: DemoResult, connectome: Connectome): string {
  const { finding, subject, brains, held } = result;
  const whole = (count: number) => count.toLocaleString("en-US");
  const charts = comparisonCharts(brains, SUBJECT).map(({ svg, x }) => ({ svg, x, y: 0 }));
  const onEye = eyeBoard(connectome, fairEye(connectome), boardBits(AFTER_E4), { size: 260 });
  return card([...charts, { svg: onEye, x: 865, y: 14 }], {
    title: finding,
    caption: [
      `${subject}: ${whole(connectome.neurons.id.length)} neurons, ${
        whole(connectome.pre.length)
      } connections; ${
        whole(held)
      } held-out positions. Bars: 95 % intervals by game. Dashed: never looks at the board.`,
      "Direct input: no brain between eye and readout; silenced: eye kept dark; shuffle: receiving ends dealt out again" +
      brains.filter(({ name }) => name.startsWith("no ")).map(({ name }) => `; ${name}: what it sends is cut`)
        .join("") +
      ".",
      "Right: its eye after 1.e4, Black to move. Blue: cells that report its own pieces, orange: the opponent's, grey: dark. " +
      "Not a measured brain.",
    ],
    alt: `${finding}. ` +
      brains.map(({ name, top1, loss }) =>
        `${name}: top-1 ${(100 * top1.value).toFixed(1)} %, loss ${loss.value.toFixed(3)}`
      ).join("; "),
    width: 1145,
    height: brains.length * 30 + 66,
  });
}
