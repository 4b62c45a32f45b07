
// The same with bytes (this file is compiled as the end of kernels.as). A line is what 16 positions hear of a neuron:
// 16 bytes, 1 is 127. Beside it stands the rate itself, i16, 1 is 32767, which only the neuron's own leak and the
// reader see. Inputs are whole numbers, i32, of units of their row, and exact: neither the order of the pairs nor the
// kind of SIMD changes a bit. So no multiply-add here may be the relaxed one.

/** 2^f for f from -1/2 to 1/2: the polynomial of degree 4 with the smallest error that is 1 at 0, 3e-6 of 2^f. */
const D1: f32 = 0.6931241750717163;
const D2: f32 = 0.24024099111557007;
const D3: f32 = 0.055906426161527634;
const D4: f32 = 0.009582852944731712;

/** Adds to 4 numbers the products of 4 weights (i8, the same for all) and 4 times 4 rates (0 to 127). */
// @ts-ignore: decorator
@inline
function addProducts(w: v128, q: v128, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(w, q, sum);
  const low = i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_low_i8x16_s(w, q));
  const high = i32x4.extadd_pairwise_i16x8_s(i16x8.extmul_high_i8x16_s(w, q));
  const even = v128.shuffle<i32>(low, high, 0, 2, 4, 6), odd = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
  return i32x4.add(sum, i32x4.add(even, odd));
}

/** Bytes of two vectors by turns: of their first halves. */
// @ts-ignore: decorator
@inline
function mixLow(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/** Of their second halves. */
// @ts-ignore: decorator
@inline
function mixHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Pairs of bytes by turns. */
// @ts-ignore: decorator
@inline
function mixPairsLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

/** Of their second halves. */
// @ts-ignore: decorator
@inline
function mixPairsHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/**
 * Adds to the inputs what a tile brings. A tile is a list of receivers: where the line of inputs lies in a state (u32),
 * how many bytes of quartets follow (u32), then the quartets: 4 senders (u16, counted from the tile's first), their 4
 * weights (i8).
 *
 * @param from The line of the tile's first sender.
 */
export function addByteTile(at: usize, end: usize, from: usize, inputs: usize): void {
  while (at < end) {
    const line = inputs + <usize>load<u32>(at);
    const next = at + 8 + <usize>load<u32>(at, 4);
    let a0 = v128.load(line), a1 = v128.load(line, 16), a2 = v128.load(line, 32), a3 = v128.load(line, 48);
    for (at += 8; at < next; at += 12) {
      const w = v128.load_splat<u32>(at, 8);
      const p = v128.load(from + (<usize>load<u16>(at) << 4)), q = v128.load(from + (<usize>load<u16>(at, 2) << 4));
      const r = v128.load(from + (<usize>load<u16>(at, 4) << 4)), s = v128.load(from + (<usize>load<u16>(at, 6) << 4));
      const low = mixLow(p, q), high = mixHigh(p, q), lowToo = mixLow(r, s), highToo = mixHigh(r, s);
      a0 = addProducts(w, mixPairsLow(low, lowToo), a0);
      a1 = addProducts(w, mixPairsHigh(low, lowToo), a1);
      a2 = addProducts(w, mixPairsLow(high, highToo), a2);
      a3 = addProducts(w, mixPairsHigh(high, highToo), a3);
    }
    v128.store(line, a0);
    v128.store(line, a1, 16);
    v128.store(line, a2, 32);
    v128.store(line, a3, 48);
  }
}

/**
 * max(0, tanh z) of four inputs, in units of 1 / 32767, as whole numbers: what `squash` does, in as many terms as 16
 * bits need.
 *
 * @param scale What 1 in `sum` adds to the power of 2 that tanh needs: e^(-2z) is 2 to that power.
 * @param x 4 f32 that the eye adds, `driven` to the power each, or 0.
 * @param lowest The constants are made once a call, from something the compiler does not know to be 0: written as
 * constants, V8 builds each of them anew for every vector, and a row takes a third longer.
 */
// @ts-ignore: decorator
@inline
function aim(
  sum: v128, scale: v128, shift: v128, x: usize, driven: v128, lowest: v128, round: v128, d4: v128, d3: v128, d2: v128,
  d1: v128, one: v128, full: v128, half: v128,
): v128 {
  let power = f32x4.add(f32x4.mul(scale, f32x4.convert_i32x4_s(sum)), shift);
  if (x != 0) power = f32x4.add(power, f32x4.mul(driven, v128.load(x)));
  power = f32x4.pmax(lowest, f32x4.pmin(f32x4.splat(0), power));
  const shifted = f32x4.add(power, round);
  const f = f32x4.sub(power, f32x4.sub(shifted, round));
  let p = f32x4.add(f32x4.mul(d4, f), d3);
  p = f32x4.add(f32x4.mul(p, f), d2);
  p = f32x4.add(f32x4.mul(p, f), d1);
  p = f32x4.add(f32x4.mul(p, f), one);
  const y = i32x4.add(p, i32x4.shl(shifted, 23));
  const rate = f32x4.div(f32x4.sub(one, y), f32x4.add(one, y));
  const above = f32x4.add(f32x4.mul(rate, full), half);
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_trunc_f32x4_s(above);
  return i32x4.trunc_sat_f32x4_s(above);
}

/** Bytes from rates of 16 bits: rounded to 1 / 127. */
// @ts-ignore: decorator
@inline
function bytesOf(low: v128, high: v128): v128 {
  const one = i16x8.splat(127);
  return i8x16.narrow_i16x8_u(i16x8.q15mulr_sat_s(low, one), i16x8.q15mulr_sat_s(high, one));
}

/**
 * New rates of a neuron from its inputs.
 *
 * @param x 16 f32 that the eye adds, or 0.
 * @param rates The rates before, replaced.
 * @param heard Takes what others hear of them.
 */
// @ts-ignore: decorator
@inline
function moveByteLine(
  a0: v128, a1: v128, a2: v128, a3: v128, unit: f32, x: usize, scale: f32, shift: f32, leak: f32, silent: bool,
  rates: usize, heard: usize, lowest: v128, round: v128, d4: v128, d3: v128, d2: v128, d1: v128, one: v128, full: v128,
  half: v128,
): void {
  const driven = f32x4.splat(scale * TO_POWER), b = f32x4.splat(shift * TO_POWER);
  const a = f32x4.splat(scale * TO_POWER * unit), part = i16x8.splat(<i16>min(32767, nearest(leak * 32768)));
  let low = i16x8.splat(0), high = i16x8.splat(0);
  if (!silent) {
    low = v128.load(rates);
    high = v128.load(rates, 16);
  }
  const lowAim = i16x8.narrow_i32x4_s(
    aim(a0, a, b, x, driven, lowest, round, d4, d3, d2, d1, one, full, half),
    aim(a1, a, b, x == 0 ? 0 : x + 16, driven, lowest, round, d4, d3, d2, d1, one, full, half),
  );
  const highAim = i16x8.narrow_i32x4_s(
    aim(a2, a, b, x == 0 ? 0 : x + 32, driven, lowest, round, d4, d3, d2, d1, one, full, half),
    aim(a3, a, b, x == 0 ? 0 : x + 48, driven, lowest, round, d4, d3, d2, d1, one, full, half),
  );
  low = i16x8.add(low, i16x8.q15mulr_sat_s(i16x8.sub(lowAim, low), part));
  high = i16x8.add(high, i16x8.q15mulr_sat_s(i16x8.sub(highAim, high), part));
  v128.store(rates, low);
  v128.store(rates, high, 16);
  v128.store(heard, bytesOf(low, high));
}

/**
 * One brain step of 16 positions for some rows.
 *
 * @param rows u32 rows.
 * @param quartets Row by row: where 4 senders' lines lie in a state (u32 each), then their 4 weights (i8).
 * @param rowStart u32 a neuron: which quartet is its first.
 * @param before What is heard of the rates before; 0 at the first step.
 * @param rates The rates, i16: moved in place.
 * @param drive State of x, f32, or 0 where these rows get none.
 */
export function stepBytes(
  rows: usize, count: usize, quartets: usize, rowStart: usize, units: usize, scale: usize, shift: usize, leak: f32,
  before: usize, rates: usize, after: usize, drive: usize,
): void {
  const nothing = leak - leak;
  const lowest = f32x4.splat(LOWEST_POWER + nothing), round = f32x4.splat(ROUND + nothing);
  const d4 = f32x4.splat(D4 + nothing), d3 = f32x4.splat(D3 + nothing), d2 = f32x4.splat(D2 + nothing);
  const d1 = f32x4.splat(D1 + nothing), one = f32x4.splat(1 + nothing);
  const full = f32x4.splat(32767 + nothing), half = f32x4.splat(0.5 + nothing);
  for (let k: usize = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + (k << 2)), number = row << 2;
    let a0 = i32x4.splat(0), a1 = i32x4.splat(0), a2 = i32x4.splat(0), a3 = i32x4.splat(0);
    if (before != 0) {
      const end = quartets + 20 * <usize>load<u32>(rowStart + number, 4);
      for (let at = quartets + 20 * <usize>load<u32>(rowStart + number); at < end; at += 20) {
        const w = v128.load_splat<u32>(at, 16);
        const p = v128.load(before + <usize>load<u32>(at)), q = v128.load(before + <usize>load<u32>(at, 4));
        const r = v128.load(before + <usize>load<u32>(at, 8)), s = v128.load(before + <usize>load<u32>(at, 12));
        const low = mixLow(p, q), high = mixHigh(p, q), lowToo = mixLow(r, s), highToo = mixHigh(r, s);
        a0 = addProducts(w, mixPairsLow(low, lowToo), a0);
        a1 = addProducts(w, mixPairsHigh(low, lowToo), a1);
        a2 = addProducts(w, mixPairsLow(high, highToo), a2);
        a3 = addProducts(w, mixPairsHigh(high, highToo), a3);
      }
    }
    const x = drive == 0 ? 0 : drive + (row << 6);
    moveByteLine(
      a0, a1, a2, a3, load<f32>(units + number), x, load<f32>(scale + number), load<f32>(shift + number), leak,
      before == 0, rates + (row << 5), after + (row << 4),
      lowest, round, d4, d3, d2, d1, one, full, half,
    );
  }
}

/** Turns inputs into new rates; the eye adds to the `count` rows at `driven`, which are among `row` to `endRow`. */
export function moveBytes(
  row: usize, endRow: usize, units: usize, scale: usize, shift: usize, leak: f32, inputs: usize, rates: usize,
  after: usize, driven: usize, count: usize, drive: usize,
): void {
  const nothing = leak - leak;
  const lowest = f32x4.splat(LOWEST_POWER + nothing), round = f32x4.splat(ROUND + nothing);
  const d4 = f32x4.splat(D4 + nothing), d3 = f32x4.splat(D3 + nothing), d2 = f32x4.splat(D2 + nothing);
  const d1 = f32x4.splat(D1 + nothing), one = f32x4.splat(1 + nothing);
  const full = f32x4.splat(32767 + nothing), half = f32x4.splat(0.5 + nothing);
  const end = driven + (count << 2);
  for (; row < endRow; row++) {
    const line = inputs + (row << 6), number = row << 2;
    let x: usize = 0;
    if (driven < end && <usize>load<u32>(driven) == row) {
      x = drive + (row << 6);
      driven += 4;
    }
    moveByteLine(
      v128.load(line), v128.load(line, 16), v128.load(line, 32), v128.load(line, 48), load<f32>(units + number), x,
      load<f32>(scale + number), load<f32>(shift + number), leak, false, rates + (row << 5), after + (row << 4),
      lowest, round, d4, d3, d2, d1, one, full, half,
    );
  }
}

/** Gives rows that no board has reached their constant rates (i16 a neuron). */
export function fillBytes(rows: usize, count: usize, constants: usize, rates: usize, after: usize): void {
  for (let k: usize = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + (k << 2));
    const rate = v128.load_splat<u16>(constants + (row << 1));
    v128.store(rates + (row << 5), rate);
    v128.store(rates + (row << 5), rate, 16);
    v128.store(after + (row << 4), bytesOf(rate, rate));
  }
}

/** Keeps the rates of the first of 16 positions, where `fillBytes` finds them. */
export function keepFirstBytes(count: usize, rates: usize, constants: usize): void {
  for (let row: usize = 0; row < count; row++) store<u16>(constants + (row << 1), load<u16>(rates + (row << 5)));
}

/** Adds the rates of some rows to `sums`, lines of 16 f32, 1 is 32767; `fresh` overwrites instead. */
export function collectBytes(rows: usize, count: usize, rates: usize, sums: usize, fresh: bool): void {
  for (let k: usize = 0; k < count; k++) {
    const line = rates + (<usize>load<u32>(rows + (k << 2)) << 5), sum = sums + (k << 6);
    for (let lane: usize = 0; lane < 16; lane++) {
      const rate = <f32>load<i16>(line + (lane << 1)), at = sum + (lane << 2);
      store<f32>(at, fresh ? rate : load<f32>(at) + rate);
    }
  }
}

/** u of a position. */
// @ts-ignore: decorator
@inline
function byteInput(line: usize, stride: usize, b: usize, unit: f32, x: usize): f64 {
  const u = unit * <f32>load<i32>(line + (b >> 4) * stride + ((b & 15) << 2));
  return <f64>(x == 0 ? u : u + load<f32>(x + (b << 2)));
}

/**
 * `settle` for bytes. A row's lines of 16 positions lie `stride` bytes apart: inputs (i32), rates (i16) and what is
 * heard of them.
 *
 * @param drive Lines of f32, a row's x of all positions in one piece; `place` is where each row's lie, or -1.
 */
export function settleBytes(
  row: usize, endRow: usize, stride: usize, positions: usize, gain: usize, bias: usize, mean: usize, spread: usize,
  floor: f64, calm: bool, leak: f32, units: usize, place: usize, drive: usize, inputs: usize, rates: usize,
  heard: usize, silent: bool,
): void {
  const nothing = leak - leak;
  const lowest = f32x4.splat(LOWEST_POWER + nothing), round = f32x4.splat(ROUND + nothing);
  const d4 = f32x4.splat(D4 + nothing), d3 = f32x4.splat(D3 + nothing), d2 = f32x4.splat(D2 + nothing);
  const d1 = f32x4.splat(D1 + nothing), one = f32x4.splat(1 + nothing);
  const full = f32x4.splat(32767 + nothing), half = f32x4.splat(0.5 + nothing);
  for (; row < endRow; row++) {
    const u = inputs + (row << 6), unit = load<f32>(units + (row << 2));
    const driven = load<i32>(place + (row << 2));
    const x = driven < 0 ? 0 : drive + <usize>driven;
    let sum: f64 = 0;
    for (let b: usize = 0; b < positions; b++) sum += byteInput(u, stride, b, unit, x);
    const mu = sum / <f64>positions;
    let squares: f64 = 0;
    for (let b: usize = 0; b < positions; b++) {
      const off = byteInput(u, stride, b, unit, x) - mu;
      squares += off * off;
    }
    const variance = squares / <f64>positions;
    const sigma = calm && variance < UNREACHED_VARIANCE ? 1.0 : max(sqrt(variance), floor);
    store<f64>(mean + (row << 3), mu);
    store<f64>(spread + (row << 3), sigma);
    const scale = <f32>(load<f64>(gain + (row << 3)) / sigma);
    const shift = <f32>(load<f64>(bias + (row << 3)) - <f64>scale * mu);
    for (let b: usize = 0, at: usize = 0; b < positions; b += 16, at += stride) {
      const line = u + at;
      moveByteLine(
        v128.load(line), v128.load(line, 16), v128.load(line, 32), v128.load(line, 48), unit,
        x == 0 ? 0 : x + (b << 2), scale, shift, leak, silent, rates + at + (row << 5), heard + at + (row << 4),
        lowest, round, d4, d3, d2, d1, one, full, half,
      );
    }
  }
}
