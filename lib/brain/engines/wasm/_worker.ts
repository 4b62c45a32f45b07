/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import type { Reply, Request } from "./_hands.ts";
import { instantiate } from "./_instantiate.ts";
import { type Room, work } from "./_job.ts";

/** Counts steps and chunks, so that whoever waits for this worker sees that it lives. */
let beat: Int32Array = new Int32Array(1);
/** The memories this worker has, by number. */
const rooms = new Map<number, Room>();

function answer(request: Request): Reply | null {
  if ("beat" in request) {
    beat = request.beat;
    return null;
  }
  if ("open" in request) {
    const { module, ...setup } = request.setup;
    rooms.set(request.open, { ...setup, kernels: instantiate(module, setup.memory) });
    return null;
  }
  if ("close" in request) {
    rooms.delete(request.close);
    return null;
  }
  const room = rooms.get(request.room);
  if (room === undefined) return { error: "the worker has no memory of this brain" };
  for (const _ of work(room, request.job)) Atomics.add(beat, 0, 1);
  return { done: true };
}

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  let reply: Reply | null;
  try {
    reply = answer(data);
  } catch (error) {
    reply = { error: String(error) };
  }
  if (reply !== null) self.postMessage(reply);
});
