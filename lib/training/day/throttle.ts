import { type Clock, realClock } from "../../common/mod.ts";

/** How a throttle holds a temperature. Degrees are Celsius. */
export interface ThrottleSettings {
  /** The temperature to be held. */
  readonly target: number;
  /** At this temperature work stops altogether. */
  readonly brake: number;
  /** Stopped work goes on at this temperature. */
  readonly release: number;
  /** The smallest share of the time that is worked while not braking. */
  readonly least: number;
  /** Seconds between two looks at the sensors. */
  readonly seconds: number;
  /** Change of the share for every degree that the temperature rises or falls between two looks. */
  readonly perDegree: number;
  /** Change of the share for every degree away from the target, at every look. */
  readonly perDegreeOff: number;
  /** The share that is worked when sensors that were there give nothing any more. */
  readonly blindShare: number;
}

/**
 * The reference's numbers ("Overheating, and the safeguards I built"): 85 degrees, a look every 20 seconds, a brake at
 * 93 that lets go at 84. The two gains are chosen here: on simulated machines whose heat takes 5 to 300 seconds to show
 * and that would reach 95 to 130 degrees, they settle without swinging past the brake (tests/training/day/throttle_test.ts).
 */
export const THROTTLE: Readonly<ThrottleSettings> = {
  target: 85,
  brake: 93,
  release: 84,
  least: 0.05,
  seconds: 20,
  perDegree: 0.006,
  perDegreeOff: 0.0015,
  blindShare: 0.5,
};

/** Looks without an answer after which sensors count as dead. */
const BLIND_LOOKS = 3;

/** What a throttle knows between two looks. */
export interface ThrottleState {
  /** The share of the time that is worked, 0 while braking, else from `least` to 1. */
  readonly share: number;
  /** The last temperature, `undefined` before the first. */
  readonly temperature: number | undefined;
  /** Whether work has stopped until the machine is cool. */
  readonly braking: boolean;
  /** How many looks in a row gave nothing since the last temperature. */
  readonly blind: number;
}

/** Where a throttle starts: all of the time, nothing known. */
export const FULL_SPEED: ThrottleState = { share: 1, temperature: undefined, braking: false, blind: 0 };

/**
 * One look of a duty-cycle throttle: a proportional-integral controller in its velocity form, which moves the share
 * instead of computing it, so that a share at its limit does not wind up (Åström and Hägglund 1995, section 3.5), and a
 * brake above it.
 *
 * A machine that never had a sensor runs at full speed; one whose sensors died runs at `blindShare`.
 *
 * @param state What is known.
 * @param temperature The temperature now, `undefined` where no sensor answers.
 * @param settings What is to be held.
 */
export function nextShare(
  state: ThrottleState,
  temperature: number | undefined,
  settings: ThrottleSettings = THROTTLE,
): ThrottleState {
  const { target, brake, release, least, perDegree, perDegreeOff, blindShare } = settings;
  if (temperature === undefined) {
    if (state.temperature === undefined) return state;
    const blind = state.blind + 1;
    if (blind < BLIND_LOOKS) return { ...state, blind };
    return {
      ...state,
      blind,
      braking: false,
      share: state.braking ? least : Math.min(state.share, blindShare),
    };
  }
  const seen = { temperature, blind: 0 };
  if (temperature >= brake) return { ...seen, share: 0, braking: true };
  if (state.braking) {
    if (temperature > release) return { ...seen, share: 0, braking: true };
    // What heated it to the brake was too much: begin low and let the controller find the share.
    return { ...seen, share: Math.max(least, 0.25), braking: false };
  }
  const rise = state.temperature === undefined ? 0 : temperature - state.temperature;
  const share = state.share - perDegree * rise - perDegreeOff * (temperature - target);
  return { ...seen, share: Math.min(1, Math.max(least, share)), braking: false };
}

/** A clock that can be read, too. */
export interface ThrottleClock extends Clock {
  /** Milliseconds since some moment. */
  now(): number;
}

/** How a throttle is built. */
export interface ThrottleOptions extends Partial<ThrottleSettings> {
  /** Gives the temperature in degrees Celsius, `undefined` where there is none. */
  readonly temperature: () => Promise<number | undefined>;
  /** What waits; the real clock by default. */
  readonly clock?: ThrottleClock;
}

const wallClock: ThrottleClock = { now: () => performance.now(), wait: realClock.wait };

/**
 * Holds work to a temperature: between two pieces of it, `pace` rests so long that the work fills its share of the time.
 *
 * @example A machine of 60 degrees is not slowed down
 * ```ts
 * import { Throttle } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const throttle = new Throttle({ temperature: () => Promise.resolve(60) });
 * await throttle.pace();
 * assert.equal(throttle.state.share, 1);
 * ```
 */
export class Throttle {
  readonly #settings: ThrottleSettings;
  readonly #temperature: () => Promise<number | undefined>;
  readonly #clock: ThrottleClock;
  #state: ThrottleState = FULL_SPEED;
  #looked = -Infinity;
  #working: number;

  /**
   * A throttle at full speed that has not looked yet.
   *
   * @param options What to hold, and where temperatures come from.
   * @throws {RangeError} If the temperatures are not in the order release, brake, or the target is not below the brake.
   */
  constructor(options: ThrottleOptions) {
    const { temperature, clock = wallClock, ...settings } = options;
    this.#settings = { ...THROTTLE, ...settings };
    const { target, brake, release } = this.#settings;
    if (!(target < brake && release < brake)) {
      throw new RangeError(
        `Cannot hold ${target} degrees: the brake is at ${brake} and lets go at ${release}, ` +
          "a brake above both is wanted",
      );
    }
    this.#temperature = temperature;
    this.#clock = clock;
    this.#working = clock.now();
  }

  /** What it knows, for logs. */
  get state(): ThrottleState {
    return this.#state;
  }

  /**
   * Called after each piece of work of up to some seconds: looks at the sensors when it is time, then rests.
   *
   * @param signal Ends the rest.
   * @throws The signal's reason.
   */
  async pace(signal?: AbortSignal): Promise<void> {
    const clock = this.#clock;
    const worked = clock.now() - this.#working;
    await this.#look();
    while (this.#state.braking) {
      await clock.wait(1000 * this.#settings.seconds, signal);
      await this.#look();
    }
    const { share } = this.#state;
    const rest = worked * (1 - share) / share;
    if (rest > 0) await clock.wait(rest, signal);
    this.#working = clock.now();
  }

  async #look(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#looked < 1000 * this.#settings.seconds) return;
    this.#looked = now;
    this.#state = nextShare(this.#state, await this.#temperature(), this.#settings);
  }
}
