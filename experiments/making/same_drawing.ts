const NUMBER = /-?\d+(\.\d+)?(e-?\d+)?/g;

/** Places may differ by as many pixels: the last digits of another machine's floating-point numbers. */
const NEAR = 0.01;

/**
 * How two drawings differ: words and shapes count to the letter, places up to the last digits of another machine's
 * floating-point numbers.
 *
 * @param found A drawing.
 * @param wanted Another.
 * @returns What differs, in words; undefined where nothing does.
 */
export function drawingDifference(found: string, wanted: string): string | undefined {
  if (found === wanted) return undefined;
  const [one, other] = [found, wanted].map((svg) => svg.replace(NUMBER, "#")) as [string, string];
  if (one !== other) {
    let at = 0;
    while (one[at] === other[at]) at++;
    const part = (svg: string) => JSON.stringify(svg.slice(Math.max(0, at - 10), at + 40));
    return `${part(one)} is drawn where ${part(other)} was`;
  }
  const [drawn, kept] = [found, wanted].map((svg) => Array.from(svg.matchAll(NUMBER), ([text]) => text)) as [
    string[],
    string[],
  ];
  // Whole numbers are counts and sizes; only places may be a little off.
  const at = kept.findIndex((text, i) =>
    text !== drawn[i] && !(/[.e]/.test(text + drawn[i]) && Math.abs(Number(drawn[i]) - Number(text)) < NEAR)
  );
  return at < 0 ? undefined : `${drawn[at]} is drawn where ${kept[at]} was`;
}
