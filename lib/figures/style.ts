/** Colours, safe for colour-blind eyes (Okabe and Ito 2008), on the white card that every figure brings with it. */
export const PALETTE = {
  /** The brain that a figure is about; the side to move's own pieces. */
  subject: "#0072b2",
  /** The opponent's pieces; a second subject. */
  second: "#d55e00",
  /** Controls. */
  control: "#6b7280",
  /** What never looks at the board, or does not fire. */
  quiet: "#c9ced6",
  /** Text and axes. */
  ink: "#1f2937",
  /** Lighter text: captions, units. */
  faint: "#5b6472",
  /** The card. */
  paper: "#ffffff",
  /** Light squares of a chessboard. */
  lightSquare: "#f3efe6",
  /** Dark squares of a chessboard. */
  darkSquare: "#d8cdb8",
} as const;

/** Type sizes in pixels, as the README shows the figure at its own width. */
export const TYPE_SIZE = { title: 18, text: 13, small: 12 } as const;

/** The one typeface. */
export const TYPEFACE = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";

/** Colours and shapes of several things of equal rank, told apart without colour too (Okabe and Ito 2008). */
export const SERIES = [
  { colour: "#0072b2", symbol: "circle" },
  { colour: "#d55e00", symbol: "square" },
  { colour: "#009e73", symbol: "triangle" },
  { colour: "#cc79a7", symbol: "diamond2" },
  { colour: "#6b7280", symbol: "cross" },
] as const;
