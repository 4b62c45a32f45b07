import { type LongWork, readText } from "flychess/common";
import { isFile } from "./brains.ts";
import { writeDrawing } from "./make_figure.ts";
import { drawingDifference } from "./same_drawing.ts";

/** One figure and what is to be done about it. */
export interface PlannedFigure {
  readonly name: string;
  /** `make`: measure and draw; `draw`: only draw; `none`: leave it. */
  readonly todo: "make" | "draw" | "none";
  /** The reason, in words. */
  readonly why: string;
  /** Whether it is left because what its numbers, or those of the figures that it would stand beside, are of is not here. */
  readonly kept?: boolean;
  /** Roughly how many hours the experiment says that it takes, where it says so. */
  readonly hours?: number;
  /** Does it. */
  make(work: LongWork): Promise<void>;
}

/** A figure whose numbers stay: only its picture may be drawn again. */
export async function planKept(
  name: string,
  out: string,
  drawn: string,
  why: string,
): Promise<PlannedFigure> {
  const drawing = await planDrawing(name, out, drawn);
  return drawing.todo === "draw" ? drawing : { ...drawing, why, kept: true };
}

/** A figure whose numbers are up to date: its picture, and its page where it has one, may be missing or differ. */
export async function planDrawing(
  name: string,
  out: string,
  drawn: string,
  page?: () => Promise<string>,
): Promise<PlannedFigure> {
  const picture = await readText(`${out}.svg`);
  const differs = picture === undefined ? "there is no picture" : drawingDifference(drawn, picture);
  const why = differs ??
    (page !== undefined && !await isFile(`${out}.html`) ? "there is no page" : undefined);
  if (why === undefined) return { name, todo: "none", why: "is up to date", make: nothing };
  return { name, todo: "draw", why, make: () => writeDrawing(out, drawn, page) };
}

/** What is done about a figure that is left. */
export const nothing = (): Promise<void> => Promise.resolve();
