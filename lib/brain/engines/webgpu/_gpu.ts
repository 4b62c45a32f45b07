import { openDevice, type WebgpuAdapter } from "./_adapter.ts";
import { type KernelName, type Params, writeKernels } from "./_kernels.ts";

/** How a GPU is opened. */
export interface GpuOptions {
  /** Rates in half precision. */
  readonly half: boolean;
  /** Bytes that a buffer may take at most; by default what the device allows. */
  readonly largestBuffer?: number | undefined;
  /** Groups of threads along one side of a dispatch; by default what the device allows. */
  readonly mostGroups?: number;
}

/** What to call a kernel with. */
export interface Call {
  /** What it is told. */
  readonly params: Params;
  /** Its arrays, from binding 1. */
  readonly buffers: readonly GPUBuffer[];
}

/** A GPU with its kernels: makes buffers, runs kernels, brings results back, and turns what goes wrong into errors. */
export class Gpu {
  /** What it is. */
  readonly adapter: WebgpuAdapter;
  /** Rates in half precision. */
  readonly half: boolean;
  /** Bytes that a buffer may take at most. */
  readonly largestBuffer: number;
  readonly #device: GPUDevice;
  readonly #mostGroups: number;
  readonly #pipelines = new Map<KernelName, GPUComputePipeline>();
  readonly #itemsPerGroup = new Map<KernelName, number>();
  readonly #buffers = new Set<GPUBuffer>();
  readonly #numbers = new WeakMap<GPUBuffer, number>();
  readonly #params = new Map<string, GPUBuffer>();
  readonly #bindings = new Map<string, GPUBindGroup>();
  #made = 0;
  #closed = false;
  /** The first thing that went wrong outside every call. */
  #failure: string | null = null;
  #lost: string | null = null;

  private constructor(adapter: WebgpuAdapter, device: GPUDevice, options: GpuOptions) {
    this.adapter = adapter;
    this.half = options.half;
    this.#device = device;
    const { maxStorageBufferBindingSize, maxBufferSize, maxComputeWorkgroupsPerDimension } = device.limits;
    this.#mostGroups = options.mostGroups ?? maxComputeWorkgroupsPerDimension;
    this.largestBuffer = Math.min(
      options.largestBuffer ?? Infinity,
      maxStorageBufferBindingSize,
      maxBufferSize,
    );
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      if (event instanceof GPUUncapturedErrorEvent) this.#failure ??= event.error.message;
    });
    device.lost.then(({ reason, message }) => {
      if (!this.#closed) this.#lost = message || reason || "no reason given";
    });
  }

  /**
   * Opens the fastest GPU and compiles the kernels.
   *
   * @throws {Error} If there is none, it refuses a device or a kernel, or it does not offer half precision.
   */
  static async open(options: GpuOptions): Promise<Gpu> {
    const { adapter, device } = await openDevice(options.half);
    const gpu = new Gpu(adapter, device, options);
    try {
      await gpu.guard("compile the kernels of the webgpu engine", () => gpu.#compile());
    } catch (error) {
      gpu.close();
      throw error;
    }
    return gpu;
  }

  #compile(): void {
    for (const [key, { code, itemsPerGroup }] of Object.entries(writeKernels(this.half))) {
      const name = key as KernelName;
      const module = this.#device.createShaderModule({ label: name, code });
      const compute = { module, entryPoint: "main" };
      this.#itemsPerGroup.set(name, itemsPerGroup);
      this.#pipelines.set(
        name,
        this.#device.createComputePipeline({ label: name, layout: "auto", compute }),
      );
    }
  }

  /** A buffer of zeros that kernels read and write. */
  buffer(bytes: number): GPUBuffer {
    // An array of no elements cannot be bound.
    return this.#make(
      Math.max(16, bytes),
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    );
  }

  /** A buffer with these numbers. */
  upload(values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>): GPUBuffer {
    const buffer = this.buffer(values.byteLength);
    this.write(buffer, values);
    return buffer;
  }

  /** Replaces numbers of a buffer, from a byte on, before whatever is submitted next. */
  write(buffer: GPUBuffer, values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, from = 0): void {
    if (values.length > 0) this.#device.queue.writeBuffer(buffer, from, values);
  }

  /** A buffer to bring results back in. */
  staging(bytes: number): GPUBuffer {
    return this.#make(Math.max(16, bytes), GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  }

  #make(size: number, usage: number): GPUBuffer {
    const buffer = this.#device.createBuffer({ size, usage });
    this.#buffers.add(buffer);
    this.#numbers.set(buffer, this.#made++);
    return buffer;
  }

  /** Gives the memory of some buffers back. */
  free(buffers: Iterable<GPUBuffer>): void {
    for (const buffer of buffers) {
      buffer.destroy();
      this.#buffers.delete(buffer);
    }
    // Some of these hold buffers that are gone.
    this.#bindings.clear();
  }

  /** Adds a kernel to a pass; a call with nothing to go through is left out. */
  dispatch(pass: GPUComputePassEncoder, name: KernelName, { params, buffers }: Call): void {
    if (params.count === 0) return;
    const pipeline = this.#pipelines.get(name)!;
    const groups = Math.ceil(params.count / this.#itemsPerGroup.get(name)!);
    const wide = Math.min(groups, this.#mostGroups);
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#bind(name, pipeline, [this.#uniform(params), ...buffers]));
    pass.dispatchWorkgroups(wide, Math.ceil(groups / wide));
  }

  #uniform(params: Params): GPUBuffer {
    const { count, offset = 0, positions = 0, first = 0, leak = 0, floor = 0, calm = 0 } = params;
    const key = [count, offset, positions, first, leak, floor, calm].join();
    const known = this.#params.get(key);
    if (known !== undefined) return known;
    const buffer = this.#make(32, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    const words = Uint32Array.of(count, offset, positions, first, 0, 0, calm, 0);
    new Float32Array(words.buffer).set([leak, floor], 4);
    this.#device.queue.writeBuffer(buffer, 0, words);
    this.#params.set(key, buffer);
    return buffer;
  }

  #bind(name: string, pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const key = `${name} ${buffers.map((buffer) => this.#numbers.get(buffer)).join()}`;
    const known = this.#bindings.get(key);
    if (known !== undefined) return known;
    const group = this.#device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    this.#bindings.set(key, group);
    return group;
  }

  /**
   * Does something on the device and waits for its verdict.
   *
   * @param action "Cannot <action>: ..." if it fails.
   * @param work Runs at once, without a pause.
   */
  async guard<T>(action: string, work: () => T): Promise<T> {
    this.demandWhole(action);
    const scopes = ["validation", "internal", "out-of-memory"] as const;
    for (const scope of scopes) this.#device.pushErrorScope(scope);
    let result: T | undefined;
    let thrown: { readonly error: unknown } | undefined;
    try {
      result = work();
    } catch (error) {
      thrown = { error };
    }
    const verdicts = await Promise.allSettled(scopes.map(() => this.#device.popErrorScope()));
    const reported = verdicts.map((verdict) =>
      verdict.status === "fulfilled" ? verdict.value : verdict.reason
    );
    if (thrown === undefined && reported.every((error) => error === null)) return result as T;
    await this.#explainLoss(action);
    if (thrown !== undefined) throw thrown.error;
    throw gpuError(action, this.adapter.name, reported.find((error) => error !== null));
  }

  /** Throws if the device was lost; the news of that may come after the calls that fail because of it. */
  async #explainLoss(action: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.demandWhole(action);
  }

  /** Records commands and sends them off. */
  async submit(action: string, record: (encoder: GPUCommandEncoder) => void): Promise<void> {
    await this.guard(action, () => {
      const encoder = this.#device.createCommandEncoder();
      record(encoder);
      this.#device.queue.submit([encoder.finish()]);
    });
  }

  /** Waits until everything that was submitted is done. */
  async settled(action: string): Promise<void> {
    try {
      await this.#device.queue.onSubmittedWorkDone();
    } catch (error) {
      await this.#explainLoss(action);
      throw new Error(`Cannot ${action}: the GPU does not end what it began`, { cause: error });
    }
    this.demandWhole(action);
  }

  /** What a staging buffer holds once the commands before are done. The buffer may be used again afterwards. */
  async take(action: string, staging: GPUBuffer): Promise<Float32Array> {
    try {
      await staging.mapAsync(GPUMapMode.READ);
      const values = new Float32Array(staging.getMappedRange()).slice();
      staging.unmap();
      this.demandWhole(action);
      return values;
    } catch (error) {
      await this.#explainLoss(action);
      throw new Error(`Cannot ${action}: the GPU gave no result back`, { cause: error });
    }
  }

  /** Whether the device went away: the driver crashed, the GPU was taken out or reset. */
  get lost(): boolean {
    return this.#lost !== null;
  }

  /** Throws if the device went away or something failed outside every call. */
  demandWhole(action: string): void {
    if (this.#closed) throw new Error(`Cannot ${action}: the GPU was given back, a living brain is wanted`);
    if (this.#lost !== null) {
      throw new Error(
        `Cannot ${action}: the GPU ${this.adapter.name} was lost (${this.#lost}), ` +
          "call update() to load the brain into it again",
      );
    }
    if (this.#failure !== null) {
      throw new Error(`Cannot ${action}: the GPU ${this.adapter.name} reported: ${this.#failure}`);
    }
  }

  /** Gives all memory back; the kernels stay. */
  clear(): void {
    for (const buffer of this.#buffers) buffer.destroy();
    this.#buffers.clear();
    this.#bindings.clear();
    this.#params.clear();
  }

  /** Gives everything back. */
  close(): void {
    this.#closed = true;
    this.clear();
    this.#device.destroy();
  }
}

/** What a device reported, as an error that says what was being done. */
function gpuError(action: string, name: string, error: unknown): Error {
  if (error instanceof GPUOutOfMemoryError) {
    return new Error(
      `Cannot ${action}: the memory of ${name} is full, a smaller brain or fewer positions at once are wanted`,
      { cause: error },
    );
  }
  return new Error(
    `Cannot ${action}: ${name} refuses a command: ${error instanceof GPUError ? error.message : error}`,
    {
      cause: error,
    },
  );
}
