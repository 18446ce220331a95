import { createHash } from "node:crypto";
import { LoredexError } from "../model/errors.ts";

/** Reads a file of the model's directory; rejects if it does not exist. */
export type ReadModelFile = (name: string) => Promise<Uint8Array>;

/** A file of the static embedder, as the manifest lists it. */
export interface StaticEmbedderFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** The manifest of a static embedder's files. `tools/static-embedder` makes both. */
export interface StaticEmbedderManifest {
  readonly id: string;
  /** Changes whenever one of the files changes. */
  readonly version: string;
  /** The sentence encoder whose space the vectors are in. Cosines with its vectors are meaningful for this version only. */
  readonly teacher: { readonly id: string; readonly version: string };
  readonly dimensions: number;
  readonly files: {
    /** Word pieces, one a line, in the order of their numbers. */
    readonly pieces: StaticEmbedderFile;
    /** Pairs of neighbouring word pieces that have a row of their own: two uint16 each, in ascending order. */
    readonly pairs: StaticEmbedderFile;
    /** One row of int8 for each word piece, then one for each pair. */
    readonly rows: StaticEmbedderFile;
    /** One float32 for each row: the factor of its int8 codes. */
    readonly scales: StaticEmbedderFile;
  };
}

/** Reads the manifest. Rejects with `CORRUPT` if the file is no manifest of a static embedder. */
export async function readStaticEmbedderManifest(read: ReadModelFile): Promise<StaticEmbedderManifest> {
  const text = new TextDecoder().decode(await read("manifest.json"));
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (cause) {
    throw damaged("manifest.json", cause);
  }
  if (!isManifest(manifest)) throw damaged("manifest.json");
  return manifest;
}

/** Reads one file. Rejects with `CORRUPT` if its SHA-256 is not that of the manifest. */
export async function readStaticEmbedderFile(read: ReadModelFile, file: StaticEmbedderFile): Promise<Uint8Array> {
  const bytes = await read(file.name);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== file.sha256) throw damaged(file.name);
  return bytes;
}

/** Decodes little-endian float32 values. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

/** Decodes little-endian uint16 values. */
export function shortsOf(bytes: Uint8Array): Uint16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint16Array.from({ length: bytes.byteLength / 2 }, (_, at) => view.getUint16(at * 2, true));
}

function damaged(name: string, cause?: unknown): LoredexError {
  const message = `The file ${name} of the static embedder is damaged; install @loredex/core again.`;
  return new LoredexError("CORRUPT", message, cause === undefined ? undefined : { cause });
}

function isManifest(value: unknown): value is StaticEmbedderManifest {
  if (!isRecord(value) || !isRecord(value.teacher) || !isRecord(value.files)) return false;
  const { files, teacher } = value;
  const texts = [value.id, value.version, teacher.id, teacher.version];
  const all = [files.pieces, files.pairs, files.rows, files.scales];
  return texts.every((text) => typeof text === "string") && typeof value.dimensions === "number" && all.every(isFile);
}

function isFile(value: unknown): boolean {
  return isRecord(value) && typeof value.name === "string" && typeof value.sha256 === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
