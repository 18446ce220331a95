/** What is used of a package that is optional: the types must be there where it is not. The release that is used brings none of its own. */
declare module "onnxruntime-node" {
  export class Tensor {
    constructor(type: "int64", data: BigInt64Array, dims: readonly number[]);
    constructor(type: "float32", data: Float32Array, dims: readonly number[]);
    /** As the model says; the encoder's last layer is a Float32Array. */
    readonly data: unknown;
  }

  export interface SessionOptions {
    readonly intraOpNumThreads?: number;
    readonly interOpNumThreads?: number;
    readonly executionMode?: "sequential" | "parallel";
    readonly graphOptimizationLevel?: "disabled" | "basic" | "extended" | "all";
  }

  export class InferenceSession {
    private constructor();
    /** Loads a model from its bytes, within native code. */
    static create(model: Uint8Array, options?: SessionOptions): Promise<InferenceSession>;
    run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor | undefined>>>;
    release(): Promise<void>;
  }
}
