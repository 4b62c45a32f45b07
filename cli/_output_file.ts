import { dirname, join } from "node:path";

/**
 * Makes sure, before long work begins, that files can be written into a folder, which is made.
 *
 * @throws {Error} If they cannot; the message says so.
 */
export async function checkOutputFolder(folder: string): Promise<void> {
  await checkOutput(join(folder, ".flychess"));
}

/**
 * Makes sure, before long work begins, that its result can be written: makes the folder and a file in it, which is
 * removed at once.
 *
 * @param path Where the result will go.
 * @throws {Error} If that is a folder, or its folder cannot be made or written to; the message says so.
 */
export async function checkOutput(path: string): Promise<void> {
  try {
    if ((await Deno.stat(path)).isDirectory) {
      throw new Error(`Cannot write ${path}: it is a folder, a file is wanted`);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.NotADirectory)) {
      throw error;
    }
  }
  const probe = `${path}.${Deno.pid}.part`;
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(probe, "", { createNew: true });
    await Deno.remove(probe);
  } catch (error) {
    const inTheWay = error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotADirectory;
    const why = inTheWay
      ? "a file stands where its folder should be"
      : error instanceof Error
      ? error.message.replace(/ \(os error.*$/, "").toLowerCase()
      : String(error);
    throw new Error(
      `Cannot write ${path.replace(/\/\.flychess$/, "")}: ${why}, a folder that can be written to is wanted`,
      {
        cause: error,
      },
    );
  }
}
