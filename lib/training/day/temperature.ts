import { join } from "node:path";

/** Where Linux shows its sensors (kernel documentation, "hwmon sysfs interface"). */
export const HWMON_FOLDER = "/sys/class/hwmon";

/** One temperature sensor. */
export interface TemperatureSensor {
  /** The chip's name as its driver gives it, for example `k10temp`. */
  readonly chip: string;
  /** What it measures, for example `Tctl` or `Package id 0`; empty where the driver does not say. */
  readonly label: string;
  /** The file with its value in thousandths of a degree Celsius. */
  readonly path: string;
}

/** Drivers whose sensors sit in or at the processor: Intel, AMD, boards with ARM and RISC-V cores. */
const CPU_CHIPS =
  /^(coretemp|k8temp|k10temp|zenpower|via_cputemp|(cpu|soc|cluster|bigcore|package).*thermal.*)$/i;

/** Labels by which boards name the processor's sensor among their others. */
const CPU_LABELS = /\b(cpu|package|core \d|tctl|tdie|tccd\d)/i;

/** A sensor that is not connected often shows -128, 0 or 255 degrees. */
const PLAUSIBLE = { above: 0, below: 130 };

/**
 * Lists the temperature sensors of this machine. A machine without any (a virtual one, or not Linux) gives an empty list.
 *
 * @param folder Where the sensors are; tests put in their own.
 */
export async function findSensors(folder: string = HWMON_FOLDER): Promise<TemperatureSensor[]> {
  const sensors: TemperatureSensor[] = [];
  for (const monitor of await namesIn(folder)) {
    const at = join(folder, monitor);
    const chip = await readLine(join(at, "name")) ?? "";
    for (const file of await namesIn(at)) {
      const number = /^temp(\d+)_input$/.exec(file)?.[1];
      if (number === undefined) continue;
      const label = await readLine(join(at, `temp${number}_label`)) ?? "";
      sensors.push({ chip, label, path: join(at, file) });
    }
  }
  return sensors;
}

/**
 * The processor's temperature in degrees Celsius: the highest of its sensors, or of all where none is known to be the
 * processor's.
 *
 * @param folder Where the sensors are; tests put in their own.
 * @returns `undefined` if no sensor gives a value that can be: the machine has none, or they have died.
 *
 * @example A processor of 61 degrees beside a disk of 70
 * ```ts
 * import { cpuTemperature } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * for (const [monitor, name, value] of [["hwmon0", "k10temp", "61000"], ["hwmon1", "nvme", "70000"]]) {
 *   await Deno.mkdir(`${folder}/${monitor}`);
 *   await Deno.writeTextFile(`${folder}/${monitor}/name`, `${name}\n`);
 *   await Deno.writeTextFile(`${folder}/${monitor}/temp1_input`, `${value}\n`);
 * }
 * assert.equal(await cpuTemperature(folder), 61);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function cpuTemperature(folder: string = HWMON_FOLDER): Promise<number | undefined> {
  // Searched every time: a driver that is loaded again gets other numbers, and a search takes a millisecond.
  const sensors = await findSensors(folder);
  const cpu = sensors.filter(({ chip, label }) => CPU_CHIPS.test(chip) || CPU_LABELS.test(label));
  return await hottest(cpu) ?? await hottest(sensors);
}

async function hottest(sensors: readonly TemperatureSensor[]): Promise<number | undefined> {
  let highest: number | undefined;
  for (const { path } of sensors) {
    const line = await readLine(path);
    if (line === undefined || line === "") continue;
    const degrees = Number(line) / 1000;
    if (!(degrees > PLAUSIBLE.above && degrees < PLAUSIBLE.below)) continue;
    if (highest === undefined || degrees > highest) highest = degrees;
  }
  return highest;
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) names.push(name);
  } catch {
    // A monitor may go while it is looked at, and elsewhere there is no such folder.
    return [];
  }
  return names.sort();
}

async function readLine(path: string): Promise<string | undefined> {
  try {
    return (await Deno.readTextFile(path)).trim();
  } catch {
    // Sensors refuse to be read while their device sleeps.
    return undefined;
  }
}
