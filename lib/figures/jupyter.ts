import type { Progress } from "../common/mod.ts";

/** What a kernel shows under a cell: the same thing by MIME type. */
export type MimeBundle = Readonly<Record<string, string>>;

/** How something is shown. */
export interface ShowOptions {
  /** A name: what is shown again under it takes the place of what was there. */
  readonly id?: string;
}

/** The part of the Deno kernel that shows things. */
interface Kernel {
  display(
    what: { [key: symbol]: () => MimeBundle },
    options: { raw: boolean; update: boolean; display_id?: string },
  ): Promise<void>;
}

/**
 * Milliseconds. The kernel says that a cell is done before its last outputs are sent, and whatever comes after that is
 * shown under the next cell or lost: a cell that waits so long keeps its own.
 */
const FLUSH = 50;

/** Milliseconds from one report of progress to the next. */
const BETWEEN_REPORTS = 500;

/** Names under which something is shown. */
const shown = new Set<string>();

/** The kernel, in a notebook; asking for it elsewhere is an error of Deno's. */
function kernel(): Kernel | undefined {
  try {
    return Deno.jupyter as Kernel;
  } catch {
    return undefined;
  }
}

/**
 * What a notebook is to show for a text: an SVG file as a picture, an HTML page as a page of its own within the
 * notebook, anything else as it is.
 *
 * @example A picture, a page and a word
 * ```ts
 * import { asMime } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(Object.keys(asMime("<svg xmlns='http://www.w3.org/2000/svg'></svg>")), ["image/svg+xml"]);
 * assert.match(asMime("<!doctype html><p>x</p>")["text/html"]!, /^<iframe/);
 * assert.deepEqual(asMime("e4"), { "text/plain": "e4" });
 * ```
 */
export function asMime(what: string): MimeBundle {
  if (/^\s*<svg[\s>]/.test(what)) return { "image/svg+xml": what };
  if (/^\s*<!doctype html/i.test(what)) {
    const page = what.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    return { "text/html": `<iframe srcdoc="${page}" width="100%" height="640" style="border: 0"></iframe>` };
  }
  return { "text/plain": what };
}

/**
 * Shows a picture, a page or words under the notebook cell that is running, and waits until they are on their way:
 * `await show(...)` is a cell's last line. Outside of a notebook it does nothing, so that cells also run as a program.
 *
 * @param what An SVG file such as a `card`, an HTML page, or words.
 * @param options A name, to show something else in its place later.
 * @example The last line of a cell
 * ```ts
 * import { card, show } from "flychess/figures";
 *
 * await show(card([], { title: "Nothing", caption: [], alt: "", width: 100, height: 10 }));
 * ```
 */
export async function show(what: string, options: ShowOptions = {}): Promise<void> {
  const jupyter = kernel();
  if (jupyter === undefined) return;
  const { id } = options, bundle = asMime(what);
  const update = id !== undefined && shown.has(id);
  if (id !== undefined) shown.add(id);
  await jupyter.display({ [Symbol.for("Jupyter.display")]: () => bundle }, {
    raw: false,
    update,
    ...id === undefined ? {} : { display_id: id },
  });
  await new Promise((resolve) => setTimeout(resolve, FLUSH));
}

/**
 * An `onProgress` that shows under the running cell how far the work has come, on one line that changes at most twice a
 * second.
 *
 * @example Handed to long work
 * ```ts
 * import { growModelFly, showProgress } from "flychess";
 * import assert from "node:assert/strict";
 *
 * const connectome = growModelFly({ scale: 1 / 64 }, { onProgress: showProgress() });
 * assert.match(connectome.name, /model fly/);
 * ```
 */
export function showProgress(): (progress: Progress) => void {
  const id = `progress-${crypto.randomUUID()}`;
  let last = -Infinity;
  return ({ task, done, total, unit }) => {
    const now = performance.now();
    if (now - last < BETWEEN_REPORTS && done !== total) return;
    last = now;
    const of = total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`;
    void show(`${task}: ${done.toLocaleString("en-US")}${of} ${unit}`, { id });
  };
}
