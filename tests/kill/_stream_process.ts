/** A streaming run in a process of its own, which can be killed: the folder is the argument. */
import { openRun, streamRunConfig, trainStream } from "../../lib/training/mod.ts";
import { streamCase } from "../training/_stream_case.ts";

const { connectome, positions, options } = streamCase();
await using run = await openRun(Deno.args[0]!, { ...streamRunConfig(options), inputs: {} });
await trainStream(run, connectome, positions, options);
