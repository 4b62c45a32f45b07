/**
 * `deno run -A lib/training/batch/build.ts`: compiles kernels.as and writes `_kernels.ts`, which holds the module as
 * base64, so that it comes along wherever imports do and needs no file permission.
 *
 * @module
 */
import asc from "assemblyscript/asc";
import { writeFileAtomic } from "../../common/mod.ts";

const SOURCE = new URL("./kernels.as", import.meta.url);
const RESULT = new URL("./_kernels.ts", import.meta.url);

/** Compiles the kernels. */
async function compile(): Promise<Uint8Array> {
  const source = await Deno.readTextFile(SOURCE);
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main([
    "kernels.ts",
    "--outFile=kernels.wasm",
    "-O3",
    "--noAssert",
    "--runtime=stub",
    "--enable=simd",
    "--importMemory",
    "--initialMemory=1",
    "--maximumMemory=65536",
  ], {
    readFile: (name: string) => name === "kernels.ts" ? source : null,
    writeFile: (name: string, content: string | Uint8Array) => {
      if (name === "kernels.wasm" && typeof content !== "string") binary = content;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) {
    throw new Error(`Cannot compile the kernels: ${error?.message ?? "nothing came out"}\n${stderr}`);
  }
  return binary;
}

/** Compiles the kernels and gives the text of `_kernels.ts`; the same on every machine. */
export async function buildBatchKernels(): Promise<string> {
  const bytes = await compile();
  return [
    "// Written by `deno run -A lib/training/batch/build.ts` from kernels.as.",
    "",
    `/** kernels.as compiled: ${bytes.length} bytes, base64. */`,
    "export const BATCH_KERNELS =",
    `  "${btoa(String.fromCharCode(...bytes))}";`,
    "",
  ].join("\n");
}

if (import.meta.main) await writeFileAtomic(RESULT.pathname, await buildBatchKernels());
