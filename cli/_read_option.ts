/** Lets the steps after `--read` stand apart, as in `--read 9 10 11 12`. */
export function joinSteps(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const before = joined.length - 1;
    if (joined[before - 1] === "--read" && /^\d+$/.test(word)) joined[before] += `,${word}`;
    else joined.push(word);
  }
  return joined;
}
