import type { ArticleFields } from "./records.ts";

/** What an article takes beside its texts: its id, its times and its entries in tables. */
const ARTICLE_BYTES = 100;

/** What an article counts against its bot's bytes: its texts in UTF-8, and metadata and activeOn as JSON. */
export function articleBytes({ title, body, source = "", metadata, activeOn }: Counted): number {
  const texts = Buffer.byteLength(title) + Buffer.byteLength(body) + Buffer.byteLength(source);
  return (
    texts + Buffer.byteLength(JSON.stringify(metadata)) + Buffer.byteLength(JSON.stringify(activeOn)) + ARTICLE_BYTES
  );
}

type Counted = Pick<ArticleFields, "title" | "body" | "source" | "metadata" | "activeOn">;
