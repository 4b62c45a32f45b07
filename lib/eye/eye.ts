/**
 * An eye that can see a chessboard: which square each placed photoreceptor looks at and which pieces it
 * reports there.
 */
export interface Eye {
  /** `fair`, `first`, or what another eye calls itself. */
  readonly name: string;
  /** Neurons in the connectome it belongs to. */
  readonly neurons: number;
  /** `[cells]`: the neuron of each placed photoreceptor, ascending. */
  readonly cell: Int32Array;
  /** `[cells]`: the square it looks at, 8 * rank + file, 0 = a1 in the mirrored frame. */
  readonly square: Uint8Array;
  /** `[cells]`: the planes it reports, bit `p` for plane `p` (0-5 own pawn..king, 6-11 the opponent's). */
  readonly planes: Uint16Array;
}

/**
 * What the eye adds to the input of which neurons, for a batch of positions. Sparse: the entries of position `b`
 * are those from `start[b]` up to `start[b + 1]`; every other neuron gets 0. The same drive is given at every step.
 */
export interface Drive {
  /** Positions in the batch. */
  readonly positions: number;
  /** `[positions + 1]`. */
  readonly start: Int32Array;
  /** `[entries]`: the neuron, ascending within a position. */
  readonly neuron: Int32Array;
  /** `[entries]`: what is added to its input, or absent where it is 1 for every entry. */
  readonly value?: Float64Array;
}
