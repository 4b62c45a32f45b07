/** A dopamine fly that is taught in a process of its own, which can be killed: the folder is the argument. */
import { growModelFly } from "../../lib/connectome/mod.ts";
import { selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { bioRunConfig, openRun, trainBio } from "../../lib/training/mod.ts";

const shipped = await shippedPositions();
const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const positions = selectRows(shipped, [
  ...rows(0, 20),
  ...rows(shipped.hold, 10),
  ...rows(shipped.hold + shipped.val, 260),
]);
const settings = { count: 160, batch: 16, checkEvery: 48, checkRows: 10, moveRows: 2, holdRows: 20, rate: 1 };
await using run = await openRun(Deno.args[0]!, { ...bioRunConfig(settings), inputs: {} });
await trainBio(run, growModelFly({ scale: 1 / 64, seed: 1 }), positions, {
  ...settings,
  saveSeconds: 0,
  workers: 0,
});
