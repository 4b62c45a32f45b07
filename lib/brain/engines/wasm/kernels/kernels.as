// The arithmetic of the wasm engine, in AssemblyScript (`deno task build:wasm` compiles it).
//
// A line is the rates of one neuron for 16 positions, f32, 64 bytes: one cache line. A state is a line a neuron.
// Pointers are byte addresses in the memory that all workers share. A pair is a connection: its sender's place in a
// state (neuron * 64, u32), then its weight (f32).

/** -2 / ln 2: e^(-2z), which tanh needs, is 2 to the power of this times z. */
const TO_POWER: f32 = -2.8853900817779268;
/** Under 2^-126 there is nothing left to add to 1. */
const LOWEST_POWER: f32 = -126.0;
/** 1.5 * 2^23: adding it rounds to a whole number, which then stands in the low bits. */
const ROUND: f32 = 12582912.0;
/** 2^f for f from -1/2 to 1/2: the polynomial of degree 6 through the Chebyshev nodes, relative error 3e-9. */
const C1: f32 = 0.6931471824645996;
const C2: f32 = 0.24022650718688965;
const C3: f32 = 0.05550327152013779;
const C4: f32 = 0.009618056938052177;
const C5: f32 = 0.0013400427997112274;
const C6: f32 = 0.00015461444854736328;
/** An input that varies less than this between boards has not been reached by them (reference, section 3). */
const UNREACHED_VARIANCE: f64 = 1e-10;

/** a * b + c, rounded once where the module is built for machines that offer it. */
// @ts-ignore: decorator
@inline
function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/**
 * max(0, tanh z) within 2e-7: for z > 0, tanh z = (1 - y) / (1 + y) with y = e^(-2z) = 2^n 2^f.
 *
 * The constants come from whoever calls: each exported function makes them once, from something that the compiler does
 * not know to be 0. Written as constants, V8 builds each of them anew for every vector, and a line takes twice as long.
 */
// @ts-ignore: decorator
@inline
function squash(
  z: v128, toPower: v128, lowest: v128, round: v128, c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, c1: v128,
  one: v128,
): v128 {
  const power = f32x4.pmax(lowest, f32x4.pmin(f32x4.splat(0), f32x4.mul(z, toPower)));
  const shifted = f32x4.add(power, round);
  const f = f32x4.sub(power, f32x4.sub(shifted, round));
  let p = multiplyAdd(c6, f, c5);
  p = multiplyAdd(p, f, c4);
  p = multiplyAdd(p, f, c3);
  p = multiplyAdd(p, f, c2);
  p = multiplyAdd(p, f, c1);
  p = multiplyAdd(p, f, one);
  const y = i32x4.add(p, i32x4.shl(shifted, 23));
  return f32x4.div(f32x4.sub(one, y), f32x4.add(one, y));
}

/**
 * Adds to the line at `start` (0: nothing) what the pairs from `pair` up to `end` bring it, weight times the sender's
 * line, and writes it to `out`. One pair after the other, always: a row then has the same bits whether its pairs are
 * taken in one go or tile by tile.
 */
// @ts-ignore: decorator
@inline
function gather(pair: usize, end: usize, from: usize, start: usize, out: usize): void {
  let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
  if (start != 0) {
    a0 = v128.load(start);
    a1 = v128.load(start, 16);
    a2 = v128.load(start, 32);
    a3 = v128.load(start, 48);
  }
  for (const even = end - 8; pair < even; pair += 16) {
    const line = from + <usize>load<u32>(pair), next = from + <usize>load<u32>(pair, 8);
    const v = v128.load_splat<f32>(pair, 4), w = v128.load_splat<f32>(pair, 12);
    a0 = multiplyAdd(v, v128.load(line), a0);
    a1 = multiplyAdd(v, v128.load(line, 16), a1);
    a2 = multiplyAdd(v, v128.load(line, 32), a2);
    a3 = multiplyAdd(v, v128.load(line, 48), a3);
    a0 = multiplyAdd(w, v128.load(next), a0);
    a1 = multiplyAdd(w, v128.load(next, 16), a1);
    a2 = multiplyAdd(w, v128.load(next, 32), a2);
    a3 = multiplyAdd(w, v128.load(next, 48), a3);
  }
  if (pair < end) {
    const line = from + <usize>load<u32>(pair);
    const w = v128.load_splat<f32>(pair, 4);
    a0 = multiplyAdd(w, v128.load(line), a0);
    a1 = multiplyAdd(w, v128.load(line, 16), a1);
    a2 = multiplyAdd(w, v128.load(line, 32), a2);
    a3 = multiplyAdd(w, v128.load(line, 48), a3);
  }
  v128.store(out, a0);
  v128.store(out, a1, 16);
  v128.store(out, a2, 32);
  v128.store(out, a3, 48);
}

/** Adds the line at `more` to the line at `line`. */
// @ts-ignore: decorator
@inline
function addLine(line: usize, more: usize): void {
  for (let at: usize = 0; at < 64; at += 16) {
    v128.store(line + at, f32x4.add(v128.load(line + at), v128.load(more + at)));
  }
}

/** New rates from u and old ones. */
// @ts-ignore: decorator
@inline
function moved(
  u: v128, scale: v128, shift: v128, keep: v128, take: v128, old: v128, toPower: v128, lowest: v128, round: v128,
  c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, c1: v128, one: v128,
): v128 {
  const z = multiplyAdd(scale, u, shift);
  return multiplyAdd(take, squash(z, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one), f32x4.mul(keep, old));
}

/** Turns a line of u into new rates: z = scale u + shift, then part of the way from the old rate to max(0, tanh z). */
// @ts-ignore: decorator
@inline
function moveLine(
  input: usize, scale: f32, shift: f32, leak: f32, before: usize, after: usize, toPower: v128, lowest: v128,
  round: v128, c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, c1: v128, one: v128,
): void {
  const a = f32x4.splat(scale), b = f32x4.splat(shift);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak);
  for (let at: usize = 0; at < 64; at += 16) {
    const u = v128.load(input + at), old = v128.load(before + at);
    v128.store(after + at, moved(u, a, b, keep, take, old, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one));
  }
}

/** Where a row's pairs start. */
// @ts-ignore: decorator
@inline
function pairOf(rowStart: usize, pairs: usize, row: usize): usize {
  return pairs + (<usize>load<u32>(rowStart + (row << 2)) << 3);
}

/**
 * One brain step of 16 positions for some rows.
 *
 * @param rows u32 rows, or 0 for the rows 0 to count - 1.
 * @param scale f32 a neuron: gain / sigma. With `shift`, bias - scale * mu, it folds homeostasis, gain and bias.
 * @param before State after the step before; 0 at the first step, when all rates are 0.
 * @param inputs State that takes u; it may be `after`.
 * @param drive State that holds x for the rows of this call, or 0 where they get none.
 */
export function step(
  rows: usize, count: usize, pairs: usize, rowStart: usize, scale: usize, shift: usize, leak: f32,
  before: usize, inputs: usize, after: usize, drive: usize, silence: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  for (let k: usize = 0; k < count; k++) {
    const row = rows == 0 ? k : <usize>load<u32>(rows + (k << 2));
    const line = inputs + (row << 6);
    const start = pairOf(rowStart, pairs, row);
    const end = before == 0 ? start : pairOf(rowStart, pairs, row + 1);
    gather(start, end, before, drive == 0 ? 0 : drive + (row << 6), line);
    const old = before == 0 ? silence : before + (row << 6);
    moveLine(
      line, load<f32>(scale + (row << 2)), load<f32>(shift + (row << 2)), leak, old, after + (row << 6),
      toPower, lowest, round, c6, c5, c4, c3, c2, c1, one,
    );
  }
}

/** Sets u of the rows from `row` up to `endRow` to x: 0, and the drive's lines for `count` rows among them. */
export function begin(row: usize, endRow: usize, rows: usize, count: usize, drive: usize, inputs: usize): void {
  memory.fill(inputs + (row << 6), 0, (endRow - row) << 6);
  for (let k: usize = 0; k < count; k++) {
    const driven = <usize>load<u32>(rows + (k << 2)) << 6;
    memory.copy(inputs + driven, drive + driven, 64);
  }
}

/**
 * Adds to u what a tile brings. A tile is a list of groups: where the receiver's line lies in a state, how many pairs
 * (u32 each), then the pairs. The senders' lines of a tile fit a core's own cache, and so do its receivers'; its
 * groups are sorted by size, so that the processor foresees where each ends.
 */
export function addTile(group: usize, end: usize, before: usize, inputs: usize): void {
  while (group < end) {
    const line = inputs + <usize>load<u32>(group);
    const next = group + 8 + (<usize>load<u32>(group, 4) << 3);
    gather(group + 8, next, before, line, line);
    group = next;
  }
}

/** Turns u of the rows from `row` up to `endRow` into new rates. */
export function move(
  row: usize, endRow: usize, scale: usize, shift: usize, leak: f32, before: usize, inputs: usize, after: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  for (; row < endRow; row++) {
    const at = row << 6;
    moveLine(
      inputs + at, load<f32>(scale + (row << 2)), load<f32>(shift + (row << 2)), leak, before + at, after + at,
      toPower, lowest, round, c6, c5, c4, c3, c2, c1, one,
    );
  }
}

/** Gives rows that no board has reached yet the rate that they have for every board. */
export function fill(rows: usize, count: usize, rates: usize, after: usize): void {
  for (let k: usize = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + (k << 2));
    const rate = v128.load_splat<f32>(rates + (row << 2));
    const line = after + (row << 6);
    v128.store(line, rate);
    v128.store(line, rate, 16);
    v128.store(line, rate, 32);
    v128.store(line, rate, 48);
  }
}

/** Adds the lines of some rows to `sums`, a line each in the order of `rows`; `fresh` overwrites instead. */
export function collect(rows: usize, count: usize, state: usize, sums: usize, fresh: bool): void {
  for (let k: usize = 0; k < count; k++) {
    const line = state + (<usize>load<u32>(rows + (k << 2)) << 6);
    const sum = sums + (k << 6);
    if (fresh) memory.copy(sum, line, 64);
    else addLine(sum, line);
  }
}

/**
 * One brain step of up to 4 positions for some rows: a line has 4 numbers, 16 bytes, in all states. The bits are those
 * that the positions have among 16.
 */
export function stepNarrow(
  rows: usize, count: usize, pairs: usize, rowStart: usize, scale: usize, shift: usize, leak: f32,
  before: usize, after: usize, drive: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak);
  for (let k: usize = 0; k < count; k++) {
    const row = rows == 0 ? k : <usize>load<u32>(rows + (k << 2));
    let u = drive == 0 ? f32x4.splat(0) : v128.load(drive + (row << 4)), old = f32x4.splat(0);
    if (before != 0) {
      const end = pairOf(rowStart, pairs, row + 1);
      for (let pair = pairOf(rowStart, pairs, row); pair < end; pair += 8) {
        u = multiplyAdd(v128.load_splat<f32>(pair, 4), v128.load(before + (<usize>load<u32>(pair) >> 2)), u);
      }
      old = v128.load(before + (row << 4));
    }
    const a = v128.load_splat<f32>(scale + (row << 2)), b = v128.load_splat<f32>(shift + (row << 2));
    const rate = moved(u, a, b, keep, take, old, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one);
    v128.store(after + (row << 4), rate);
  }
}

/** `fill` for lines of 4. */
export function fillNarrow(rows: usize, count: usize, rates: usize, after: usize): void {
  for (let k: usize = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + (k << 2));
    v128.store(after + (row << 4), v128.load_splat<f32>(rates + (row << 2)));
  }
}

/** The same for one position: a line is one number, so that a whole state fits a core's own cache. */
export function stepOne(
  rows: usize, count: usize, pairs: usize, rowStart: usize, scale: usize, shift: usize, leak: f32,
  before: usize, after: usize, drive: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak);
  for (let k: usize = 0; k < count; k++) {
    const row = rows == 0 ? k : <usize>load<u32>(rows + (k << 2)), at = row << 2;
    // Vectors of which one number counts: only they have the multiply-add that rounds as it does among 16.
    let u = drive == 0 ? f32x4.splat(0) : v128.load_zero<f32>(drive + at), old = f32x4.splat(0);
    if (before != 0) {
      const end = pairOf(rowStart, pairs, row + 1);
      for (let pair = pairOf(rowStart, pairs, row); pair < end; pair += 8) {
        const rate = v128.load_zero<f32>(before + (<usize>load<u32>(pair) >> 4));
        u = multiplyAdd(v128.load_zero<f32>(pair, 4), rate, u);
      }
      old = v128.load_zero<f32>(before + at);
    }
    const a = v128.load_zero<f32>(scale + at), b = v128.load_zero<f32>(shift + at);
    const rate = moved(u, a, b, keep, take, old, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one);
    store<f32>(after + at, f32x4.extract_lane(rate, 0));
  }
}

/** `fill` for one position. */
export function fillOne(rows: usize, count: usize, rates: usize, after: usize): void {
  for (let k: usize = 0; k < count; k++) {
    const at = <usize>load<u32>(rows + (k << 2)) << 2;
    store<f32>(after + at, load<f32>(rates + at));
  }
}

/**
 * First half of a calibration step begins: u of 16 positions for the rows from `row` up to `endRow` is x. Tiles add to it.
 *
 * @param place i32 a neuron: where its x of these positions lies in `drive`, or -1.
 * @param inputs State that takes u.
 */
export function beginDriven(row: usize, endRow: usize, place: usize, drive: usize, inputs: usize): void {
  for (; row < endRow; row++) {
    const driven = load<i32>(place + (row << 2));
    if (driven < 0) memory.fill(inputs + (row << 6), 0, 64);
    else memory.copy(inputs + (row << 6), drive + <usize>driven, 64);
  }
}

/**
 * Second half: for the rows from `row` up to `endRow`, mean and population standard deviation of u over all
 * positions (two passes in f64), and the new rates, in place. A row's lines lie `stride` bytes apart.
 *
 * @param mean f64 a neuron, written, like `spread`.
 */
export function settle(
  row: usize, endRow: usize, stride: usize, positions: usize, gain: usize, bias: usize, mean: usize, spread: usize,
  floor: f64, calm: bool, leak: f32, rates: usize, inputs: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  for (; row < endRow; row++) {
    const u = inputs + (row << 6);
    let sum: f64 = 0;
    for (let b: usize = 0; b < positions; b++) sum += <f64>load<f32>(u + (b >> 4) * stride + ((b & 15) << 2));
    const mu = sum / <f64>positions;
    let squares: f64 = 0;
    for (let b: usize = 0; b < positions; b++) {
      const off = <f64>load<f32>(u + (b >> 4) * stride + ((b & 15) << 2)) - mu;
      squares += off * off;
    }
    const variance = squares / <f64>positions;
    const sigma = calm && variance < UNREACHED_VARIANCE ? 1.0 : max(sqrt(variance), floor);
    store<f64>(mean + (row << 3), mu);
    store<f64>(spread + (row << 3), sigma);

    // As `foldHomeostasis` does it, to the last bit: a later think then meets the very inputs measured here.
    const scale = <f32>(load<f64>(gain + (row << 3)) / sigma);
    const shift = <f32>(load<f64>(bias + (row << 3)) - <f64>scale * mu);
    const r = rates + (row << 6);
    for (let b: usize = 0, at: usize = 0; b < positions; b += 16, at += stride) {
      moveLine(u + at, scale, shift, leak, r + at, r + at, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one);
    }
  }
}

/** The sum of a vector's four numbers. */
// @ts-ignore: decorator
@inline
function sumOf(v: v128): f32 {
  const half = f32x4.add(v, v128.shuffle<i32>(v, v, 2, 3, 0, 1));
  return f32x4.extract_lane(half, 0) + f32x4.extract_lane(half, 1);
}

/**
 * The error of some rows on its way back through the leak, the squashing and homeostasis (reference, section 6).
 *
 * @param rows u32 rows, or 0 for the rows 0 to count - 1.
 * @param mean f32 a neuron: mu. With `narrow`, 1 / sigma, it gives the input as homeostasis sees it.
 * @param error State of dL / dr after this step; afterwards it holds what the leak carries to the step before.
 * @param inputs State of u; afterwards it holds dL / du.
 * @param gain f64 a neuron: dL / d gain is added to it; likewise `bias`.
 */
export function turn(
  rows: usize, count: usize, scale: usize, shift: usize, mean: usize, narrow: usize, leak: f32,
  error: usize, inputs: usize, gain: usize, bias: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak), zero = f32x4.splat(0);
  for (let k: usize = 0; k < count; k++) {
    const row = rows == 0 ? k : <usize>load<u32>(rows + (k << 2));
    const a = v128.load_splat<f32>(scale + (row << 2)), b = v128.load_splat<f32>(shift + (row << 2));
    const mu = v128.load_splat<f32>(mean + (row << 2)), inverse = v128.load_splat<f32>(narrow + (row << 2));
    let gainSum = zero, biasSum = zero;
    for (let at = row << 6, last = at + 64; at < last; at += 16) {
      const u = v128.load(inputs + at), e = v128.load(error + at);
      const z = multiplyAdd(a, u, b);
      const rate = squash(z, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one);
      const slope = f32x4.mul(take, f32x4.sub(one, f32x4.mul(rate, rate)));
      const zError = v128.and(f32x4.mul(e, slope), f32x4.gt(z, zero));
      gainSum = multiplyAdd(zError, f32x4.mul(f32x4.sub(u, mu), inverse), gainSum);
      biasSum = f32x4.add(biasSum, zError);
      v128.store(inputs + at, f32x4.mul(zError, a));
      v128.store(error + at, f32x4.mul(keep, e));
    }
    store<f64>(gain + (row << 3), load<f64>(gain + (row << 3)) + <f64>sumOf(gainSum));
    store<f64>(bias + (row << 3), load<f64>(bias + (row << 3)) + <f64>sumOf(biasSum));
  }
}

/** Sums over positions, four at a time, of the error times a sender's rates. */
// @ts-ignore: decorator
@inline
function product(u0: v128, u1: v128, u2: v128, u3: v128, line: usize): v128 {
  const a = multiplyAdd(u1, v128.load(line, 16), f32x4.mul(u0, v128.load(line)));
  const b = multiplyAdd(u3, v128.load(line, 48), f32x4.mul(u2, v128.load(line, 32)));
  return f32x4.add(a, b);
}

/** Adds a receiver's error, times the weight, to a sender's blame for the rate before. */
// @ts-ignore: decorator
@inline
function carry(u0: v128, u1: v128, u2: v128, u3: v128, w: v128, e: usize): void {
  v128.store(e, multiplyAdd(w, u0, v128.load(e)));
  v128.store(e, multiplyAdd(w, u1, v128.load(e, 16)), 16);
  v128.store(e, multiplyAdd(w, u2, v128.load(e, 32)), 32);
  v128.store(e, multiplyAdd(w, u3, v128.load(e, 48)), 48);
}

/**
 * Hands a receiver's error dL / du to one sender: its blame for the rate before, and the weight's own gradient, the
 * sum over positions of the error times the sender's rate.
 */
// @ts-ignore: decorator
@inline
function blame(
  u0: v128, u1: v128, u2: v128, u3: v128, pair: usize, before: usize, error: usize, gradient: usize,
): void {
  const sender = <usize>load<u32>(pair);
  store<f32>(gradient, load<f32>(gradient) + sumOf(product(u0, u1, u2, u3, before + sender)));
  if (error != 0) carry(u0, u1, u2, u3, v128.load_splat<f32>(pair, 4), error + sender);
}

/**
 * Hands the errors of a tile's receivers to its senders.
 *
 * @param before State of rates after the step before.
 * @param blamed State of dL / du.
 * @param error State of dL / dr after the step before, added to; 0 where it is not needed.
 * @param gradient f32 a pair of this tile: dL / dW is added to it.
 */
export function blameTile(
  group: usize, end: usize, before: usize, blamed: usize, error: usize, gradient: usize,
): void {
  while (group < end) {
    const line = blamed + <usize>load<u32>(group);
    const next = group + 8 + (<usize>load<u32>(group, 4) << 3);
    const u0 = v128.load(line), u1 = v128.load(line, 16), u2 = v128.load(line, 32), u3 = v128.load(line, 48);
    let pair = group + 8;
    // Four weights' sums are added up together: what is left of each is then one number of a vector.
    for (const four = next - 24; pair < four; pair += 32, gradient += 16) {
      const p = <usize>load<u32>(pair), q = <usize>load<u32>(pair, 8);
      const r = <usize>load<u32>(pair, 16), s = <usize>load<u32>(pair, 24);
      const a = product(u0, u1, u2, u3, before + p), b = product(u0, u1, u2, u3, before + q);
      const ab = f32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
      const c = product(u0, u1, u2, u3, before + r), d = product(u0, u1, u2, u3, before + s);
      const cd = f32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
      const sums = f32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
      v128.store(gradient, f32x4.add(v128.load(gradient), sums));
      if (error != 0) {
        carry(u0, u1, u2, u3, v128.load_splat<f32>(pair, 4), error + p);
        carry(u0, u1, u2, u3, v128.load_splat<f32>(pair, 12), error + q);
        carry(u0, u1, u2, u3, v128.load_splat<f32>(pair, 20), error + r);
        carry(u0, u1, u2, u3, v128.load_splat<f32>(pair, 28), error + s);
      }
    }
    for (; pair < next; pair += 8, gradient += 4) blame(u0, u1, u2, u3, pair, before, error, gradient);
    group = next;
  }
}

/** The same for some rows; `slot` is u32 a pair: which number it has among the pairs of all tiles. */
export function blameRows(
  rows: usize, count: usize, pairs: usize, rowStart: usize, slot: usize, before: usize, blamed: usize,
  error: usize, gradient: usize,
): void {
  for (let k: usize = 0; k < count; k++) {
    const row = <usize>load<u32>(rows + (k << 2));
    const line = blamed + (row << 6);
    const u0 = v128.load(line), u1 = v128.load(line, 16), u2 = v128.load(line, 32), u3 = v128.load(line, 48);
    const end = pairOf(rowStart, pairs, row + 1);
    for (let pair = pairOf(rowStart, pairs, row); pair < end; pair += 8) {
      const number = <usize>load<u32>(slot + ((pair - pairs) >> 1));
      blame(u0, u1, u2, u3, pair, before, error, gradient + (number << 2));
    }
  }
}

// The same with 16-bit numbers: a line is the rates of one neuron for 32 positions, i16, 1 is 32767; one cache line as
// well. In a pair stands the weight twice, i16, in units of its row: the largest u of a row, up or down, is 32767.

/** a times b as fractions of 32768, rounded. */
// @ts-ignore: decorator
@inline
function multiplyShort(a: v128, b: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_q15mulr_s(a, b);
  return i16x8.q15mulr_sat_s(a, b);
}

/** Whole numbers from numbers at least 0, rounded. */
// @ts-ignore: decorator
@inline
function roundPositive(a: v128, half: v128): v128 {
  const above = f32x4.add(a, half);
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_trunc_f32x4_s(above);
  return i32x4.trunc_sat_f32x4_s(above);
}

/** `gather` for lines of 32. `add` says whether `out` holds something to add to. */
// @ts-ignore: decorator
@inline
function gatherShort(pair: usize, end: usize, from: usize, add: bool, out: usize): void {
  let a0 = i16x8.splat(0), a1 = i16x8.splat(0), a2 = i16x8.splat(0), a3 = i16x8.splat(0);
  if (add) {
    a0 = v128.load(out);
    a1 = v128.load(out, 16);
    a2 = v128.load(out, 32);
    a3 = v128.load(out, 48);
  }
  for (; pair < end; pair += 8) {
    const line = from + <usize>load<u32>(pair);
    const w = v128.load_splat<u32>(pair, 4);
    a0 = i16x8.add_sat_s(a0, multiplyShort(w, v128.load(line)));
    a1 = i16x8.add_sat_s(a1, multiplyShort(w, v128.load(line, 16)));
    a2 = i16x8.add_sat_s(a2, multiplyShort(w, v128.load(line, 32)));
    a3 = i16x8.add_sat_s(a3, multiplyShort(w, v128.load(line, 48)));
  }
  v128.store(out, a0);
  v128.store(out, a1, 16);
  v128.store(out, a2, 32);
  v128.store(out, a3, 48);
}

/** Four new rates, in units of 1 / 32767. */
// @ts-ignore: decorator
@inline
function movedShort(
  u: v128, scale: v128, shift: v128, keep: v128, take: v128, old: v128, toPower: v128, lowest: v128, round: v128,
  c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, c1: v128, one: v128, half: v128,
): v128 {
  const before = f32x4.convert_i32x4_s(old);
  const rates = moved(u, scale, shift, keep, take, before, toPower, lowest, round, c6, c5, c4, c3, c2, c1, one);
  return roundPositive(rates, half);
}

/**
 * `moveLine` for lines of 32.
 *
 * @param unit What 1 in `input` stands for.
 * @param x 32 f32 that the eye adds, or 0.
 */
// @ts-ignore: decorator
@inline
function moveShortLine(
  input: usize, unit: f32, x: usize, scale: f32, shift: f32, leak: f32, before: usize, after: usize, toPower: v128,
  lowest: v128, round: v128, c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, c1: v128, one: v128, half: v128,
): void {
  const a = f32x4.splat(scale), b = f32x4.splat(shift), units = f32x4.splat(unit);
  const keep = f32x4.splat(1 - leak), take = f32x4.splat(leak * 32767);
  for (let at: usize = 0; at < 64; at += 16) {
    const sum = v128.load(input + at), old = v128.load(before + at);
    let low = f32x4.mul(units, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(sum)));
    let high = f32x4.mul(units, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(sum)));
    if (x != 0) {
      low = f32x4.add(low, v128.load(x + (at << 1)));
      high = f32x4.add(high, v128.load(x + (at << 1), 16));
    }
    low = movedShort(
      low, a, b, keep, take, i32x4.extend_low_i16x8_s(old), toPower, lowest, round, c6, c5, c4, c3, c2, c1, one, half,
    );
    high = movedShort(
      high, a, b, keep, take, i32x4.extend_high_i16x8_s(old), toPower, lowest, round, c6, c5, c4, c3, c2, c1, one, half,
    );
    v128.store(after + at, i16x8.narrow_i32x4_s(low, high));
  }
}

/** `step` for lines of 32. `units` is f32 a neuron; `drive` has lines of 32 f32. */
export function stepShort(
  rows: usize, count: usize, pairs: usize, rowStart: usize, units: usize, scale: usize, shift: usize, leak: f32,
  before: usize, after: usize, drive: usize, silence: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const half = f32x4.splat(0.5 + nothing);
  for (let k: usize = 0; k < count; k++) {
    const row = rows == 0 ? k : <usize>load<u32>(rows + (k << 2));
    const line = after + (row << 6), at = row << 2;
    const start = pairOf(rowStart, pairs, row);
    gatherShort(start, before == 0 ? start : pairOf(rowStart, pairs, row + 1), before, false, line);
    const old = before == 0 ? silence : before + (row << 6), x = drive == 0 ? 0 : drive + (row << 7);
    moveShortLine(
      line, load<f32>(units + at), x, load<f32>(scale + at), load<f32>(shift + at), leak, old, line,
      toPower, lowest, round, c6, c5, c4, c3, c2, c1, one, half,
    );
  }
}

/** `addTile` for lines of 32. */
export function addShortTile(group: usize, end: usize, before: usize, inputs: usize): void {
  while (group < end) {
    const line = inputs + <usize>load<u32>(group);
    const next = group + 8 + (<usize>load<u32>(group, 4) << 3);
    gatherShort(group + 8, next, before, true, line);
    group = next;
  }
}

/** `move` for lines of 32; the eye adds to the `count` rows at `driven`, which are among those from `row` to `endRow`. */
export function moveShort(
  row: usize, endRow: usize, units: usize, scale: usize, shift: usize, leak: f32, before: usize, after: usize,
  driven: usize, count: usize, drive: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const half = f32x4.splat(0.5 + nothing);
  const end = driven + (count << 2);
  for (; row < endRow; row++) {
    const line = after + (row << 6), at = row << 2;
    let x: usize = 0;
    if (driven < end && <usize>load<u32>(driven) == row) {
      x = drive + (row << 7);
      driven += 4;
    }
    const old = before + (row << 6);
    moveShortLine(
      line, load<f32>(units + at), x, load<f32>(scale + at), load<f32>(shift + at), leak, old, line,
      toPower, lowest, round, c6, c5, c4, c3, c2, c1, one, half,
    );
  }
}

/** Keeps the rates of the first of 32 positions, twice, where `fill` finds them. */
export function keepFirstShort(count: usize, state: usize, rates: usize): void {
  for (let row: usize = 0; row < count; row++) {
    store<u32>(rates + (row << 2), <u32>load<u16>(state + (row << 6)) * 0x10001);
  }
}

/** `collect` for lines of 32: the sums are lines of 32 f32, 1 is 32767. */
export function collectShort(rows: usize, count: usize, state: usize, sums: usize, fresh: bool): void {
  for (let k: usize = 0; k < count; k++) {
    const line = state + (<usize>load<u32>(rows + (k << 2)) << 6);
    const sum = sums + (k << 7);
    for (let lane: usize = 0; lane < 32; lane++) {
      const rate = <f32>load<i16>(line + (lane << 1)), at = sum + (lane << 2);
      store<f32>(at, fresh ? rate : load<f32>(at) + rate);
    }
  }
}

/** u of a position: what arrived, as `moveShortLine` computes it. */
// @ts-ignore: decorator
@inline
function shortInput(line: usize, stride: usize, b: usize, unit: f32, x: usize): f64 {
  const u = unit * <f32>load<i16>(line + (b >> 5) * stride + ((b & 31) << 1));
  return <f64>(x == 0 ? u : u + load<f32>(x + (b << 2)));
}

/** `settle` for lines of 32; `place` and `drive` are those of `beginDriven`, a row's x of all positions in one piece. */
export function settleShort(
  row: usize, endRow: usize, stride: usize, positions: usize, gain: usize, bias: usize, mean: usize, spread: usize,
  floor: f64, calm: bool, leak: f32, rates: usize, inputs: usize, units: usize, place: usize, drive: usize,
): void {
  const nothing = leak - leak, one = f32x4.splat(1 + nothing);
  const toPower = f32x4.splat(TO_POWER + nothing), lowest = f32x4.splat(LOWEST_POWER + nothing);
  const round = f32x4.splat(ROUND + nothing), c6 = f32x4.splat(C6 + nothing), c5 = f32x4.splat(C5 + nothing);
  const c4 = f32x4.splat(C4 + nothing), c3 = f32x4.splat(C3 + nothing), c2 = f32x4.splat(C2 + nothing);
  const c1 = f32x4.splat(C1 + nothing);
  const half = f32x4.splat(0.5 + nothing);
  for (; row < endRow; row++) {
    const u = inputs + (row << 6), unit = load<f32>(units + (row << 2));
    const driven = load<i32>(place + (row << 2));
    const x = driven < 0 ? 0 : drive + <usize>driven;
    let sum: f64 = 0;
    for (let b: usize = 0; b < positions; b++) sum += shortInput(u, stride, b, unit, x);
    const mu = sum / <f64>positions;
    let squares: f64 = 0;
    for (let b: usize = 0; b < positions; b++) {
      const off = shortInput(u, stride, b, unit, x) - mu;
      squares += off * off;
    }
    const variance = squares / <f64>positions;
    const sigma = calm && variance < UNREACHED_VARIANCE ? 1.0 : max(sqrt(variance), floor);
    store<f64>(mean + (row << 3), mu);
    store<f64>(spread + (row << 3), sigma);
    const scale = <f32>(load<f64>(gain + (row << 3)) / sigma);
    const shift = <f32>(load<f64>(bias + (row << 3)) - <f64>scale * mu);
    const r = rates + (row << 6);
    for (let b: usize = 0, at: usize = 0; b < positions; b += 32, at += stride) {
      moveShortLine(
        u + at, unit, x == 0 ? 0 : x + (b << 2), scale, shift, leak, r + at, r + at,
        toPower, lowest, round, c6, c5, c4, c3, c2, c1, one, half,
      );
    }
  }
}

// Strengths from theta, two at a time in f64. Constants are made once a call, from something the compiler does not know
// to be 0 (see `aim`): written as constants, a number takes half as long again. Polynomials go in two chains, of their
// even and odd powers, that need not wait for each other.

/** 1 / ln 2, and ln 2 in two parts, the first with zeros at its end. */
const LOG2_E: f64 = 1.4426950408889634;
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/** 1.5 * 2^52: adding it rounds to a whole number, which then stands in the low bits. */
const ROUND_WIDE: f64 = 6755399441055744.0;
/** e^f for |f| <= ln 2 / 2, from f^2 on: the polynomial through the Chebyshev nodes, relative error 1.6e-17. */
const E2: f64 = 0.5000000000000001;
const E3: f64 = 0.16666666666666669;
const E4: f64 = 0.04166666666662413;
const E5: f64 = 0.008333333333330062;
const E6: f64 = 0.0013888888917213717;
const E7: f64 = 0.00019841269863053618;
const E8: f64 = 2.4801521295954376e-5;
const E9: f64 = 2.7557268459997064e-6;
const E10: f64 = 2.7620088445409746e-7;
const E11: f64 = 2.510038549551032e-8;
/** artanh(s) / s for s from 0 to 1 / 3, in s^2, made the same way, relative error 7e-18. */
const A1: f64 = 0.3333333333333333;
const A2: f64 = 0.20000000000007292;
const A3: f64 = 0.1428571428355438;
const A4: f64 = 0.11111111358713932;
const A5: f64 = 0.09090894718066429;
const A6: f64 = 0.07692785032479312;
const A7: f64 = 0.06657072104827468;
const A8: f64 = 0.06000536404795356;
const A9: f64 = 0.04400369243072337;
const A10: f64 = 0.08082022805971766;

/** p x + c. */
// @ts-ignore: decorator
@inline
function next(p: v128, x: v128, c: v128): v128 {
  return f64x2.add(f64x2.mul(p, x), c);
}

/**
 * softplus of `count` numbers f64, an even count, to `strength`, and its slope, the sigmoid, to `slope`.
 *
 * With y = e^-|x| = 2^n e^f, softplus is max(x, 0) + log(1 + y), and log(1 + y) = 2 artanh(y / (2 + y)).
 *
 * @param nothing 0.
 */
export function strengths(count: usize, theta: usize, strength: usize, slope: usize, nothing: f64): void {
  const zero = f64x2.splat(0), one = f64x2.splat(1 + nothing), two = f64x2.splat(2 + nothing);
  const lowest = f64x2.splat(nothing - 700), log2e = f64x2.splat(LOG2_E + nothing);
  const high = f64x2.splat(LN2_HIGH + nothing), low = f64x2.splat(LN2_LOW + nothing);
  const round = f64x2.splat(ROUND_WIDE + nothing);
  const e2 = f64x2.splat(E2 + nothing), e3 = f64x2.splat(E3 + nothing), e4 = f64x2.splat(E4 + nothing);
  const e5 = f64x2.splat(E5 + nothing), e6 = f64x2.splat(E6 + nothing), e7 = f64x2.splat(E7 + nothing);
  const e8 = f64x2.splat(E8 + nothing), e9 = f64x2.splat(E9 + nothing), e10 = f64x2.splat(E10 + nothing);
  const e11 = f64x2.splat(E11 + nothing);
  const a1 = f64x2.splat(A1 + nothing), a2 = f64x2.splat(A2 + nothing), a3 = f64x2.splat(A3 + nothing);
  const a4 = f64x2.splat(A4 + nothing), a5 = f64x2.splat(A5 + nothing), a6 = f64x2.splat(A6 + nothing);
  const a7 = f64x2.splat(A7 + nothing), a8 = f64x2.splat(A8 + nothing), a9 = f64x2.splat(A9 + nothing);
  const a10 = f64x2.splat(A10 + nothing);
  for (let at: usize = 0, end = count << 3; at < end; at += 16) {
    const x = v128.load(theta + at);
    const down = f64x2.max(lowest, f64x2.neg(f64x2.abs(x)));
    const shifted = f64x2.add(f64x2.mul(down, log2e), round), n = f64x2.sub(shifted, round);
    const f = f64x2.sub(f64x2.sub(down, f64x2.mul(n, high)), f64x2.mul(n, low)), ff = f64x2.mul(f, f);
    const even = next(next(next(next(next(e10, ff, e8), ff, e6), ff, e4), ff, e2), ff, one);
    const odd = next(next(next(next(next(e11, ff, e9), ff, e7), ff, e5), ff, e3), ff, one);
    const y = i64x2.add(next(odd, f, even), i64x2.shl(shifted, 52));

    const s = f64x2.div(y, f64x2.add(two, y)), q = f64x2.mul(s, s), qq = f64x2.mul(q, q);
    const evenToo = next(next(next(next(next(a10, qq, a8), qq, a6), qq, a4), qq, a2), qq, one);
    const oddToo = next(next(next(next(a9, qq, a7), qq, a5), qq, a3), qq, a1);
    const log = f64x2.mul(f64x2.add(s, s), next(oddToo, q, evenToo));
    v128.store(strength + at, f64x2.add(f64x2.max(x, zero), log));
    v128.store(slope + at, f64x2.div(v128.bitselect(one, y, f64x2.ge(x, zero)), f64x2.add(one, y)));
  }
}

/**
 * Puts weights into pairs, f32 beside the sender, and into the same pairs in tiles.
 *
 * @param weight f64 a pair.
 * @param pair The first pair.
 * @param tiled u32 a pair: which 4-byte word of the memory holds its weight in its tile.
 */
export function writeWeights(count: usize, weight: usize, pair: usize, tiled: usize): void {
  for (const end = weight + (count << 3); weight < end; weight += 8, pair += 8, tiled += 4) {
    const value = <f32>load<f64>(weight);
    store<f32>(pair, value, 4);
    store<f32>(<usize>load<u32>(tiled) << 2, value);
  }
}

/**
 * Adds up the weights' gradients, always in the same order.
 *
 * @param slot u32 a pair, by row: which number it has in a gradient.
 * @param gradient f32, the first of `gradients` that lie `stride` bytes apart.
 * @param total f32 a pair, by row, written.
 */
export function sumGradients(
  count: usize, slot: usize, gradient: usize, gradients: usize, stride: usize, total: usize,
): void {
  for (const end = slot + (count << 2); slot < end; slot += 4, total += 4) {
    const at = gradient + (<usize>load<u32>(slot) << 2);
    let sum = load<f32>(at);
    for (let number: usize = 1, more = at + stride; number < gradients; number++, more += stride) {
      sum += load<f32>(more);
    }
    store<f32>(total, sum);
  }
}

/**
 * Folds homeostasis, gain and bias (f64 a neuron each) into a step's multiply-add, as `foldHomeostasis` does it.
 *
 * @param scale f32 a neuron, written, like `shift`, `mean32` and `narrow` (1 / spread).
 */
export function fold(
  count: usize, gain: usize, bias: usize, mean: usize, spread: usize, scale: usize, shift: usize, mean32: usize,
  narrow: usize,
): void {
  for (let k: usize = 0; k < count; k++) {
    const wide = k << 3, at = k << 2;
    const mu = load<f64>(mean + wide), sigma = load<f64>(spread + wide);
    const factor = <f32>(load<f64>(gain + wide) / sigma);
    store<f32>(scale + at, factor);
    store<f32>(shift + at, <f32>(load<f64>(bias + wide) - <f64>factor * mu));
    store<f32>(mean32 + at, <f32>mu);
    store<f32>(narrow + at, <f32>(1 / sigma));
  }
}
