/**
 * `deno task test:kill`: kills every kind of long work with kill -9 at random moments and starts it again, until it has been
 * killed so often, and holds every byte that it leaves against an uninterrupted run's.
 *
 *   --kills N   kills in all, shared out among the kinds of work (200)
 *   --seed N    seed of the moments (the time: it is printed)
 *   --only WORD kinds of work whose name begins so
 */
import { parseArgs } from "node:util";
import { requires } from "../_requirements.ts";
import { killAtRandomMoments } from "./_kill.ts";
import { KILL_WORK } from "./_work.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const works = KILL_WORK.filter(({ name }) => name.startsWith(values.only));
const there = works.filter(({ needs }) => needs === undefined || !requires(needs).ignore);
for (const { name, needs } of works) {
  if (!there.some((work) => work.name === name)) console.log(`${name}: left out, there is no ${needs} here`);
}
const shares = there.reduce((sum, { share }) => sum + share, 0);
if (there.length === 0) {
  console.error(`Cannot kill anything: no work begins with '${values.only}'`);
  Deno.exit(2);
}
console.log(`seed ${seed}`);
let total = 0;
for (const [i, work] of there.entries()) {
  const kills = i === there.length - 1
    ? Number(values.kills) - total
    : Math.round(Number(values.kills) * work.share / shares);
  const folder = await Deno.makeTempDir({ prefix: "flychess-kill-" });
  const started = performance.now();
  try {
    await using killable = await work.open(folder);
    const report = await killAtRandomMoments(killable, { kills, seed, folder: `${folder}/runs` });
    total += report.kills;
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(
      `${work.name}: ${report.kills} kills, to its end ${
        report.ends === 1 ? "once" : `${report.ends} times`
      }, each the same bytes (${report.digest.slice(0, 16)}), ${seconds} s`,
    );
    for (const [moment, count] of [...report.moments].sort(([, a], [, b]) => b - a)) {
      console.log(`    ${String(count).padStart(4)}  ${moment}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
console.log(`${total} kills, nothing lost, nothing done twice.`);
