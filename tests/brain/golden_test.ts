import { check } from "../golden_checks/brain.ts";

const folder = new URL("../golden/", import.meta.url);
const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) =>
  /^brain_.*\.json$/.test(name)
);

for (const name of files.sort()) {
  for (const engine of ["reference", "wasm"] as const) {
    Deno.test(`the ${engine} engine gives the numbers of ${name}`, async () => {
      await check(JSON.parse(await Deno.readTextFile(new URL(name, folder))), { engine });
    });
  }
}
