/** The Python that reads our files: the repository's own `.venv`, else the first on the PATH. */
export const PYTHON: string = exists(new URL("../.venv/bin/python", import.meta.url))
  ? new URL("../.venv/bin/python", import.meta.url).pathname
  : "python3";

/**
 * Programs and devices that some tests need and not every machine has. A test that needs one is skipped where it
 * is missing, and fails where `FLYCHESS_REQUIRE` (names with commas between) says that it must be there.
 */
const PROBES: Readonly<Record<string, () => boolean>> = {
  stockfish: () => found("stockfish") || found("/usr/games/stockfish"),
  python: () => runs(PYTHON, ["-c", "import pyarrow"]),
  "python-chess": () => runs(PYTHON, ["-c", "import chess.engine"]),
  scipy: () => runs(PYTHON, ["-c", "import scipy"]),
  jupyter: () => runs(PYTHON, ["-c", "import nbclient"]),
  chromium: () => runs("chromium", ["--version"]),
  jupyterlab: () => runs(PYTHON, ["-c", "import jupyterlab, playwright"]) && runs("chromium", ["--version"]),
  safetensors: () => runs(PYTHON, ["-c", "import safetensors.numpy"]),
  redis: () => runs("redis-server", ["--version"]),
  tensorflow: () => exists(new URL("../.tensorflow/tfjs_binding.node", import.meta.url)),
};

function runs(program: string, args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

function exists(file: URL): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}

function found(program: string): boolean {
  return runs(program, ["quit"]);
}

/** Devices: asking for them takes a moment. */
const DEVICES: Readonly<Record<string, () => Promise<boolean>>> = {
  webgpu: async () => (await (navigator as { gpu?: GPU }).gpu?.requestAdapter() ?? null) !== null,
};

/**
 * The `ignore` option of a test that needs something from outside: of a program at once, of a device as a promise.
 *
 * @param name A key of `PROBES` or `DEVICES`.
 */
export function requires(name: "webgpu"): Promise<{ ignore: boolean }>;
export function requires(name: string): { ignore: boolean };
export function requires(name: string): { ignore: boolean } | Promise<{ ignore: boolean }> {
  const required = (Deno.env.get("FLYCHESS_REQUIRE") ?? "").split(",").map((word) => word.trim()).includes(
    name,
  );
  const device = DEVICES[name];
  if (device !== undefined) return device().then((there) => ({ ignore: !required && !there }));
  const probe = PROBES[name];
  if (probe === undefined) {
    throw new RangeError(`Cannot look for ${name}: it is not among the known requirements`);
  }
  return { ignore: !required && !probe() };
}
