/**
 * `deno run -A lib/readout/heads/build.ts`: compiles kernels.as and writes `_kernels.ts`, which holds the two modules as
 * base64, so that they come along wherever imports do and need no file permission.
 *
 * @module
 */
import asc from "assemblyscript/asc";
import { writeFileAtomic } from "../../common/mod.ts";

const SOURCE = new URL("./kernels.as", import.meta.url);
const RESULT = new URL("./_kernels.ts", import.meta.url);

/** Compiles the kernels, for machines with or without multiply-adds that round once. */
async function compile(relaxed: boolean): Promise<Uint8Array> {
  const source = await Deno.readTextFile(SOURCE);
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main([
    "kernels.ts",
    "--outFile=kernels.wasm",
    "-O3",
    "--noAssert",
    "--runtime=stub",
    "--enable=simd,threads" + (relaxed ? ",relaxed-simd" : ""),
    "--importMemory",
    "--sharedMemory",
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

/** Compiles both modules and gives the text of `_kernels.ts`; the same on every machine. */
export async function buildHeadsKernels(): Promise<string> {
  const modules = [
    ["PLAIN_HEADS", "for machines without relaxed SIMD", await compile(false)],
    ["RELAXED_HEADS", "with multiply-adds that round once (relaxed SIMD)", await compile(true)],
  ] as const;
  const lines = modules.flatMap(([name, what, bytes]) => [
    "",
    `/** kernels.as compiled ${what}: ${bytes.length} bytes, base64. */`,
    `export const ${name} =`,
    `  "${btoa(String.fromCharCode(...bytes))}";`,
  ]);
  return ["// Written by `deno run -A lib/readout/heads/build.ts` from kernels.as.", ...lines, ""].join("\n");
}

if (import.meta.main) await writeFileAtomic(RESULT.pathname, await buildHeadsKernels());
