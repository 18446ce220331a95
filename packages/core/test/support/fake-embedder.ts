import type { Embedder, EmbedderCost } from "../../src/embedding/embedder.ts";
import type { TokenEncoder } from "../../src/embedding/token-codes.ts";
import { CALIBRATION, SIGN_BYTES, tokenCodesOfWords, tokensOfWords } from "./fake-token-codes.ts";

/** Words that mean the same here: the fake understands these, and nothing else. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["car", "automobile", "vehicle"],
  ["buy", "purchase", "acquire"],
  ["dog", "hound", "puppy"],
  ["quick", "fast", "rapid"],
];

export interface FakeOptions {
  readonly version?: string;
  readonly dimensions?: number;
  readonly weight?: number;
  readonly textsPerCall?: number;
  readonly questionMsMax?: number;
  /** Called with the texts of every call of `embedPassages`, before it answers; what it throws, the call rejects with. */
  readonly onPassages?: (texts: readonly string[]) => void | Promise<void>;
  readonly onQuery?: (text: string) => void | Promise<void>;
  /** Gives tokens too, one a word, of this version of their space. */
  readonly tokens?: string;
  /** What a question is taken for; by default what it says. */
  readonly queryAs?: (text: string) => string;
}

/** An embedder that knows a few synonyms: every meaning is a direction of its own, by a hash of its first word. */
export class FakeEmbedder implements Embedder {
  readonly id = "fake";
  readonly version: string;
  readonly dimensions: number;
  readonly weight: number;
  readonly cost: EmbedderCost;
  /** Texts embedded so far, in order. */
  readonly passages: string[] = [];
  readonly tokens?: TokenEncoder;
  readonly #options: FakeOptions;
  readonly #pending = new Set<(reason: Error) => void>();
  #closed = false;

  constructor(options: FakeOptions = {}) {
    this.#options = options;
    this.version = options.version ?? "1";
    this.dimensions = options.dimensions ?? 512;
    this.weight = options.weight ?? 0.5;
    this.cost = { textsPerCall: options.textsPerCall ?? 8, questionMsMax: options.questionMsMax ?? 60_000 };
    if (options.tokens === undefined) return;
    this.tokens = {
      space: { version: options.tokens, bytes: SIGN_BYTES },
      calibration: CALIBRATION,
      embedPassages: async (texts, signal) => ({
        vectors: await this.embedPassages(texts, signal),
        tokens: texts.map((text) => ({ tokenCodes: tokenCodesOfWords(text) })),
      }),
      embedQuery: async (text, signal) => ({
        vector: await this.embedQuery(text, signal),
        tokens: tokensOfWords(text),
      }),
    };
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  calibrate(cosine: number): number {
    return Math.min(1, Math.max(0, cosine));
  }

  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    return this.#unlessEnded(signal, async () => {
      await this.#options.onPassages?.(texts);
      this.passages.push(...texts);
      return texts.map((text) => this.vectorOf(text));
    });
  }

  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    return this.#unlessEnded(signal, async () => {
      await this.#options.onQuery?.(text);
      return this.vectorOf(this.#options.queryAs?.(text) ?? text);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const reject of this.#pending) reject(new Error("The fake has been closed."));
  }

  /** Sum of the directions of its meanings, of unit length. */
  vectorOf(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["nothing"];
    for (const word of words) {
      const meaning = SYNONYMS.find((group) => group.includes(word))?.[0] ?? word;
      let hash = 2_166_136_261;
      for (const character of meaning) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
      const at = (hash >>> 0) % this.dimensions;
      vector[at] = (vector[at] ?? 0) + 1;
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  }

  async #unlessEnded<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new Error("The fake has been closed.");
    signal?.throwIfAborted();
    let forget = (): void => undefined;
    const ended = new Promise<never>((_, reject) => {
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", abort);
      this.#pending.add(reject);
      forget = () => {
        signal?.removeEventListener("abort", abort);
        this.#pending.delete(reject);
      };
    });
    try {
      return await Promise.race([work(), ended]);
    } finally {
      forget();
    }
  }
}
