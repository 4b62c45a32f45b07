import { table } from "../cli/_table.ts";
import type { Result } from "./_contest.ts";
import { type PeerName, PEERS } from "./_peer.ts";
import type { NARROW } from "./_peer_subjects.ts";

/** Our arithmetics beside float32. */
export type Narrow = typeof NARROW[number];
/** Who takes turns; `flychess` is float32. */
export type Name = "flychess" | PeerName | Narrow;
/** What they did. */
export type Results = Partial<Record<Name, Result>>;

/** How much of the time of one batch of 16 in PyTorch one position and 30 positions may take. */
const WANTED = { one: 1 / 6, thirty: 1 } as const;

/** Our speed, theirs, and how many times the best of theirs ours is. */
export function summary(results: Results) {
  const { flychess, int16: _int16, int8: _int8, ...peers } = results;
  const speeds = Object.values(peers).map(({ positionsPerSecond }) => positionsPerSecond);
  const byProcessor = Object.values(peers).map((peer) => peer.positionsPerProcessorSecond);
  return {
    positionsPerSecond: flychess?.positionsPerSecond ?? null,
    peers: Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, peer.positionsPerSecond])),
    ratioToBestPeer: flychess ? flychess.positionsPerSecond / Math.max(...speeds) : null,
    ratioByProcessorTime: flychess ? flychess.positionsPerProcessorSecond / Math.max(...byProcessor) : null,
    medians: results,
  };
}

/** The same for a fixed number of positions, in milliseconds. */
export function latency(results: Results) {
  const { flychess, ...peers } = results;
  return {
    milliseconds: milliseconds(flychess!),
    peers: Object.fromEntries(Object.entries(peers).map(([name, peer]) => [name, milliseconds(peer)])),
    medians: results,
  };
}

/** The time of one batch of 16 in PyTorch, in the same minutes, and how many times that ours is. */
export function besidePytorch(ours: Results, at16: Results) {
  const pytorchBatch16Milliseconds = milliseconds(at16.pytorch!);
  return {
    pytorchBatch16Milliseconds,
    ofPytorchBatch16: milliseconds(ours.flychess!) / pytorchBatch16Milliseconds,
  };
}

function milliseconds({ batch, positionsPerSecond }: Result): number {
  return 1000 * batch / positionsPerSecond;
}

type Waited = ReturnType<typeof latency> & ReturnType<typeof besidePytorch>;

/** What a subject's table shows. */
export interface Printed {
  readonly connectome: { readonly name: string };
  readonly forward: ReturnType<typeof summary> & { readonly atBatch16: ReturnType<typeof summary> };
  readonly int16: { readonly positionsPerSecond: number; readonly ratioToBestPeer: number };
  readonly int8: { readonly positionsPerSecond: number; readonly ratioToBestPeer: number };
  readonly train: ReturnType<typeof summary>;
  readonly one: Waited;
  readonly thirty: Waited;
}

/** A subject's results as text. */
export function describePeers({ connectome, forward, int16, int8, train, one, thirty }: Printed): string {
  const names = ["flychess", ...PEERS] as const;
  const number = (value: number | undefined, digits = 1) =>
    value === undefined ? "-" : value.toLocaleString("en-US", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const speed = (name: string, { medians, ratioToBestPeer }: ReturnType<typeof summary>) => [
    name,
    ...names.map((who) => number(medians[who]?.positionsPerSecond)),
    ratioToBestPeer === null ? "-" : `${number(ratioToBestPeer, 2)} x`,
  ];
  const wait = (name: string, { medians, peers, ...ours }: Waited) => [
    name,
    ...names.map((who) => number(medians[who] && milliseconds(medians[who]))),
    `${number(Math.min(...Object.values(peers)) / ours.milliseconds, 2)} x`,
  ];
  const share = (what: string, { ofPytorchBatch16, pytorchBatch16Milliseconds }: Waited, wanted: number) =>
    `${what} ${number(ofPytorchBatch16, 2)} times as long as one batch of 16 in PyTorch ` +
    `(${number(pytorchBatch16Milliseconds)} ms); at most ${number(wanted, 2)} is wanted`;
  const bits = (name: string, { positionsPerSecond, ratioToBestPeer }: Printed[Narrow]) => [
    `forward, ${name}`,
    number(positionsPerSecond),
    ...PEERS.map((peer) => number(forward.medians[peer]?.positionsPerSecond)),
    `${number(ratioToBestPeer, 2)} x`,
  ];
  const body = table(["", ...names, "times the best peer"], [
    speed("forward, positions a second, best batch each", forward),
    bits("int16", int16),
    bits("int8", int8),
    speed("forward, positions a second, 16 at once", forward.atBatch16),
    speed("training step, positions a second", train),
    wait("one position, milliseconds", one),
    wait("30 positions, milliseconds", thirty),
  ]);
  return [
    `\n${connectome.name}`,
    body,
    share("one position takes", one, WANTED.one),
    share("30 positions take", thirty, WANTED.thirty),
  ].join("\n");
}
