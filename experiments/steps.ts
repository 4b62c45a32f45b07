/**
 * One think, step by step: which neurons know of the board, and where in the brain it is new.
 *
 * @module
 */
import {
  brainLevels,
  brainPicture,
  brainPlaces,
  type BrainView,
  card,
  heatMap,
  PALETTE,
  type Panel,
  TYPE_SIZE,
} from "flychess/figures";
import type { Connectome } from "flychess/connectome";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { AFTER_E4, firstStep, regionCurve, type StepSet, stepSignals } from "./signal/step_signals.ts";

/** Steps of a think. */
const STEPS = 12;
/** How far from usual a rate is that is drawn as dark as can be: half its range. */
const MOST = 0.5;
/** Pixels of a picture's width; four stand side by side. */
const WIDTH = 190;
/** Below this a region has not heard of the board: a thousandth of a rate's range. */
const HEARD = 1e-3;
/** A region whose mean rose by less is not named as new. */
const NEW = 0.01;

/** What was measured. */
export interface Steps extends StepSet {
  /** The position followed. */
  readonly fen: string;
  /** Pictures of every step; `null` where no cell bodies are known. */
  readonly pictures: {
    readonly view: BrainView;
    /** Neurons in the picture. */
    readonly drawn: number;
    /** The deviation that is darkest. */
    readonly most: number;
    /** `[steps]`: one hexadecimal digit a pixel. */
    readonly levels: readonly string[];
  } | null;
}

/** The question, one line. */
export const question =
  "What does each of the twelve steps add, and when do the descending neurons hear of the board?";

/** Whether any cell body is known. */
function hasBodies(connectome: Connectome): boolean {
  return connectome.neurons.soma.some((at) => !Number.isNaN(at));
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<Steps> {
  const { connectome } = options;
  const places = hasBodies(connectome) ? brainPlaces(connectome, { width: WIDTH }) : undefined;
  const levels: string[] = [];
  const set = await stepSignals(options, STEPS, ({ unusual }) => {
    if (places !== undefined) levels.push(brainLevels(places, unusual, MOST));
  });
  const pictures = places === undefined
    ? null
    : { view: places.view, drawn: places.drawn, most: MOST, levels };
  return { ...set, fen: AFTER_E4, pictures };
}

/** The regions whose firing left its usual course most since the step before, two at most. */
function whatIsNew({ steps }: StepSet, step: number): string[] {
  const before = steps[step - 2]?.regions;
  const rises = steps[step - 1]!.regions
    .map(({ region, afterE4 }, r) => ({ region, rise: afterE4 - (before?.[r]?.afterE4 ?? 0) }))
    .filter(({ rise }) => rise >= NEW)
    .sort((a, b) => b.rise - a.rise)
    .map(({ region, rise }) => `${region} +${rise.toFixed(2)}`);
  return rises.length === 0 ? ["little"] : rises.slice(0, 2);
}

/** Draws it. */
export function figure(result: Result<Steps>): string {
  const { steps, boards, connectome, pictures } = result;
  const regions = steps[0]!.regions.map(({ region }) => region);
  const descending = regionCurve(result, "descending"), end = descending.at(-1)!.value;
  const [heard, full] = [firstStep(descending, HEARD), firstStep(descending, 0.9 * end)];
  const title =
    `The board reaches the descending neurons at step ${heard} and is there in full at step ${full}`;
  const panels: Panel[] = [];
  const gap = 6, line = 32;
  let y = 0;
  if (pictures !== null) {
    const { view, levels } = pictures;
    for (const [i, step] of levels.entries()) {
      const x = 20 + (i % 4) * (view.width + gap);
      y = Math.floor(i / 4) * (view.height + line + 12);
      const lines = whatIsNew(result, i + 1).map((text, k) =>
        `<text x="${k === 0 ? 0 : 20}" y="${
          13 + 14 * k
        }" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${
          k === 0 ? `<tspan font-weight="600">${i + 1}</tspan>` : ""
        }<tspan x="20">${text}</tspan></text>`
      );
      const words = `<svg width="${view.width}" height="${line}">${lines.join("")}</svg>`;
      panels.push({ svg: words, x, y }, { svg: brainPicture(view, step), x, y: y + line });
    }
    y += view.height + line + 20;
  }
  const cells = regions.map((_, r) =>
    steps.map(({ regions }) => {
      const { signal: { value } } = regions[r]!;
      return { shade: value / MOST, text: value === 0 ? "0" : value.toFixed(2).slice(1) };
    })
  );
  const cell = { width: 53, height: 22 };
  panels.push({
    svg: heatMap(cells, {
      label: "How far boards move a neuron's rate (standard deviation over boards), by step",
      rows: regions,
      columns: steps.map(({ step }) => String(step)),
      columnsOnTop: true,
      cell,
      names: 130,
    }),
    x: 20,
    y,
  });
  return card(panels, {
    title,
    caption: [
      ...pictures === null ? [] : [
        `${
          pictures.drawn.toLocaleString("en")
        } neurons that have a cell body, from above, head at the top, in one think after 1.e4. The darker, the`,
        "further a rate is from its mean over boards (darkest: 0.5 or more). In words: where that rose most since the step before.",
      ],
      `${connectome.name}: ${
        connectome.neurons.toLocaleString("en")
      } neurons; ${boards} held-out boards of different games. Reached: 0.001; in full: 90 % of step 12.`,
    ],
    alt: `${title}. ` +
      steps.map(({ step }) => `Step ${step}: ${whatIsNew(result, step).join(", ")}`).join("; "),
    width: 20 + 4 * (WIDTH + gap) + 14,
    height: y + 46 + regions.length * cell.height + 12,
  });
}
