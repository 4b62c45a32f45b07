/** A program that speaks UCI, or fails to in the way its first argument names. */
const way = Deno.args[0] ?? "good";

function say(...lines: string[]): void {
  Deno.stdout.writeSync(new TextEncoder().encode(lines.map((line) => line + "\n").join("")));
}

/** Two depths of a search over three moves, and one that stops after the first of them. */
const SEARCH = [
  "info depth 1 seldepth 1 multipv 1 score cp 10 nodes 3 pv e2e4",
  "info depth 1 seldepth 1 multipv 2 score cp 5 nodes 3 pv d2d4 d7d5",
  "info depth 1 seldepth 1 multipv 3 score mate -4 nodes 3 pv f2f3",
  "info depth 2 seldepth 2 multipv 1 score cp 30 nodes 9 pv d2d4 g8f6",
  "info depth 2 seldepth 2 multipv 2 score cp 20 nodes 9 pv e2e4",
  "info depth 2 seldepth 2 multipv 3 score mate -3 nodes 9 pv f2f3",
  "info string nothing to see",
  "info depth 3 currmove e2e4 currmovenumber 1",
  "info depth 3 seldepth 3 multipv 1 score cp 99 nodes 12 pv e2e4",
  "info depth 2 seldepth 2 multipv 2 score cp 30 nodes 12 pv d2d4 g8f6",
  "info depth 2 seldepth 2 multipv 3 score mate -3 nodes 12 pv f2f3",
];

const ANSWERS: Readonly<Record<string, (line: string) => void>> = {
  uci() {
    if (way === "mute") return;
    if (way === "chatters") return void setInterval(() => say("what do you want from me?"), 20);
    if (way === "endless") {
      for (;;) Deno.stdout.writeSync(new Uint8Array(1 << 16).fill(120));
    }
    say(
      "Fake by nobody",
      "id name Fake 1",
      "id author nobody",
      "",
      "option name Debug Log File type string default <empty>",
      "option name Threads type spin default 1 min 1 max 4",
      "option name MultiPV type spin default 1 min 1 max 3",
      "option name Style type combo default Solid var Solid var Very Risky",
      "option name Ponder type check default false",
      "option name Clear Hash type button",
      "option name Odd type unknown default 3",
      "uciok",
    );
  },
  isready: () => say("readyok"),
  go(line) {
    if (way === "dies") {
      console.error("out of cheese");
      Deno.exit(3);
    }
    if (way === "hangs") return;
    if (way === "over") return say("info depth 0 score mate 0", "bestmove (none)");
    if (way === "garbage") return say("info depth x score cp many pv", "bestmove banana");
    if (way === "unscored") return say("bestmove e2e4");
    if (way === "slow") {
      let times = 0;
      const timer = setInterval(() => {
        say(`info depth 1 nodes ${times}`);
        if (++times < 8) return;
        clearInterval(timer);
        say(SEARCH[0]!, "bestmove e2e4");
      }, 100);
      return;
    }
    if (way === "endures") return; // until it is told to stop
    say(...SEARCH, line.includes("depth 7") ? "bestmove d2d4\r" : "bestmove e2e4 ponder e7e5");
  },
  stop: () => say("bestmove e2e4"),
  quit: () => Deno.exit(0),
};

if (way === "dies at once") Deno.exit(1);
const log = Deno.args[1];
let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    if (log !== undefined) Deno.writeTextFileSync(log, line + "\n", { append: true });
    if (way === "deaf") continue; // does not even hear quit
    ANSWERS[line.split(" ")[0]!]?.(line);
  }
}
