/** A line about a download that is tried again. */
export function retryLine(
  { file, problem, seconds, next, of }: {
    readonly file: string;
    readonly problem: string;
    readonly seconds: number;
    readonly next: number;
    readonly of: number;
  },
): string {
  return `${file}: ${problem}; try ${next} of ${of} in ${seconds} seconds`;
}

/**
 * Does a download; where its server cannot be reached, the error names the other way.
 *
 * @param download What is done.
 */
export async function orMirror<T>(download: () => Promise<T>): Promise<T> {
  try {
    return await download();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("cannot be reached")) throw error;
    throw new Error(`${error.message}; --from URL takes the files from a mirror`, { cause: error });
  }
}
