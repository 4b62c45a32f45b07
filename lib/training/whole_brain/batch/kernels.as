// The arithmetic of a batch that measures its own homeostasis, in AssemblyScript (`deno task
// build:wasm` compiles it). Pointers are byte addresses. A line is a neuron's float32 numbers for 32
// positions; a state is a block for every 32 positions of the batch, and a block a line for every neuron: what a step
// gathers from then stays in the nearest caches.

/** Positions of a line. */
const POSITIONS: usize = 32;
/** Bytes of a line. */
const LINE: usize = 128;

/** -2 / ln 2: e^(-2z) is 2 to the power of this times z. */
const TO_POWER: f32 = -2.8853900817779268;
/** Under 2^-126 there is nothing left to add to 1. */
const LOWEST_POWER: f32 = -126.0;
/** 1.5 * 2^23: adding it rounds to a whole number, which then stands in the low bits. */
const ROUND: f32 = 12582912.0;
/** 2^f for f from -1/2 to 1/2: the polynomial of degree 6 through the Chebyshev nodes. */
const C1: f32 = 0.6931471824645996;
const C2: f32 = 0.24022650718688965;
const C3: f32 = 0.05550327152013779;
const C4: f32 = 0.009618056938052177;
const C5: f32 = 0.0013400427997112274;
const C6: f32 = 0.00015461444854736328;

// @ts-ignore: decorator
@inline
function madd(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(f32x4.mul(a, b), c);
}

// @ts-ignore: decorator
@inline
function total(a: v128): f32 {
  return f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1) + (f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3));
}

/** max(0, tanh z) within 2e-7. */
// @ts-ignore: decorator
@inline
function squash(z: v128): v128 {
  const positive = f32x4.pmax(f32x4.splat(0), z);
  const power = f32x4.pmax(f32x4.splat(LOWEST_POWER), f32x4.mul(positive, f32x4.splat(TO_POWER)));
  const shifted = f32x4.add(power, f32x4.splat(ROUND));
  const f = f32x4.sub(power, f32x4.sub(shifted, f32x4.splat(ROUND)));
  let p = madd(f32x4.splat(C6), f, f32x4.splat(C5));
  p = madd(p, f, f32x4.splat(C4));
  p = madd(p, f, f32x4.splat(C3));
  p = madd(p, f, f32x4.splat(C2));
  p = madd(p, f, f32x4.splat(C1));
  p = madd(p, f, f32x4.splat(1));
  const y = i32x4.add(p, i32x4.shl(shifted, 23));
  return f32x4.div(f32x4.sub(f32x4.splat(1), y), f32x4.add(f32x4.splat(1), y));
}

/**
 * One step: gathers, measures every neuron's mean and spread, and moves the rates.
 *
 * @param neurons Lines of a block.
 * @param rows The first so many of them are computed.
 * @param rowEnd u32 a row: where its connections end that tell boards apart at this step.
 */
export function forward(
  neurons: usize, rows: usize, blocks: usize, rowStart: usize, rowEnd: usize, pre: usize, weight: usize, seen: usize,
  before: usize, after: usize, scaled: usize, gain: usize, bias: usize, mean: usize, spread: usize, floor: f32, leak: f32,
): void {
  const block = neurons * LINE, end = blocks * block, batch = <f32>(blocks * POSITIONS);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak);
  for (let from: usize = 0; from < end; from += block) {
    for (let j: usize = 0; j < rows; j++) {
      const x = seen + from + j * LINE, to = scaled + from + j * LINE, state = before + from;
      let a = v128.load(x), b = v128.load(x, 16), c = v128.load(x, 32), d = v128.load(x, 48);
      let e = v128.load(x, 64), f = v128.load(x, 80), g = v128.load(x, 96), h = v128.load(x, 112);
      let k: usize = pre + (<usize>load<u32>(rowStart + (j << 2)) << 2), w = k - pre + weight;
      const last = pre + (<usize>load<u32>(rowEnd + (j << 2)) << 2);
      for (; k < last; k += 4, w += 4) {
        const line = state + <usize>load<u32>(k) * LINE, strength = v128.load_splat<f32>(w);
        a = madd(strength, v128.load(line), a);
        b = madd(strength, v128.load(line, 16), b);
        c = madd(strength, v128.load(line, 32), c);
        d = madd(strength, v128.load(line, 48), d);
        e = madd(strength, v128.load(line, 64), e);
        f = madd(strength, v128.load(line, 80), f);
        g = madd(strength, v128.load(line, 96), g);
        h = madd(strength, v128.load(line, 112), h);
      }
      v128.store(to, a);
      v128.store(to, b, 16);
      v128.store(to, c, 32);
      v128.store(to, d, 48);
      v128.store(to, e, 64);
      v128.store(to, f, 80);
      v128.store(to, g, 96);
      v128.store(to, h, 112);
    }
  }
  for (let j: usize = 0; j < rows; j++) {
    const n = j << 2, x = scaled + j * LINE;
    let sum = f32x4.splat(0), squares = f32x4.splat(0);
    for (let from = x; from < x + end; from += block) {
      for (let at: usize = 0; at < LINE; at += 16) sum = f32x4.add(sum, v128.load(from + at));
    }
    const mu = total(sum) / batch, middle = f32x4.splat(mu);
    for (let from = x; from < x + end; from += block) {
      for (let at: usize = 0; at < LINE; at += 16) {
        const off = f32x4.sub(v128.load(from + at), middle);
        squares = madd(off, off, squares);
      }
    }
    const sigma = max<f32>(sqrt<f32>(total(squares) / batch), floor);
    store<f32>(mean + n, mu);
    store<f32>(spread + n, sigma);
    const times = f32x4.splat(1 / sigma), g = v128.load_splat<f32>(gain + n), h = v128.load_splat<f32>(bias + n);
    for (let from: usize = j * LINE; from < end; from += block) {
      for (let at = from; at < from + LINE; at += 16) {
        const each = f32x4.mul(f32x4.sub(v128.load(scaled + at), middle), times);
        v128.store(scaled + at, each);
        v128.store(after + at, madd(take, squash(madd(g, each, h)), f32x4.mul(keep, v128.load(before + at))));
      }
    }
  }
}

/**
 * The way back through one step.
 *
 * @param error State: dL / d rate after the step. It is overwritten.
 * @param earlier State that takes dL / d rate before it, 0 in rows that only earlier steps compute; not used where `first`.
 * @param slope f32 a connection; dL / dW is added. `gainSlope` and `biasSlope`: f32 a neuron, likewise.
 */
export function backward(
  neurons: usize, rows: usize, blocks: usize, rowStart: usize, rowEnd: usize, pre: usize, weight: usize, before: usize,
  scaled: usize, gain: usize, bias: usize, spread: usize, floor: f32, leak: f32, first: bool, error: usize, earlier: usize,
  slope: usize, gainSlope: usize, biasSlope: usize,
): void {
  const block = neurons * LINE, end = blocks * block, batch = <f32>(blocks * POSITIONS);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak);
  for (let j: usize = 0; j < rows; j++) {
    const n = j << 2, strength = load<f32>(gain + n), g = f32x4.splat(strength), h = v128.load_splat<f32>(bias + n);
    let sums = f32x4.splat(0), alongs = f32x4.splat(0);
    for (let from: usize = j * LINE; from < end; from += block) {
      for (let at = from; at < from + LINE; at += 16) {
        const each = v128.load(scaled + at), z = madd(g, each, h), y = squash(z), after = v128.load(error + at);
        const steep = f32x4.mul(take, f32x4.sub(f32x4.splat(1), f32x4.mul(y, y)));
        const dz = v128.and(f32x4.gt(z, f32x4.splat(0)), f32x4.mul(after, steep));
        if (!first) v128.store(earlier + at, f32x4.mul(keep, after));
        v128.store(error + at, dz);
        sums = f32x4.add(sums, dz);
        alongs = madd(dz, each, alongs);
      }
    }
    const sum = total(sums), along = total(alongs);
    store<f32>(biasSlope + n, load<f32>(biasSlope + n) + sum);
    store<f32>(gainSlope + n, load<f32>(gainSlope + n) + along);
    if (first) continue;
    const sigma = load<f32>(spread + n), level = f32x4.splat(sum / batch);
    // At the floor sigma does not depend on the inputs; the mean always does.
    const share = f32x4.splat(sigma > floor ? along / batch : 0), factor = f32x4.splat(strength / sigma);
    for (let from: usize = j * LINE; from < end; from += block) {
      for (let at = from; at < from + LINE; at += 16) {
        const off = f32x4.sub(f32x4.sub(v128.load(error + at), level), f32x4.mul(share, v128.load(scaled + at)));
        v128.store(error + at, f32x4.mul(factor, off));
      }
    }
  }
  if (first) return;
  for (let from: usize = 0; from < end; from += block) {
    for (let j: usize = 0; j < rows; j++) {
      const x = error + from + j * LINE;
      const a = v128.load(x), b = v128.load(x, 16), c = v128.load(x, 32), d = v128.load(x, 48);
      const e = v128.load(x, 64), f = v128.load(x, 80), g = v128.load(x, 96), h = v128.load(x, 112);
      if (!v128.any_true(v128.or(v128.or(v128.or(a, b), v128.or(c, d)), v128.or(v128.or(e, f), v128.or(g, h))))) continue;
      let k: usize = <usize>load<u32>(rowStart + (j << 2)) << 2;
      for (const last: usize = <usize>load<u32>(rowEnd + (j << 2)) << 2; k < last; k += 4) {
        const place = from + <usize>load<u32>(pre + k) * LINE, w = v128.load_splat<f32>(weight + k);
        const old = before + place, back = earlier + place;
        let left = f32x4.mul(a, v128.load(old)), right = f32x4.mul(b, v128.load(old, 16));
        left = madd(c, v128.load(old, 32), left);
        right = madd(d, v128.load(old, 48), right);
        left = madd(e, v128.load(old, 64), left);
        right = madd(f, v128.load(old, 80), right);
        left = madd(g, v128.load(old, 96), left);
        right = madd(h, v128.load(old, 112), right);
        v128.store(back, madd(w, a, v128.load(back)));
        v128.store(back, madd(w, b, v128.load(back, 16)), 16);
        v128.store(back, madd(w, c, v128.load(back, 32)), 32);
        v128.store(back, madd(w, d, v128.load(back, 48)), 48);
        v128.store(back, madd(w, e, v128.load(back, 64)), 64);
        v128.store(back, madd(w, f, v128.load(back, 80)), 80);
        v128.store(back, madd(w, g, v128.load(back, 96)), 96);
        v128.store(back, madd(w, h, v128.load(back, 112)), 112);
        store<f32>(slope + k, load<f32>(slope + k) + total(f32x4.add(left, right)));
      }
    }
  }
}

/** Panels of 8 columns: the 134 of the heads are padded to 136. */
const PANELS: usize = 17;
/** Bytes of a position's scores. */
const SCORES: usize = 544;

/**
 * Scores of linear heads, four positions by eight columns at a time.
 *
 * @param x [features][positions], `line` bytes a feature.
 * @param weight [panel][features][8].
 * @param scores [positions][136]: added to.
 */
export function score(features: usize, positions: usize, line: usize, x: usize, weight: usize, scores: usize): void {
  for (let b: usize = 0; b < positions; b += 4) {
    for (let panel: usize = 0; panel < PANELS; panel++) {
      const to = scores + b * SCORES + (panel << 5);
      let a0 = v128.load(to), b0 = v128.load(to, 16);
      let a1 = v128.load(to, SCORES), b1 = v128.load(to, SCORES + 16);
      let a2 = v128.load(to, 2 * SCORES), b2 = v128.load(to, 2 * SCORES + 16);
      let a3 = v128.load(to, 3 * SCORES), b3 = v128.load(to, 3 * SCORES + 16);
      let from = x + (b << 2), w = weight + ((panel * features) << 5);
      for (const end = w + (features << 5); w < end; w += 32, from += line) {
        const left = v128.load(w), right = v128.load(w, 16);
        let each = v128.load_splat<f32>(from);
        a0 = madd(each, left, a0);
        b0 = madd(each, right, b0);
        each = v128.load_splat<f32>(from, 4);
        a1 = madd(each, left, a1);
        b1 = madd(each, right, b1);
        each = v128.load_splat<f32>(from, 8);
        a2 = madd(each, left, a2);
        b2 = madd(each, right, b2);
        each = v128.load_splat<f32>(from, 12);
        a3 = madd(each, left, a3);
        b3 = madd(each, right, b3);
      }
      v128.store(to, a0);
      v128.store(to, b0, 16);
      v128.store(to, a1, SCORES);
      v128.store(to, b1, SCORES + 16);
      v128.store(to, a2, 2 * SCORES);
      v128.store(to, b2, 2 * SCORES + 16);
      v128.store(to, a3, 3 * SCORES);
      v128.store(to, b3, 3 * SCORES + 16);
    }
  }
}

/**
 * The gradient of the heads' weights, four features by eight columns at a time.
 *
 * @param features A multiple of 4.
 * @param error [positions][136]: dL / d score.
 * @param slope [panel][features][8]: overwritten.
 */
export function weightSlope(features: usize, positions: usize, line: usize, x: usize, error: usize, slope: usize): void {
  for (let panel: usize = 0; panel < PANELS; panel++) {
    for (let f: usize = 0; f < features; f += 4) {
      let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
      let b0 = f32x4.splat(0), b1 = f32x4.splat(0), b2 = f32x4.splat(0), b3 = f32x4.splat(0);
      let from = x + f * line, e = error + (panel << 5);
      for (const end = e + positions * SCORES; e < end; e += SCORES, from += 4) {
        const left = v128.load(e), right = v128.load(e, 16);
        let each = v128.load_splat<f32>(from);
        a0 = madd(each, left, a0);
        b0 = madd(each, right, b0);
        each = v128.load_splat<f32>(from + line);
        a1 = madd(each, left, a1);
        b1 = madd(each, right, b1);
        each = v128.load_splat<f32>(from + 2 * line);
        a2 = madd(each, left, a2);
        b2 = madd(each, right, b2);
        each = v128.load_splat<f32>(from + 3 * line);
        a3 = madd(each, left, a3);
        b3 = madd(each, right, b3);
      }
      const to = slope + ((panel * features + f) << 5);
      v128.store(to, a0);
      v128.store(to, b0, 16);
      v128.store(to, a1, 32);
      v128.store(to, b1, 48);
      v128.store(to, a2, 64);
      v128.store(to, b2, 80);
      v128.store(to, a3, 96);
      v128.store(to, b3, 112);
    }
  }
}

/**
 * The error that the heads hand back to their features, four features by eight positions at a time.
 *
 * @param turned [136][positions], `line` bytes a column: dL / d score.
 * @param back [features][positions], `line` bytes a feature: overwritten. Its lines have room for a multiple of 8.
 */
export function blame(features: usize, positions: usize, line: usize, weight: usize, turned: usize, back: usize): void {
  for (let f: usize = 0; f < features; f += 4) {
    for (let b: usize = 0; b < positions; b += 8) {
      let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
      let b0 = f32x4.splat(0), b1 = f32x4.splat(0), b2 = f32x4.splat(0), b3 = f32x4.splat(0);
      let e = turned + (b << 2);
      for (let panel: usize = 0; panel < PANELS; panel++) {
        let w = weight + ((panel * features + f) << 5);
        for (const end = w + 32; w < end; w += 4, e += line) {
          const left = v128.load(e), right = v128.load(e, 16);
          let each = v128.load_splat<f32>(w);
          a0 = madd(each, left, a0);
          b0 = madd(each, right, b0);
          each = v128.load_splat<f32>(w, 32);
          a1 = madd(each, left, a1);
          b1 = madd(each, right, b1);
          each = v128.load_splat<f32>(w, 64);
          a2 = madd(each, left, a2);
          b2 = madd(each, right, b2);
          each = v128.load_splat<f32>(w, 96);
          a3 = madd(each, left, a3);
          b3 = madd(each, right, b3);
        }
      }
      const to = back + f * line + (b << 2);
      v128.store(to, a0);
      v128.store(to, b0, 16);
      v128.store(to + line, a1);
      v128.store(to + line, b1, 16);
      v128.store(to + 2 * line, a2);
      v128.store(to + 2 * line, b2, 16);
      v128.store(to + 3 * line, a3);
      v128.store(to + 3 * line, b3, 16);
    }
  }
}
