/** A folder that is gone when the test ends. */
export class TemporaryFolder implements Disposable {
  /** Where it is. */
  readonly path: string = Deno.makeTempDirSync({ prefix: "flychess-" });

  /** Removes it. */
  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** Acts in a folder that is gone afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  using folder = new TemporaryFolder();
  return await act(folder.path);
}
