import { describe, expect, it } from "vitest";
import { Articles } from "../../src/articles/articles.ts";
import { ImportedDocuments } from "../../src/imports/imported-documents.ts";
import { versioned } from "../../src/log/article-table.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import type { StoredDocument } from "../../src/model/types.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { TimeSlices } from "../../src/scheduling/time-slices.ts";

const idOf = (i: number): string => `id${String(i).padStart(8, "0")}`;

function putArticle(state: BotState, id: string, body: string, createdAtMs: number, version: number): void {
  const text = { title: "Title", body, metadata: {}, activeOn: [{ agent: "ann", channel: "web" }] };
  const fields: ArticleFields = { id, ...text, createdAtMs, updatedAtMs: createdAtMs, characterCount: 5 };
  state.articles.set(id, versioned(fields, version));
}

function putDocument(state: BotState, id: string): void {
  const document: StoredDocument = { resourceDocId: id, type: "PDF", status: "active", metaData: {}, content: [] };
  state.documents.set(id, { document, contentHash: "", version: 1, bytes: 100 });
}

/** Lists of a bot with so many of each; every step ends its turn, and what happens in the rest after it is the test's. */
function listsOf(length: number, onRest: (state: BotState, found: Map<string, number>) => void = () => undefined) {
  const state = emptyState();
  const found = new Map<string, number>();
  for (let i = length - 1; i >= 0; i--) {
    putArticle(state, idOf(i), "before", i, 1);
    found.set(idOf(i), 1);
    putDocument(state, idOf(i));
  }
  let rests = 0;
  let ms = 0;
  const lane = async (): Promise<void> => {
    rests++;
    onRest(state, found);
  };
  const slices = new TimeSlices({ wallMs: () => ms, monotonicMs: () => (ms += 100) }, { lane });
  const refused = async (): Promise<never> => expect.fail("nothing is written");
  const refusedNow = (): never => expect.fail("nothing is foreseen");
  const ingest = {
    articles: { create: refused, update: refused, upsert: refused, delete: refused, foresee: refusedNow },
    importDocument: refused,
    setDocumentStatus: refused,
    removeDocument: refused,
  };
  const parts = {
    state,
    ingest,
    ready: refused,
    slices,
    searchable: (id: string) => found.get(id),
    passages: refusedNow,
    previews: new SearchQueue(TimeSlices.ofSearches({ wallMs: () => 0, monotonicMs: () => 0 })),
    check: refusedNow,
  };
  return { articles: new Articles(parts), documents: new ImportedDocuments(parts), rests: () => rests };
}

describe("a long list", () => {
  it("lets others pass the more often the longer it is", async () => {
    const rests = async (length: number, list: "articles" | "documents"): Promise<number> => {
      const lists = listsOf(length);
      await lists[list].list();
      return lists.rests();
    };
    for (const list of ["articles", "documents"] as const) {
      const [once, twice] = [await rests(10_000, list), await rests(20_000, list)];
      expect(once).toBeGreaterThanOrEqual(100);
      expect(twice).toBeGreaterThanOrEqual(1.9 * once);
    }
  });

  it("is of the moment of the call, in its order, whatever is written meanwhile", async () => {
    const writing = (state: BotState, found: Map<string, number>): void => {
      state.articles.delete(idOf(1));
      putArticle(state, idOf(2), "after", 2, 9);
      found.set(idOf(2), 9);
      putArticle(state, "new", "after", 0, 10);
      state.documents.delete(idOf(1));
      putDocument(state, "new");
    };
    const ids = Array.from({ length: 5_000 }, (_, i) => idOf(i));
    const listed = await listsOf(5_000, writing).articles.list();
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(new Set(listed.map(({ body, status }) => `${body} ${status}`))).toEqual(new Set(["before active"]));
    const documents = await listsOf(5_000, writing).documents.list({ type: "PDF" });
    expect(documents.map(({ resourceDocId }) => resourceDocId)).toEqual(ids);
  });

  it("of an agent is as any other", async () => {
    const { articles } = listsOf(1_000);
    expect(await articles.ofAgent("ann")).toHaveLength(1_000);
    expect(await articles.ofAgent("bob")).toEqual([]);
  });
});
