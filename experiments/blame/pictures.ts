import type { Connectome } from "flychess/connectome";
import {
  brainLevels,
  brainPicture,
  brainPlaces,
  type BrainView,
  PALETTE,
  type Panel,
  TYPE_SIZE,
} from "flychess/figures";

/** Where the error is at some steps of its way back, neuron by neuron. */
export interface BlamePictures {
  readonly view: BrainView;
  /** Neurons in a picture. */
  readonly drawn: number;
  /** The way back goes from the first to the last. */
  readonly steps: readonly {
    readonly step: number;
    /** |d loss / d input| of which a thousandth of all neurons has more: it is as dark as can be. */
    readonly most: number;
    /** One hexadecimal digit a pixel. */
    readonly levels: string;
  }[];
}

/** The steps that are drawn. */
const DRAWN = [12, 10, 8, 6, 4, 2];
/** Pixels of a picture's width and between two. */
const WIDTH = 178, GAP = 6, LINE = 18;
/** Errors of so many powers of ten below the darkest are told apart. */
const DECADES = 3;

/**
 * Draws the mean error of every neuron at some steps.
 *
 * @param blame `[positions][neurons]` by step.
 * @returns Null where no cell bodies are known.
 */
export function blamePictures(
  connectome: Connectome,
  blame: ReadonlyMap<number, Float32Array | Float64Array>,
): BlamePictures | null {
  if (connectome.neurons.soma.every((at) => Number.isNaN(at))) return null;
  const places = brainPlaces(connectome, { width: WIDTH }), size = connectome.sign.length;
  const steps = DRAWN.map((step) => {
    const own = blame.get(step)!, positions = own.length / size, mean = new Float64Array(size);
    for (const [i, each] of own.entries()) mean[i % size]! += Math.abs(each) / positions;
    const most = mean.toSorted()[Math.floor(0.999 * size)]!;
    const shown = mean.map((each) => each > 0 ? 1 + Math.log10(each / most) / DECADES : 0);
    return { step, most: Number(most.toPrecision(4)), levels: brainLevels(places, shown, 1) };
  });
  return { view: places.view, drawn: places.drawn, steps };
}

/** The pictures side by side, from `y` on, and how tall they are. */
export function pictureRow(
  { view, steps }: BlamePictures,
  { x, y }: { readonly x: number; readonly y: number },
): { readonly panels: readonly Panel[]; readonly height: number } {
  const panels = steps.flatMap(({ step, levels }, i): Panel[] => {
    const left = x + i * (view.width + GAP);
    const words = `<svg width="${view.width}" height="${LINE}"><text y="13" font-size="${TYPE_SIZE.small}" ` +
      `font-weight="600" fill="${PALETTE.ink}">step ${step}</text></svg>`;
    return [{ svg: words, x: left, y }, { svg: brainPicture(view, levels), x: left, y: y + LINE }];
  });
  return { panels, height: LINE + view.height };
}
