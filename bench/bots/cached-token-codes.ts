import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "@loredex/core";

/** The tokens of a question by their token codes, and what each weighs. */
export interface SignedQuestion {
  readonly tokenCodes: Uint8Array;
  readonly weights: Float32Array;
}

/** What an encoder has that tells the token codes of its token vectors, with the vector of the text from the same call. */
export interface TokenCodesEncoder {
  readonly space: { readonly version: string; readonly bytes: number };
  embedPassages(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly vectors: Float32Array[]; readonly tokens: readonly { readonly tokenCodes: Uint8Array }[] }>;
  embedQuery(
    text: string,
    signal?: AbortSignal,
  ): Promise<{ readonly vector: Float32Array; readonly tokens: SignedQuestion }>;
}

/** Texts that the encoder is given at a time. */
const PORTION = 64;
const HASH_BYTES = 32;
/** Of a record: the hash of its text, how many bytes of token codes and how many weights follow. */
const HEAD_BYTES = HASH_BYTES + 8;
const FOLDER = new URL("../.cache/", import.meta.url);

/** The token codes of texts, with a memory that outlasts the process as that of the vectors does. */
export class CachedTokenCodes {
  /** Of a token. */
  readonly bytes: number;
  readonly #encoder: TokenCodesEncoder;
  readonly #file: number;
  readonly #known = new Map<string, SignedQuestion>();

  /** @param id of the encoder */
  constructor(id: string, encoder: TokenCodesEncoder) {
    this.#encoder = encoder;
    this.bytes = encoder.space.bytes;
    const path = fileURLToPath(new URL(`${id}-${encoder.space.version}.signs`, FOLDER));
    mkdirSync(dirname(path), { recursive: true });
    if (existsSync(path)) {
      for (const [key, record] of recordsIn(readFileSync(path))) this.#known.set(key, record);
    }
    this.#file = openSync(path, "a");
  }

  /** One a text, in order. */
  async ofPassages(texts: readonly string[]): Promise<Uint8Array[]> {
    const missing = [...new Set(texts.filter((text) => !this.#known.has(keyOf("passage", text))))];
    for (let at = 0; at < missing.length; at += PORTION) await this.#embed(missing.slice(at, at + PORTION));
    return texts.map((text) => this.#get(keyOf("passage", text)).tokenCodes);
  }

  async ofQuestion(text: string): Promise<SignedQuestion> {
    const key = keyOf("query", text);
    if (!this.#known.has(key)) this.#keep(key, (await this.#encoder.embedQuery(text)).tokens);
    return this.#get(key);
  }

  /** The embedder whose tokens these are: what it is asked for vectors leaves its token codes here. */
  keeping(embedder: Embedder): Embedder {
    const calibrate = embedder.calibrate?.bind(embedder);
    return {
      id: embedder.id,
      version: embedder.version,
      dimensions: embedder.dimensions,
      weight: embedder.weight,
      cost: embedder.cost,
      ...(calibrate === undefined ? {} : { calibrate }),
      bias: (question) => embedder.bias?.(question) ?? 0,
      smallTalk: (question) => embedder.smallTalk?.(question) ?? 0,
      embedPassages: (texts, signal) => this.#embed(texts, signal),
      embedQuery: async (text, signal) => {
        const { vector, tokens } = await this.#encoder.embedQuery(text, signal);
        this.#keep(keyOf("query", text), tokens);
        return vector;
      },
      close: () => embedder.close(),
    };
  }

  close(): void {
    closeSync(this.#file);
  }

  async #embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const { vectors, tokens } = await this.#encoder.embedPassages(texts, signal);
    const none = new Float32Array(0);
    for (const [i, text] of texts.entries()) {
      this.#keep(keyOf("passage", text), { tokenCodes: tokens[i]?.tokenCodes ?? new Uint8Array(0), weights: none });
    }
    return vectors;
  }

  #get(key: string): SignedQuestion {
    const known = this.#known.get(key);
    if (known === undefined) throw new Error("token codes are missing");
    return known;
  }

  #keep(key: string, { tokenCodes, weights }: SignedQuestion): void {
    if (this.#known.has(key)) return;
    this.#known.set(key, { tokenCodes, weights });
    writeSync(this.#file, recordOf(key, { tokenCodes, weights }));
  }
}

/** @param key hex, of {@link HASH_BYTES} */
export function recordOf(key: string, { tokenCodes, weights }: SignedQuestion): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(key, "hex");
  head.writeUInt32LE(tokenCodes.length, HASH_BYTES);
  head.writeUInt32LE(weights.length, HASH_BYTES + 4);
  return Buffer.concat([head, tokenCodes, Buffer.from(weights.buffer, weights.byteOffset, weights.byteLength)]);
}

/** Those that are whole: a last one that was cut off is made again. */
export function* recordsIn(bytes: Uint8Array): Generator<[key: string, record: SignedQuestion]> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEAD_BYTES <= file.length; ) {
    const tokenCodesAt = at + HEAD_BYTES;
    const weightsAt = tokenCodesAt + file.readUInt32LE(at + HASH_BYTES);
    const end = weightsAt + file.readUInt32LE(at + HASH_BYTES + 4) * 4;
    if (end > file.length) return;
    const weights = new Float32Array(new Uint8Array(file.subarray(weightsAt, end)).buffer);
    yield [file.toString("hex", at, at + HASH_BYTES), { tokenCodes: file.subarray(tokenCodesAt, weightsAt), weights }];
    at = end;
  }
}

function keyOf(kind: "passage" | "query", text: string): string {
  return createHash("sha256").update(`${kind}\n${text}`).digest("hex");
}
