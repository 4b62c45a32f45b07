/** What a page may show of a figure. */
export interface FigureSource {
  /** Its numbers, `figures/NAME.json`. */
  readonly numbers: unknown;
  /** Its picture, `figures/NAME.svg`; undefined where there are only numbers. */
  readonly picture: string | undefined;
  /** Its tables in Markdown, by name. */
  readonly tables: Readonly<Record<string, string>>;
}

/** Everything that a page says between two marks, and what belongs there. */
export interface Generated {
  /** The opening mark's words. */
  readonly mark: string;
  /** What stands there. */
  readonly found: string;
  /** What its figure says. */
  readonly wanted: string;
}

/** `<!-- figure:NAME [TABLE...] --> ... <!-- /figure -->`: the picture with its words, and tables. */
const BLOCK = /<!-- figure:(\S+)((?: \S+)*) -->\n([^]*?)\n?<!-- \/figure -->/g;

/** `[...](figures/NAME.json "PATH FORMAT")`: a number in a sentence, linked to where it comes from. */
const NUMBER = /\[([^\]]*)\]\((\S*?)(\w+)\.json\s+"([^"]+?)\s+(\S+)"\)/g;

/** An example in a page, which is shown as it is. */
const FENCE = /^(```+)[^]*?^\1/gm;

/**
 * Fills in everything of a page that comes from figures.
 *
 * @param text The page, in Markdown.
 * @param figure A figure by its name.
 * @param folder Where figures lie, seen from the page.
 * @returns The page as it should be, and every mark on it.
 * @throws {RangeError} If a mark names what there is not.
 */
export async function regenerate(
  text: string,
  figure: (name: string) => Promise<FigureSource>,
  folder: string,
): Promise<{ readonly text: string; readonly marks: readonly Generated[] }> {
  const marks: Generated[] = [];
  const replace = async (
    page: string,
    pattern: RegExp,
    make: (match: RegExpMatchArray) => Promise<{ found: string; wanted: string; whole: string }>,
  ) => {
    let made = "", at = 0;
    const examples = Array.from(
      page.matchAll(FENCE),
      ({ index, 0: all }) => [index, index + all.length] as const,
    );
    for (const match of page.matchAll(pattern)) {
      if (examples.some(([from, to]) => match.index >= from && match.index < to)) continue;
      const { found, wanted, whole } = await make(match);
      marks.push({ mark: match[0].replace(/\s+/g, " ").slice(0, 120), found, wanted });
      made += page.slice(at, match.index) + whole;
      at = match.index + match[0].length;
    }
    return made + page.slice(at);
  };
  const blocks = await replace(text, BLOCK, async ([all, name, tables, found]) => {
    const source = await figure(name!), parts: string[] = [];
    if (source.picture !== undefined) {
      parts.push(`![${words(source.picture)}](${folder}${name}.svg)`);
    }
    for (const table of tables!.trim().split(/\s+/).filter((word) => word !== "")) {
      const made = source.tables[table];
      if (made === undefined) {
        throw new RangeError(
          `Cannot fill in ${name}: it has no table '${table}', one of ${
            Object.keys(source.tables).join(", ") || "none"
          } is wanted`,
        );
      }
      parts.push(made.trim());
    }
    const wanted = parts.join("\n\n");
    return {
      found: found!.trim(),
      wanted,
      whole: `${all!.slice(0, all!.indexOf("-->") + 3)}\n\n${wanted}\n\n<!-- /figure -->`,
    };
  });
  const whole = await replace(blocks, NUMBER, async ([, found, at, name, path, format]) => {
    const wanted = numberInWords((await figure(name!)).numbers, path!.replace(/\s+/g, " "), format!);
    return { found: found!, wanted, whole: `[${wanted}](${at}${name}.json "${path} ${format}")` };
  });
  return { text: whole, marks };
}

/** Whether a mark holds what it should, but for how lines are broken and columns are padded. */
export function agrees({ found, wanted }: Generated): boolean {
  const plain = (text: string) => text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
  return plain(found) === plain(wanted);
}

/** The words of a picture, for those who cannot see it. */
function words(svg: string): string {
  const title = /<title>([^]*?)<\/title>/.exec(svg)?.[1] ?? "";
  return title.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&#39;",
    "'",
  )
    .replaceAll("&amp;", "&").replace(/[[\]]/g, "").replace(/\s+/g, " ");
}

/**
 * Numbers of a figure as a sentence has them: one value, or from the least to the largest.
 *
 * @param numbers The figure's numbers.
 * @param path Keys with dots between; `*` is every one, `brains[name=blind]` the entries of which that is so,
 * `rows[what=one position][precision=int8]` those of which both are. `PATH / PATH` is a quotient, `PATH - PATH` a difference.
 * @param format `count` (16,000), `fixed2`, `signed2`, `percent1`, `points1`, or `text`. A value with an interval is written with it; with
 * `:value` behind the format without.
 * @throws {RangeError} If there is no such number.
 */
export function numberInWords(numbers: unknown, path: string, format: string): string {
  const refuse = (why: string): never => {
    throw new RangeError(`Cannot write '${path}' as '${format}': ${why}`);
  };
  const [left = "", operator, right = ""] = path.split(/ ([/-]) /);
  const single = (side: string): number => {
    const found = valuesAt(numbers, side).map((value) =>
      typeof value === "object" && value !== null && "value" in value ? value.value : value
    );
    if (found.length !== 1 || typeof found[0] !== "number") refuse(`'${side}' is not one number`);
    return found[0] as number;
  };
  const values: unknown[] = operator === undefined
    ? valuesAt(numbers, path)
    : [operator === "/" ? single(left) / single(right) : single(left) - single(right)];
  if (values.length === 0) refuse("there is nothing there");
  const [, kind = "", digits = "0", bare] = /^([a-z]+)(\d*)(:value)?$/.exec(format) ?? [];
  const write = (value: unknown, unit = true): string => {
    if (kind === "text") return String(value);
    if (typeof value === "object" && value !== null && ("value" in value || "rating" in value)) {
      const { value: own, rating, low, high } = value as Record<string, unknown>, middle = own ?? rating;
      if (bare !== undefined) return write(middle, unit);
      return `${write(middle, unit)} (${write(low, false)} to ${write(high, false)})`;
    }
    if (typeof value !== "number") return refuse(`${JSON.stringify(value)} is no number`);
    const fixed = (number: number) => number.toFixed(Number(digits)).replace("-", "\u2212");
    if (kind === "count") return Math.round(value).toLocaleString("en-US");
    if (kind === "fixed") return fixed(value);
    if (kind === "signed") return (value > 0 ? "+" : "") + fixed(value);
    if (kind === "percent") return fixed(100 * value) + (unit ? " %" : "");
    if (kind === "points") return fixed(100 * value) + (unit ? " points" : "");
    return refuse("count, fixed, signed, percent, points or text is wanted");
  };
  if (values.length === 1) return write(values[0]);
  const sorted = values.map((value) => value as number).sort((a, b) => a - b);
  if (!sorted.every((value) => typeof value === "number")) refuse("several values that are no numbers");
  const [least, most] = [write(sorted[0], false), write(sorted.at(-1))];
  return least === write(sorted.at(-1), false) ? most : `${least} to ${most}`;
}

/** Everything that a path leads to. */
function valuesAt(numbers: unknown, path: string): unknown[] {
  let values: unknown[] = [numbers];
  for (const [, key, filters] of path.matchAll(/([^.[\]]+)((?:\[[^=\]]+=[^\]]+\])*)/g)) {
    values = values.flatMap((value) => {
      if (typeof value !== "object" || value === null) return [];
      return key === "*" ? Object.values(value) : [(value as Record<string, unknown>)[key!]];
    });
    for (const [, by, is] of filters!.matchAll(/\[([^=\]]+)=([^\]]+)\]/g)) {
      values = values.flat().filter((entry) =>
        String((entry as Record<string, unknown> | undefined)?.[by!]) === is
      );
    }
  }
  return values.filter((value) => value !== undefined);
}
