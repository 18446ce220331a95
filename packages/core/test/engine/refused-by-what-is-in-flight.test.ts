import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Ingest } from "../../src/ingest.ts";
import { bareIngest } from "../support/bare-ingest.ts";

const DOCUMENT = "document";
/** A tag that no version has. */
const TAG_OF_BEFORE = '"before"';
const LIMITS = { quotaCharacters: 1_000, rateCharactersPerMinute: 1_000 };

interface Case {
  readonly first: (ingest: Ingest, article: string) => Promise<unknown>;
  readonly next: (ingest: Ingest, article: string) => Promise<unknown>;
  readonly refusal: string;
}

const deleteArticle = (ingest: Ingest, article: string): Promise<void> => ingest.articles.delete(article);
const removeDocument = (ingest: Ingest): Promise<void> => ingest.removeDocument(DOCUMENT);

const CASES: Readonly<Record<string, Case>> = {
  "an update of an article that is being deleted": {
    first: deleteArticle,
    next: (ingest, article) => ingest.articles.update(article, { body: "z" }),
    refusal: "ARTICLE_NOT_FOUND",
  },
  "a second deletion of an article": { first: deleteArticle, next: deleteArticle, refusal: "ARTICLE_NOT_FOUND" },
  "a status of a document that is being removed": {
    first: removeDocument,
    next: (ingest) => ingest.setDocumentStatus(DOCUMENT, "inactive"),
    refusal: "DOCUMENT_NOT_FOUND",
  },
  "a second removal of a document": { first: removeDocument, next: removeDocument, refusal: "DOCUMENT_NOT_FOUND" },
  "an update with the tag of before another one": {
    first: (ingest, article) => ingest.articles.update(article, { body: "y" }),
    next: (ingest, article) => ingest.articles.update(article, { body: "z" }, { ifMatch: TAG_OF_BEFORE }),
    refusal: "ARTICLE_CHANGED",
  },
  "a deletion with the tag of before an update": {
    first: (ingest, article) => ingest.articles.update(article, { body: "y" }),
    next: (ingest, article) => ingest.articles.delete(article, { ifMatch: TAG_OF_BEFORE }),
    refusal: "ARTICLE_CHANGED",
  },
};

/** A write that is not durable yet, and a call that is refused because of it. */
async function begun({ first: write, next }: Case) {
  const { state, log, ingest } = bareIngest(LIMITS, 10_000);
  const document = { resourceDocId: DOCUMENT, type: "DOCUMENT", content: [{ md: "y" }] };
  const written = [ingest.importDocument(document, undefined), ingest.articles.create({ title: "title", body: "b" })];
  await turn();
  log.keep(log.waiting);
  await Promise.all(written);
  const [article = ""] = state.articles.keys();
  const first = write(ingest, article).catch((error: unknown) => error);
  let isAnswered = false;
  const second = next(ingest, article)
    .catch((error: unknown) => error)
    .finally(() => {
      isAnswered = true;
    });
  await turn();
  expect([log.waiting, isAnswered]).toEqual([1, false]);
  return { log, first, second };
}

describe.each(Object.entries(CASES))("%s", (_, each) => {
  it("is refused only when what it is refused for is durable", async () => {
    const { log, first, second } = await begun(each);
    log.keep(1);
    expect(await first).not.toBeInstanceOf(Error);
    expect(await second).toMatchObject({ code: each.refusal });
  });

  it("fails as the write before it does, which then is no reason", async () => {
    const { log, first, second } = await begun(each);
    log.failAll();
    expect(await first).toMatchObject({ code: "DISK_FULL" });
    expect(await second).toMatchObject({ code: "DISK_FULL" });
  });
});
