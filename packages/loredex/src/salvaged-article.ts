import type { ArticleInput, ContentDocumentInput, Salvage } from "@loredex/core";

type SalvagedArticle = Salvage["articles"][number];

/**
 * An article as a document that can be imported: found as before, but changed by the operator and no longer over the API.
 * Its id differs from the article's, so that both can be in one bot.
 */
export function articleDocument({ id, title, body, metadata, source }: SalvagedArticle): ContentDocumentInput {
  return {
    resourceDocId: `article:${id}`,
    type: "DOCUMENT",
    ...(source === undefined ? {} : { url: source }),
    metaData: { ...metadata, title },
    content: [{ md: body }],
  };
}

/** An article as the API takes it to be created anew. */
export function apiArticle({ title, body, metadata, source, activeOn }: SalvagedArticle): ArticleInput {
  return { title, body, metadata, ...(source === undefined ? {} : { source }), activeOn };
}
