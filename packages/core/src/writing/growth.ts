import type { Growth } from "../accounting/memory-budget.ts";
import type { ArticleFields, BotRecord } from "../domain/records.ts";
import type { StoredDocument } from "../domain/types.ts";
import { articleHeapBytes, documentHeapBytes, documentTextUnits } from "../state/heap-of-documents.ts";
import { ownKeysBytes } from "../state/key-shapes.ts";

/** Bytes of memory for each byte of a record of any other kind, at most. */
const MEMORY_A_BYTE = 4;

/** The most that an article takes: as if no other article had the same keys in its metadata. */
function articleGrowth(article: ArticleFields): Growth {
  return { heapBytes: articleHeapBytes(article, ownKeysBytes), textUnits: article.title.length + article.body.length };
}

/** What an article takes more than the version before it. Both numbers may be negative. */
export function growthBetween(before: ArticleFields | undefined, after: ArticleFields): Growth {
  const [old, { heapBytes, textUnits }] = [
    before === undefined ? NO_GROWTH : articleGrowth(before),
    articleGrowth(after),
  ];
  return { heapBytes: heapBytes - old.heapBytes, textUnits: textUnits - old.textUnits };
}

/** What a record takes, with its own `bytes`, which are held until they are written. What it replaces is not subtracted. */
export function growthOf(record: BotRecord, bytes: number): Growth {
  const { heapBytes, textUnits } = contentGrowth(record) ?? { ...NO_GROWTH, heapBytes: bytes * MEMORY_A_BYTE };
  return { heapBytes: heapBytes + bytes, textUnits };
}

function contentGrowth(record: BotRecord): Growth | undefined {
  if (record.kind === "articlePut") return articleGrowth(record.article);
  if (record.kind !== "documentPut" && record.kind !== "documentBrought") return undefined;
  const { document } = record;
  const textUnits = documentTextUnits(document) + wordingUnits(document);
  return { heapBytes: documentHeapBytes(document, ownKeysBytes), textUnits };
}

/** UTF-16 units of the question variants of a document. */
function wordingUnits(document: StoredDocument): number {
  if (document.type !== "QNA") return 0;
  const { question, alternatives = [] } = document;
  return alternatives.reduce((units, text) => units + text.length, question.length);
}

const NO_GROWTH: Growth = { heapBytes: 0, textUnits: 0 };
