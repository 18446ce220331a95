import type { ArticleFields, BotRecord } from "../model/records.ts";
import type { StoredDocument } from "../model/types.ts";
import type { Growth } from "../quotas/bot-memory.ts";
import { articleHeapBytes, documentHeapBytes, documentTextUnits } from "./heap-of-documents.ts";
import { ownKeysBytes } from "./key-shapes.ts";
import type { BotState } from "./state.ts";

/** Bytes of memory for each byte of a record of any other kind, at most. */
const MEMORY_A_BYTE = 4;

/** The most that an article takes: as if no other article had the same keys in its metadata. */
function articleGrowth(article: ArticleFields): Growth {
  return { heapBytes: articleHeapBytes(article, ownKeysBytes), textUnits: article.title.length + article.body.length };
}

/** What an article takes more than the version before it. Both numbers may be negative. */
export function growthBetween(before: ArticleFields | undefined, after: ArticleFields): Growth {
  return difference(articleGrowth(after), before === undefined ? NO_GROWTH : articleGrowth(before));
}

/** What a record takes more than what it replaces. Both numbers may be negative. */
export function growthOf(record: BotRecord, bytes: number, state: BotState): Growth {
  if (record.kind === "articlePut") return growthBetween(state.articles.get(record.article.id)?.fields, record.article);
  if (record.kind !== "documentPut" && record.kind !== "documentBrought")
    return { heapBytes: bytes * MEMORY_A_BYTE, textUnits: 0 };
  const before = state.documents.get(record.document.resourceDocId)?.document;
  return difference(documentGrowth(record.document), before === undefined ? NO_GROWTH : documentGrowth(before));
}

function documentGrowth(document: StoredDocument): Growth {
  const textUnits = documentTextUnits(document) + variantUnits(document);
  return { heapBytes: documentHeapBytes(document, ownKeysBytes), textUnits };
}

function difference(after: Growth, before: Growth): Growth {
  return { heapBytes: after.heapBytes - before.heapBytes, textUnits: after.textUnits - before.textUnits };
}

/** UTF-16 units of the question variants of a document. */
function variantUnits(document: StoredDocument): number {
  if (document.type !== "QNA") return 0;
  const { question, alternatives = [] } = document;
  return alternatives.reduce((units, text) => units + text.length, question.length);
}

const NO_GROWTH: Growth = { heapBytes: 0, textUnits: 0 };
