import type { ArticleInput, ContentDocumentInput, Salvage } from "@loredex/core";

type SalvagedArticle = Salvage["articles"][number];

/**
 * An article as a document that can be imported. It is found as before, but only the operator can change it, not the API.
 * Its id differs from the article's, so both can be in one bot.
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

/** An article as the input of the API that creates it again. */
export function apiArticle({ title, body, metadata, source, activeOn }: SalvagedArticle): ArticleInput {
  return { title, body, metadata, ...(source === undefined ? {} : { source }), activeOn };
}
