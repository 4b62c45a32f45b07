import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MODULES = ["torch", "tensorflow", "scipy", "numpy", "pyarrow"];

/**
 * Finds a Python with everything that the peers import.
 *
 * @param wanted A Python to use; by default the repository's `.venv`, else `python3`.
 * @throws {Error} If there is none, saying what to do.
 */
export function findPython(wanted?: string): string {
  const own = fileURLToPath(new URL("../.venv/bin/python", import.meta.url));
  const python = wanted ?? (existsSync(own) ? own : "python3");
  const look = `import importlib.util as u; print(*[m for m in ${
    JSON.stringify(MODULES)
  } if u.find_spec(m) is None])`;
  const { status, stdout } = spawnSync(python, ["-c", look], { encoding: "utf8" });
  const install = "python3 -m venv .venv && .venv/bin/pip install -r bench/requirements.txt";
  if (status !== 0) {
    throw new Error(
      `Cannot measure the peers: ${python} does not run, Python 3 is wanted. Then:\n  ${install}`,
    );
  }
  const missing = stdout.trim();
  if (missing !== "") {
    throw new Error(
      `Cannot measure the peers: ${python} has no ${missing.replaceAll(" ", ", ")}. Do:\n  ${install}`,
    );
  }
  return python;
}
