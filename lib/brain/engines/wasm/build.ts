/**
 * `deno task build:wasm`: compiles kernels.as and bytes.as in kernels/ and writes `_kernels.ts`, which holds the
 * two modules as base64. Text in a module needs no file permission and works wherever imports work: from a
 * registry, in a worker, in a bundle, in Node.
 *
 * @module
 */
import asc from "assemblyscript/asc";
import { writeFileAtomic } from "../../../common/mod.ts";

/** One program in two files. */
const SOURCES = ["kernels.as", "bytes.as"].map((name) => new URL(`./kernels/${name}`, import.meta.url));
const RESULT = new URL("./_kernels.ts", import.meta.url);

/**
 * Compiles the kernels.
 *
 * @param relaxed Whether multiply-adds may be rounded once (relaxed SIMD).
 * @returns The WebAssembly module's bytes; the same on every machine.
 */
async function compile(relaxed: boolean): Promise<Uint8Array> {
  const source = (await Promise.all(SOURCES.map((file) => Deno.readTextFile(file)))).join("");
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

/** Compiles both modules and gives the text of `_kernels.ts`. */
export async function buildKernels(): Promise<string> {
  const modules = [
    ["PLAIN_KERNELS", "for machines without relaxed SIMD", await compile(false)],
    ["RELAXED_KERNELS", "with multiply-adds that round once (relaxed SIMD)", await compile(true)],
  ] as const;
  const lines = modules.flatMap(([name, what, bytes]) => [
    "",
    `/** kernels.as compiled ${what}: ${bytes.length} bytes, base64. */`,
    `export const ${name} =`,
    `  "${btoa(String.fromCharCode(...bytes))}";`,
  ]);
  return ["// Written by `deno task build:wasm` from kernels/kernels.as.", ...lines, ""].join("\n");
}

if (import.meta.main) await writeFileAtomic(RESULT.pathname, await buildKernels());
