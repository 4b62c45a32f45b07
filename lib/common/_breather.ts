/** Timers and signals get a turn this often while the calling thread computes, in milliseconds. */
const PATIENCE = 20;

/**
 * A function to await between pieces of work on the calling thread: now and then it lets everything else on that
 * thread run, and it throws the signal's reason once that is aborted.
 */
export function breather(signal: AbortSignal | undefined): () => Promise<void> {
  let last = performance.now();
  return async () => {
    signal?.throwIfAborted();
    if (performance.now() - last < PATIENCE) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
    signal?.throwIfAborted();
  };
}
