import type { PlotOptions } from "@observablehq/plot";
import { parseHTML } from "linkedom";

/** The document that a plot draws in. */
type PlotDocument = NonNullable<PlotOptions["document"]>;

/** A document to draw in where there is no browser. */
export function newDocument(): PlotDocument {
  const page: unknown = parseHTML("<!doctype html><body></body>");
  return (page as { document: PlotDocument }).document;
}
