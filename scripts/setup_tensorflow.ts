/**
 * `deno task setup:tensorflow`: builds the addon of TensorFlow.js for Node against the TensorFlow library of a Python
 * environment, for the `tensorflow` engine.
 *
 * The addon's own installer downloads a library of 2022 (TensorFlow 2.9) that today's machines and drivers have left
 * behind. What the addon calls is TensorFlow's C interface, and the libraries inside the Python wheels still offer it.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FlyBrain, tensorflowEngine } from "flychess/brain";
import { writeFileAtomic } from "flychess/common";
import { growModelFly } from "flychess/connectome";
import { drive, eyeFor } from "flychess/eye";
import { boardBits, START_FEN } from "flychess/chess";

const HELP = `Usage: deno task setup:tensorflow [--python PATH] [--folder .tensorflow]

Builds what the tensorflow engine loads, from a Python environment with tensorflow-cpu or tensorflow[and-cuda]:
  python3 -m venv .venv && .venv/bin/pip install -r bench/requirements.txt && deno task setup:tensorflow

  --python PATH   the environment's Python (.venv/bin/python where it exists, else python3)
  --folder PATH   where the addon goes (.tensorflow, ignored by git)

Needs g++ and npm; on Linux. The environment must stay where it is: the addon loads its library.`;

/** Where the addon's source and the headers of Node's C interface come from. */
const PACKAGES = ["@tensorflow/tfjs-node@4.22.0", "node-api-headers@1.9.0"];
const LIBRARIES = ["libtensorflow_cc.so.2", "libtensorflow_framework.so.2"];

/** How far a rate may be from the reference engine's. */
const NEAR = 2e-5;

/** Something is missing; the message says what to do. */
class SetupError extends Error {}

function run(program: string, args: readonly string[], cwd: string, hint: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (error !== undefined) throw new SetupError(`Cannot run ${program}: ${error.message}. ${hint}`);
  if (status !== 0) {
    throw new SetupError(
      `${program} ${args[0]} failed. ${hint}\n${(stderr || stdout).trim().split("\n").slice(-15).join("\n")}`,
    );
  }
  return stdout;
}

/** TensorFlow's folder in a Python environment, and its version, found without importing it. */
function findTensorflow(python: string): { folder: string; version: string } {
  const look = [
    "import importlib.util as u, importlib.metadata as m, json",
    "spec = u.find_spec('tensorflow')",
    "names = ['tensorflow-cpu', 'tensorflow', 'tensorflow-gpu']",
    "found = [d.version for d in m.distributions() if (d.metadata['Name'] or '').lower().replace('_', '-') in names]",
    "print(json.dumps([spec and spec.submodule_search_locations[0], found[:1]]))",
  ].join("\n");
  const install = "Install one: python3 -m venv .venv && .venv/bin/pip install -r bench/requirements.txt";
  const answer = run(python, ["-c", look], ".", install);
  const [folder, [version]] = JSON.parse(answer) as [unknown, readonly unknown[]];
  if (typeof folder !== "string" || typeof version !== "string") {
    throw new SetupError(`${python} has no TensorFlow. ${install}`);
  }
  for (const file of [...LIBRARIES, "include/tensorflow/c/c_api.h"]) {
    if (!existsSync(join(folder, file))) {
      throw new SetupError(
        `TensorFlow ${version} in ${folder} has no ${file}; the wheel of 2.21 for Linux has.`,
      );
    }
  }
  return { folder, version };
}

/** Downloads the source of the addon and unpacks it. */
function fetchSource(folder: string): { binding: string; headers: string } {
  run(
    "npm",
    ["pack", "--silent", ...PACKAGES],
    folder,
    "npm comes with Node.js; it downloads two small packages.",
  );
  const [headers, binding] = readdirSync(folder).filter((name) => name.endsWith(".tgz")).sort().map(
    (name, i) => {
      const into = join(folder, String(i));
      mkdirSync(into);
      run("tar", ["xzf", join(folder, name), "-C", into], folder, "tar is wanted.");
      return join(into, "package");
    },
  );
  return { binding: join(binding!, "binding"), headers: join(headers!, "include") };
}

function compile(source: ReturnType<typeof fetchSource>, tensorflow: string, output: string): void {
  const files = ["tfjs_backend.cc", "tfjs_binding.cc"].map((name) => join(source.binding, name));
  const includes = [dirname(source.binding), source.binding, source.headers, join(tensorflow, "include")];
  run(
    "g++",
    [
      "-shared",
      "-fPIC",
      "-O2",
      "-std=c++17",
      ...includes.map((path) => `-I${path}`),
      ...files,
      "-o",
      output,
      `-L${tensorflow}`,
      `-Wl,-rpath,${tensorflow}`,
      ...LIBRARIES.map((name) => `-l:${name}`),
    ],
    ".",
    "g++ is in the package g++ or build-essential.",
  );
}

/** Lets the new engine and the reference think about the same position with a small brain. */
async function selfCheck(folder: string): Promise<{ device: string; largest: number }> {
  const connectome = growModelFly({ scale: 1 / 256 });
  const seen = drive(eyeFor(connectome), boardBits(START_FEN));
  const engine = tensorflowEngine({ folder });
  await using brain = await FlyBrain.create(connectome, { engine, homeostasis: "none" });
  await using truth = await FlyBrain.create(connectome, { engine: "reference", homeostasis: "none" });
  const [found, wanted] = [await brain.read(seen), await truth.read(seen)];
  let largest = 0;
  found.forEach((rate, i) => largest = Math.max(largest, Math.abs(rate - wanted[i]!)));
  if (!(largest <= NEAR)) {
    throw new SetupError(`The engine's rates are up to ${largest} from the reference's, ${NEAR} is wanted.`);
  }
  return { device: engine.description, largest };
}

async function main(): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const own = join(root, ".venv/bin/python");
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      python: { type: "string", default: existsSync(own) ? own : "python3" },
      folder: { type: "string", default: join(root, ".tensorflow") },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const started = performance.now();
  const { folder, version } = findTensorflow(values.python);
  console.log(`TensorFlow ${version} in ${folder}`);
  const work = mkdtempSync(join(tmpdir(), "flychess-tensorflow-"));
  try {
    console.log("Fetching the addon's source ...");
    const source = fetchSource(work);
    console.log("Compiling ...");
    const fresh = join(work, "tfjs_binding.node");
    compile(source, folder, fresh);
    mkdirSync(values.folder, { recursive: true });
    const addon = join(values.folder, "tfjs_binding.node");
    // Copied beside it first: a process that has the old one loaded keeps it whole.
    copyFileSync(fresh, `${addon}.part`);
    renameSync(`${addon}.part`, addon);
  } finally {
    rmSync(work, { recursive: true });
  }
  console.log("Checking ...");
  const { device, largest } = await selfCheck(values.folder);
  await writeFileAtomic(
    join(values.folder, "setup.json"),
    JSON.stringify({ tensorflow: version, library: folder, addon: PACKAGES[0] }, null, 2) + "\n",
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`Ready in ${seconds} s: ${device}; rates within ${largest.toExponential(1)} of the reference.`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
