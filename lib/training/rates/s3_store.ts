import { AwsClient } from "aws4fetch";
import type { BlockStore } from "./block_store.ts";

/** Where an S3-compatible store is, and who asks. */
export interface S3Settings {
  /** Its address, for example `https://s3.eu-central-1.amazonaws.com` or `http://localhost:9000`. */
  readonly endpoint: string;
  /** The key's name. */
  readonly accessKeyId: string;
  /** The key. */
  readonly secretAccessKey: string;
  /** Goes with keys that expire. */
  readonly sessionToken?: string | undefined;
  /** The region that requests are signed for; `us-east-1` by default, which most own servers take. */
  readonly region?: string | undefined;
  /** How often a request that failed (no connection, 429, 500 and above) is tried again; 6 by default, up to 3 s apart. */
  readonly retries?: number | undefined;
  /** What asks the server; `fetch` by default. */
  readonly fetch?: typeof fetch | undefined;
}

/** Milliseconds before the first retry; each further one waits twice as long. */
const FIRST_WAIT = 100;

/**
 * Blocks in a bucket of an S3-compatible store (Amazon, MinIO, Cloudflare R2, Garage). An upload appears whole or not at
 * all, and `If-None-Match: *` refuses it where the name is taken (Amazon S3 user guide, "Conditional writes").
 */
export class S3Store implements BlockStore {
  /** `s3://BUCKET/PREFIX`. */
  readonly address: string;
  readonly #base: string;
  readonly #client: AwsClient;
  readonly #settings: S3Settings;

  /**
   * A store in a bucket, which must exist.
   *
   * @param bucket The bucket.
   * @param prefix What all names begin with; may be empty.
   * @param settings Where it is, and who asks.
   */
  constructor(bucket: string, prefix: string, settings: S3Settings) {
    const { endpoint, accessKeyId, secretAccessKey, sessionToken, region = "us-east-1" } = settings;
    this.address = `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
    // The bucket in the path, not in the host's name: own servers have no wildcard names.
    this.#base = `${endpoint.replace(/\/+$/, "")}/${bucket}/${prefix === "" ? "" : `${prefix}/`}`;
    this.#settings = settings;
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...sessionToken ? { sessionToken } : {},
      region,
      service: "s3",
      retries: 0,
    });
  }

  /** Whether an object has this name. */
  async has(name: string, signal?: AbortSignal): Promise<boolean> {
    const response = await this.#ask("HEAD", name, {}, signal);
    await response.body?.cancel();
    return this.#judge(response, "look for", name, [200, 404]) === 200;
  }

  /** Uploads an object, unless one has that name. */
  async put(name: string, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<boolean> {
    // 409: another upload of the same name is under way, and may still fail.
    for (let tries = 0;; tries++) {
      const headers = { "if-none-match": "*", "content-type": "application/octet-stream" };
      const response = await this.#ask("PUT", name, { body: bytes, headers }, signal);
      await response.body?.cancel();
      if (response.status === 409 && tries < this.#retries) {
        await this.#wait(tries, signal);
        continue;
      }
      return this.#judge(response, "write", name, [200, 201, 412]) !== 412;
    }
  }

  /** An object's bytes. */
  async get(name: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const response = await this.#ask("GET", name, {}, signal);
    if (response.status !== 200) await response.body?.cancel();
    if (this.#judge(response, "read", name, [200, 404]) === 404) return undefined;
    return new Uint8Array(await response.arrayBuffer());
  }

  get #retries(): number {
    return this.#settings.retries ?? 6;
  }

  async #ask(
    method: string,
    name: string,
    init: { body?: Uint8Array<ArrayBuffer>; headers?: Record<string, string> },
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const url = this.#base + name.split("/").map(encodeURIComponent).join("/");
    for (let tries = 0;; tries++) {
      signal?.throwIfAborted();
      // Signed again every time: a signature is good for some minutes.
      const request = await this.#client.sign(url, { method, ...init });
      try {
        const response = await (this.#settings.fetch ?? fetch)(request, signal ? { signal } : {});
        const passing = response.status === 429 || response.status >= 500;
        if (!passing || tries >= this.#retries) return response;
        await response.body?.cancel();
      } catch (error) {
        signal?.throwIfAborted();
        if (tries >= this.#retries) {
          throw new Error(`Cannot reach the store ${this.address}: ${messageOf(error)}`, { cause: error });
        }
      }
      await this.#wait(tries, signal);
    }
  }

  #judge(response: Response, verb: string, name: string, known: readonly number[]): number {
    if (known.includes(response.status)) return response.status;
    throw new Error(
      `Cannot ${verb} ${this.address}/${name}: the store answers ${response.status} ${response.statusText}`
        .trimEnd(),
    );
  }

  async #wait(tries: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT * 2 ** Math.min(tries, 5)));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
