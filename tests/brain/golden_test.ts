import { check } from "../golden_checks/brain.ts";
import { requires } from "../_requirements.ts";

const webgpu = await requires("webgpu");

const folder = new URL("../golden/", import.meta.url);
const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
  /^brain_.*\.json$/.test(name)
);

for (const name of files.sort()) {
  for (const engine of ["reference", "wasm", "webgpu"] as const) {
    Deno.test({
      name: `the ${engine} engine gives the numbers of ${name}`,
      ...(engine === "webgpu" ? webgpu : {}),
      async fn() {
        await check(JSON.parse(await Deno.readTextFile(new URL(name, folder))), { engine });
      },
    });
  }
}
