import { type BlockStore, openBlockStore } from "../lib/training/mod.ts";
import type { BrainRecipe } from "./_cache_brain.ts";
import { readEye, readSteps, UsageError } from "./_command.ts";

/** The options that say which brain fills a cache. */
export const BRAIN_OPTIONS = {
  connectome: { type: "string" },
  calibrate: { type: "string" },
  eye: { type: "string", default: "auto" },
  read: { type: "string", default: "12" },
  apart: { type: "boolean", default: false },
} as const;

/** Their help. */
export const BRAIN_HELP = `
  --connectome FILE  from 'fly connectome build' or 'fly connectome grow'
  --calibrate FILE   its first 256 training positions calibrate the brain (the first positions file)
  --eye NAME         fair, first, larva or auto: the fair eye where the brain has eye columns (auto)
  --read STEPS       steps that are read, with commas between (12)
  --apart            keep each step's rates instead of their mean`.slice(1);

/** The options that say where the queue and the store are. */
export const QUEUE_OPTIONS = {
  redis: { type: "string" },
  queue: { type: "string", default: "flychess-cache" },
  store: { type: "string" },
} as const;

/** Their help. */
export const QUEUE_HELP = `
  --redis URL        the queue's Redis or Valkey server (FLYCHESS_REDIS, else redis://localhost:6379)
  --queue NAME       the queue's name there (flychess-cache)
  --store PLACE      where blocks go: a folder that all machines see, or s3://BUCKET/PREFIX
                     (FLYCHESS_STORE, else data/cache-store)`.slice(1);

/** What S3 needs, for the help. */
export const S3_HELP = `
An S3-compatible store is told by the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
AWS_REGION and AWS_ENDPOINT_URL (your own server, for example http://minio:9000).`.slice(1);

/** Reads which brain is meant. */
export function readBrain(
  values: { connectome?: string; calibrate?: string; eye: string; read: string; apart: boolean },
  positions: readonly string[],
): BrainRecipe {
  if (!values.connectome) throw new UsageError("--connectome FILE is wanted");
  return {
    connectome: values.connectome,
    calibrate: values.calibrate ?? positions[0]!,
    eye: readEye(values.eye),
    steps: readSteps(values.read),
    apart: values.apart,
  };
}

/** Where the queue is. */
export function readQueue(values: { redis?: string; queue: string }): { redis: string; queue: string } {
  return {
    redis: values.redis ?? Deno.env.get("FLYCHESS_REDIS") ?? "redis://localhost:6379",
    queue: values.queue,
  };
}

/** Opens the store. */
export function readStore(place: string | undefined): BlockStore {
  const address = place ?? Deno.env.get("FLYCHESS_STORE") ?? "data/cache-store";
  if (!address.startsWith("s3://")) return openBlockStore(address);
  const { env } = Deno;
  const accessKeyId = env.get("AWS_ACCESS_KEY_ID");
  const secretAccessKey = env.get("AWS_SECRET_ACCESS_KEY");
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError(`${address} wants AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
  }
  const region = env.get("AWS_REGION") || "us-east-1";
  return openBlockStore(address, {
    endpoint: env.get("AWS_ENDPOINT_URL") ||
      `https://s3.${region}.amazonaws.com`,
    accessKeyId,
    secretAccessKey,
    sessionToken: env.get("AWS_SESSION_TOKEN"),
    region,
  });
}
