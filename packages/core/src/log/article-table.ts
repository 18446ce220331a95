import { articleBytes } from "../model/article-bytes.ts";
import { METADATA_KEYS_INDEXED_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import type { ArticleFields } from "../model/records.ts";
import { LruMap } from "../platform/lru-map.ts";
import { ArticlesByAge, byAge, type Place } from "./articles-by-age.ts";
import { articleHeapBytes } from "./heap-of-documents.ts";
import { KeyShapes } from "./key-shapes.ts";
import { MetadataIndex } from "./metadata-index.ts";
import { SizedTable } from "./sized-table.ts";

/** An article with the sequence number of the record that brought its title and body. */
export interface VersionedArticle {
  readonly fields: ArticleFields;
  readonly version: number;
  /** Bytes that count against the bot's `quotaBytes`. Computed, not stored. */
  readonly bytes: number;
}

/** Builds the table entry of an article, with its bytes counted. */
export function versioned(fields: ArticleFields, version: number): VersionedArticle {
  return { fields, version, bytes: articleBytes(fields) };
}

/**
 * A lookup by a metadata key first reads articles into the key's index: this share of all, and at least {@link READ_ARTICLES_MIN}.
 * Until all are read, lookups scan the articles, which takes longer than the reading. So only a few lookups scan, however many articles there are.
 */
const READ_SHARE = 1 / 8;
const READ_ARTICLES_MIN = 1_024;

/**
 * The articles of a bot by id, by age and by metadata.
 * The metadata keys that were looked up last have an index each, at most {@link METADATA_KEYS_INDEXED_MAX}; lookups fill it.
 * So a sync that finds each article by a metadata value takes the same time per article, whether there are many or few.
 */
export class ArticleTable extends SizedTable<VersionedArticle> {
  readonly #byAge = new ArticlesByAge<VersionedArticle>();
  /** By metadata key. */
  readonly #indexes = new LruMap<string, MetadataIndex>(METADATA_KEYS_INDEXED_MAX);
  #heapBytes = 0;
  #textUnits = 0;
  #shapes = new KeyShapes();

  /** Estimated bytes of all articles on the JavaScript heap, without the data that the index makes of their texts. O(1). */
  get heapBytes(): number {
    let indexes = 0;
    for (const index of this.#indexes.values()) indexes += index.heapBytes;
    return this.#heapBytes + this.#shapes.bytes + indexes;
  }

  /** UTF-16 units of all bodies. O(1). */
  get textUnits(): number {
    return this.#textUnits;
  }

  override set(id: string, article: VersionedArticle): this {
    const before = this.get(id);
    for (const index of this.#indexes.values()) {
      if (before !== undefined) index.remove(id, before.fields.metadata);
      index.add(id, article.fields.metadata);
    }
    if (before !== undefined && byAge(before.fields, article.fields) !== 0) this.#byAge.remove(before.fields);
    this.#byAge.put(article);
    if (before !== undefined) this.#count(before, -1);
    this.#count(article, 1);
    return super.set(id, article);
  }

  override delete(id: string): boolean {
    const before = this.get(id);
    if (before === undefined) return false;
    for (const index of this.#indexes.values()) index.remove(id, before.fields.metadata);
    this.#byAge.remove(before.fields);
    this.#count(before, -1);
    return super.delete(id);
  }

  override clear(): void {
    this.#indexes.clear();
    this.#byAge.clear();
    [this.#heapBytes, this.#textUnits] = [0, 0];
    this.#shapes = new KeyShapes();
    super.clear();
  }

  /** Articles behind `start`, or all: oldest `createdAt` first, ties by id. They come in consecutive runs, as they are at the call. */
  byAge(start?: Place): readonly (readonly VersionedArticle[])[] {
    return this.#byAge.behind(start);
  }

  /** Articles that may have a value under `key` which reads `text`, in no order. None is missing, but the caller must check each. */
  withMetadata(key: string, text: string): Iterable<VersionedArticle> {
    return this.fewWithMetadata(key, text, () => true) ?? this.values();
  }

  /** Exactly the articles of {@link withMetadata} that match, in no order; undefined if the index is incomplete or `isFew` refuses their number. */
  fewWithMetadata(
    key: string,
    text: string,
    isFew: (count: number) => boolean,
  ): readonly VersionedArticle[] | undefined {
    const index = this.#indexFor(key);
    if (!index.isWhole(Math.max(READ_ARTICLES_MIN, this.size * READ_SHARE))) return undefined;
    const ids = index.find(text);
    return isFew(ids.size) ? this.#those(ids) : undefined;
  }

  #count({ fields }: VersionedArticle, sign: 1 | -1): void {
    const countKeys = (keys: readonly string[]): number => {
      this.#shapes.count(keys, sign);
      return 0;
    };
    this.#heapBytes += sign * articleHeapBytes(fields, countKeys);
    this.#textUnits += sign * fields.body.length;
  }

  #indexFor(key: string): MetadataIndex {
    const index = this.#indexes.get(key) ?? new MetadataIndex(key, this);
    this.#indexes.set(key, index);
    return index;
  }

  #those(ids: Iterable<string>): VersionedArticle[] {
    return Array.from(ids, (id) => must(this.get(id), "an article that its metadata's index holds"));
  }
}
