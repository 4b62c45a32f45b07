/**
 * Programs and devices that some tests need and not every machine has. A test that needs one is skipped where it
 * is missing, and fails where `FLYCHESS_REQUIRE` (names with commas between) says that it must be there.
 */
const PROBES: Readonly<Record<string, () => boolean>> = {
  stockfish: () => found("stockfish") || found("/usr/games/stockfish"),
  python: () => runs("python3", ["-c", "import pyarrow"]),
};

function runs(program: string, args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

function found(program: string): boolean {
  return runs(program, ["quit"]);
}

/**
 * The `ignore` option of a test that needs something from outside.
 *
 * @param name A key of `PROBES`.
 */
export function requires(name: string): { ignore: boolean } {
  const probe = PROBES[name];
  if (probe === undefined) {
    throw new RangeError(`Cannot look for ${name}: it is not among the known requirements`);
  }
  const required = (Deno.env.get("FLYCHESS_REQUIRE") ?? "").split(",").map((word) => word.trim()).includes(
    name,
  );
  return { ignore: !required && !probe() };
}
