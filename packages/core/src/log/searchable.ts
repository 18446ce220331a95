import type { ArticleFields } from "../model/records.ts";
import type { JsonObject, SearchableDocument, StoredDocument } from "../model/types.ts";

/** An article as the index sees it. Its title wins over a metadata key of that name. */
export function searchableArticle({ id, title, body, metadata, source }: ArticleFields): SearchableDocument {
  const metaData = withTitle(metadata, title);
  return withUrl(
    { id, type: "EXTERNAL", status: "active", metaData, content: [{ md: body }], titles: [title] },
    source,
  );
}

/** An imported document as the index sees it. The answer of a QNA is its content, the question its title. */
export function searchableDocument(document: StoredDocument): SearchableDocument {
  const { resourceDocId: id, status, url } = document;
  if (document.type === "QNA") {
    const { type, question, answer, alternatives = [] } = document;
    const metaData = withTitle(document.metaData, question);
    return withUrl({ id, type, status, metaData, content: [{ md: answer }], titles: [question, ...alternatives] }, url);
  }
  const { type, metaData, content } = document;
  const title = Object.hasOwn(metaData, "title") ? metaData.title : undefined;
  const titles = typeof title === "string" && title.trim() !== "" ? [title] : [];
  return withUrl({ id, type, status, metaData, content, titles }, url);
}

/** Made of one piece but for this: there are many, and spreading objects into each other takes longer than all else. */
function withUrl(document: SearchableDocument, url: string | undefined): SearchableDocument {
  return url === undefined ? document : { ...document, url };
}

function withTitle(metaData: JsonObject, title: string): JsonObject {
  return { ...metaData, title };
}
