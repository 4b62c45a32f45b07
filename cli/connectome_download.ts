import { DataError, type DownloadFile, downloadFiles } from "../lib/common/mod.ts";
import { LARVA_FILES, MALECNS_FILES } from "../lib/connectome/mod.ts";
import { type Command, readOptions } from "./_command.ts";
import { orMirror, retryLine } from "./_downloads.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";

/** `fly connectome download`. */
export const command: Command = {
  name: "connectome download",
  summary: "download the tables of the fly (MaleCNS v1.0, 566 MB) or of the larva (3 MB)",
  goesOn: true,
  help: `
Usage: deno task fly connectome download [options]

Downloads the three tables of MaleCNS v1.0 (CC BY 4.0, no account needed) and checks their sizes and
checksums. A download that breaks off is tried again up to 5 times, 30 seconds to 8 minutes apart, and goes on where it
stopped, also when you start the command again. Files that are there and right are not fetched again.

  --larva        the larval brain of Winding et al. 2023 instead
  --out FOLDER   where the files go (default: data/malecns, or data/larva)
  --from URL     a mirror: the files come from URL/NAME
  --files FILE   other tables of the same kind: a JSON list of {"name", "url", "bytes", "sha256"}, the last two if known

Example: deno task fly connectome download --out data/malecns
`,
  async run(args) {
    const { values } = readOptions(args, {
      larva: { type: "boolean", default: false },
      out: { type: "string" },
      from: { type: "string" },
      files: { type: "string" },
    });
    const files = values.files !== undefined
      ? await readFileList(values.files)
      : values.larva
      ? LARVA_FILES
      : MALECNS_FILES;
    const folder = values.out ?? (values.larva ? "data/larva" : "data/malecns");
    using bars = new ProgressBars();
    const done = await orMirror(() =>
      downloadFiles(files, folder, {
        from: values.from,
        signal: interruptSignal(),
        onProgress: bars.report,
        onRetry: (trouble) => console.error(retryLine(trouble)),
      })
    );
    for (const { path, bytes, skipped, verified } of done) {
      const what = skipped ? "was there" : "downloaded";
      const sure = verified ? "checksum right" : "no checksum was published";
      console.log(`${path}: ${what}, ${bytes.toLocaleString("en-US")} bytes, ${sure}`);
    }
    const [first, second, third] = done.map(({ path }) => path);
    const next = values.larva
      ? `--larva --edges ${first} --neurons ${second} --out data/larva.arrow`
      : `--annotations ${first} \\\n    --neurotransmitters ${second} \\\n    --weights ${third} --out data/malecns.arrow`;
    console.log(`\nNext: deno task fly connectome build ${next}`);
  },
};

/** Reads a list of files to download. */
async function readFileList(path: string): Promise<DownloadFile[]> {
  const list: unknown = JSON.parse(await Deno.readTextFile(path));
  const right = (file: unknown): file is DownloadFile => {
    const { name, url, bytes, sha256 } = (file ?? {}) as Record<string, unknown>;
    return typeof name === "string" && typeof url === "string" &&
      (bytes === undefined || Number.isInteger(bytes)) &&
      (sha256 === undefined || typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256));
  };
  if (!Array.isArray(list) || list.length === 0 || !list.every(right)) {
    throw new DataError(
      `Cannot read ${path}: it is no list of files, {"name", "url", "bytes", "sha256"} of each is wanted`,
    );
  }
  return list;
}
