/** How Adam remembers (Kingma and Ba 2015); the last one as Keras has it. */
const FIRST = 0.9, SECOND = 0.999, EPSILON = 1e-7;
/** How much of its pace descent with momentum keeps. */
const MOMENTUM = 0.9;

/** Euclidean length of a gradient in several parts. */
export function lengthOf(...parts: readonly (Float32Array | Float64Array)[]): number {
  let squares = 0;
  for (const part of parts) {
    for (let i = 0; i < part.length; i++) squares += part[i]! * part[i]!;
  }
  return Math.sqrt(squares);
}

/** One step of Adam, in place; `step` counts from 1, `share` scales the gradient, `only` are the places that learn. */
export function adam(
  values: Float32Array | Float64Array,
  gradient: Float32Array | Float64Array,
  share: number,
  first: Float32Array,
  second: Float32Array,
  rate: number,
  step: number,
  only?: Int32Array,
): void {
  const pace = rate * Math.sqrt(1 - SECOND ** step) / (1 - FIRST ** step);
  const count = only?.length ?? values.length;
  for (let n = 0; n < count; n++) {
    const i = only === undefined ? n : only[n]!;
    const g = share * gradient[i]!;
    const m = FIRST * first[i]! + (1 - FIRST) * g;
    const v = SECOND * second[i]! + (1 - SECOND) * g * g;
    first[i] = m;
    second[i] = v;
    values[i]! -= pace * m / (Math.sqrt(v) + EPSILON);
  }
}

/** One step of gradient descent with momentum, in place; `only` are the places that learn. */
export function descend(
  values: Float32Array | Float64Array,
  gradient: Float32Array | Float64Array,
  share: number,
  pace: Float32Array,
  rate: number,
  only?: Int32Array,
): void {
  const count = only?.length ?? values.length;
  for (let n = 0; n < count; n++) {
    const i = only === undefined ? n : only[n]!;
    const p = MOMENTUM * pace[i]! - rate * share * gradient[i]!;
    pace[i] = p;
    values[i]! += p;
  }
}

/** Puts values that left their bounds back onto them. */
export function keepWithin(values: Float64Array, low: Float32Array, high: Float32Array): void {
  for (let i = 0; i < values.length; i++) {
    if (values[i]! < low[i]!) values[i] = low[i]!;
    else if (values[i]! > high[i]!) values[i] = high[i]!;
  }
}
