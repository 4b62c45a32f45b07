/** Score columns of a readout: 64 from-squares, 64 to-squares, 5 promotions, 1 value. */
export const READOUT_COLUMNS = 134;

/** Four linear heads on one set of features (reference, "From descending neurons to a move"). */
export interface Readout {
  /** Numbers that it reads a position from (1,314 descending neurons in MaleCNS). */
  readonly features: number;
  /** `[features][READOUT_COLUMNS]`: from 0-63, to 64-127, promotion 128-132 (none, Q, R, B, N), value 133. */
  readonly weight: Float32Array;
  /** `[READOUT_COLUMNS]`. */
  readonly bias: Float32Array;
}
