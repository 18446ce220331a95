import type { ArticleFields } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import type { Growth } from "../quotas/bot-memory.ts";
import { textsOf } from "./document-size.ts";
import { articleHeapBytes, documentHeapBytes, indexingBytesMax } from "./heap-of-documents.ts";
import { ownKeysBytes } from "./key-shapes.ts";
import { vocabularyHeapBytes } from "./vocabulary-table.ts";

/** Upper bound on bytes of memory per byte of a record that holds neither an article, a document nor a vocabulary. */
const MEMORY_A_BYTE = 4;

/** Memory growth from one version of an article to the next. `heapBytes` and `textUnits` may be negative. */
export function growthBetween(before: ArticleFields | undefined, after: ArticleFields): Growth {
  return difference(articleContent(after), before === undefined ? NO_CONTENT : articleContent(before));
}

/** As {@link growthBetween}, for the versions of a document. */
export function documentGrowth(before: StoredDocument | undefined, after: StoredDocument): Growth {
  return difference(documentContent(after), before === undefined ? NO_CONTENT : documentContent(before));
}

/** Memory growth from one vocabulary of a bot to the next, with what searches make of them. `heapBytes` may be negative. */
export function vocabularyGrowth(before: Vocabulary, after: Vocabulary): Growth {
  return { ...recordGrowth(0), heapBytes: vocabularyHeapBytes(after) - vocabularyHeapBytes(before) };
}

/** Memory growth by a record of `bytes` bytes that holds neither an article, a document nor a vocabulary. */
export function recordGrowth(bytes: number): Growth {
  return { heapBytes: bytes * MEMORY_A_BYTE, textUnits: 0, indexingBytes: 0 };
}

/** The content of an article or a document: its bytes on the heap at most, as if it alone had its metadata keys, and the texts that the index reads. */
interface Content {
  readonly heapBytes: number;
  readonly texts: readonly string[];
}

const NO_CONTENT: Content = { heapBytes: 0, texts: [] };

function articleContent(article: ArticleFields): Content {
  return { heapBytes: articleHeapBytes(article, ownKeysBytes), texts: [article.title, article.body] };
}

function documentContent(document: StoredDocument): Content {
  return { heapBytes: documentHeapBytes(document, ownKeysBytes), texts: textsOf(document) };
}

/** The index reads the whole new text, whatever it replaces. */
function difference(after: Content, before: Content): Growth {
  return {
    heapBytes: after.heapBytes - before.heapBytes,
    textUnits: unitsOf(after) - unitsOf(before),
    indexingBytes: indexingBytesMax(after.texts),
  };
}

function unitsOf({ texts }: Content): number {
  return texts.reduce((units, text) => units + text.length, 0);
}
