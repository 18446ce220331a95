import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder, EmbedderCost, TokenEncoder } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { CachedTokenCodes } from "./cached-token-codes.ts";

/** What was embedded in earlier runs stands here: the encoder takes minutes for what the rest of a bench does in seconds. */
const FOLDER = new URL("../.cache/", import.meta.url);

const HASH_BYTES = 32;

/**
 * The embedder with a memory that outlasts the process: one record a text, its SHA-256 and its vector. The vectors are the
 * same to the last bit; only times say nothing about the encoder. The embedder inside is opened when a text is new.
 */
export class CachedEmbedder implements Embedder {
  readonly id: string;
  readonly version: string;
  readonly dimensions: number;
  readonly weight: number;
  readonly cost: EmbedderCost;
  readonly calibrate?: (cosine: number) => number;
  readonly bias: (question: Float32Array) => number;
  readonly smallTalk: (question: Float32Array) => number;
  readonly tokens?: TokenEncoder;
  readonly #tokenCodes: CachedTokenCodes | undefined;
  readonly #inner: Embedder;
  readonly #file: number;
  readonly #known = new Map<string, Float32Array>();
  #made = 0;

  constructor(inner: Embedder) {
    const { tokens } = inner;
    this.#tokenCodes = tokens === undefined ? undefined : new CachedTokenCodes(inner.id, tokens);
    // A call that reads a text for its vector leaves its token codes.
    this.#inner = this.#tokenCodes?.keeping(inner) ?? inner;
    ({ id: this.id, version: this.version, dimensions: this.dimensions, weight: this.weight, cost: this.cost } = inner);
    this.bias = (question) => inner.bias?.(question) ?? 0;
    this.smallTalk = (question) => inner.smallTalk?.(question) ?? 0;
    if (inner.calibrate !== undefined) this.calibrate = (cosine) => inner.calibrate?.(cosine) ?? 0;
    const path = fileURLToPath(new URL(`${inner.id}-${inner.version}.vectors`, FOLDER));
    mkdirSync(dirname(path), { recursive: true });
    this.#load(path);
    this.#file = openSync(path, "a");
    if (tokens !== undefined && this.#tokenCodes !== undefined) this.tokens = this.#tokensBy(tokens, this.#tokenCodes);
  }

  /** Texts that were not known. */
  get made(): number {
    return this.#made;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#known.has(keyOf("passage", text))))];
    const vectors = missing.length === 0 ? [] : await this.#inner.embedPassages(missing, signal);
    for (const [i, text] of missing.entries()) this.#keep(keyOf("passage", text), vectors[i]);
    return texts.map((text) => this.#get(keyOf("passage", text)));
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const key = keyOf("query", text);
    if (!this.#known.has(key)) this.#keep(key, await this.#inner.embedQuery(text, signal));
    return this.#get(key);
  }

  async close(): Promise<void> {
    closeSync(this.#file);
    this.#tokenCodes?.close();
    await this.#inner.close();
  }

  #tokensBy({ space, calibration }: TokenEncoder, tokenCodes: CachedTokenCodes): TokenEncoder {
    return {
      space,
      calibration,
      embedPassages: async (texts, signal) => {
        const vectors = await this.embedPassages(texts, signal);
        return { vectors, tokens: (await tokenCodes.ofPassages(texts)).map((each) => ({ tokenCodes: each })) };
      },
      embedQuery: async (text, signal) => {
        const vector = await this.embedQuery(text, signal);
        const { tokenCodes: own, weights } = await tokenCodes.ofQuestion(text);
        return { vector, tokens: { tokenCodes: own, weights, wordPieces: Array.from(weights, () => "") } };
      },
    };
  }

  #get(key: string): Float32Array {
    const vector = this.#known.get(key);
    if (vector === undefined) throw new Error("a vector is missing");
    return vector;
  }

  #keep(key: string, vector: Float32Array | undefined): void {
    if (vector === undefined) throw new Error("the embedder gave too few vectors");
    this.#made += 1;
    this.#known.set(key, vector);
    const record = Buffer.concat([
      Buffer.from(key, "hex"),
      Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
    ]);
    writeSync(this.#file, record);
  }

  /** A last record that was cut off is made again. */
  #load(path: string): void {
    if (!existsSync(path)) return;
    const bytes = readFileSync(path);
    const recordBytes = HASH_BYTES + this.dimensions * 4;
    for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
      const key = bytes.toString("hex", at, at + HASH_BYTES);
      const vector = new Float32Array(new Uint8Array(bytes.subarray(at + HASH_BYTES, at + recordBytes)).buffer);
      this.#known.set(key, vector);
    }
  }
}

function keyOf(kind: "passage" | "query", text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("hex");
}

/** The embedder with the weight that it is measured with; closing it is for whoever opened it. */
export function sharedEmbedder(embedder: Embedder, weight = embedder.weight): Embedder {
  const calibrate = embedder.calibrate?.bind(embedder);
  return {
    id: embedder.id,
    version: embedder.version,
    dimensions: embedder.dimensions,
    cost: embedder.cost,
    weight,
    ...(calibrate === undefined ? {} : { calibrate }),
    bias: (question) => embedder.bias?.(question) ?? 0,
    smallTalk: (question) => embedder.smallTalk?.(question) ?? 0,
    ...(embedder.tokens === undefined ? {} : { tokens: embedder.tokens }),
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal),
    close: async () => undefined,
  };
}

/** The encoders with their memories, each opened when a set needs it: the English one for English sets. */
export class EmbeddersInUse {
  readonly #opened = new Map<string, Promise<CachedEmbedder>>();

  of(language: string): Promise<Embedder> {
    const [name, open] = language === "en" ? ["english", openMiniLm] : (["others", openMultilingual] as const);
    const opened = this.#opened.get(name) ?? open().then((embedder) => new CachedEmbedder(embedder));
    this.#opened.set(name, opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const embedder of this.#opened.values()) await (await embedder).close();
  }
}
