import type { Bot, DocumentInput } from "@loredex/core";
import { cutDocument, embeddedTexts } from "../../packages/core/src/index/embedded-texts.ts";
import { searchableDocument } from "../../packages/core/src/log/searchable.ts";
import { leastDistances } from "../../packages/core/src/search/rerank/max-sim.ts";
import { bestWindow, type ComparedWindow } from "../../packages/core/src/search/rerank/windows.ts";
import type { CachedTokenCodes, SignedQuestion } from "./cached-token-codes.ts";
import type { FoundScore } from "./reranked.ts";

/** What the product finds for a question, and how well the tokens of each passage hold those of the question. */
export interface LookedAt {
  /** As the product ranks them. */
  readonly found: readonly FoundScore[];
  /** By how many token codes a token is kept in: one similarity a document that was found. */
  readonly similarities: ReadonlyMap<number, readonly number[]>;
}

/** Of one document, by passage: the token codes of its parts. */
type PassageTokenCodes = readonly (readonly Uint8Array[])[];

/** Looks at what a bot finds a third time. */
export class Looker {
  readonly #tokenCodes: CachedTokenCodes;
  readonly #documents = new Map<string, DocumentInput>();
  readonly #passages = new Map<string, Promise<PassageTokenCodes>>();

  constructor(tokenCodes: CachedTokenCodes, documents: readonly DocumentInput[]) {
    this.#tokenCodes = tokenCodes;
    for (const document of documents) this.#documents.set(document.resourceDocId, document);
  }

  async ask(bot: Bot, question: string, topK: number, bits: readonly number[]): Promise<LookedAt> {
    const found = (await bot.search(question, { topK, quality: "best" })).map(({ resourceDocId, bestMatchScore }) => ({
      id: resourceDocId,
      score: bestMatchScore,
    }));
    return { found, similarities: await this.similarities(question, found, bits) };
  }

  /** How well documents hold a question, by the best window of their passages. */
  async similarities(
    question: string,
    documents: readonly FoundScore[],
    bits: readonly number[],
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const asked = await this.#tokenCodes.ofQuestion(question);
    const all = await Promise.all(documents.map(({ id }) => this.#passagesOf(id)));
    const { bytes } = this.#tokenCodes;
    return new Map(bits.map((each) => [each, all.map((passages) => similarityOf(asked, passages, bytes, each))]));
  }

  #passagesOf(id: string): Promise<PassageTokenCodes> {
    const known = this.#passages.get(id) ?? this.#read(id);
    this.#passages.set(id, known);
    return known;
  }

  async #read(id: string): Promise<PassageTokenCodes> {
    const document = this.#documents.get(id);
    if (document === undefined) throw new Error(`there is no document ${id}`);
    return Promise.all(textsByPassage(document).map((texts) => this.#tokenCodes.ofPassages(texts)));
  }
}

/** What the encoder is given of each passage's parts. */
export function textsByPassage(document: DocumentInput): string[][] {
  const cut = cutDocument(searchableDocument({ status: "active", metaData: {}, ...document }));
  const texts = [...embeddedTexts(cut)].slice(cut.variants.length + (cut.titleWindow === "" ? 0 : 1));
  return cut.windows.map(({ length }) => texts.splice(0, length));
}

/** By the first `bits` token codes of every token. */
function similarityOf(asked: SignedQuestion, passages: PassageTokenCodes, bytes: number, bits: number): number {
  const kept = bits / 8;
  const question = firstOfEach(asked.tokenCodes, bytes, kept);
  const values = passages.map((windows) =>
    bestWindow(
      windows.map((window): ComparedWindow => {
        const tokenCodes = firstOfEach(window, bytes, kept);
        const tokens = tokenCodes.length / kept;
        const least = new Uint16Array(question.length / kept);
        leastDistances(question, tokenCodes, 0, tokens, kept, least);
        return { least, tokens };
      }),
      asked.weights,
      bits,
    ),
  );
  return Math.max(0, ...values);
}

/** The first bytes of every token. */
export function firstOfEach(tokenCodes: Uint8Array, bytes: number, kept: number): Uint8Array {
  if (kept >= bytes) return tokenCodes;
  const first = new Uint8Array((tokenCodes.length / bytes) * kept);
  for (let from = 0, to = 0; from < tokenCodes.length; from += bytes, to += kept) {
    first.set(tokenCodes.subarray(from, from + kept), to);
  }
  return first;
}
