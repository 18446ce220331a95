import { contentHash } from "../log/content-hash.ts";
import { checkedArticle, checkedDocument } from "../log/stored-shapes.ts";
import { characterCount } from "../model/characters.ts";
import { LoredexError } from "../model/errors.ts";
import { DOCUMENT_STATUSES } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import { isFields } from "../model/validation.ts";
import { readableEntries } from "../platform/section-entries.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An article or a document from a damaged section. */
export interface LeftOver<Item> {
  readonly id: string;
  readonly item: Item;
  /** Sequence number of the record that wrote its text. */
  readonly version: number;
  /** Whether it is verified as undamaged. */
  readonly isChecked: boolean;
}

/** The readable articles of a damaged section. Articles have no digest, so none of them can be verified. */
export function articlesLeftIn(bytes: Uint8Array): Generator<LeftOver<ArticleFields>> {
  return readableEntries(bytes, (meta, body) => {
    const { version, ...fields } = meta as Omit<ArticleFields, "body"> & { readonly version: number };
    const item = checkedArticle({ ...fields, body: decoder.decode(body) });
    if (item.characterCount !== characterCount(item.title) + characterCount(item.body)) throw noEntry();
    return { id: item.id, item, version: versionOf(version), isChecked: false };
  });
}

/** The readable documents of a damaged section. Their digests tell which are undamaged. */
export function documentsLeftIn(bytes: Uint8Array): Generator<LeftOver<StoredDocument>> {
  return readableEntries(bytes, (meta, behind) => {
    if (behind.length > 0 || !isFields(meta) || !isFields(meta.document)) throw noEntry();
    const { document: item, version, contentHash: hash } = meta as unknown as StoredEntry;
    checkedDocument(item);
    // The digest is of the imported document. A later change of its status does not update it.
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
