/**
 * What went wrong with a request, in a few words: where the server cannot be reached at all, its name; otherwise the
 * error's message with those of its causes, since "fetch failed" alone says nothing.
 *
 * @param error What `fetch` threw.
 * @param url What was asked for.
 *
 * @example
 * ```ts
 * import { networkProblem } from "flychess/common";
 * import assert from "node:assert/strict";
 *
 * const offline = new TypeError("fetch failed", { cause: new Error("client error (Connect): dns error") });
 * assert.equal(networkProblem(offline, "https://example.org/a"), "the server example.org cannot be reached");
 * ```
 */
export function networkProblem(error: unknown, url: string): string {
  const messages: string[] = [];
  for (let each = error; each !== undefined; each = each instanceof Error ? each.cause : undefined) {
    const message = each instanceof Error ? each.message : String(each);
    if (!messages.includes(message)) messages.push(message);
  }
  const all = messages.join(": ");
  if (/client error \(Connect\)|dns error|ECONNREFUSED|ENOTFOUND/.test(all) && URL.canParse(url)) {
    return `the server ${new URL(url).host} cannot be reached`;
  }
  return all;
}
