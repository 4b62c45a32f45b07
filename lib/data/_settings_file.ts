import { DataError, readText, writeFileAtomic } from "../common/mod.ts";

/**
 * Notes what decides a folder's content, where that is not noted yet.
 *
 * @throws {DataError} If something else was noted: the two do not belong in one folder.
 */
export async function keepSettings(path: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const text = JSON.stringify(settings, null, 2) + "\n";
  const found = await readText(path);
  if (found === undefined) return await writeFileAtomic(path, text);
  if (found === text) return;
  const flat = (json: string) => json.replaceAll(/\s+/g, " ").trim();
  throw new DataError(
    `Cannot add to the set that ${path} describes: it was made with ${flat(found)}, ${
      flat(text)
    } is wanted; ` +
      "choose another folder",
  );
}
