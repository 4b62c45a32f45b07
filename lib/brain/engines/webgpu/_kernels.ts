import { gather, gatherHeavy } from "./_gather_kernels.ts";
import { GROUP, type Kernel, LANES, LINE_POSITIONS } from "./_kernel.ts";

/** What a kernel may be told; each reads only what it needs. */
export interface Params {
  /** Rows, entries or connections to go through. */
  readonly count: number;
  /** Where to start: the first segment, or step * rows in arrays of every step. */
  readonly offset?: number;
  /** Positions: of this line, or of all of them where means are taken. */
  readonly positions?: number;
  /** 1 in the first of several lines. */
  readonly first?: number;
  /** How far a rate moves in a step. */
  readonly leak?: number;
  /** Smallest sigma. */
  readonly floor?: number;
  /** 1: an input that does not move gets sigma 1. */
  readonly calm?: number;
}

/** Everything the engine runs on the GPU. */
export type KernelName =
  | "scatter"
  | "gather"
  | "gatherHeavy"
  | "gatherBlame"
  | "gatherBlameHeavy"
  | "settle"
  | "collect"
  | "sumInputs"
  | "finishMean"
  | "sumSquares"
  | "finishSpread"
  | "blame"
  | "connectionErrors";

/** e^(-2z) for z >= 0 by hand: how exact the built-in tanh is differs between GPUs (WGSL allows 1e-5). */
const DECAY = `
// -2 / ln 2: e^(-2z) is 2 to the power of this times z.
const TO_POWER: f32 = -2.8853900817779268;

// e^(-2z) within 2e-7; z >= 0. 2^f for f from -1/2 to 1/2 is a polynomial through the Chebyshev nodes.
fn decay(z: vec4f) -> vec4f {
  let power = max(z * TO_POWER, vec4f(-126.0));
  let whole = round(power);
  let f = power - whole;
  var p = f * 0.00015461444854736328 + 0.0013400427997112274;
  p = p * f + 0.009618056938052177;
  p = p * f + 0.05550327152013779;
  p = p * f + 0.24022650718688965;
  p = p * f + 0.6931471824645996;
  p = p * f + 1.0;
  return bitcast<vec4f>(bitcast<vec4i>(p) + (vec4i(whole) << vec4u(23u)));
}
`;

/** A kernel with one thread for each of `count` rows. */
function aRowEach(bindings: string, body: string): Kernel {
  return {
    itemsPerGroup: GROUP,
    code: `${bindings}
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let row = flat(group, groups) * ${GROUP}u + thread;
  if (row >= params.count) { return; }
  ${body}
}
`,
  };
}

/** What comes before every kernel. A dispatch of more than 65,535 groups is laid out in two dimensions. */
const COMMON = `
struct Params {
  count: u32, offset: u32, positions: u32, first: u32,
  leak: f32, floor: f32, calm: u32, unused: u32,
}
@group(0) @binding(0) var<uniform> params: Params;

fn flat(group: vec3u, groups: vec3u) -> u32 { return group.y * groups.x + group.x; }
`;

const NUMBERS = `
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read> bias: array<f32>;
@group(0) @binding(3) var<storage, read> mean: array<f32>;
@group(0) @binding(4) var<storage, read> spread: array<f32>;
@group(0) @binding(5) var<storage, read> input: array<vec4f>;
`;

/**
 * Writes the kernels in WGSL. `[rows][8]` vec4 is a state: a line of 32 positions for each neuron of a part.
 *
 * @param half Whether rates are kept in half precision; sums and everything of the way back stay in float32.
 */
export function writeKernels(half: boolean): Readonly<Record<KernelName, Kernel>> {
  const rate = half ? "vec4<f16>" : "vec4f";
  const kernels: Record<KernelName, Kernel> = {
    // Adds single numbers to a state. The list's first pair holds how many follow.
    scatter: {
      itemsPerGroup: GROUP,
      code: `
@group(0) @binding(1) var<storage, read> list: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> state: array<f32>;
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let item = flat(group, groups) * ${GROUP}u + thread;
  if (item >= min(params.count, list[0].x)) { return; }
  state[list[item + 1u].x] += bitcast<f32>(list[item + 1u].y);
}
`,
    },
    gather: gather(rate),
    gatherHeavy: gatherHeavy(rate),
    gatherBlame: gather("vec4f"),
    gatherBlameHeavy: gatherHeavy("vec4f"),
    // z = gain (u - mu) / sigma + bias; r moves a part of the way to max(0, tanh z), in place.
    settle: {
      itemsPerGroup: GROUP / LANES,
      code: `${NUMBERS}${DECAY}
@group(0) @binding(6) var<storage, read_write> rates: array<${rate}>;
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let at = flat(group, groups) * ${GROUP}u + thread;
  let row = at / ${LANES}u;
  if (row >= params.count) { return; }
  let scale = gain[row] / spread[params.offset + row];
  let z = scale * (input[at] - mean[params.offset + row]) + bias[row];
  let y = decay(max(z, vec4f()));
  let target_rate = (1.0 - y) / (1.0 + y);
  rates[at] = ${rate}((1.0 - params.leak) * vec4f(rates[at]) + params.leak * target_rate);
}
`,
    },
    // Adds the lines of some rows to sums, a line each.
    collect: {
      itemsPerGroup: GROUP / LANES,
      code: `
@group(0) @binding(1) var<storage, read> rows: array<u32>;
@group(0) @binding(2) var<storage, read> rates: array<${rate}>;
@group(0) @binding(3) var<storage, read_write> sums: array<vec4f>;
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let at = flat(group, groups) * ${GROUP}u + thread;
  if (at / ${LANES}u >= params.count) { return; }
  sums[at] += vec4f(rates[rows[at / ${LANES}u] * ${LANES}u + at % ${LANES}u]);
}
`,
    },
    // Means are taken around the first position's input: one that never moves then has a variance of exactly 0.
    sumInputs: aRowEach(
      `
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read_write> around: array<f32>;
@group(0) @binding(3) var<storage, read_write> sum: array<f32>;`,
      `
  if (params.first == 1u) {
    around[row] = input[row * ${LINE_POSITIONS}u];
    sum[row] = 0.0;
  }
  var more = 0.0;
  for (var i = 0u; i < params.positions; i++) { more += input[row * ${LINE_POSITIONS}u + i] - around[row]; }
  sum[row] += more;`,
    ),
    finishMean: aRowEach(
      `
@group(0) @binding(1) var<storage, read> around: array<f32>;
@group(0) @binding(2) var<storage, read> sum: array<f32>;
@group(0) @binding(3) var<storage, read_write> mean: array<f32>;`,
      `mean[params.offset + row] = around[row] + sum[row] / f32(params.positions);`,
    ),
    sumSquares: aRowEach(
      `
@group(0) @binding(1) var<storage, read> input: array<f32>;
@group(0) @binding(2) var<storage, read> mean: array<f32>;
@group(0) @binding(3) var<storage, read_write> sum: array<f32>;`,
      `
  if (params.first == 1u) { sum[row] = 0.0; }
  let usual = mean[params.offset + row];
  var more = 0.0;
  for (var i = 0u; i < params.positions; i++) {
    let off = input[row * ${LINE_POSITIONS}u + i] - usual;
    more += off * off;
  }
  sum[row] += more;`,
    ),
    // A variance under 1e-10 is an input that no board reaches (reference, section 3).
    finishSpread: aRowEach(
      `
@group(0) @binding(1) var<storage, read> sum: array<f32>;
@group(0) @binding(2) var<storage, read_write> spread: array<f32>;`,
      `
  let variance = sum[row] / f32(params.positions);
  let calm = params.calm == 1u && variance < 1e-10;
  spread[params.offset + row] = select(max(sqrt(variance), params.floor), 1.0, calm);`,
    ),
    // One step back for every neuron: from dL/dr to dL/du, with what gain and bias get, and what the leak passes on.
    blame: {
      itemsPerGroup: GROUP / LANES,
      code: `${NUMBERS}${DECAY}
@group(0) @binding(6) var<storage, read_write> rate_error: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> input_error: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> sums: array<vec2f>;
var<workgroup> parts: array<vec2f, ${GROUP}>;
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let at = flat(group, groups) * ${GROUP}u + thread;
  let row = at / ${LANES}u;
  parts[thread] = vec2f();
  if (row < params.count) {
    let sigma = spread[params.offset + row];
    let scale = gain[row] / sigma;
    let off = input[at] - mean[params.offset + row];
    let z = scale * off + bias[row];
    // 1 - tanh(z)^2 without cancellation: 4y / (1 + y)^2.
    let y = decay(max(z, vec4f()));
    let slope = 4.0 * y / ((1.0 + y) * (1.0 + y));
    let activation_error = select(vec4f(), params.leak * rate_error[at] * slope, z > vec4f());
    input_error[at] = activation_error * scale;
    rate_error[at] *= 1.0 - params.leak;
    parts[thread] = vec2f(dot(activation_error, off) / sigma, dot(activation_error, vec4f(1.0)));
  }
  workgroupBarrier();
  if (thread % ${LANES}u == 0u && row < params.count) {
    var sum = vec2f();
    for (var i = 0u; i < ${LANES}u; i++) { sum += parts[thread + i]; }
    sums[row] += sum;
  }
}
`,
    },
    // dL/dW of every connection: its receiver's blame times its sender's rate before, over the positions of a line.
    connectionErrors: {
      itemsPerGroup: GROUP,
      code: `
@group(0) @binding(1) var<storage, read> sender: array<u32>;
@group(0) @binding(2) var<storage, read> receiver: array<u32>;
@group(0) @binding(3) var<storage, read> input_error: array<vec4f>;
@group(0) @binding(4) var<storage, read> before: array<${rate}>;
@group(0) @binding(5) var<storage, read_write> error: array<f32>;
// One number wider than needed, so that threads do not wait for the same memory bank.
var<workgroup> parts: array<f32, ${GROUP * (LANES + 1)}>;
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let base = flat(group, groups) * ${GROUP}u;
  let lane = thread % ${LANES}u;
  for (var i = thread / ${LANES}u; i < ${GROUP}u; i += ${GROUP / LANES}u) {
    let k = base + i;
    if (k < params.count) {
      parts[i * ${LANES + 1}u + lane] =
        dot(input_error[receiver[k] * ${LANES}u + lane], vec4f(before[sender[k] * ${LANES}u + lane]));
    }
  }
  workgroupBarrier();
  if (base + thread < params.count) {
    var sum = 0.0;
    for (var i = 0u; i < ${LANES}u; i++) { sum += parts[thread * ${LANES + 1}u + i]; }
    error[base + thread] += sum;
  }
}
`,
    },
  };
  const head = (half ? "enable f16;\n" : "") + COMMON;
  const whole = Object.entries(kernels).map(([name, kernel]) => [
    name,
    { ...kernel, code: head + kernel.code },
  ]);
  return Object.fromEntries(whole);
}
