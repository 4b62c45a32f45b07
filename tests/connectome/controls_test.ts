import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Connectome,
  csrFromEdges,
  growModelFly,
  histamineInhibits,
  hopsFrom,
  lesion,
  randomWiring,
  receivers,
  type Region,
  REGIONS,
  shuffleDegrees,
  shuffleDistances,
  shuffleSigns,
  shuffleWiring,
  shuffleWithinRegions,
} from "../../lib/connectome/mod.ts";

/** Small nervous systems: any connections without self-connections and duplicates, any regions and signs. */
const connectomes: fc.Arbitrary<Connectome> = fc.integer({ min: 2, max: 14 }).chain((neurons) =>
  fc.record({
    edges: fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 0, max: neurons - 1 }),
        fc.integer({ min: 0, max: neurons - 1 }),
        fc.integer({ min: 5, max: 400 }),
      ).filter(([from, to]) => from !== to),
      { selector: ([from, to]) => `${from} ${to}`, maxLength: 80 },
    ),
    region: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: neurons, maxLength: neurons }),
    inhibits: fc.array(fc.boolean(), { minLength: neurons, maxLength: neurons }),
  }).map(({ edges, region, inhibits }) => {
    const one = { names: [""], index: new Uint16Array(neurons) };
    return {
      name: "small",
      provenance: {},
      neurons: {
        id: Float64Array.from({ length: neurons }, (_, i) => i + 1),
        type: one,
        superclass: one,
        class: one,
        transmitter: {
          names: ["acetylcholine", "gaba"],
          index: Uint16Array.from(inhibits, (inhibits) => inhibits ? 1 : 0),
        },
        region: { names: REGIONS.slice(0, 5), index: Uint16Array.from(region) },
        side: one,
        soma: new Float32Array(3 * neurons),
        column: new Int16Array(2 * neurons),
      },
      ...csrFromEdges(neurons, edges.map((e) => e[0]), edges.map((e) => e[1]), edges.map((e) => e[2])),
      sign: Int8Array.from(inhibits, (inhibits) => inhibits ? -1 : 1),
      input: Int32Array.of(0),
      output: Int32Array.of(neurons - 1),
    };
  })
);

const seeds = fc.integer({ min: 0, max: 0xffffffff });

/** What a neuron sends: the synapse counts of its connections, sorted. */
function sent(connectome: Connectome): number[][] {
  const counts: number[][] = Array.from(connectome.sign, () => []);
  connectome.pre.forEach((i, e) => counts[i]!.push(connectome.synapses[e]!));
  return counts.map((list) => list.sort((a, b) => a - b));
}

/** How many connections go from which region to which. */
function between(connectome: Connectome): Map<string, number> {
  const { index } = connectome.neurons.region;
  const post = receivers(connectome.rowStart);
  const counts = new Map<string, number>();
  connectome.pre.forEach((i, e) => {
    const key = `${index[i]} ${index[post[e]!]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  });
  return counts;
}

function pairs(connectome: Connectome): string[] {
  const post = receivers(connectome.rowStart);
  return [...connectome.pre].map((i, e) => `${i} ${post[e]}`);
}

Deno.test("`shuffleDegrees()` keeps degrees and the synapses each neuron sends, and never makes a pair twice or a self-connection", () => {
  fc.assert(fc.property(connectomes, seeds, (connectome, seed) => {
    const shuffled = shuffleDegrees(connectome, seed);
    assert.deepEqual(shuffled.rowStart, connectome.rowStart);
    assert.deepEqual(sent(shuffled), sent(connectome));
    const found = pairs(shuffled);
    assert.equal(new Set(found).size, found.length);
    assert.ok(found.every((pair) => pair.split(" ")[0] !== pair.split(" ")[1]));
    assert.equal(shuffled.provenance["selfConnectionsDropped"], 0);
  }));
});

/** Neurons in two halves; each of the first sends to `each` of the second. */
function bipartite(half: number, each: number): Connectome {
  const pre: number[] = [];
  const post: number[] = [];
  for (let i = 0; i < half; i++) {
    for (let k = 0; k < each; k++) {
      pre.push(i);
      post.push(half + (i + k) % half);
    }
  }
  const one = { names: ["optic lobe"], index: new Uint16Array(2 * half) };
  return {
    name: "halves",
    provenance: { made: "by hand" },
    neurons: {
      id: Float64Array.from({ length: 2 * half }, (_, i) => i),
      type: one,
      superclass: one,
      class: one,
      transmitter: one,
      region: one,
      side: one,
      soma: new Float32Array(6 * half),
      column: new Int16Array(4 * half),
    },
    ...csrFromEdges(2 * half, pre, post, pre.map((_, e) => 5 + e % 90)),
    sign: new Int8Array(2 * half).fill(1),
    input: Int32Array.of(0),
    output: Int32Array.of(2 * half - 1),
  };
}

Deno.test("`shuffleDegrees()` forgets the wiring in one round and says how much of it", () => {
  const halves = bipartite(500, 10);
  const shuffled = shuffleDegrees(halves, 1);
  const before = new Set(pairs(halves));
  const kept = pairs(shuffled).filter((pair) => before.has(pair)).length;
  // A fair draw of these degrees has each pair with a chance of 10 in 500.
  assert.ok(kept < 3 * 5_000 * 10 / 500, `${kept} pairs are still there`);
  assert.ok(Number(shuffled.provenance["shareChanged"]) > 0.95);
  assert.ok(Number(shuffled.provenance["swapsDone"]) > 4_000);
  assert.ok(Number(shuffled.provenance["swapsTried"]) >= Number(shuffled.provenance["swapsDone"]));
  assert.deepEqual(shuffled.provenance["of"], { name: "halves", provenance: { made: "by hand" } });
  assert.equal(shuffled.name, "halves, shuffled keeping degrees (seed 1)");
});

Deno.test("`shuffleDegrees()` with no round changes nothing, and a wrong number of rounds is refused", () => {
  const halves = bipartite(20, 3);
  assert.deepEqual(shuffleDegrees(halves, 1, { rounds: 0 }).pre, halves.pre);
  assert.throws(() => shuffleDegrees(halves, 1, { rounds: 0.5 }), {
    name: "RangeError",
    message: "Cannot shuffle: 0.5 rounds, a whole number from 0 to 1,000 is wanted",
  });
});

Deno.test("`shuffleDegrees()` with groups keeps how many connections every neuron has with each group", () => {
  /** `neuron group`, received from and sent to. */
  const withGroups = (connectome: Connectome, groups: readonly number[]) => {
    const post = receivers(connectome.rowStart), counts = new Map<string, number>();
    const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
    connectome.pre.forEach((i, e) => {
      count(`${i} sends to ${groups[post[e]!]}`);
      count(`${post[e]} hears ${groups[i]}`);
    });
    return new Map([...counts].sort());
  };
  fc.assert(fc.property(connectomes, seeds, fc.infiniteStream(fc.nat(2)), (connectome, seed, stream) => {
    const groups = Array.from(connectome.sign, () => stream.next().value as number);
    const shuffled = shuffleDegrees(connectome, seed, { groups });
    assert.deepEqual(withGroups(shuffled, groups), withGroups(connectome, groups));
    const one = groups.map(() => 0);
    assert.deepEqual(
      shuffleDegrees(connectome, seed, { groups: one }).pre,
      shuffleDegrees(connectome, seed).pre,
      "one group is no group",
    );
  }));
  const halves = bipartite(20, 3);
  assert.throws(() => shuffleDegrees(halves, 1, { groups: [0] }), {
    name: "RangeError",
    message: "Cannot shuffle: there are groups of 1 neurons, 40 are wanted",
  });
  assert.throws(() => shuffleDegrees(halves, 1, { groups: [-1] }), {
    message: "Cannot shuffle: the group of neuron 0 is -1, a whole number from 0 is wanted",
  });
});

Deno.test("`shuffleDistances()` leaves every neuron as far from the eye as it was, and shuffles all the same", () => {
  fc.assert(fc.property(connectomes, seeds, (connectome, seed) => {
    const shuffled = shuffleDistances(connectome, seed);
    assert.deepEqual(hopsFrom(shuffled, shuffled.input), hopsFrom(connectome, connectome.input));
    assert.deepEqual(shuffled.rowStart, connectome.rowStart);
    assert.deepEqual(sent(shuffled), sent(connectome));
  }));
  const fly = growModelFly({ scale: 1 / 64 }), shuffled = shuffleDistances(fly, 1);
  assert.ok(Number(shuffled.provenance["shareChanged"]) > 0.9);
});

Deno.test("`randomWiring()` keeps the size and the synapse counts, and nothing of the wiring", () => {
  const fly = growModelFly({ scale: 1 / 64 }), random = randomWiring(fly, 1);
  assert.equal(random.pre.length, fly.pre.length);
  assert.deepEqual(random.synapses.slice().sort(), fly.synapses.slice().sort());
  const found = pairs(random), before = new Set(pairs(fly));
  assert.equal(new Set(found).size, found.length);
  assert.ok(found.every((pair) => pair.split(" ")[0] !== pair.split(" ")[1]));
  const n = fly.sign.length, share = found.length / (n * (n - 1));
  const kept = found.filter((pair) => before.has(pair)).length;
  assert.ok(kept < 5 * share * found.length + 20, `${kept} pairs are still there`);
  // Received connections follow chance: a Poisson's variance is its mean.
  const received = Array.from({ length: n }, (_, i) => random.rowStart[i + 1]! - random.rowStart[i]!);
  const mean = found.length / n, variance = received.reduce((sum, k) => sum + (k - mean) ** 2, 0) / n;
  assert.ok(Math.abs(variance / mean - 1) < 0.2, `variance ${variance} of mean ${mean}`);
  const both = { ...bipartite(1, 1), ...csrFromEdges(2, [0, 1], [1, 0], [5, 5]) };
  assert.throws(() => randomWiring(both, 1), {
    name: "RangeError",
    message: /^Cannot draw a random graph: there are 2 connections between 2 neurons/,
  });
});

Deno.test("`shuffleDegrees()` stops at an aborted signal", () => {
  assert.throws(() => shuffleDegrees(bipartite(20, 3), 1, { signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
});

Deno.test("`shuffleWiring()` keeps what neurons send and how many they receive, but for the self-connections dropped", () => {
  fc.assert(fc.property(connectomes, seeds, (connectome, seed) => {
    const shuffled = shuffleWiring(connectome, seed);
    const dropped = Number(shuffled.provenance["selfConnectionsDropped"]);
    assert.equal(shuffled.pre.length, connectome.pre.length - dropped);
    let missing = 0;
    for (let i = 0; i < connectome.sign.length; i++) {
      const before = connectome.rowStart[i + 1]! - connectome.rowStart[i]!;
      const after = shuffled.rowStart[i + 1]! - shuffled.rowStart[i]!;
      assert.ok(after <= before);
      missing += before - after;
      // Of the counts it sends, only dropped ones are missing.
      const left = sent(connectome)[i]!;
      for (const count of sent(shuffled)[i]!) {
        assert.ok(left.includes(count));
        left.splice(left.indexOf(count), 1);
      }
      assert.equal(left.length, before - after);
    }
    assert.equal(missing, dropped);
    assert.ok(pairs(shuffled).every((pair) => pair.split(" ")[0] !== pair.split(" ")[1]));
  }));
});

Deno.test("`shuffleWiring()` keeps duplicate pairs as separate connections", () => {
  // Nine connections of three senders to three receivers: a random deal nearly always makes one of them twice.
  const halves = bipartite(3, 3);
  const found = Array.from({ length: 20 }, (_, seed) => pairs(shuffleWiring(halves, seed)));
  assert.ok(found.every((list) => list.length === 9));
  assert.ok(found.some((list) => new Set(list).size < list.length));
});

Deno.test("`shuffleWithinRegions()` keeps which region talks to which, but for the self-connections dropped", () => {
  fc.assert(fc.property(connectomes, seeds, (connectome, seed) => {
    const shuffled = shuffleWithinRegions(connectome, seed);
    const before = between(connectome);
    let missing = 0;
    for (const [key, count] of before) {
      const after = between(shuffled).get(key) ?? 0;
      const [from, to] = key.split(" ");
      if (from !== to) assert.equal(after, count);
      missing += count - after;
    }
    assert.ok([...between(shuffled).keys()].every((key) => before.has(key)));
    assert.equal(missing, shuffled.provenance["selfConnectionsDropped"]);
  }));
});

Deno.test("`shuffleSigns()` keeps the wiring, the number of each sign and the signs of input neurons", () => {
  fc.assert(fc.property(connectomes, seeds, (connectome, seed) => {
    const shuffled = shuffleSigns(connectome, seed);
    assert.equal(shuffled.pre, connectome.pre);
    assert.deepEqual(shuffled.sign.slice().sort(), connectome.sign.slice().sort());
    for (const i of connectome.input) assert.equal(shuffled.sign[i], connectome.sign[i]);
    // Sign and transmitter travel together.
    for (const [i, sign] of shuffled.sign.entries()) {
      assert.equal(sign, shuffled.neurons.transmitter.index[i] === 1 ? -1 : 1);
    }
  }));
});

Deno.test("`histamineInhibits()` turns the neurons that release histamine and nothing else, once", () => {
  const fly = growModelFly({ scale: 1 / 64, seed: 2 });
  const shy = histamineInhibits(fly);
  const { names, index } = fly.neurons.transmitter, histamine = names.indexOf("histamine");
  let turned = 0;
  for (const [i, sign] of shy.sign.entries()) {
    assert.equal(sign, index[i] === histamine ? -1 : fly.sign[i]);
    if (sign !== fly.sign[i]) turned++;
  }
  assert.ok(turned > 0);
  assert.equal(shy.provenance["signsChanged"], turned);
  assert.equal(shy.pre, fly.pre);
  assert.throws(() => histamineInhibits(shy), RangeError);
});

Deno.test("`lesion()` drops exactly the connections that the regions send", () => {
  const some = fc.uniqueArray(fc.constantFrom(...REGIONS.slice(0, 6)), { minLength: 1 });
  fc.assert(fc.property(connectomes, some, (connectome, regions: Region[]) => {
    const cut = lesion(connectome, regions);
    const { names, index } = connectome.neurons.region;
    const post = receivers(connectome.rowStart);
    const cutPost = receivers(cut.rowStart);
    const left = [...connectome.pre].map((i, e) => [i, post[e], connectome.synapses[e]] as const)
      .filter(([i]) => !regions.includes(names[index[i]!] as Region));
    assert.deepEqual([...cut.pre].map((i, e) => [i, cutPost[e], cut.synapses[e]] as const), left);
    assert.equal(cut.provenance["connectionsDropped"], connectome.pre.length - left.length);
    assert.equal(cut.name, `small without ${regions.join(", ")}`);
  }));
});

Deno.test("`lesion()` refuses a region that there is not, and lists those there are", () => {
  const halves = bipartite(2, 1);
  const wrong = "optic" as Region;
  assert.throws(() => lesion(halves, wrong), {
    name: "RangeError",
    message:
      /^Cannot cut a region out: there is no 'optic', one of photoreceptor, optic lobe, .* other is wanted$/,
  });
  assert.throws(() => lesion(halves, []), RangeError);
});

Deno.test("every control gives the same with the same seed and something else with another", () => {
  const halves = bipartite(60, 5);
  const controls = [shuffleWiring, shuffleDegrees, shuffleDistances, shuffleWithinRegions, randomWiring];
  for (const control of controls) {
    assert.deepEqual(control(halves, 3).pre, control(halves, 3).pre);
    assert.notDeepEqual(control(halves, 3).pre, control(halves, 4).pre);
  }
});
