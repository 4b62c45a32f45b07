import type { BrainModel, Bypass, BypassMoment, Engine, LoadedBrain } from "../../brain/mod.ts";
import type { CalyxGate } from "../dopamine_brain_options.ts";

/**
 * An engine in which some neurons' connections onto Kenyon cells go through a gate. They are taken out of the brain, and added
 * between its steps beside what its owner adds there.
 *
 * @param engine One that leaves parts of a brain to others, such as `wasm`.
 * @param calyx The gate.
 * @param kenyon The Kenyon cells; the owner's part must not add to them.
 */
export function calyxEngine(engine: Engine, calyx: CalyxGate, kenyon: Int32Array): Engine {
  return {
    name: engine.name,
    description: engine.description,
    load: async (model) => {
      const { rest, between } = takeOutBetween(model, calyx.senders, kenyon);
      const brain = await engine.load(rest);
      return around(brain, calyx, kenyon, between);
    },
  };
}

/** Connections between two lists of neurons, by receiver. */
interface Between {
  readonly start: Int32Array;
  readonly sender: Int32Array;
  readonly weight: Float64Array;
}

function around(brain: LoadedBrain, calyx: CalyxGate, kenyon: Int32Array, between: Between): LoadedBrain {
  const joined = (own: Bypass) => withCalyx(own, calyx, kenyon, between);
  return {
    read: (...parts) => brain.read(...parts),
    rates: (...parts) => brain.rates(...parts),
    calibrate: (...parts) => brain.calibrate(...parts),
    readAround: async (bypass, drive, neurons, steps, options) => {
      // The senders are read too: an engine works out only what leads to the neurons that it reads.
      const all = Int32Array.from([...neurons, ...calyx.senders]);
      const rates = await brain.readAround!(joined(bypass), drive, all, steps, options);
      const wanted = rates.slice(0, drive.positions * neurons.length);
      for (let position = 0; position < drive.positions; position++) {
        const from = position * all.length;
        wanted.set(rates.subarray(from, from + neurons.length), position * neurons.length);
      }
      return wanted;
    },
    calibrateAround: (bypass, ...parts) => brain.calibrateAround!(joined(bypass), ...parts),
    update: async (model) => await brain.update!(takeOutBetween(model, calyx.senders, kenyon).rest),
    [Symbol.asyncDispose]: () => brain[Symbol.asyncDispose](),
  };
}

/** Both parts as one: the owner's first, then the calyx. */
function withCalyx(own: Bypass, calyx: CalyxGate, kenyon: Int32Array, between: Between): Bypass {
  const { senders } = calyx, { start, sender, weight } = between;
  const rate = new Float64Array(senders.length), passed = new Float64Array(senders.length);
  return {
    from: Int32Array.from([...own.from, ...senders]),
    to: Int32Array.from([...own.to, ...kenyon]),
    pass: (rates: Float32Array, input: Float32Array, moment: BypassMoment) => {
      const { lanes, count } = moment, from = own.from.length * lanes, to = own.to.length * lanes;
      own.pass(rates.subarray(0, from), input.subarray(0, to), moment);
      input.fill(0, to);
      for (let lane = 0; lane < count; lane++) {
        for (let i = 0; i < senders.length; i++) rate[i] = rates[from + i * lanes + lane]!;
        calyx.pass(rate, passed);
        for (let k = 0; k < kenyon.length; k++) {
          let sum = 0;
          for (let at = start[k]!; at < start[k + 1]!; at++) sum += weight[at]! * passed[sender[at]!]!;
          input[to + k * lanes + lane] = sum;
        }
      }
    },
  };
}

function takeOutBetween(
  model: BrainModel,
  senders: Int32Array,
  receivers: Int32Array,
): { readonly rest: BrainModel; readonly between: Between } {
  const { neurons, rowStart, pre, weight } = model;
  const place = new Int32Array(neurons).fill(-1), wanted = new Int32Array(neurons).fill(-1);
  senders.forEach((sender, i) => place[sender] = i);
  receivers.forEach((receiver, k) => wanted[receiver] = k);
  const kept: number[] = [], starts = new Int32Array(neurons + 1);
  const found = Array.from(receivers, () => [] as number[]);
  for (let row = 0; row < neurons; row++) {
    const receiver = wanted[row]!;
    for (let at = rowStart[row]!; at < rowStart[row + 1]!; at++) {
      if (receiver >= 0 && place[pre[at]!]! >= 0) found[receiver]!.push(at);
      else kept.push(at);
    }
    starts[row + 1] = kept.length;
  }
  const start = new Int32Array(receivers.length + 1), all = found.flat();
  found.forEach((list, k) => start[k + 1] = start[k]! + list.length);
  return {
    rest: {
      ...model,
      rowStart: starts,
      pre: Int32Array.from(kept, (at) => pre[at]!),
      weight: Float64Array.from(kept, (at) => weight[at]!),
    },
    between: {
      start,
      sender: Int32Array.from(all, (at) => place[pre[at]!]!),
      weight: Float64Array.from(all, (at) => weight[at]!),
    },
  };
}
