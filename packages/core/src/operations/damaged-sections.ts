import { characterCount } from "../articles/characters.ts";
import { contentHash } from "../log/content-hash.ts";
import { checkedArticle, checkedDocument } from "../log/stored-shapes.ts";
import { LoredexError } from "../model/errors.ts";
import { DOCUMENT_STATUSES } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import { isFields } from "../model/validation.ts";
import { readableEntries } from "../platform/section-entries.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An article or a document out of a section that is not as it was written. */
export interface LeftOver<Item> {
  readonly id: string;
  readonly item: Item;
  /** The record that brought its text. */
  readonly version: number;
  /** Whether it is known to be as it was written. */
  readonly isChecked: boolean;
}

/** The articles that can be read of a damaged section. Nothing tells of an article whether a letter of it has changed. */
export function articlesLeftIn(bytes: Uint8Array): Generator<LeftOver<ArticleFields>> {
  return readableEntries(bytes, (meta, body) => {
    const { version, ...fields } = meta as Omit<ArticleFields, "body"> & { readonly version: number };
    const item = checkedArticle({ ...fields, body: decoder.decode(body) });
    if (item.characterCount !== characterCount(item.title) + characterCount(item.body)) throw noEntry();
    return { id: item.id, item, version: versionOf(version), isChecked: false };
  });
}

/** The documents that can be read of a damaged section; their digests tell which are as they were written. */
export function documentsLeftIn(bytes: Uint8Array): Generator<LeftOver<StoredDocument>> {
  return readableEntries(bytes, (meta, behind) => {
    if (behind.length > 0 || !isFields(meta) || !isFields(meta.document)) throw noEntry();
    const { document: item, version, contentHash: hash } = meta as unknown as StoredEntry;
    checkedDocument(item);
    // A status is changed without the digest, which is of the document as it was imported.
    const isChecked = [item, ...DOCUMENT_STATUSES.map((status) => ({ ...item, status }))].some(
      (each) => contentHash(each) === hash,
    );
    return { id: item.resourceDocId, item, version: versionOf(version), isChecked };
  });
}

interface StoredEntry {
  readonly document: StoredDocument;
  readonly version: number;
  readonly contentHash: string;
}

function versionOf(version: unknown): number {
  if (Number.isSafeInteger(version) && Number(version) > 0) return Number(version);
  throw noEntry();
}

function noEntry(): LoredexError {
  return new LoredexError("CORRUPT", "This is no entry of a snapshot.");
}
