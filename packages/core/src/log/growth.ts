import type { ArticleFields, BotRecord } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import type { Growth } from "../quotas/bot-memory.ts";
import { articleHeapBytes, documentHeapBytes, indexingBytesMax } from "./heap-of-documents.ts";
import { ownKeysBytes } from "./key-shapes.ts";
import type { BotState } from "./state.ts";

/** Upper bound on bytes of memory per byte of a record that holds neither an article nor a document. */
const MEMORY_A_BYTE = 4;

/** Upper bound on the memory of an article, as if no other article had the same metadata keys. */
function articleGrowth(article: ArticleFields): Growth {
  const { title, body } = article;
  return {
    heapBytes: articleHeapBytes(article, ownKeysBytes),
    textUnits: title.length + body.length,
    indexingBytes: indexingBytesMax([title, body]),
  };
}

/** Memory growth from one version of an article to the next. `heapBytes` and `textUnits` may be negative. */
export function growthBetween(before: ArticleFields | undefined, after: ArticleFields): Growth {
  return difference(articleGrowth(after), before === undefined ? NO_GROWTH : articleGrowth(before));
}

/** Memory growth by a record of `bytes` bytes, over the version that it replaces. `heapBytes` and `textUnits` may be negative. */
export function growthOf(record: BotRecord, bytes: number, state: BotState): Growth {
  if (record.kind === "articlePut") return growthBetween(state.articles.get(record.article.id)?.fields, record.article);
  if (record.kind !== "documentPut" && record.kind !== "documentBrought")
    return { ...NO_GROWTH, heapBytes: bytes * MEMORY_A_BYTE };
  const before = state.documents.get(record.document.resourceDocId)?.document;
  return difference(documentGrowth(record.document), before === undefined ? NO_GROWTH : documentGrowth(before));
}

function documentGrowth(document: StoredDocument): Growth {
  const texts = textsOf(document);
  return {
    heapBytes: documentHeapBytes(document, ownKeysBytes),
    textUnits: texts.reduce((units, text) => units + text.length, 0),
    indexingBytes: indexingBytesMax(texts),
  };
}

/** Subtracts heap bytes and text units. The indexing bytes stay, since the index reads the whole new text. */
function difference(after: Growth, before: Growth): Growth {
  const [heapBytes, textUnits] = [after.heapBytes - before.heapBytes, after.textUnits - before.textUnits];
  return { ...after, heapBytes, textUnits };
}

/** The texts of a document that the index reads. */
function textsOf(document: StoredDocument): string[] {
  if (document.type !== "QNA") return document.content.map(({ md }) => md);
  const { question, answer, alternatives = [] } = document;
  return [question, answer, ...alternatives];
}

const NO_GROWTH: Growth = { heapBytes: 0, textUnits: 0, indexingBytes: 0 };
