import assert from "node:assert/strict";
import fc from "fast-check";
import {
  FULL_SPEED,
  nextShare,
  THROTTLE,
  Throttle,
  type ThrottleState,
} from "../../../lib/training/day/throttle.ts";

/** A machine whose temperature goes to `room + rise * share`, `seconds` being the time constant. */
function simulate(machine: { room: number; rise: number; seconds: number }, looks: number): number[] {
  let temperature = machine.room + 20;
  let state: ThrottleState = FULL_SPEED;
  const seen: number[] = [];
  for (let look = 0; look < looks; look++) {
    state = nextShare(state, temperature);
    const goal = machine.room + machine.rise * state.share;
    temperature = goal + (temperature - goal) * Math.exp(-THROTTLE.seconds / machine.seconds);
    seen.push(temperature);
  }
  return seen;
}

Deno.test("`nextShare()` holds every simulated machine at the target, and below the brake once it knows it", () => {
  fc.assert(fc.property(
    fc.record({
      room: fc.double({ min: 20, max: 45, noNaN: true }),
      // At full speed the machine would reach `full` degrees.
      full: fc.double({ min: 95, max: 130, noNaN: true }),
      seconds: fc.double({ min: 5, max: 300, noNaN: true }),
    }),
    ({ room, full, seconds }) => {
      const seen = simulate({ room, rise: full - room, seconds }, 540);
      const settled = seen.slice(180);
      assert.ok(Math.max(...settled) < THROTTLE.brake, `${Math.max(...settled)} degrees after an hour`);
      const mean = settled.reduce((sum, each) => sum + each, 0) / settled.length;
      assert.ok(Math.abs(mean - THROTTLE.target) < 1, `${mean} degrees on average`);
      assert.ok(Math.max(...seen.slice(-90)) - Math.min(...seen.slice(-90)) < 2, "it still swings");
    },
  ));
});

Deno.test("`nextShare()` leaves a machine that stays cool at full speed", () => {
  const seen = simulate({ room: 25, rise: 45, seconds: 60 }, 200);
  assert.ok(Math.abs(seen.at(-1)! - 70) < 1e-6);
});

Deno.test("`nextShare()` stops work at the brake and lets go at the release", () => {
  let state = nextShare(FULL_SPEED, 93);
  assert.deepEqual([state.share, state.braking], [0, true]);
  state = nextShare(state, 85);
  assert.deepEqual([state.share, state.braking], [0, true]);
  state = nextShare(state, 84);
  assert.deepEqual([state.share, state.braking], [0.25, false]);
});

Deno.test("`nextShare()` does not slow a machine without sensors, and slows one whose sensors died", () => {
  assert.equal(nextShare(FULL_SPEED, undefined).share, 1);
  let state = nextShare(FULL_SPEED, 70);
  state = nextShare(state, undefined);
  assert.equal(state.share, 1);
  state = nextShare(nextShare(state, undefined), undefined);
  assert.equal(state.share, THROTTLE.blindShare);
  state = nextShare(nextShare(nextShare(nextShare(FULL_SPEED, 95), undefined), undefined), undefined);
  assert.equal(state.share, THROTTLE.least);
  assert.equal(nextShare(state, 80).blind, 0);
});

Deno.test("`Throttle.pace()` works a share of the time and waits while braking", async () => {
  let now = 0;
  let temperature = 80;
  const waits: number[] = [];
  const clock = {
    now: () => now,
    wait: (milliseconds: number) => {
      waits.push(milliseconds);
      now += milliseconds;
      if (waits.length === 3) temperature = 60;
      return Promise.resolve();
    },
  };
  const throttle = new Throttle({ temperature: () => Promise.resolve(temperature), clock, perDegree: 0.1 });
  await throttle.pace();
  assert.deepEqual(waits, []);
  now += 20_000;
  temperature = 90;
  await throttle.pace();
  // 10 degrees more and 5 above the target: not all of the time any more.
  assert.equal(throttle.state.share, 0.05);
  assert.equal(Math.round(waits[0]!), 380_000);
  now += 20_000;
  temperature = 94;
  await throttle.pace();
  // Two looks of 20 seconds, then 0.25 of the time: three times the 20 seconds worked.
  assert.deepEqual(waits.slice(1), [20_000, 20_000, 60_000]);
});

Deno.test("`Throttle.pace()` ends its rest when it is aborted", async () => {
  const throttle = new Throttle({ temperature: () => Promise.resolve(99) });
  const controller = new AbortController();
  const pace = throttle.pace(controller.signal);
  setTimeout(() => controller.abort(new Error("enough")), 20);
  await assert.rejects(pace, /enough/);
});

Deno.test("`Throttle` refuses a target that is not below its brake", () => {
  assert.throws(() => new Throttle({ temperature: () => Promise.resolve(50), target: 95 }), RangeError);
});
