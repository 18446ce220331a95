import type { ArticleFields } from "../model/records.ts";

type Metadata = ArticleFields["metadata"];

/** Articles as an index reads them. */
export type ReadArticles = Iterable<readonly [id: string, article: { readonly fields: ArticleFields }]>;

/**
 * Which articles have which value under one key of their metadata, by the value as text. It is read from the articles bit by bit, and follows
 * every change from its first moment on: what it has not read yet, and is changed meanwhile, it has when it comes there. Until it has read all
 * of them it knows some, and must not be asked.
 */
export class MetadataIndex {
  readonly #key: string;
  /** Most values are one article's alone. */
  readonly #ids = new Map<string, string | Set<string>>();
  /** Entries of all sets. */
  #inSets = 0;
  #unread: Iterator<readonly [string, { readonly fields: ArticleFields }]> | undefined;

  /** `articles` is a map, which goes on behind what it has given when it is changed meanwhile. */
  constructor(key: string, articles: ReadArticles) {
    this.#key = key;
    this.#unread = articles[Symbol.iterator]();
  }

  /** Estimated bytes on the JavaScript heap. Values that are texts belong to the articles. O(1). */
  get heapBytes(): number {
    return this.#ids.size * VALUE_BYTES + this.#inSets * ID_IN_SET_BYTES;
  }

  /** Whether it knows all articles once it has read at most so many more of them. */
  isWhole(articlesMax: number): boolean {
    for (let read = 0; this.#unread !== undefined && read < articlesMax; read++) {
      const { done, value } = this.#unread.next();
      if (done === true) this.#unread = undefined;
      else this.add(value[0], value[1].fields.metadata);
    }
    return this.#unread === undefined;
  }

  find(text: string): ReadonlySet<string> {
    const found = this.#ids.get(text) ?? new Set<string>();
    return typeof found === "string" ? new Set([found]) : found;
  }

  add(id: string, metadata: Metadata): void {
    const text = metadataText(metadata, this.#key);
    if (text === undefined) return;
    const known = this.#ids.get(text);
    if (known === undefined) this.#ids.set(text, id);
    else if (typeof known !== "string") {
      this.#inSets -= known.size;
      this.#inSets += known.add(id).size;
    } else if (known !== id) {
      this.#ids.set(text, new Set([known, id]));
      this.#inSets += 2;
    }
  }

  remove(id: string, metadata: Metadata): void {
    const text = metadataText(metadata, this.#key);
    const known = text === undefined ? undefined : this.#ids.get(text);
    if (text === undefined || known === undefined) return;
    if (typeof known !== "string" && known.delete(id)) this.#inSets -= 1;
    if (known === id || (typeof known !== "string" && known.size === 0)) this.#ids.delete(text);
  }
}

/** An entry of the map, and an entry of a set with its share of the set; each with the room for entries to come. */
const VALUE_BYTES = 56;
const ID_IN_SET_BYTES = 40;

/** A value of metadata as it is written in a lookup; undefined where there is none. */
export function metadataText(metadata: Metadata, key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? String(metadata[key]) : undefined;
}
