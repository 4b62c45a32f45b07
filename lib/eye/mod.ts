/**
 * The eye: how a chessboard falls on photoreceptors, and what they tell the brain.
 *
 * Start with `eyeFor`, which gives a connectome its eye, and `drive`, which shows it positions and lists the neurons
 * they light. An eye is plain data: for each of its cells, the square that it looks at and the pieces that it
 * reports there. The *fair* eye cuts the round eye into 64 patches of equal weight; the *first* eye, kept as a
 * control, leaves corners of the board unseen; the *larva* eye deals sensory cells out where there is no layout.
 * `eyeReport` says whether an eye can see the whole board, before anything is trained on it.
 *
 * @module
 */
export type { Drive, Eye } from "./eye.ts";
export { type EyePlaces, isPhotoreceptor, type PlacedCell, placeFair, placeFirst } from "./places.ts";
export { eyeFor, type EyeName, type EyeOptions, fairEye, firstEye, larvaEye } from "./make_eye.ts";
export { denseDrive, drive, type RowOptions, silence } from "./drive.ts";
export { describeEye, type EyeReport, eyeReport } from "./report.ts";
