import { writeFileAtomic } from "../lib/common/mod.ts";
import { connectomeDigest, growModelFly } from "../lib/connectome/mod.ts";
import { shippedPositions } from "../lib/data/mod.ts";
import { favourites } from "../lib/play/mod.ts";
import { compareBrains } from "../lib/training/mod.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { COMPARISON_LEGEND, comparisonJson, comparisonTable } from "./_comparison.ts";
import { AFTER_E4, demoFinding, type DemoResult, drawDemo, SUBJECT } from "./_demo_figure.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** What the whole demo and the quick one run on. */
const SIZES = {
  full: { scale: 1 / 8, name: "1/8", train: 16_000 },
  quick: { scale: 1 / 32, name: "1/32", train: 8_000 },
} as const;

const ABOUT =
  `This is the model fly: a nervous system that a seeded program grows with the cell counts, the eye and the
routes of the real one. It is not a measured brain, and nothing below is a result about flies.
The real one (MaleCNS v1.0, 163,803 neurons, 570 MB): deno task fly connectome download`;

/** `deno task demo` */
export const command: Command = {
  name: "demo",
  summary: "grow a model fly, teach it to read a chessboard, and set it beside its controls",
  help: `
Usage: deno task demo [--quick] [--seed 1]

Grows a model fly, calibrates it, fits a linear readout on its descending neurons, and prints how well it reads
held-out positions beside its controls, then its ten favourite replies to 1.e4.

  --quick     a smaller fly (scale 1/32 in place of 1/8) and fewer positions: under a minute
  --seed N    seed of the fly, the shuffles and the readouts (1)

Writes figures/demo.svg (with its numbers in demo.json) and runs/demo/result.json. Needs no network and no Stockfish.`,

  async run(args) {
    const { values } = readOptions(args, {
      quick: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
    });
    const seed = readNumber("seed", values.seed, { whole: true, least: 0, most: 0xffffffff });
    const size = values.quick ? SIZES.quick : SIZES.full;
    const started = performance.now();
    console.log(ABOUT + "\n");

    using bars = new ProgressBars();
    const work = { signal: interruptSignal(), onProgress: bars.report };
    const connectome = growModelFly({ scale: size.scale, seed }, {
      ...work,
      onProgress: (progress) => bars.report({ ...progress, task: `growing the model fly: ${progress.task}` }),
    });
    const positions = await shippedPositions(work);
    const name = SUBJECT;
    const comparison = await compareBrains(connectome, positions, { ...work, name, seed, train: size.train });
    await using _brain = comparison.brain;
    const replies = (await favourites(comparison, AFTER_E4)).slice(0, 10);
    bars[Symbol.dispose]();

    const connections = connectome.pre.length.toLocaleString("en-US");
    const neurons = connectome.neurons.id.length.toLocaleString("en-US");
    console.log(`\n${connectome.name}: ${neurons} neurons, ${connections} connections`);
    console.log(
      `fitted on ${comparison.trained.toLocaleString("en-US")} positions, judged on ` +
        `${comparison.held.toLocaleString("en-US")} held-out ones of other games\n`,
    );
    console.log(comparisonTable(comparison, name));
    console.log(`\n${COMPARISON_LEGEND}\n`);
    console.log("The model fly's ten favourite replies to 1.e4");
    console.log(table(
      ["move", "chance"],
      replies.map(({ san, probability }) => [
        san,
        `${(100 * probability).toFixed(1)} %`,
      ]),
    ));

    const result: DemoResult = {
      command: `deno task demo${values.quick ? " --quick" : ""} --seed ${seed}`,
      finding: demoFinding(comparison.brains),
      subject: connectome.name,
      connectome: connectomeDigest(connectome),
      positions: positions.digest,
      trained: comparison.trained,
      held: comparison.held,
      brains: comparisonJson(comparison),
      replies: replies.map(({ san, probability }) => ({ move: san, probability })),
    };
    await writeFileAtomic("figures/demo.svg", drawDemo(result, connectome));
    const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
    await writeFileAtomic("figures/demo.json", JSON.stringify(result, null, 2) + "\n");
    await writeFileAtomic("runs/demo/result.json", JSON.stringify({ ...result, seconds }, null, 2) + "\n");
    console.log(
      `\nDone in ${seconds} s. Wrote figures/demo.svg, figures/demo.json and runs/demo/result.json.`,
    );
  },
};
