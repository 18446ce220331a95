import type { Growth } from "../accounting/bot-memory.ts";
import type { ArticleFields, BotRecord } from "../domain/records.ts";
import type { StoredDocument } from "../domain/types.ts";
import { articleHeapBytes, documentHeapBytes, indexingBytesMax } from "../state/heap-of-documents.ts";
import { ownKeysBytes } from "../state/key-shapes.ts";
import type { BotState } from "../state/state.ts";

/** Bytes of memory for each byte of a record of any other kind, at most. */
const MEMORY_A_BYTE = 4;

/** The most that an article takes: as if no other article had the same keys in its metadata. */
function articleGrowth(article: ArticleFields): Growth {
  const { title, body } = article;
  return {
    heapBytes: articleHeapBytes(article, ownKeysBytes),
    textUnits: title.length + body.length,
    indexingBytes: indexingBytesMax([title, body]),
  };
}

/** What an article takes more than the version before it. Both numbers may be negative. */
export function growthBetween(before: ArticleFields | undefined, after: ArticleFields): Growth {
  return difference(articleGrowth(after), before === undefined ? NO_GROWTH : articleGrowth(before));
}

/** What a record takes more than what it replaces. Both numbers may be negative. */
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

/** The text is read as a whole, whatever it replaces. */
function difference(after: Growth, before: Growth): Growth {
  const [heapBytes, textUnits] = [after.heapBytes - before.heapBytes, after.textUnits - before.textUnits];
  return { ...after, heapBytes, textUnits };
}

/** What the index reads of a document. */
function textsOf(document: StoredDocument): string[] {
  if (document.type !== "QNA") return document.content.map(({ md }) => md);
  const { question, answer, alternatives = [] } = document;
  return [question, answer, ...alternatives];
}

const NO_GROWTH: Growth = { heapBytes: 0, textUnits: 0, indexingBytes: 0 };
