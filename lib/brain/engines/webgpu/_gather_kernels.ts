import { GROUP, type Kernel, LANES } from "./_kernel.ts";

/** Connections beyond which a row is added up by a whole group of threads. */
export const HEAVY_ROW = 256;
/** Threads of such a group. */
const HEAVY_GROUP = 256;

/**
 * into += W source, for rows with few connections.
 *
 * @param source How the kernel reads the senders' lines: `vec4f`, or `vec4<f16>` in half precision.
 */
export function gather(source: string): Kernel {
  return {
    itemsPerGroup: GROUP / LANES,
    code: `
@group(0) @binding(1) var<storage, read> segments: array<u32>;
@group(0) @binding(2) var<storage, read> sender: array<u32>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> source: array<${source}>;
@group(0) @binding(5) var<storage, read_write> into: array<vec4f>;

// Eight threads a row, four positions each.
@compute @workgroup_size(${GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let item = flat(group, groups) * ${GROUP / LANES}u + thread / ${LANES}u;
  if (item >= params.count) { return; }
  let lane = thread % ${LANES}u;
  let at = (params.offset + item) * 3u;
  let end = segments[at + 2u];
  var a = vec4f();
  var b = vec4f();
  var k = segments[at + 1u];
  for (; k + 1u < end; k += 2u) {
    a += weight[k] * vec4f(source[sender[k] * ${LANES}u + lane]);
    b += weight[k + 1u] * vec4f(source[sender[k + 1u] * ${LANES}u + lane]);
  }
  if (k < end) { a += weight[k] * vec4f(source[sender[k] * ${LANES}u + lane]); }
  into[segments[at] * ${LANES}u + lane] += a + b;
}
`,
  };
}

/** The same for rows with many connections. */
export function gatherHeavy(source: string): Kernel {
  const slices = HEAVY_GROUP / LANES;
  return {
    itemsPerGroup: 1,
    code: `
@group(0) @binding(1) var<storage, read> segments: array<u32>;
@group(0) @binding(2) var<storage, read> sender: array<u32>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> source: array<${source}>;
@group(0) @binding(5) var<storage, read_write> into: array<vec4f>;
var<workgroup> parts: array<vec4f, ${HEAVY_GROUP}>;

// A group a row: ${slices} threads share its connections, for each of ${LANES} lanes.
@compute @workgroup_size(${HEAVY_GROUP})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) thread: u32) {
  let item = flat(group, groups);
  let lane = thread % ${LANES}u;
  var sum = vec4f();
  if (item < params.count) {
    let at = (params.offset + item) * 3u;
    let end = segments[at + 2u];
    for (var k = segments[at + 1u] + thread / ${LANES}u; k < end; k += ${slices}u) {
      sum += weight[k] * vec4f(source[sender[k] * ${LANES}u + lane]);
    }
  }
  parts[thread] = sum;
  for (var half = ${HEAVY_GROUP / 2}u; half >= ${LANES}u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) { parts[thread] += parts[thread + half]; }
  }
  if (thread < ${LANES}u && item < params.count) {
    into[segments[(params.offset + item) * 3u] * ${LANES}u + lane] += parts[thread];
  }
}
`,
  };
}
