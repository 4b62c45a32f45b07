/**
 * `deno task test:golden`: compares this library with values from an independent implementation.
 *
 * Reads every `*.json` file and every folder with a MaleCNS build in `$GOLDEN_DIR` (default: tests/golden),
 * dispatches on `kind` and prints one line a file. A kind that is not implemented is reported; it fails only
 * when `$GOLDEN_REQUIRE` (kinds with commas between) lists it, and so does a listed kind without a file.
 */
import { AssertionError } from "node:assert/strict";
import { requires } from "./_requirements.ts";

/** A check may say how closely it looked; else its `closeness` does. */
type Check = (golden: unknown) => void | Promise<void> | Promise<string>;

/** What checks each kind, and how closely. */
const CHECKS: Readonly<Record<string, { closeness: string; load: () => Promise<Check> }>> = {
  boards: {
    closeness: "exact",
    load: async () => (await import("./golden_checks/boards.ts")).check,
  },
  eye: { closeness: "exact", load: async () => (await import("./golden_checks/eye.ts")).check },
  loss: { closeness: "to 1e-9", load: async () => (await import("./golden_checks/loss.ts")).check },
  accuracy: {
    closeness: "to 1e-9",
    load: async () => (await import("./golden_checks/rating.ts")).checkAccuracy,
  },
  performance: {
    closeness: "to 1e-9",
    load: async () => (await import("./golden_checks/rating.ts")).checkPerformance,
  },
  ladder: {
    closeness: "to 1e-4 Elo",
    load: async () => (await import("./golden_checks/rating.ts")).checkLadder,
  },
  imagination: {
    closeness: "exact",
    load: async () => (await import("./golden_checks/imagination.ts")).check,
  },
  schedule: {
    closeness: "to 1e-12",
    load: async () => (await import("./golden_checks/schedule.ts")).check,
  },
  curriculum: {
    closeness: "scores exact, win% to 1e-9",
    load: async () => (await import("./golden_checks/curriculum.ts")).check,
  },
  dopamine: {
    closeness: "to 1e-9",
    load: async () => (await import("./golden_checks/dopamine.ts")).check,
  },
  bio_brain: {
    closeness: "to 1e-9",
    load: async () => (await import("./golden_checks/bio_brain.ts")).check,
  },
  brain: {
    closeness: "reference to 1e-9, others to 2e-5",
    load: async () => {
      const { check } = await import("./golden_checks/brain.ts");
      const gpu = !(await requires("webgpu")).ignore;
      return async (golden) => {
        for (const engine of ["reference", "wasm"] as const) await check(golden, { engine });
        if (!gpu) return "reference to 1e-9, wasm to 2e-5; no GPU, so webgpu did not run";
        await check(golden, { engine: "webgpu" });
        return "reference to 1e-9, wasm and webgpu to 2e-5";
      };
    },
  },
};

interface Line {
  readonly file: string;
  readonly kind: string;
  readonly outcome: "passed" | "failed" | "not implemented";
  readonly detail: string;
}

function reason(error: unknown): string {
  if (error instanceof AssertionError) return error.message.split("\n")[0]!;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function checkFile(path: string, file: string): Promise<Line> {
  let golden: unknown;
  try {
    golden = JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    return { file, kind: "?", outcome: "failed", detail: reason(error) };
  }
  const kind = String((golden as { kind?: unknown } | null)?.kind ?? "?");
  const known = CHECKS[kind];
  if (known === undefined) {
    return { file, kind, outcome: "not implemented", detail: "no check for this kind yet" };
  }
  try {
    const closeness = await (await known.load())(golden);
    return { file, kind, outcome: "passed", detail: closeness ?? known.closeness };
  } catch (error) {
    return { file, kind, outcome: "failed", detail: reason(error) };
  }
}

async function checkFolder(path: string, file: string): Promise<Line> {
  try {
    const { check } = await import("./golden_checks/malecns.ts");
    await check(path);
    return { file, kind: "malecns", outcome: "passed", detail: "exact" };
  } catch (error) {
    return { file, kind: "malecns", outcome: "failed", detail: reason(error) };
  }
}

/** Checks a folder of golden values; the lines are in the order of the file names. */
export async function checkGoldens(folder: string): Promise<Line[]> {
  const lines: Line[] = [];
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (Deno.statSync(path).isDirectory) {
      if ([...Deno.readDirSync(path)].some(({ name }) => name === "expected.json")) {
        lines.push(await checkFolder(path, `${entry.name}/`));
      }
    } else if (entry.name.endsWith(".json")) {
      lines.push(await checkFile(path, entry.name));
    }
  }
  return lines;
}

if (import.meta.main) {
  const folder = Deno.env.get("GOLDEN_DIR") ?? new URL("golden", import.meta.url).pathname;
  const required = (Deno.env.get("GOLDEN_REQUIRE") ?? "").split(",").map((kind) => kind.trim())
    .filter((kind) => kind !== "");
  const lines = await checkGoldens(folder);
  for (const kind of required) {
    if (!lines.some((line) => line.kind === kind)) {
      lines.push({ file: "-", kind, outcome: "failed", detail: `no file of this kind in ${folder}` });
    }
  }
  const width = Math.max(4, ...lines.map(({ file }) => file.length));
  let failed = 0;
  for (const { file, kind, outcome, detail } of lines) {
    const fails = outcome === "failed" || (outcome === "not implemented" && required.includes(kind));
    if (fails) failed++;
    console.log(`${file.padEnd(width)}  ${kind.padEnd(11)}  ${outcome.padEnd(15)}  ${detail}`);
  }
  const passed = lines.filter(({ outcome }) => outcome === "passed").length;
  console.log(`${passed} passed, ${failed} failed, ${lines.length - passed - failed} not implemented`);
  if (lines.length === 0) console.error(`Cannot check golden values: there are none in ${folder}`);
  Deno.exit(failed > 0 || lines.length === 0 ? 1 : 0);
}
