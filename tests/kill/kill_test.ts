import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { killAtRandomMoments } from "./_kill.ts";
import { KILL_WORK } from "./_work.ts";

/** Kills here, in all; `deno task test:kill` makes 200. The long run has a test of its own beside its command. */
const KILLS = 12;
const SEED = Number(Deno.env.get("FLYCHESS_SEED") ?? Date.now() % 1_000_000);

for (const work of KILL_WORK.filter(({ name }) => !name.startsWith("day"))) {
  const kills = Math.ceil(KILLS * work.share);
  Deno.test({
    name:
      `${work.name}: killed ${kills} times at random moments (seed ${SEED}), it ends as if it never was, bit for bit`,
    ...work.needs === undefined ? {} : requires(work.needs),
    async fn() {
      using folder = new TemporaryFolder();
      await using killable = await work.open(folder.path);
      await killAtRandomMoments(killable, {
        kills,
        seed: SEED,
        folder: `${folder.path}/runs`,
      });
    },
  });
}
