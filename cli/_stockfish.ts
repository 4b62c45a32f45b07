import { EngineError } from "../lib/chess/mod.ts";

/** Where Debian and Ubuntu put Stockfish, which is not on everybody's PATH. */
export const DEBIAN_STOCKFISH = "/usr/games/stockfish";

/** A `stockfish` on the PATH, else where Debian puts it. */
export async function findStockfish(): Promise<string> {
  for (const path of ["stockfish", DEBIAN_STOCKFISH]) {
    try {
      const command = new Deno.Command(path, {
        args: ["quit"],
        stdin: "null",
        stdout: "null",
        stderr: "null",
      });
      if ((await command.output()).success) return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new EngineError(
    `Cannot find Stockfish: it is neither on the PATH nor ${DEBIAN_STOCKFISH}; install it ` +
      "(https://stockfishchess.org/download) or name it with --stockfish PATH",
  );
}
