import type { ArticleFields } from "../model/records.ts";

type Metadata = ArticleFields["metadata"];

/** Articles as an index reads them. */
export type ReadArticles = Iterable<readonly [id: string, article: { readonly fields: ArticleFields }]>;

/**
 * An index of articles by the value of one metadata key, as text. {@link isWhole} reads the articles in portions.
 * The index follows every change from its creation on, also of articles that it has not read yet.
 * Invariant: {@link find} is complete only after {@link isWhole} has returned true.
 */
export class MetadataIndex {
  readonly #key: string;
  /** Ids of articles by value. Most values belong to one article, so a single id needs no set. */
  readonly #ids = new Map<string, string | Set<string>>();
  /** Number of ids in all sets. */
  #inSets = 0;
  #unread: Iterator<readonly [string, { readonly fields: ArticleFields }]> | undefined;

  /** @param articles a map: its iterator continues behind the entries already read when the map changes */
  constructor(key: string, articles: ReadArticles) {
    this.#key = key;
    this.#unread = articles[Symbol.iterator]();
  }

  /** Estimated bytes on the JavaScript heap. Values that are texts belong to the articles. O(1). */
  get heapBytes(): number {
    return this.#ids.size * VALUE_BYTES + this.#inSets * ID_IN_SET_BYTES;
  }

  /** Reads at most `articlesMax` more articles. Returns whether all have been read. */
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

/** Bytes of an entry of the map, and of an id in a set with its share of the set. Both include spare capacity. */
const VALUE_BYTES = 56;
const ID_IN_SET_BYTES = 40;

/** A metadata value as text, as lookups give it; undefined if the key is absent. */
export function metadataText(metadata: Metadata, key: string): string | undefined {
  return Object.hasOwn(metadata, key) ? String(metadata[key]) : undefined;
}
