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
  // A field of the input does not compile without a line here. What was accepted once is not checked by `strict` again.
  const known = { title, body, metadata, activeOn } satisfies Record<
    Exclude<keyof ArticleInput, "source" | "strict">,
    unknown
  >;
  return source === undefined ? known : { ...known, source };
}
