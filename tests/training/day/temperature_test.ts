import assert from "node:assert/strict";
import { cpuTemperature, findSensors } from "../../../lib/training/day/temperature.ts";
import { machineRoom, shortage } from "../../../lib/training/day/machine_guard.ts";

async function sensors(files: Record<string, string>): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(`${folder}/${path.split("/")[0]}`, { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, `${content}\n`);
  }
  return folder;
}

Deno.test("`cpuTemperature()` gives the highest of the processor's sensors and leaves out all others", async () => {
  const folder = await sensors({
    "hwmon0/name": "nvme",
    "hwmon0/temp1_input": "75850",
    "hwmon1/name": "coretemp",
    "hwmon1/temp1_input": "61000",
    "hwmon1/temp1_label": "Package id 0",
    "hwmon1/temp2_input": "63500",
    "hwmon1/temp2_max": "100000",
    "hwmon1/temp10_input": "62000",
    "hwmon2/name": "nct6775",
    "hwmon2/temp1_input": "64250",
    "hwmon2/temp1_label": "SYSTIN",
  });
  assert.equal((await findSensors(folder)).length, 5);
  assert.equal(await cpuTemperature(folder), 63.5);
});

Deno.test("`cpuTemperature()` takes any sensor where none is the processor's", async () => {
  const folder = await sensors({ "hwmon0/name": "acpitz", "hwmon0/temp1_input": "48000" });
  assert.equal(await cpuTemperature(folder), 48);
});

Deno.test("`cpuTemperature()` passes over sensors that are dead or not connected", async () => {
  const folder = await sensors({
    "hwmon0/name": "k10temp",
    "hwmon0/temp1_input": "",
    "hwmon0/temp2_input": "-128000",
    "hwmon0/temp3_input": "255000",
    "hwmon0/temp4_input": "57125",
  });
  assert.equal(await cpuTemperature(folder), 57.125);
  await Deno.remove(`${folder}/hwmon0/temp4_input`);
  assert.equal(await cpuTemperature(folder), undefined);
});

Deno.test("`cpuTemperature()` is undefined on a machine without sensors", async () => {
  assert.equal(await cpuTemperature("/nowhere/hwmon"), undefined);
});

Deno.test("`machineRoom()` looks at this machine, and `shortage()` names memory before disk", async () => {
  const room = await machineRoom(await Deno.makeTempDir());
  assert.ok(room.freeBytes > 0 && room.availableBytes > 0);
  const limits = { freeBytes: 10e9, availableBytes: 1e9 };
  assert.equal(shortage({ freeBytes: 1, availableBytes: 1 }, limits)?.of, "memory");
  assert.equal(
    shortage({ freeBytes: 2.5e9, availableBytes: 2e9 }, limits)?.words,
    "2.5 GB of disk are left, at least 10.0 are wanted",
  );
  assert.equal(shortage({ freeBytes: 10e9, availableBytes: 1e9 }, limits), undefined);
});
