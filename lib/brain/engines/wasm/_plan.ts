/** The wiring by place in the engine's own numbering. */
export interface Wiring {
  /** `[neurons + 1]`. */
  readonly rowStart: Int32Array;
  /** `[connections]`: the sender's place. */
  readonly pre: Int32Array;
  /** `[connections]`: which connection of the model it is. */
  readonly connection: Int32Array;
  /** Whether that is the model's own order. */
  readonly inOrder: boolean;
}

/** From this share of the connections on, a step computes all rows by tiles: it is faster than choosing. */
const TILED_SHARE = 0.6;

/** What one step has to do: rows are places, ascending. */
export interface StepPlan {
  /** Rows to compute that the eye adds nothing to. */
  readonly plain: Int32Array;
  /** Rows to compute that the eye may add something to. */
  readonly driven: Int32Array;
  /** Rows that are needed and have the same rate for every board. */
  readonly constant: Int32Array;
  /** Whether all rows are computed, by tiles: then `plain` and `constant` only say which are needed. */
  readonly tiled: boolean;
}

/** What a think has to do to read some rows at some steps. */
export interface Plan {
  /** Steps 1 to the last one that is read. */
  readonly steps: readonly StepPlan[];
  /** Last step that takes constant rates from memory, 0 if none does. */
  readonly constantsUntil: number;
  /** Last step that has constant rows: only a narrow think takes all of them from memory. */
  readonly narrowConstantsUntil: number;
}

/** Who hears whom. */
type Wires = Pick<Wiring, "rowStart" | "pre">;

/**
 * For every row the first step after which its rate may differ between boards: 1 for the driven ones, one more than
 * the earliest of its senders for the others, `steps + 1` where the boards never reach.
 */
export function firstSteps({ rowStart, pre }: Wires, driven: Uint8Array, steps: number): Int32Array {
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
  { rowStart, pre }: Wires,
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
 *
 * @param traced From this step on every row that is needed is computed, constant or not, because its input is wanted.
 */
export function planThink(
  { rowStart }: Wires,
  driven: Uint8Array,
  first: Int32Array,
  last: Int32Array,
  lastRead: number,
  traced: number = lastRead + 1,
): Plan {
  const steps: StepPlan[] = [];
  let constantsUntil = 0, narrowConstantsUntil = 0;
  for (let step = 1; step <= lastRead; step++) {
    const plain: number[] = [], drivenRows: number[] = [], constant: number[] = [];
    let connections = 0;
    for (let row = 0; row < driven.length; row++) {
      if (last[row]! < step) continue;
      if (first[row]! > step && step < traced) {
        constant.push(row);
        continue;
      }
      (driven[row] !== 0 ? drivenRows : plain).push(row);
      connections += rowStart[row + 1]! - rowStart[row]!;
    }
    const tiled = step > 1 && connections >= TILED_SHARE * rowStart.at(-1)!;
    if (constant.length > 0) narrowConstantsUntil = step;
    if (constant.length > 0 && !tiled) constantsUntil = step;
    steps.push({
      plain: Int32Array.from(plain),
      driven: Int32Array.from(drivenRows),
      constant: Int32Array.from(constant),
      tiled,
    });
  }
  return { steps, constantsUntil, narrowConstantsUntil };
}

/** By place: whether a step computes the row. */
export function computedRows({ plain, driven, tiled }: StepPlan, neurons: number): Uint8Array {
  const computed = new Uint8Array(neurons).fill(Number(tiled));
  for (const row of plain) computed[row] = 1;
  for (const row of driven) computed[row] = 1;
  return computed;
}
