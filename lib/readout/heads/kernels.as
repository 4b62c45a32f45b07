// The arithmetic of fitting four linear heads, in AssemblyScript (`deno task build:wasm` compiles it).
//
// Pointers are byte addresses in the memory that all workers share. The 134 columns of the heads are padded to 136, 17
// panels of 8: a weight, its momentum and its variance stand at [panel][feature][8]. Six features (or six positions) by
// eight columns are a tile: 12 sums, 2 columns and 1 number fill the 15 registers that a machine with SSE has to give.

/** Panels of 8 columns. */
const PANELS: usize = 17;
/** Bytes of a position's scores: 136 floats. */
const SCORES: usize = 544;
/** Bytes of six floats. */
const SIX: usize = 24;

/** a * b + c, rounded once where the module is built for machines that offer it. */
// @ts-ignore: decorator
@inline
function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** Four bytes as floats. */
// @ts-ignore: decorator
@inline
function fourBytes(at: usize): v128 {
  const shorts = i16x8.extend_low_i8x16_u(v128.load32_zero(at));
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(shorts));
}

/**
 * Features of a position from its bytes: feature k * columns + j is the sum over s of mixture[k][s] times byte
 * s * columns + j. Reads up to 3 bytes and writes up to 3 floats more than there are.
 */
export function mix(
  bytes: usize, columns: usize, kept: usize, combinations: usize, mixture: usize, features: usize,
): void {
  for (let k: usize = 0; k < combinations; k++) {
    const row = mixture + ((k * kept) << 2), out = features + ((k * columns) << 2);
    for (let j: usize = 0; j < columns; j += 4) {
      let sum = f32x4.splat(0);
      for (let s: usize = 0; s < kept; s++) {
        sum = multiplyAdd(v128.load_splat<f32>(row + (s << 2)), fourBytes(bytes + s * columns + j), sum);
      }
      v128.store(out + (j << 2), sum);
    }
  }
}

/**
 * Scales a position's features and lays them out twice: as a lane of six positions for `score`, and, six features at a
 * time, for `learn`.
 *
 * @param lane Where feature 0 goes in [features][6 positions].
 * @param turned Where features 0 to 5 go in [features / 6][positions][6], or 0 where nothing is learned.
 * @param stride Bytes from six features to the next six there.
 */
export function pack(
  count: usize, features: usize, scale: usize, shift: usize, lane: usize, turned: usize, stride: usize,
): void {
  for (let f: usize = 0; f < count; f += 6) {
    const at = f << 2;
    const low = multiplyAdd(v128.load(features + at), v128.load(scale + at), v128.load(shift + at));
    const high = multiplyAdd(v128.load(features + at, 16), v128.load(scale + at, 16), v128.load(shift + at, 16));
    v128.store_lane<f32>(lane, low, 0);
    v128.store_lane<f32>(lane, low, 1, 24);
    v128.store_lane<f32>(lane, low, 2, 48);
    v128.store_lane<f32>(lane, low, 3, 72);
    v128.store_lane<f32>(lane, high, 0, 96);
    v128.store_lane<f32>(lane, high, 1, 120);
    lane += 6 * SIX;
    if (turned != 0) {
      v128.store(turned, low);
      v128.store_lane<u64>(turned, high, 0, 16);
      turned += stride;
    }
  }
}

/**
 * Features of a position from its bytes, scaled, side by side: what `mix` and `pack` do for those who multiply otherwise.
 * Reads up to 3 bytes and writes up to 3 floats more than there are, by the scale and shift that stand there.
 */
export function lay(
  bytes: usize, columns: usize, kept: usize, combinations: usize, mixture: usize,
  scale: usize, shift: usize, features: usize,
): void {
  for (let k: usize = 0; k < combinations; k++) {
    const row = mixture + ((k * kept) << 2), first = (k * columns) << 2;
    for (let j: usize = 0; j < columns; j += 4) {
      let sum = f32x4.splat(0);
      for (let s: usize = 0; s < kept; s++) {
        sum = multiplyAdd(v128.load_splat<f32>(row + (s << 2)), fourBytes(bytes + s * columns + j), sum);
      }
      const at = first + (j << 2);
      v128.store(features + at, multiplyAdd(sum, v128.load(scale + at), v128.load(shift + at)));
    }
  }
}

/** Scores of six positions: [features][6] times [panel][features][8] to six rows of 136. */
export function score(count: usize, lanes: usize, weights: usize, scores: usize): void {
  for (let panel: usize = 0; panel < PANELS; panel++) {
    let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
    let a4 = f32x4.splat(0), a5 = f32x4.splat(0), b0 = f32x4.splat(0), b1 = f32x4.splat(0);
    let b2 = f32x4.splat(0), b3 = f32x4.splat(0), b4 = f32x4.splat(0), b5 = f32x4.splat(0);
    let x = lanes, w = weights + ((panel * count) << 5);
    for (const end = x + count * SIX; x < end; x += SIX, w += 32) {
      const left = v128.load(w), right = v128.load(w, 16);
      let number = v128.load_splat<f32>(x);
      a0 = multiplyAdd(number, left, a0);
      b0 = multiplyAdd(number, right, b0);
      number = v128.load_splat<f32>(x, 4);
      a1 = multiplyAdd(number, left, a1);
      b1 = multiplyAdd(number, right, b1);
      number = v128.load_splat<f32>(x, 8);
      a2 = multiplyAdd(number, left, a2);
      b2 = multiplyAdd(number, right, b2);
      number = v128.load_splat<f32>(x, 12);
      a3 = multiplyAdd(number, left, a3);
      b3 = multiplyAdd(number, right, b3);
      number = v128.load_splat<f32>(x, 16);
      a4 = multiplyAdd(number, left, a4);
      b4 = multiplyAdd(number, right, b4);
      number = v128.load_splat<f32>(x, 20);
      a5 = multiplyAdd(number, left, a5);
      b5 = multiplyAdd(number, right, b5);
    }
    const out = scores + (panel << 5);
    v128.store(out, a0);
    v128.store(out, b0, 16);
    v128.store(out + SCORES, a1);
    v128.store(out + SCORES, b1, 16);
    v128.store(out + 2 * SCORES, a2);
    v128.store(out + 2 * SCORES, b2, 16);
    v128.store(out + 3 * SCORES, a3);
    v128.store(out + 3 * SCORES, b3, 16);
    v128.store(out + 4 * SCORES, a4);
    v128.store(out + 4 * SCORES, b4, 16);
    v128.store(out + 5 * SCORES, a5);
    v128.store(out + 5 * SCORES, b5, 16);
  }
}

/** Adam (Kingma and Ba 2015) on four weights; the corrections for a short past are in `rate` and `epsilon`. */
// @ts-ignore: decorator
@inline
function adam(
  gradient: v128, decay: v128, at: usize, momentum: usize, variance: usize,
  beta1: v128, beta2: v128, rate: v128, epsilon: v128,
): void {
  const weight = v128.load(at), one = f32x4.splat(1);
  const g = multiplyAdd(decay, weight, gradient);
  const m = multiplyAdd(beta1, v128.load(momentum), f32x4.mul(f32x4.sub(one, beta1), g));
  const v = multiplyAdd(beta2, v128.load(variance), f32x4.mul(f32x4.sub(one, beta2), f32x4.mul(g, g)));
  v128.store(momentum, m);
  v128.store(variance, v);
  const move = f32x4.div(f32x4.mul(rate, m), f32x4.add(f32x4.sqrt(v), epsilon));
  v128.store(at, f32x4.sub(weight, move));
}

/**
 * Learns the weights of six features: their gradient is [positions][6] times [positions][136], then comes Adam.
 *
 * @param count Features in all.
 * @param feature The first of the six.
 * @param turned [positions][6].
 * @param errors [positions][136]: dL / d score.
 * @param decay f32 a feature: that much of the weight is added to its gradient.
 */
export function learn(
  count: usize, feature: usize, positions: usize, turned: usize, errors: usize,
  weights: usize, momentum: usize, variance: usize, decay: usize,
  beta1: f32, beta2: f32, rate: f32, epsilon: f32,
): void {
  const one = f32x4.splat(beta1), two = f32x4.splat(beta2);
  const step = f32x4.splat(rate), small = f32x4.splat(epsilon);
  for (let panel: usize = 0; panel < PANELS; panel++) {
    let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
    let a4 = f32x4.splat(0), a5 = f32x4.splat(0), b0 = f32x4.splat(0), b1 = f32x4.splat(0);
    let b2 = f32x4.splat(0), b3 = f32x4.splat(0), b4 = f32x4.splat(0), b5 = f32x4.splat(0);
    let x = turned, e = errors + (panel << 5);
    for (const end = x + positions * SIX; x < end; x += SIX, e += SCORES) {
      const left = v128.load(e), right = v128.load(e, 16);
      let number = v128.load_splat<f32>(x);
      a0 = multiplyAdd(number, left, a0);
      b0 = multiplyAdd(number, right, b0);
      number = v128.load_splat<f32>(x, 4);
      a1 = multiplyAdd(number, left, a1);
      b1 = multiplyAdd(number, right, b1);
      number = v128.load_splat<f32>(x, 8);
      a2 = multiplyAdd(number, left, a2);
      b2 = multiplyAdd(number, right, b2);
      number = v128.load_splat<f32>(x, 12);
      a3 = multiplyAdd(number, left, a3);
      b3 = multiplyAdd(number, right, b3);
      number = v128.load_splat<f32>(x, 16);
      a4 = multiplyAdd(number, left, a4);
      b4 = multiplyAdd(number, right, b4);
      number = v128.load_splat<f32>(x, 20);
      a5 = multiplyAdd(number, left, a5);
      b5 = multiplyAdd(number, right, b5);
    }
    const place = (panel * count + feature) << 5, d = decay + (feature << 2);
    let w = weights + place, m = momentum + place, v = variance + place;
    let less = v128.load_splat<f32>(d);
    adam(a0, less, w, m, v, one, two, step, small);
    adam(b0, less, w + 16, m + 16, v + 16, one, two, step, small);
    less = v128.load_splat<f32>(d, 4);
    adam(a1, less, w + 32, m + 32, v + 32, one, two, step, small);
    adam(b1, less, w + 48, m + 48, v + 48, one, two, step, small);
    less = v128.load_splat<f32>(d, 8);
    adam(a2, less, w + 64, m + 64, v + 64, one, two, step, small);
    adam(b2, less, w + 80, m + 80, v + 80, one, two, step, small);
    less = v128.load_splat<f32>(d, 12);
    adam(a3, less, w + 96, m + 96, v + 96, one, two, step, small);
    adam(b3, less, w + 112, m + 112, v + 112, one, two, step, small);
    less = v128.load_splat<f32>(d, 16);
    adam(a4, less, w + 128, m + 128, v + 128, one, two, step, small);
    adam(b4, less, w + 144, m + 144, v + 144, one, two, step, small);
    less = v128.load_splat<f32>(d, 20);
    adam(a5, less, w + 160, m + 160, v + 160, one, two, step, small);
    adam(b5, less, w + 176, m + 176, v + 176, one, two, step, small);
  }
}
