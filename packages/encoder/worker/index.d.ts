/** What packages with a model use in the program of their worker processes. */

/** A value that the native library takes and gives. */
export interface Tensor {
  readonly data: unknown;
}

/** Makes tensors: of ids, or of numbers. */
export interface TensorMaker {
  new (type: "int64", data: BigInt64Array, dims: readonly number[]): Tensor;
  new (type: "float32", data: Float32Array, dims: readonly number[]): Tensor;
}

export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** What `manifest.json` says of a model. */
export interface Manifest {
  readonly id: string;
  /** Changes with any of the files. */
  readonly version: string;
  /** Of a vector. */
  readonly dimensions: number;
  /** Dimensions before a rotation. */
  readonly hidden: number;
  /** Most pieces of a text, with the two that mark its ends. */
  readonly tokensMax: number;
  /** By what they are for: every model has `model`; `rotation` shortens its vectors, `common` is taken away from them first, where they lie to one side. */
  readonly files: Readonly<Record<string, ModelFile>>;
  /** What makes token codes; absent for a model that has none. It changes no vector, so it has a version of its own. */
  readonly tokenCodes?: ManifestTokenCodes;
}

export interface ManifestTokenCodes {
  /** Changes whenever token codes would: with the model or the mean, not with the weights. */
  readonly version: string;
  readonly files: {
    /** The mean of the rows of tokens: float32, little-endian, as many as the model has hidden dimensions. */
    readonly mean: ModelFile;
    /** A byte a piece: how rare it is in the language, 255 for one that no counted text has. */
    readonly weights: ModelFile;
  };
}

/** What a model's own part may use. */
export interface ModelDeps {
  readonly manifest: Manifest;
  /** The verified bytes of the file of the manifest that is for this. */
  readonly read: (part: string) => Promise<Uint8Array>;
  readonly Tensor: TensorMaker;
}

/** What the graph is given for one text. */
export interface Input {
  readonly tokens: number;
  /** The ids of the pieces, one a token. */
  readonly pieces: readonly number[];
  /** The tokens from here up to `to` are the text's own: the others mark its ends, or what kind of text it is. */
  readonly from: number;
  readonly to: number;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

/** A model's own part: from a text to what its graph is given. */
export type OpenInput = (deps: ModelDeps) => Promise<{
  readonly inputOf: (text: string) => Input;
  /** A piece's letters, by its id, without what marks the beginning or the midst of a word. */
  readonly spelling: (piece: number) => string;
  /** The piece that stands for what the vocabulary lacks. */
  readonly unknown: number;
}>;

/** Serves the host program until it closes this process, or ends. To be called once, with the package whose model it is. */
export function serveEncoder(packageName: string, openInput: OpenInput): void;

/** Reads little-endian float32 values. */
export function readFloats(bytes: Uint8Array): Float32Array;

/** What the manifest of a model directory says. */
export function readManifest(directory: string, packageName: string): Promise<Manifest>;

/** The bytes of one file. Rejects if they are not those that the manifest promises. */
export function readModelFile(directory: string, file: ModelFile, packageName: string): Promise<Uint8Array>;

/** The beginning of a text, at most so many UTF-16 units, never ending within a character. */
export function beginning(text: string, unitsMax: number): string;
