import type { ArticleFields } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import {
  type KeysCounter,
  listHeapBytes,
  objectHeapBytes,
  recordHeapBytes,
  textHeapBytes,
  unitBytes,
  valueHeapBytes,
} from "../platform/heap-bytes.ts";
import type { StoredOrigin } from "./source-table.ts";

/**
 * Estimates the bytes of articles and imported documents on the JavaScript heap.
 * The estimates include the index's objects for a document, but not the data that it makes of the text.
 */

/** Bytes of an empty article: its fields, times and id, entries in the tables of state and index, and the objects of the index. Measured. */
const ARTICLE_BYTES = 1_450;

/** Bytes of an empty imported document, with the digest of its content. Measured. */
const DOCUMENT_BYTES = 1_450;

/** Bytes of an article. State and index have an object each for its metadata, with the same texts in both. */
export function articleHeapBytes(article: ArticleFields, keysBytes: KeysCounter): number {
  const { title, body, source = "", metadata, activeOn } = article;
  const keys = Object.keys(metadata);
  let bytes = ARTICLE_BYTES + textHeapBytes(title) + textHeapBytes(body) + textHeapBytes(source);
  bytes += keys.length === 0 ? 0 : objectHeapBytes(keys, keysBytes) + objectHeapBytes(keys, COUNTED);
  // Each of the two objects has its own number.
  for (const value of Object.values(metadata))
    bytes += valueHeapBytes(value, keysBytes) * (typeof value === "number" ? 2 : 1);
  bytes += listHeapBytes(activeOn.length);
  for (const { agent, channel } of activeOn)
    bytes += recordHeapBytes(agent === undefined ? 1 : 2) + textHeapBytes(agent ?? "") + textHeapBytes(channel);
  return bytes;
}

/** Bytes of an imported document. Only a QNA has an object for its metadata in the index as well. */
export function documentHeapBytes(document: StoredDocument, keysBytes: KeysCounter): number {
  const { resourceDocId, url = "", metaData } = document;
  const bytes =
    DOCUMENT_BYTES + textHeapBytes(resourceDocId) + textHeapBytes(url) + valueHeapBytes(metaData, keysBytes);
  return bytes + (document.type === "QNA" ? variantsHeapBytes(document) : contentHeapBytes(document));
}

/** Bytes of a QNA's texts, their list in the index, and the copy of its metadata with the question as the title. */
function variantsHeapBytes(document: Extract<StoredDocument, { readonly type: "QNA" }>): number {
  const { question, answer, alternatives = [], metaData } = document;
  const texts = [question, answer, ...alternatives].reduce((sum, text) => sum + textHeapBytes(text), 0);
  return texts + 2 * listHeapBytes(alternatives.length + 1) + objectHeapBytes(Object.keys(metaData), COUNTED);
}

/** Counts nothing: for an object whose keys were counted with another object. */
const COUNTED: KeysCounter = () => 0;

/** Bytes of a document's blocks. The index joins several blocks into one additional text. */
function contentHeapBytes({ content }: Exclude<StoredDocument, { readonly type: "QNA" }>): number {
  let bytes = listHeapBytes(content.length);
  let [units, bytesAUnit] = [0, 1];
  for (const { md } of content) {
    bytes += recordHeapBytes(1) + textHeapBytes(md);
    units += md.length + 1;
    if (bytesAUnit === 1) bytesAUnit = unitBytes(md);
  }
  return bytes + (content.length > 1 ? units * bytesAUnit : 0);
}

/** Bytes of a document's origin; 0 if it has none. */
export function originHeapBytes(origin: StoredOrigin | undefined): number {
  if (origin === undefined) return 0;
  const { argument = "", path = "", digest = "" } = origin;
  return recordHeapBytes(4) + textHeapBytes(argument) + textHeapBytes(path) + textHeapBytes(digest);
}

/** UTF-16 units of the content that the index reads: a QNA's answer, or all blocks with a line break between each two. */
export function documentTextUnits(document: StoredDocument): number {
  if (document.type === "QNA") return document.answer.length;
  return document.content.reduce((units, { md }) => units + md.length + 1, -1);
}

/** Upper bounds on bytes of the index per UTF-16 unit of text, and per line while the text is cut into passages. Measured. */
const INDEX_BYTES_A_UNIT_MAX = 32;
const CUTTING_BYTES_A_LINE = 800;

/** Upper bound on the bytes that indexing these texts takes while it runs, without the growth of the table of terms. */
export function indexingBytesMax(texts: readonly string[]): number {
  const bytesOf = (text: string): number =>
    text.length * INDEX_BYTES_A_UNIT_MAX + lineCount(text) * CUTTING_BYTES_A_LINE;
  return texts.reduce((bytes, text) => bytes + bytesOf(text), 0);
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
