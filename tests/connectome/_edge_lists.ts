import fc from "fast-check";

/** Any list of connections among a few neurons. */
export const edgeLists = fc.integer({ min: 1, max: 12 }).chain((neurons) =>
  fc.record({
    neurons: fc.constant(neurons),
    edges: fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: neurons - 1 }),
        fc.integer({ min: 0, max: neurons - 1 }),
        fc.integer({ min: 1, max: 80_000 }),
      ),
      { maxLength: 60 },
    ),
  })
);
