import type { Positions } from "flychess/data";
import type { Judged } from "flychess/readout";
import type { SafeTensors } from "flychess/training";

/** What a readout did with every HOLD position as a piece that is kept, and whatever else is known as JSON. */
export function packJudged({ loss, valueError, top1, good }: Judged, rest: object): SafeTensors {
  const shape = [loss.length];
  return {
    tensors: {
      loss: { shape, data: loss },
      valueError: { shape, data: valueError },
      top1: { shape, data: top1 },
      good: { shape, data: good },
    },
    metadata: { rest: JSON.stringify(rest) },
  };
}

/** The same from the piece; HOLD rows and their games come from the positions. */
export function unpackJudged(
  { tensors, metadata }: SafeTensors,
  positions: Positions,
): { readonly judged: Judged } {
  const { hold } = positions;
  const floats = (name: string) => Float64Array.from(tensors[name]!.data as Float64Array);
  const flags = (name: string) => Uint8Array.from(tensors[name]!.data as Uint8Array);
  return {
    ...JSON.parse(metadata["rest"]!),
    judged: {
      rows: Int32Array.from({ length: hold }, (_, i) => i),
      game: positions.game.slice(0, hold),
      loss: floats("loss"),
      valueError: floats("valueError"),
      top1: flags("top1"),
      good: flags("good"),
    },
  };
}
