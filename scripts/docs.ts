/**
 * `deno task docs`: the public functions as web pages, in `docs/api`, with a front page that lists the rooms.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };

/** A room and what it is for. */
interface Room {
  readonly name: string;
  readonly file: string;
  /** The first paragraph of its module documentation. */
  readonly what: string;
}

/** The rooms that `deno.json` exports, in its order. */
function rooms(root: string): Room[] {
  return Object.entries(config.exports).filter(([name]) => name !== ".").map(([name, file]) => {
    const [comment = ""] = /\/\*\*[^]*?\*\//.exec(Deno.readTextFileSync(join(root, file))) ?? [];
    const lines = comment.split("\n").slice(1, -1).map((line) => line.replace(/^ \*\s?/, ""));
    const end = lines.findIndex((line) => line === "" || line.startsWith("@"));
    return { name: name.slice(2), file, what: lines.slice(0, end < 0 ? undefined : end).join(" ") };
  });
}

/** Markdown's code and emphasis, the only marks in those paragraphs, as HTML. */
function html(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replace(/`([^`]+)`/g, "<code>$1</code>").replace(/\*(\w[^*]*)\*/g, "<em>$1</em>");
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { output: { type: "string", default: "docs/api" } } });
  const root = fileURLToPath(new URL("..", import.meta.url)), all = rooms(root);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["doc", "--html", "--name=flychess", `--output=${values.output}`],
      ...all.map(({ file }) => join(root, file)),
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) {
    console.error(new TextDecoder().decode(stderr));
    Deno.exit(1);
  }
  // Deno leaves the front page of several modules empty.
  const front = join(values.output, "index.html"), page = await Deno.readTextFile(front);
  const list = all.map(({ name, what }) =>
    `<h2><a class="contextLink" href="./${name}/index.html">${name}</a></h2>\n<p>${html(what)}</p>`
  );
  const filled = page.replace(
    "<main></main>",
    `<main><div class="markdown">\n${list.join("\n")}\n</div></main>`,
  );
  if (filled === page) {
    console.error(`Cannot list the rooms in ${front}: it has no empty <main>, which is wanted`);
    Deno.exit(1);
  }
  await Deno.writeTextFile(front, filled);
  console.log(`Wrote ${all.length} rooms. Open ${front} in a browser.`);
}
