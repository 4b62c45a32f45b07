import * as arrow from "apache-arrow";
import type { FlyBrain } from "flychess/brain";
import { Random, writeFileAtomic } from "flychess/common";
import type { Drive } from "flychess/eye";

/** What the training step walks back, for one position after the other: `[positions][outputs]`. */
export function outputError(positions: number, outputs: number, seed: number): Float32Array {
  const random = new Random(seed, "output error");
  return Float32Array.from({ length: positions * outputs }, () => (random.float() - 0.5) / positions);
}

/** Writes what a peer needs beside `connectome.arrow`: homeostasis, what the eye adds, the error to walk back. */
export async function writePeerFolder(
  folder: string,
  brain: FlyBrain,
  drive: Drive,
  error: Float32Array,
): Promise<void> {
  const { homeostasis } = brain;
  if (homeostasis === null) {
    throw new Error("Cannot hand a brain over: it is not calibrated, a calibrated one is wanted");
  }
  await writeTable(`${folder}/homeostasis.arrow`, {
    mean: Float64Array.from(homeostasis.mean),
    spread: Float64Array.from(homeostasis.spread),
  });
  await writeTable(`${folder}/error.arrow`, { error });
  const neuron = arrow.makeData({
    type: new arrow.List(new arrow.Field("item", new arrow.Int32(), false)),
    length: drive.positions,
    nullCount: 0,
    valueOffsets: drive.start,
    child: arrow.makeData({ type: new arrow.Int32(), data: drive.neuron.slice() }),
  });
  await writeArrow(`${folder}/drive.arrow`, new arrow.Table({ neuron: arrow.makeVector(neuron) }));
}

function writeTable(path: string, columns: Record<string, Float64Array | Float32Array>): Promise<void> {
  return writeArrow(path, arrow.makeTable(columns));
}

function writeArrow(path: string, table: arrow.Table): Promise<void> {
  return writeFileAtomic(path, arrow.tableToIPC(table, "file"));
}
