/// <reference lib="dom" />
import { parseHTML } from "linkedom";

/** A document to draw in where there is no browser. */
export function newDocument(): Document {
  const page: unknown = parseHTML("<!doctype html><body></body>");
  return (page as { document: Document }).document;
}
