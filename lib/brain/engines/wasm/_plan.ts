/** The wiring by place in the engine's own numbering. */
export interface Wiring {
  /** `[neurons + 1]`. */
  readonly rowStart: Int32Array;
  /** `[connections]`: the sender's place. */
  readonly pre: Int32Array;
}

/** What one step has to do: rows are places, ascending. */
export interface StepPlan {
  /** Rows to compute that the eye adds nothing to. */
  readonly plain: Int32Array;
  /** Rows to compute that the eye may add something to. */
  readonly driven: Int32Array;
  /** Rows that are needed and have the same rate for every board. */
  readonly constant: Int32Array;
}

/** What a think has to do to read some rows at some steps. */
export interface Plan {
  /** Steps 1 to the last one that is read. */
  readonly steps: readonly StepPlan[];
  /** Whether any step has constant rows. */
  readonly hasConstants: boolean;
}

/**
 * For every row the first step after which its rate may differ between boards: 1 for the driven ones, one more than
 * the earliest of its senders for the others, `steps + 1` where the boards never reach.
 */
export function firstSteps({ rowStart, pre }: Wiring, driven: Uint8Array, steps: number): Int32Array {
  const neurons = driven.length;
  const first = Int32Array.from(driven, (is) => is !== 0 ? 1 : steps + 1);
  for (let step = 2; step <= steps; step++) {
    let changed = step === 2;
    for (let row = 0; row < neurons; row++) {
      if (first[row]! <= step) continue;
      for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
        if (first[pre[k]!]! < step) {
          first[row] = step;
          changed = true;
          break;
        }
      }
    }
    if (!changed) break;
  }
  return first;
}

/** For every row the last step after which its rate is needed, 0 where it never is. */
export function lastSteps(
  { rowStart, pre }: Wiring,
  read: Int32Array,
  lastRead: number,
): Int32Array {
  const neurons = rowStart.length - 1;
  const last = new Int32Array(neurons);
  for (const row of read) last[row] = lastRead;
  for (let step = lastRead; step > 1; step--) {
    for (let row = 0; row < neurons; row++) {
      if (last[row]! < step) continue;
      for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
        if (last[pre[k]!]! < step - 1) last[pre[k]!] = step - 1;
      }
    }
  }
  return last;
}

/**
 * The light cone: which rows each step must compute. A row that no board has reached yet has one constant rate, and
 * a row that cannot reach what is read in the steps that remain is left out. Both are exact.
 */
export function planThink(
  driven: Uint8Array,
  first: Int32Array,
  last: Int32Array,
  lastRead: number,
): Plan {
  const steps: StepPlan[] = [];
  let hasConstants = false;
  for (let step = 1; step <= lastRead; step++) {
    const plain: number[] = [], drivenRows: number[] = [], constant: number[] = [];
    for (let row = 0; row < driven.length; row++) {
      if (last[row]! < step) continue;
      if (first[row]! > step) constant.push(row);
      else if (driven[row] !== 0) drivenRows.push(row);
      else plain.push(row);
    }
    hasConstants ||= constant.length > 0;
    steps.push({
      plain: Int32Array.from(plain),
      driven: Int32Array.from(drivenRows),
      constant: Int32Array.from(constant),
    });
  }
  return { steps, hasConstants };
}
