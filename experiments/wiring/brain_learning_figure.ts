import {
  card,
  intervalChart,
  type IntervalRow,
  type Line,
  lineChart,
  PALETTE,
  type Panel,
} from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { BrainLearning } from "../brain_learning.ts";
import type { Result } from "../_experiment.ts";
import { scaled, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 900, MARGIN = 20, HEIGHT = 380, LEFT = 500, ROW = 44;
/** With fewer checks on the way there is no curve to see. */
const LEAST_CHECKS = 4;
/** Okabe and Ito's sky blue, bluish green and reddish purple, after the palette's own. */
const COLOURS = [PALETTE.subject, PALETTE.second, "#009e73", "#cc79a7", "#56b4e9"];

const percent = ({ value }: Interval) => `${(100 * value).toFixed(1)} %`;

/** How many seeds a line is the mean of. */
function seedsOf(recipes: BrainLearning["recipes"]): string {
  const counts = recipes.map(({ seedLosses }) => seedLosses.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (least === most) return most === 1 ? "One seed" : `Mean of ${most} seeds`;
  const fewer = recipes.filter((_, i) => counts[i]! < most).map(({ name }) => name);
  return `Mean of ${most} seeds (${
    fewer.length === 1 ? fewer[0] : `the last ${fewer.length} recipes`
  }: ${least})`;
}

/**
 * Draws held-out loss and top-1 of every recipe beside its marks; below them VAL loss against positions seen, one line a
 * recipe, where there were enough checks.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<BrainLearning>): string {
  const { recipes, marks, differences, connectome, positions, front } = result;
  const learns = recipes.filter(({ settings }) => settings["synapseStep"] !== 0);
  const looks = new Map(recipes.map((recipe) => {
    const at = learns.indexOf(recipe);
    return [recipe, at < 0 ? PALETTE.control : COLOURS[at % COLOURS.length]!];
  }));
  let frozen = 0;
  const lines: Line[] = recipes.map((recipe) => ({
    name: recipe.name,
    colour: looks.get(recipe)!,
    ...learns.includes(recipe) ? {} : { dashes: frozen++ === 0 ? "6,4" : "2,3" },
    points: recipe.curve.map(({ positions: x, valLoss: y }) => ({ x, y })),
  }));
  const all = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const least = Math.min(...all, marks.direct.valLoss), most = marks.blind.valLoss;
  const chart = lineChart(lines, {
    label: "loss on VAL (nats, lower is better)",
    xLabel: "positions seen",
    width: WIDTH - 2 * MARGIN,
    height: HEIGHT,
    names: 210,
    marks: [
      { name: "blind", value: marks.blind.valLoss },
      { name: "the eye read directly", value: marks.direct.valLoss },
    ],
    // Where lines begin, far above the blind baseline, there is nothing to see.
    domain: [least - 0.02, most + 0.02],
    format: (value) => value.toFixed(2),
    formatX: (x) => x === 0 ? "0" : x >= 1e6 ? `${x / 1e6} million` : `${Math.round(x / 1000)}k`,
  });
  const best = learns.reduce((one, other) => other.scores.loss.value < one.scores.loss.value ? other : one);
  const of = (key: string, against: string) =>
    differences.find((each) => each.of === key && each.against === against)?.scores.loss;
  const told = differences.filter((each) => each.of === best.key).map((each) => {
    const other = recipes.find(({ key }) => key === each.against)?.name ??
      (each.against === "direct" ? "the eye" : each.against);
    return `${other} ${signedNatsInBrackets(each.scores.loss)}`;
  });
  const refit = best.again, minus = of(`${best.key}, again`, "direct");
  const again = refit === null || minus === undefined
    ? undefined
    : `With new heads fitted to the end on what it learned: ${refit.scores.loss.value.toFixed(3)}, ${
      percent(refit.scores.top1)
    }; minus the eye read directly ${signedNatsInBrackets(minus)}.`;
  const held = (of: "loss" | "top1", times: number): IntervalRow[] =>
    [
      { name: "blind", scores: marks.blind.scores, subject: false },
      ...recipes.map((recipe) => ({ ...recipe, subject: learns.includes(recipe) })),
      { name: "eye directly", scores: marks.direct.scores, subject: false },
    ].map(({ name, scores, subject }) => {
      return { name, subject, interval: scaled(scores[of], times) };
    });
  const small = { names: false, rowHeight: ROW } as const;
  const top = (recipes.length + 2) * ROW + 70;
  const panels: Panel[] = [
    {
      svg: intervalChart(held("loss", 1), {
        ...small,
        names: true,
        label: "held-out loss (nats, lower is better)",
        width: LEFT,
        mark: marks.direct.scores.loss.value,
        format: (value) => value.toFixed(3),
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: intervalChart(held("top1", 100), {
        ...small,
        label: "top-1 (%)",
        width: WIDTH - LEFT - 2 * MARGIN,
        mark: 100 * marks.direct.scores.top1.value,
        format: (value) => value.toFixed(1),
      }),
      x: LEFT + MARGIN,
      y: 0,
    },
  ];
  const drawn = recipes.some(({ curve }) => curve.length >= LEAST_CHECKS);
  if (drawn) panels.push({ svg: chart, x: MARGIN, y: top });
  const title = finding(
    connectome.name.replace(/ \(.*\)$/, ""),
    minus ?? of(best.key, "direct"),
    gain(result, best.key),
    minus !== undefined,
  );
  return card(panels, {
    title,
    caption: [
      `${connectome.name}: ${wholeNumber(connectome.connections)} connections, ${
        wholeNumber(connectome.read)
      } neurons read by linear heads; signs and wiring stay as measured.`,
      `${seedsOf(recipes)}, at most ${wholeNumber(best.curve.at(-1)!.positions)} positions seen, judged on ${
        wholeNumber(positions.hold)
      } held-out ones; bars: 95 % intervals by game.`,
      `${
        front === undefined ? "" : `All learn from the first ${wholeNumber(front)} training positions. `
      }The eye read directly: the same heads on its ${
        wholeNumber(marks.direct.features)
      } cells, fitted to the end.`,
      ...(again === undefined ? [] : [again]),
      `Paired by game, ${best.name} minus (nats): ${told.slice(0, 2).join("; ")}${
        told.length > 2 ? ";" : "."
      }`,
      ...(told.length > 2 ? [`${told.slice(2).join("; ")}.`] : []),
    ],
    alt: `${title}. Held-out loss: ` + [
      ["blind", marks.blind.scores.loss.value] as const,
      ...recipes.map(({ name, scores }) => [name, scores.loss.value] as const),
      ["the eye read directly", marks.direct.scores.loss.value] as const,
    ].map(([name, loss]) => `${name} ${loss.toFixed(3)}`).join(", "),
    width: WIDTH,
    height: top + (drawn ? HEIGHT : 0),
  });
}

/** By how much learning bettered the readout alone of the same reading. */
function gain({ differences, recipes }: BrainLearning, key: string): Interval | undefined {
  return differences.find(({ of, against }) =>
    of === key && recipes.some((recipe) => recipe.key === against && recipe.settings["synapseStep"] === 0)
  )?.scores.loss;
}

/** What came out, in a sentence; the eye is compared with new heads or with those that learned. */
function finding(
  name: string,
  direct: Interval | undefined,
  against: Interval | undefined,
  newHeads: boolean,
): string {
  const by = against === undefined
    ? "learns"
    : against.high < 0
    ? `reads ${(-against.value).toFixed(3)} nats better if its synapses learn too`
    : "reads no better if its synapses learn too";
  if (direct === undefined) return `The ${name} ${by}`;
  const mark = direct.high < 0
    ? newHeads ? "; new heads beat its eye" : "and beats its own eye"
    : direct.low > 0
    ? `; its eye alone is ${direct.value.toFixed(3)} ahead`
    : newHeads
    ? "; new heads equal its eye"
    : "and is level with its own eye";
  return `The ${name} ${by}${mark.startsWith(";") ? "" : " "}${mark}`;
}
