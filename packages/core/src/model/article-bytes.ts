import type { ArticleFields } from "./records.ts";

/** Bytes of an article beside its texts: its id, its times and its entries in tables. */
const ARTICLE_BYTES = 100;

/** Bytes that an article counts against `quotaBytes`: its texts in UTF-8, metadata and activeOn as JSON, and a constant. */
export function articleBytes({ title, body, source = "", metadata, activeOn }: Counted): number {
  const texts = Buffer.byteLength(title) + Buffer.byteLength(body) + Buffer.byteLength(source);
  return (
    texts + Buffer.byteLength(JSON.stringify(metadata)) + Buffer.byteLength(JSON.stringify(activeOn)) + ARTICLE_BYTES
  );
}

type Counted = Pick<ArticleFields, "title" | "body" | "source" | "metadata" | "activeOn">;
