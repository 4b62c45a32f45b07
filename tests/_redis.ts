/** A Redis of a test's own, on a port that is free, which keeps nothing. Dispose it when done. */
export async function startRedis(): Promise<AsyncDisposable & { redis: string }> {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const folder = await Deno.makeTempDir();
  const server = new Deno.Command("redis-server", {
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ port, hostname: "127.0.0.1" })).close();
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    redis: `redis://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
    },
  };
}
