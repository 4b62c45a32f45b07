import { join } from "node:path";
import { DataError, readText, writeFileAtomic } from "../../common/mod.ts";

/** What rates depend on besides the position; each part is a digest or a few words. */
export interface CacheKey {
  /** The connectome's digest. */
  readonly connectome: string;
  /** The eye's digest. */
  readonly eye: string;
  /** Digest of strengths, gains, biases and homeostasis. */
  readonly brain: string;
  /** The engine and its precision. */
  readonly engine: string;
  /** The steps read and whether they are kept apart. */
  readonly read: string;
}

/** A file of rates: `[rows][columns]` bytes and nothing else. */
export interface CacheBlock {
  /** Its name in the folder. */
  readonly file: string;
  /** Digest of the positions that its rows are from. */
  readonly positions: string;
  /** Its first row there. */
  readonly first: number;
  /** Its rows. */
  readonly rows: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** Whether its rows are held out (HOLD and VAL); such a block is never retired. */
  readonly held: boolean;
}

/** A block that was deleted to make room. */
export interface RetiredBlock extends CacheBlock {
  /** Why it had to go. */
  readonly reason: string;
}

/** `index.json` of a cache. */
export interface CacheIndex {
  readonly kind: string;
  readonly key: CacheKey;
  /** Bytes of a position: descending neurons times steps kept apart. */
  readonly columns: number;
  /** Steps kept apart. */
  readonly kept: number;
  /** The blocks that are there, oldest first. */
  readonly blocks: readonly CacheBlock[];
  /** Those that were. */
  readonly retired: readonly RetiredBlock[];
}

/** The value of `kind`. */
export const CACHE_KIND = "flychess rates cache 1";

/** The index's file in the folder. */
export const INDEX_FILE = "index.json";

/** Reads an index; `undefined` where there is none. */
export async function readIndex(folder: string): Promise<CacheIndex | undefined> {
  const path = join(folder, INDEX_FILE);
  const text = await readText(path);
  if (text === undefined) return undefined;
  let index: unknown;
  try {
    index = JSON.parse(text);
  } catch {
    index = undefined;
  }
  if (!isIndex(index)) {
    throw new DataError(
      `Cannot open ${path}: it is not the index of a cache, '${CACHE_KIND}' is wanted; ` +
        "put a copy back, or delete the folder to show all positions to the brain again",
    );
  }
  return index;
}

/** Puts an index in the place of the former one. */
export async function writeIndex(folder: string, index: CacheIndex): Promise<void> {
  await writeFileAtomic(join(folder, INDEX_FILE), JSON.stringify(index, null, 2) + "\n");
}

function isIndex(value: unknown): value is CacheIndex {
  const has = (of: unknown, fields: Record<string, string>): boolean =>
    typeof of === "object" && of !== null &&
    Object.entries(fields).every(([field, type]) => typeof Reflect.get(of, field) === type);
  if (!has(value, { kind: "string", key: "object", columns: "number", kept: "number" })) return false;
  const { kind, key, blocks, retired } = value as Record<string, unknown>;
  const block = { file: "string", positions: "string", first: "number", rows: "number", sha256: "string" };
  return kind === CACHE_KIND &&
    has(key, { connectome: "string", eye: "string", brain: "string", engine: "string", read: "string" }) &&
    [blocks, retired].every((list) => Array.isArray(list) && list.every((each) => has(each, block)));
}

const WORDS: Readonly<Record<keyof CacheKey, string>> = {
  connectome: "connectome",
  eye: "eye",
  brain: "calibration or strengths",
  engine: "engine",
  read: "reading",
};

/** Digests are long. */
function brief(text: string): string {
  return /^[0-9a-f]{64}$/.test(text) ? `${text.slice(0, 12)}...` : text;
}

/** @throws {DataError} If a cache is of another brain, eye, engine or reading. */
export function refuseOther(
  folder: string,
  index: CacheIndex,
  { key, columns, kept }: Pick<CacheIndex, "key" | "columns" | "kept">,
): void {
  for (const part of ["connectome", "eye", "engine", "read", "brain"] as const) {
    if (index.key[part] === key[part]) continue;
    throw new DataError(
      `Cannot use the cache in ${folder}: its rates come from another ${WORDS[part]} (${
        brief(index.key[part])
      }), ${brief(key[part])} is wanted; take another folder, or delete this one`,
    );
  }
  if (index.columns !== columns || index.kept !== kept) {
    throw new DataError(
      `Cannot use the cache in ${folder}: ${index.columns} bytes a position of ${index.kept} steps, ` +
        `${columns} of ${kept} are wanted`,
    );
  }
}
