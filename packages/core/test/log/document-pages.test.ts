import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply } from "../../src/log/apply.ts";
import { versioned } from "../../src/log/article-table.ts";
import { DocumentPages } from "../../src/log/document-pages.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import type { DocumentPage, DocumentPageRequest, DocumentRow } from "../../src/model/document-page.ts";
import { ValidationError } from "../../src/model/errors.ts";
import { DOCUMENT_OFFSET_MAX, DOCUMENT_SEARCH_CHARACTERS_MAX, PAGE_DOCUMENTS_MAX } from "../../src/model/limits.ts";
import { DOCUMENT_SORTS, DOCUMENT_STATES, DOCUMENT_TYPES } from "../../src/model/options.ts";
import type { StoredDocument } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { slicesOf } from "../support/steps-of.ts";

const titles = fc.constantFrom<string[]>("abc", "ABC", "Äbc", "refunds", "Refunds and returns");
const statuses = fc.constantFrom("active", "inactive", "pending");
const listed = fc.oneof(
  fc.record({
    kind: fc.constant("article" as const),
    n: fc.nat(500),
    title: titles,
    isFound: fc.boolean(),
    units: fc.nat(9),
    updatedAtMs: fc.nat(5),
  }),
  fc.record({
    kind: fc.constant("document" as const),
    n: fc.nat(500),
    title: fc.option(titles, { nil: undefined }),
    status: statuses,
    source: fc.constantFrom(undefined, "handbook", "site"),
    units: fc.nat(9),
    updatedAtMs: fc.option(fc.nat(5), { nil: undefined, freq: 1 }),
  }),
);
type Listed = typeof listed extends fc.Arbitrary<infer Item> ? Item : never;

const idOf = ({ kind, n }: Listed): string => `${kind}-${n}`;

/** A bot in which the documents were written in this order. */
function botOf(all: readonly Listed[]): { state: BotState; pages: DocumentPages; asked: () => number } {
  const state = emptyState();
  const found = new Map<string, number>();
  let asked = 0;
  for (const [at, one] of all.entries()) {
    const [id, version] = [idOf(one), at + 1];
    if (one.kind === "article") {
      const { title, units: characterCount, updatedAtMs } = one;
      const times = { createdAtMs: 5, updatedAtMs };
      state.articles.set(
        id,
        versioned({ id, title, body: "b", metadata: {}, activeOn: [], ...times, characterCount }, version),
      );
      if (one.isFound) found.set(id, version);
      continue;
    }
    const { title, status, source, units, updatedAtMs } = one;
    const metaData = title === undefined ? {} : { title };
    const document: StoredDocument = {
      resourceDocId: id,
      type: "PDF",
      status,
      metaData,
      content: [{ md: "x".repeat(units) }],
    };
    const origin = source === undefined ? {} : { origin: state.sources.stored({ source }, version) };
    const time = updatedAtMs === undefined ? {} : { updatedAtMs };
    state.documents.set(id, { document, contentHash: `${version}`, version, bytes: 1, ...origin, ...time });
  }
  const searchable = (id: string): number | undefined => {
    asked += 1;
    return found.get(id);
  };
  return { state, pages: new DocumentPages({ state, searchable }), asked: () => asked };
}

/** The row of a document, as the description of rows says it. */
function rowOf(one: Listed): DocumentRow {
  const title = one.title === undefined ? {} : { title: one.title };
  const time = one.updatedAtMs === undefined ? {} : { updatedAt: new Date(one.updatedAtMs).toISOString() };
  const head = { id: idOf(one), ...title, ...time, characters: one.units };
  if (one.kind === "article") {
    const status = one.isFound ? "active" : "uploading";
    return { ...head, type: "EXTERNAL", status, isArticle: true };
  }
  return {
    ...head,
    type: "PDF",
    status: one.status,
    ...(one.source === undefined ? {} : { source: one.source }),
    isArticle: false,
  };
}

/**
 * The time by which a document is sorted. One without a time is behind all that was written before it, and not behind what was written after it.
 * The fraction is its place among those with the same time.
 */
function assumedOf(all: readonly Listed[], at: number): number {
  const own = all[at]?.updatedAtMs;
  if (own !== undefined) return own;
  const timesOf = (some: readonly Listed[]): number[] => some.flatMap(({ updatedAtMs = [] }) => updatedAtMs);
  const [before, after] = [timesOf(all.slice(0, at)), timesOf(all.slice(at))];
  return Math.min(Math.max(-1, ...before), ...after) + (at + 1) / 1_000;
}

/** The list as its description says it. */
function expected(
  all: readonly Listed[],
  { sort = "updatedAt:desc", search, type, status }: DocumentPageRequest,
): DocumentRow[] {
  const [by, direction] = sort.split(":");
  const assumed = new Map(all.map((one, at) => [idOf(one), assumedOf(all, at)]));
  const keyOf = (row: DocumentRow): string | number => {
    if (by === "title") return (row.title ?? row.id).toLowerCase();
    if (by === "characters") return row.characters;
    if (by === "type" || by === "status") return row[by];
    return assumed.get(row.id) ?? 0;
  };
  const part = search?.toLowerCase();
  const rows = all
    .map(rowOf)
    .filter((row) => type === undefined || row.type === type)
    .filter((row) => status === undefined || row.status === status)
    .filter(
      ({ id, title = "", source = "" }) =>
        part === undefined || `${id}\n${title}\n${source}`.toLowerCase().includes(part),
    );
  const ascending = (a: DocumentRow, b: DocumentRow): number => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one === other ? (a.id < b.id ? -1 : 1) : one < other ? -1 : 1;
  };
  return rows.sort((a, b) => (direction === "asc" ? ascending(a, b) : ascending(b, a)));
}

const page = (pages: DocumentPages, request: DocumentPageRequest): DocumentPage => finished(pages.page(request));

/** Deletes an article by the record that does so. */
const removed = (state: BotState, id: string): unknown =>
  apply(state, { kind: "articleDelete", id }, state.sequence + 1, undefined);

const sort = fc.constantFrom(...DOCUMENT_SORTS);
// Most filters leave little to sort.
const requests: fc.Arbitrary<DocumentPageRequest> = fc.oneof(
  fc.record({ sort }, { requiredKeys: [], noNullPrototype: true }),
  fc.record(
    {
      sort,
      search: fc.constantFrom("ABC", "äb", "refund", "handb", "-1", "nothing"),
      type: fc.constantFrom("PDF" as const, "EXTERNAL" as const),
      status: fc.constantFrom(...DOCUMENT_STATES),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
);

describe("the list of all documents", () => {
  it("is those that match, in its order, page by page", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(listed, { selector: idOf, maxLength: 40, size: "large" }),
        fc.array(requests, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 15 }),
        (all, asked, limit) => {
          const { pages } = botOf(all);
          for (const request of asked) {
            const rows: DocumentRow[] = [];
            for (let offset = 0; offset < all.length + limit; offset += limit) {
              const { rows: more, total } = page(pages, { ...request, offset, limit });
              expect(more.length).toBeLessThanOrEqual(limit);
              rows.push(...more);
              expect(total).toBe(expected(all, request).length);
            }
            expect(rows).toEqual(expected(all, request));
          }
        },
      ),
    );
  });

  it("has documents without a time where they were written", () => {
    const article = (n: number, updatedAtMs: number): Listed => ({
      ...{ kind: "article", n, title: "t", isFound: true, units: 1, updatedAtMs },
    });
    const document = (n: number): Listed => ({
      ...{ kind: "document", n, title: "t", status: "active", source: undefined, units: 1, updatedAtMs: undefined },
    });
    const { pages } = botOf([document(1), article(2, 3), document(3), document(4), article(5, 3), article(6, 4)]);
    const order = (of: DocumentPages): string[] => page(of, {}).rows.map(({ id }) => id.replace(/.*-/, ""));
    expect(order(pages).join(" ")).toBe("6 4 3 5 2 1");
    // The metadata of the first article was changed last: what was written behind it does not follow.
    const changed = botOf([article(1, 9), document(2), document(3), article(4, 5), document(5)]);
    expect(order(changed.pages).join(" ")).toBe("5 1 3 2 4");
  });

  const some = (count: number): Listed[] =>
    Array.from({ length: count }, (_, n) => ({
      kind: "article",
      n,
      title: `t${n}`,
      isFound: true,
      units: n,
      updatedAtMs: 7,
    }));

  it("is sorted once while nothing changes, and again after a change", () => {
    const { state, pages, asked } = botOf(some(50));
    page(pages, { sort: "status:asc", limit: 1 });
    const first = asked();
    page(pages, { sort: "status:asc", limit: 1, offset: 7 });
    expect(asked() - first).toBe(1);
    removed(state, "article-7");
    expect(page(pages, { sort: "status:asc", limit: 1 }).total).toBe(49);
    expect(asked() - first).toBeGreaterThan(49);
  });

  it("is searched by the name that a source has now", () => {
    const { state, pages } = botOf([
      { kind: "document", n: 1, title: "a", status: "active", source: "handbook", units: 1, updatedAtMs: 1 },
    ]);
    const found = (search: string): number => page(pages, { search }).total;
    expect([found("handbook"), found("manual")]).toEqual([1, 0]);
    const argument = { name: "docs", path: "/docs", kind: "folder", ids: "docs" } as const;
    apply(state, { kind: "sourceMove", source: "handbook", to: "manual", argument }, state.sequence + 1, undefined);
    expect([found("handbook"), found("manual")]).toEqual([0, 1]);
  });

  it("shows that an article became active, although nothing was written", () => {
    const [one] = some(1);
    const state = emptyState();
    let version: number | undefined;
    const times = { createdAtMs: 5, updatedAtMs: 7, characterCount: 2 };
    const fields = { id: "a", title: one?.title ?? "", body: "b", metadata: {}, activeOn: [], ...times };
    state.articles.set("a", versioned(fields, 3));
    const pages = new DocumentPages({ state, searchable: () => version });
    const totals = (): number[] => (["uploading", "active"] as const).map((status) => page(pages, { status }).total);
    expect(totals()).toEqual([1, 0]);
    version = 3;
    expect(totals()).toEqual([0, 1]);
  });

  it("yields within a long list, and lists what it began with where documents leave meanwhile", () => {
    const { state, pages } = botOf(some(5_000));
    expect(slicesOf(pages.page({ sort: "title:asc" }))).toBeGreaterThan(20);
    removed(state, "article-1");
    const steps = pages.page({ sort: "title:desc", limit: 3 });
    steps.next();
    removed(state, "article-9");
    // The first three by title are 999, 998 and 997.
    expect(finished(steps).rows.map(({ id }) => id)).toEqual(["article-999", "article-998", "article-997"]);
    // A list of a moment that has passed is not kept.
    expect(page(pages, { sort: "title:desc" }).total).toBe(4_998);
  });

  it("reads articles and documents in slices before it sorts, each document once", () => {
    const documents = Array.from({ length: 5_000 }, (_, n): Listed => {
      const none = { title: undefined, source: undefined, updatedAtMs: undefined };
      return { kind: "document", n, status: "active", units: n % 9, ...none };
    });
    for (const all of [some(5_000), documents]) {
      const { state, pages } = botOf(all);
      // An order that needs no comparison, so that all further slices are those of reading.
      const before = slicesOf(pages.page({ type: "QNA" }));
      expect(before).toBeGreaterThan(5_000 / 512 + 5_000 / 256);
      state.sequence = 5_000;
      const steps = pages.page({ limit: 1 });
      for (let n = 0; n < 5; n++) steps.next();
      const first = [...state.documents.values()][0];
      if (first === undefined) continue;
      state.documents.delete("document-0");
      state.sequence += 1;
      state.documents.set("document-0", { ...first, version: state.sequence });
      expect(finished(steps)).toMatchObject({ total: 5_000, rows: [{ id: "document-0" }] });
    }
  });

  it.each<[field: string, request: object]>([
    ["offset", { offset: -1 }],
    ["offset", { offset: DOCUMENT_OFFSET_MAX + 1 }],
    ["limit", { limit: 0 }],
    ["limit", { limit: PAGE_DOCUMENTS_MAX + 1 }],
    ["limit", { limit: "7" }],
    ["sort", { sort: "title" }],
    ["type", { type: "pdf" }],
    ["status", { status: "gone" }],
    ["search", { search: "" }],
    ["search", { search: "x".repeat(DOCUMENT_SEARCH_CHARACTERS_MAX + 1) }],
  ])("refuses a wrong %s: %o", (field, request) => {
    const { pages } = botOf([]);
    const refused = (): unknown => page(pages, request as DocumentPageRequest);
    expect(refused).toThrow(ValidationError);
    expect(refused).toThrow(field);
    expect(DOCUMENT_TYPES).toContain("EXTERNAL");
  });
});
