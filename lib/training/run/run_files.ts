/** The files of a run. */
export const RUN_FILES: Readonly<
  Record<"config" | "log" | "checkpoint" | "previous" | "stop" | "lock" | "snapshots", string>
> = {
  config: "config.json",
  log: "log.jsonl",
  checkpoint: "checkpoint.safetensors",
  previous: "checkpoint.previous.safetensors",
  stop: "stop",
  lock: "lock",
  snapshots: "snapshots",
};
