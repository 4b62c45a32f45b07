/** What kernels/bytes.as exports; addresses are bytes in the shared memory, and its comments say what each does. */
export interface ByteKernels {
  /** Adds to the inputs what a tile brings. */
  addByteTile(at: number, end: number, from: number, inputs: number): void;
  /** One brain step of 16 positions for some rows. */
  stepBytes(
    rows: number,
    count: number,
    quartets: number,
    rowStart: number,
    units: number,
    scale: number,
    shift: number,
    leak: number,
    before: number,
    rates: number,
    after: number,
    drive: number,
  ): void;
  /** Turns inputs into new rates. */
  moveBytes(
    row: number,
    endRow: number,
    units: number,
    scale: number,
    shift: number,
    leak: number,
    inputs: number,
    rates: number,
    after: number,
    driven: number,
    count: number,
    drive: number,
  ): void;
  /** Gives rows that no board has reached their constant rates. */
  fillBytes(rows: number, count: number, constants: number, rates: number, after: number): void;
  /** Keeps the rates of the first of 16 positions. */
  keepFirstBytes(count: number, rates: number, constants: number): void;
  /** Adds the rates of some rows to sums. */
  collectBytes(rows: number, count: number, rates: number, sums: number, fresh: boolean): void;
  /** Second half of a calibration step. */
  settleBytes(
    row: number,
    endRow: number,
    stride: number,
    positions: number,
    gain: number,
    bias: number,
    mean: number,
    spread: number,
    floor: number,
    calm: boolean,
    leak: number,
    units: number,
    place: number,
    drive: number,
    inputs: number,
    rates: number,
    heard: number,
    silent: boolean,
  ): void;
}
