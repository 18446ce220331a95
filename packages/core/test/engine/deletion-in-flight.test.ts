import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Ingest } from "../../src/ingest.ts";
import { bareIngest } from "../support/bare-ingest.ts";

const DOCUMENT = "document";
const LIMITS = { quotaCharacters: 1_000, rateCharactersPerMinute: 1_000 };

interface Case {
  readonly delete: (ingest: Ingest, article: string) => Promise<void>;
  readonly next: (ingest: Ingest, article: string) => Promise<unknown>;
}

const deleteArticle = (ingest: Ingest, article: string): Promise<void> => ingest.articles.delete(article);
const removeDocument = (ingest: Ingest): Promise<void> => ingest.removeDocument(DOCUMENT);

const CASES: Readonly<Record<string, Case>> = {
  "an update of the article": {
    delete: deleteArticle,
    next: (ingest, article) => ingest.articles.update(article, { body: "z" }),
  },
  "a second deletion of the article": { delete: deleteArticle, next: deleteArticle },
  "a status of the document": {
    delete: removeDocument,
    next: (ingest) => ingest.setDocumentStatus(DOCUMENT, "inactive"),
  },
  "a second removal of the document": { delete: removeDocument, next: removeDocument },
};

/** A deletion that is not durable yet, and a call that finds nothing to change because of it. */
async function begun({ delete: deleted, next }: Case) {
  const { state, log, ingest } = bareIngest(LIMITS, 10_000);
  const document = { resourceDocId: DOCUMENT, type: "DOCUMENT", content: [{ md: "y" }] };
  const written = [ingest.importDocument(document, undefined), ingest.articles.create({ title: "title", body: "b" })];
  await turn();
  log.keep(log.waiting);
  await Promise.all(written);
  const [article = ""] = state.articles.keys();
  const first = deleted(ingest, article).catch((error: unknown) => error);
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

describe.each(Object.entries(CASES))("while a deletion is in flight, %s", (_, each) => {
  it("is told that nothing is there only when the deletion is durable", async () => {
    const { log, first, second } = await begun(each);
    log.keep(1);
    expect(await first).toBeUndefined();
    expect(await second).toMatchObject({ code: expect.stringMatching(/_NOT_FOUND$/) });
  });

  it("fails as the deletion does, since what was to be deleted is still there", async () => {
    const { log, first, second } = await begun(each);
    log.failAll();
    expect(await first).toMatchObject({ code: "DISK_FULL" });
    expect(await second).toMatchObject({ code: "DISK_FULL" });
  });
});
