/**
 * `deno task build:wasm`: compiles every kernels file and writes the `_kernels.ts` beside it, which holds the modules as
 * base64. Text in a module needs no file permission and works wherever imports work: from a registry, in a worker, in a
 * bundle, in Node.
 *
 * @module
 */
import asc from "assemblyscript/asc";
import { writeFileAtomic } from "flychess/common";

/** A `_kernels.ts` and what it is made from. */
export interface KernelSet {
  /** Its folder, from the root of the project. */
  readonly folder: string;
  /** Sources, in that folder: one program. */
  readonly sources: readonly string[];
  /** Whether the memory belongs to several threads. */
  readonly shared: boolean;
  /** The modules' names, one for machines that offer relaxed SIMD and one for those that do not, or one for all. */
  readonly names: { readonly plain: string; readonly relaxed?: string };
}

/** Every set of kernels in the project. */
export const KERNEL_SETS = {
  engine: {
    folder: "lib/brain/engines/wasm",
    sources: ["kernels/kernels.as", "kernels/bytes.as"],
    shared: true,
    names: { plain: "PLAIN_KERNELS", relaxed: "RELAXED_KERNELS" },
  },
  heads: {
    folder: "lib/readout/heads",
    sources: ["kernels.as"],
    shared: true,
    names: { plain: "PLAIN_HEADS", relaxed: "RELAXED_HEADS" },
  },
  batch: {
    folder: "lib/training/whole_brain/batch",
    sources: ["kernels.as"],
    shared: false,
    names: { plain: "BATCH_KERNELS" },
  },
} as const satisfies Record<string, KernelSet>;

/** Where a set of kernels belongs. */
export function kernelsFile({ folder }: KernelSet): URL {
  return new URL(`../${folder}/_kernels.ts`, import.meta.url);
}

/** Compiles a set of kernels and gives the text of its `_kernels.ts`; the same on every machine. */
export async function buildKernels(set: KernelSet): Promise<string> {
  const { sources, shared, names } = set;
  const files = await Promise.all(sources.map((name) => Deno.readTextFile(new URL(name, kernelsFile(set)))));
  const modules = [{
    name: names.plain,
    what: names.relaxed === undefined ? "" : " for machines without relaxed SIMD",
    bytes: await compile(files.join(""), { shared, relaxed: false }),
  }];
  if (names.relaxed !== undefined) {
    modules.push({
      name: names.relaxed,
      what: " with multiply-adds that round once (relaxed SIMD)",
      bytes: await compile(files.join(""), { shared, relaxed: true }),
    });
  }
  const lines = modules.flatMap(({ name, what, bytes }) => [
    "",
    `/** kernels.as compiled${what}: ${bytes.length} bytes, base64. */`,
    `export const ${name} =`,
    `  "${btoa(String.fromCharCode(...bytes))}";`,
  ]);
  return [`// Written by \`deno task build:wasm\` from ${sources.join(" and ")}.`, ...lines, ""].join("\n");
}

/** Compiles one program. */
async function compile(
  source: string,
  { shared, relaxed }: { readonly shared: boolean; readonly relaxed: boolean },
): Promise<Uint8Array> {
  let binary: Uint8Array | undefined;
  const features = ["simd", ...(shared ? ["threads"] : []), ...(relaxed ? ["relaxed-simd"] : [])];
  const { error, stderr } = await asc.main([
    "kernels.ts",
    "--outFile=kernels.wasm",
    "-O3",
    "--noAssert",
    "--runtime=stub",
    `--enable=${features.join(",")}`,
    "--importMemory",
    ...(shared ? ["--sharedMemory"] : []),
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

if (import.meta.main) {
  for (const set of Object.values(KERNEL_SETS)) {
    await writeFileAtomic(kernelsFile(set).pathname, await buildKernels(set));
  }
}
