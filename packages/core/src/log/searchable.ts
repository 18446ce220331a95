import type { ArticleFields } from "../model/records.ts";
import type { JsonObject, SearchableDocument, StoredDocument } from "../model/types.ts";

/** An article as the index sees it. Its title replaces a metadata key `title`. */
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
  const title = documentTitle(document);
  return withUrl({ id, type, status, metaData, content, titles: title === undefined ? [] : [title] }, url);
}

/** The title of an imported document, or the question of a QNA; undefined if it has none. */
export function documentTitle(document: StoredDocument): string | undefined {
  if (document.type === "QNA") return document.question;
  const { metaData } = document;
  const title = Object.hasOwn(metaData, "title") ? metaData.title : undefined;
  return typeof title === "string" && title.trim() !== "" ? title : undefined;
}

/** Adds the address, if there is one. All else is one literal: there are many documents, and spreading objects takes longer than all else. */
function withUrl(document: SearchableDocument, url: string | undefined): SearchableDocument {
  return url === undefined ? document : { ...document, url };
}

function withTitle(metaData: JsonObject, title: string): JsonObject {
  return { ...metaData, title };
}
