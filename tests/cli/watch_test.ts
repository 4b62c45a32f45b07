import assert from "node:assert/strict";
import { watchFrame } from "../../cli/_watch_frame.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 12, minutes)).toISOString();
const now = (minutes: number) => Date.UTC(2026, 0, 5, 12, minutes);

const status = (minutes: number, done: number) => ({
  time: at(minutes),
  event: "status",
  doing: "showing train-00003 to the brain",
  task: "showing positions to the brain",
  done,
  total: 500_000,
  unit: "positions",
  temperature: 84.5,
  share: 0.83,
  freeBytes: 215e9,
  availableBytes: 9.1e9,
});

const DAY = [
  { time: at(0), event: "started", stage: "fill" },
  { time: at(20), event: "filled", shard: "train-00002", positions: 1_030_000 },
  { time: at(30), event: "fitted", fit: 1, valLoss: 2.86, positions: 1_030_000 },
  { time: at(31), event: "rated", fit: 1, elo: 752 },
  { time: at(35), event: "fitted", fit: 2, valLoss: 2.853, positions: 1_030_000 },
  { time: at(36), event: "fitted", fit: 3, valLoss: 2.8601, positions: 1_030_000 },
  status(40, 100_000),
  status(41, 121_000),
];

Deno.test("`watchFrame()` says what a long run does, how far, the best so far and how the machine is", () => {
  const frame = watchFrame("day", DAY, now(41) + 12_000);
  assert.match(frame, /^run {6}day, last sign of life 12 s ago$/m);
  assert.match(frame, /^doing {4}showing train-00003 to the brain$/m);
  assert.match(frame, /\[={4} {16}\] 24 %, 121,000 of 500,000 positions, 350 a second, 18 min left/);
  assert.match(frame, /^so far {3}1,030,000 positions, 1 shard, 3 fits, 41 min since its first line$/m);
  assert.match(frame, /^best {5}VAL loss 2\.8530 \(\d\d-\d\d \d\d:35\), last 2\.8601 {2}█▁█$/m);
  assert.match(frame, /^rating {3}Elo 752$/m);
  assert.match(
    frame,
    /^machine {2}84\.5 °C, works 83 % of the time, 215 GB of disk free, 9\.1 GB of memory free$/m,
  );
  assert.match(frame, /fitted +fit 2, valLoss 2\.853, positions 1,030,000$/m);
  assert.ok(!frame.includes("WARNING"));
});

Deno.test("`watchFrame()` warns after 45 quiet minutes, and not where the run has ended", () => {
  assert.ok(!watchFrame("day", DAY, now(41 + 44)).includes("WARNING"));
  assert.match(watchFrame("day", DAY, now(41 + 46)), /WARNING: not a word for 46 minutes/);
  const ended = [...DAY, { time: at(42), event: "stopped", stage: "fill" }];
  const frame = watchFrame("day", ended, now(600));
  assert.ok(!frame.includes("WARNING"));
  assert.match(frame, /ended \(stopped\)/);
});

Deno.test("`watchFrame()` draws runs that count batches or passes", () => {
  const stream = [
    { time: now(0) / 1000, event: "check", batch: 100, batches: 1000, val_loss: 2.9, loss: 3.1 },
    { time: now(1) / 1000, event: "check", batch: 200, batches: 1000, val_loss: 2.8, loss: 3.0 },
  ];
  const frame = watchFrame("stream", stream, now(1));
  assert.match(frame, /20 %, 200 of 1,000 batches, 2 a second, 8 min left/);
  assert.match(frame, /VAL loss 2\.8000 .*, last 2\.8000/);
  const cached = [{
    time: at(0),
    event: "pass",
    fit: "mean, penalty 0",
    pass: 3,
    valLoss: 2.9,
    blindLoss: 3.02,
  }];
  assert.match(watchFrame("cached", cached, now(1)), /doing {4}mean, penalty 0: pass 3/);
  assert.match(watchFrame("cached", cached, now(1)), /blind 3\.0200/);
});

Deno.test("`watchFrame()` has something to say about an empty log and about lines without anything", () => {
  assert.equal(watchFrame("new", [], 0), "new: nothing in its log yet");
  assert.match(watchFrame("odd", [{ event: "hello" }], 0), /at an unknown time/);
});

Deno.test("`fly watch --once` prints one frame of a log whose last line is half written", async () => {
  const folder = await Deno.makeTempDir();
  const lines = [{ time: new Date().toISOString(), event: "fitted", valLoss: 2.5 }].map((line) =>
    JSON.stringify(line)
  );
  await Deno.writeTextFile(`${folder}/log.jsonl`, `${lines.join("\n")}\n{"time":"2026-`);
  const watch = async (run: string) => {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "-A", `${ROOT}cli.ts`, "watch", "--once", "--run", run],
      env: { NO_COLOR: "1" },
    }).output();
    return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  };
  const { code, text } = await watch(`${folder}/`);
  assert.equal(code, 0, text);
  assert.match(text, /VAL loss 2\.5000/);
  const missing = await watch(`${folder}/none`);
  assert.equal(missing.code, 1);
  assert.match(missing.text, /Cannot watch .*none\/log\.jsonl: there is no such file/);
});
