/** A page in Chromium, driven through its DevTools. */
export interface Tab {
  /** What an expression of the page comes to, once it is not a promise any more. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression of the page is true. */
  until(expression: string): Promise<void>;
  /** Presses the mouse at one place, moves it to another, and lets it go. */
  drag(from: readonly [number, number], to: readonly [number, number]): Promise<void>;
}

const OPTIONS = [
  "--headless",
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--remote-debugging-port=0",
  "--window-size=1000,700",
  // No name on the network is found: what a page needs has to be in it.
  "--host-resolver-rules=MAP * ~NOTFOUND",
];

/** Opens a file in Chromium for as long as `act` takes. */
export async function inChromium(file: string, act: (tab: Tab) => Promise<void>): Promise<void> {
  const profile = await Deno.makeTempDir();
  const chromium = new Deno.Command("chromium", {
    args: [...OPTIONS, `--user-data-dir=${profile}`, "about:blank"],
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    const address = await addressOf(chromium.stderr);
    const pages = await (await fetch(`http://${new URL(address).host}/json/list`)).json();
    const socket = new WebSocket(
      pages.find(({ type }: { type: string }) => type === "page").webSocketDebuggerUrl,
    );
    await new Promise((resolve) => socket.onopen = resolve);
    const waiting = new Map<number, (answer: { result?: unknown; error?: unknown }) => void>();
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      waiting.get(answer.id)?.(answer);
    };
    let last = 0;
    const send = async (method: string, params: object): Promise<unknown> => {
      const id = ++last;
      const answer = new Promise<{ result?: unknown; error?: unknown }>((resolve) =>
        waiting.set(id, resolve)
      );
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answer;
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result;
    };
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result, exceptionDetails } = await send("Runtime.evaluate", {
        expression,
        awaitPromise: true,
        returnByValue: true,
      }) as { result: { value?: unknown }; exceptionDetails?: unknown };
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return result.value;
    };
    const until = async (expression: string): Promise<void> => {
      for (let tries = 0; await evaluate(`!!(${expression})`) !== true; tries++) {
        if (tries === 600) throw new Error(`Cannot wait any longer for ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const mouse = (type: string, [x, y]: readonly [number, number], buttons: number) =>
      send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, clickCount: 1 });
    await send("Page.navigate", { url: `file://${file}` });
    await until("document.readyState === 'complete'");
    await act({
      evaluate,
      until,
      drag: async (from, to) => {
        await mouse("mouseMoved", from, 0);
        await mouse("mousePressed", from, 1);
        await mouse("mouseMoved", [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], 1);
        await mouse("mouseMoved", to, 1);
        await mouse("mouseReleased", to, 0);
      },
    });
    const closed = new Promise((resolve) => socket.onclose = resolve);
    await send("Browser.close", {});
    await closed;
  } finally {
    try {
      chromium.kill();
    } catch {
      // It has ended by itself.
    }
    await chromium.status;
    await removeOnceStill(profile);
  }
}

/** Removes a folder that Chromium's children may write to for a moment after it has ended. */
async function removeOnceStill(folder: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return await Deno.remove(folder, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The address that Chromium says it listens at; what else it says is thrown away. */
async function addressOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "", found: ((address: string) => void) | undefined;
  const address = new Promise<string>((resolve) => found = resolve);
  void stream.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(chunk) {
        text += chunk;
        const [, at] = /DevTools listening on (\S+)/.exec(text) ?? [];
        if (at !== undefined) found!(at);
      },
    }),
  ).catch(() => {});
  return await address;
}
