import type { ArticleFields } from "../records.ts";
import type { JsonObject, SearchableDocument, StoredDocument } from "../types.ts";

/** An article as the index sees it. Its title wins over a metadata key of that name. */
export function searchableArticle(article: ArticleFields): SearchableDocument {
  return {
    id: article.id,
    type: "EXTERNAL",
    status: "active",
    metaData: withTitle(article.metadata, article.title),
    ...(article.source === undefined ? {} : { url: article.source }),
    content: [{ md: article.body }],
    titles: [article.title],
  };
}

/** An imported document as the index sees it. The answer of a QNA is its content, the question its title. */
export function searchableDocument(document: StoredDocument): SearchableDocument {
  const common = {
    id: document.resourceDocId,
    type: document.type,
    status: document.status,
    ...(document.url === undefined ? {} : { url: document.url }),
  };
  if (document.type === "QNA") {
    return {
      ...common,
      metaData: withTitle(document.metaData, document.question),
      content: [{ md: document.answer }],
      titles: [document.question, ...(document.alternatives ?? [])],
    };
  }
  const title = Object.hasOwn(document.metaData, "title") ? document.metaData.title : undefined;
  const titles = typeof title === "string" && title.trim() !== "" ? [title] : [];
  return { ...common, metaData: document.metaData, content: document.content, titles };
}

function withTitle(metaData: JsonObject, title: string): JsonObject {
  return { ...metaData, title };
}
