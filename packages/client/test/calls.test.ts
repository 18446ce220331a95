import { describe, expect, it } from "vitest";
import { sharedService } from "../../../test/http/service.ts";
import { LoredexClient, LoredexError, not, or, where } from "../src/index.ts";
import { all, clientOf, thrownBy } from "./service.ts";

const service = sharedService();
const REFUNDS = { title: "Refunds", body: "A refund takes three working days." };

describe("the client of a server", () => {
  it("creates, gets, updates, searches and deletes", async () => {
    const { client } = await clientOf(service());
    const { article, characterUsed, etag } = await client.createArticle({ ...REFUNDS, metadata: { team: "billing" } });
    expect(characterUsed).toBe(article.characterCount);
    expect(await client.waitUntilActive(article.id)).toMatchObject({ status: "active", title: "Refunds" });

    const [found] = await client.search("refund", {
      topK: 1,
      includeContent: true,
      filters: { "metaData.team": "billing" },
    });
    expect(found).toMatchObject({ resourceDocId: article.id, content: [{ md: REFUNDS.body }] });
    expect(await client.search("refund", { filters: { "metaData.team": "sales" } })).toEqual([]);
    const filters = or(where.contains("metaData.team", "ill"), where.exists("metaData.year"));
    expect(await client.search("refund", { filters })).toHaveLength(1);
    expect(await client.search("refund", { filters: not(filters) })).toEqual([]);
    const wrong = client.search("refund", { filters: where.gte("metaData.year", "soon") });
    expect(await thrownBy(wrong)).toMatchObject({ violations: [{ field: "filters.metaData.year.gte", type: "date" }] });

    const [around] = await client.search("refund", { context: "section", contextCharacters: 100, minScore: 0.01 });
    expect(around?.similarTextParts[0]?.context).toEqual({ text: REFUNDS.body, start: 1, stop: 1, headings: [] });
    expect(await client.search("refund", { offset: 1 })).toEqual([]);
    expect(await client.search("refund", { minScore: 0.999 })).toEqual([]);
    expect(await thrownBy(client.search("refund", { context: "chapter" } as object))).toBeInstanceOf(TypeError);
    const beyond = client.search("refund", { offset: 100 });
    expect(await thrownBy(beyond)).toMatchObject({ violations: [{ field: "options.offset", type: "range" }] });

    const got = await client.getArticle(article.id);
    expect(got.article).toMatchObject(REFUNDS);
    expect(await client.getArticleIfChanged(article.id, got.etag)).toBeUndefined();
    const changed = await client.updateArticle(article.id, { body: "Two days." }, { ifMatch: got.etag });
    expect(changed.article.body).toBe("Two days.");
    expect(await client.getArticleIfChanged(article.id, etag)).toMatchObject({ article: { body: "Two days." } });
    expect(await thrownBy(client.updateArticle(article.id, { body: "One." }, { ifMatch: got.etag }))).toMatchObject({
      status: 412,
      code: 20004,
    });
    expect(await thrownBy(client.deleteArticle(article.id, { ifMatch: got.etag }))).toMatchObject({ status: 412 });

    await client.deleteArticle(article.id);
    expect(await thrownBy(client.getArticle(article.id))).toMatchObject({ status: 404, code: 20001 });
    expect(await client.search("refund")).toEqual([]);
  });

  it("queries: a search with its total, facets and groups", async () => {
    const { client } = await clientOf(service());
    for (const team of ["billing", "sales", "billing"]) {
      const { article } = await client.createArticle({
        title: `Refunds ${team}`,
        body: REFUNDS.body,
        metadata: { team },
      });
      await client.waitUntilActive(article.id);
    }
    const results = await client.search("refund", { topK: 2 });
    expect(await client.query("refund", { topK: 2 })).toEqual({ results, total: 3 });
    const filters = where.exists("metaData.team");
    const facets = ["metaData.team", "type"] as const;
    const answer = await client.query("refund", { topK: 2, filters, facets, groupBy: "metaData.team", groupSize: 1 });
    expect(answer).toMatchObject({
      results,
      total: 3,
      facets: {
        "metaData.team": [
          { value: "billing", count: 2 },
          { value: "sales", count: 1 },
        ],
        type: [{ value: "EXTERNAL", count: 3 }],
      },
    });
    expect(answer.groups?.map(({ value, results: own }) => [value, own.length]).sort()).toEqual([
      ["billing", 1],
      ["sales", 1],
    ]);
    const wrong = client.query("refund", { facets: ["team"] });
    expect(await thrownBy(wrong)).toMatchObject({ violations: [{ field: "options.facets.0", type: "unknownField" }] });
  });

  it("lists in every order", async () => {
    const { client } = await clientOf(service());
    for (const title of ["beta", "Alpha", "gamma"]) await client.createArticle({ title, body: "x" });
    const listed = async (...args: Parameters<LoredexClient["listArticles"]>) =>
      (await all(client.listArticles(...args))).map(({ title }) => title);
    expect(await listed({}, { sort: "title:asc", pageSize: 1 })).toEqual(["Alpha", "beta", "gamma"]);
    expect(await listed({}, { sort: "createdAt:desc", pageSize: 2 })).toEqual(["gamma", "Alpha", "beta"]);
    const { articles, next } = await client.getArticlesPage({}, { sort: "title:desc", limit: 2 });
    expect(articles.map(({ title }) => title)).toEqual(["gamma", "beta"]);
    const rest = await client.getArticlesPage({}, { sort: "title:desc", after: next });
    expect(rest.articles.map(({ title }) => title)).toEqual(["Alpha"]);
    // @ts-expect-error: there is no such order
    expect(await thrownBy(client.getArticlesPage({}, { sort: "title" }))).toBeInstanceOf(TypeError);
  });

  it("lists page by page, by id, title and metadata", async () => {
    const { client } = await clientOf(service());
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const metadata = { externalId: `doc ${n}`, even: n % 2 === 0, "a&b=c": "ä ?" };
      ids.push((await client.createArticle({ title: `Title ${n % 2}`, body: `${n}`, metadata })).article.id);
    }
    const listed = async (...args: Parameters<LoredexClient["listArticles"]>) =>
      (await all(client.listArticles(...args))).map(({ id }) => ids.indexOf(id));
    expect(await listed()).toEqual([0, 1, 2, 3, 4]);
    expect(await listed({}, { pageSize: 2 })).toEqual([0, 1, 2, 3, 4]);
    expect(await listed({ metadata: { even: true } }, { pageSize: 1 })).toEqual([0, 2, 4]);
    expect(await listed({ metadata: { externalId: "doc 3", "a&b=c": "ä ?" } })).toEqual([3]);
    expect(await listed({ title: "Title 1", id: ids[1] ?? "" })).toEqual([1]);
    expect(await listed({ title: "Title 0", id: ids[1] ?? "" })).toEqual([]);
    const first = await client.getArticlesPage({ metadata: { even: true } }, { limit: 2 });
    const second = await client.getArticlesPage({ metadata: { even: true } }, { limit: 2, after: first.next });
    expect([first, second].map(({ articles }) => articles.map(({ id }) => ids.indexOf(id)))).toEqual([[0, 2], [4]]);
    expect(second.next).toBeUndefined();
  });

  it("says whether an answer helped", async () => {
    const { client } = await clientOf(service());
    await client.search("refunds", { requestId: "search-1" });
    await client.query("refunds", { requestId: "query-1" });
    // The bot has no question log: nothing is kept.
    expect(await client.feedback({ requestId: "search-1", helpful: true, comment: "thanks" })).toBeUndefined();
    expect(await thrownBy(client.search("a", { requestId: "with space" }))).toBeInstanceOf(TypeError);
    expect(await thrownBy(client.feedback(JSON.parse('{"requestId":"a"}')))).toBeInstanceOf(TypeError);
    const long = { requestId: "a", helpful: true, comment: "x".repeat(1_001) };
    expect(await thrownBy(client.feedback(long))).toMatchObject({ status: 400, violations: [{ field: "comment" }] });
  });

  it("suggests texts that continue a typed text", async () => {
    const { client } = await clientOf(service());
    const { article } = await client.createArticle({ title: "Refunds", body: "Text.\n\n## Refunds abroad\n\nText." });
    await client.waitUntilActive(article.id);
    const first = { text: "Refunds", resourceDocId: article.id, kind: "title" };
    expect(await client.suggest("réf")).toEqual([first, { ...first, text: "Refunds abroad", kind: "heading" }]);
    expect(await client.suggest("refnud", { limit: 1 })).toEqual([first]);
    expect(await thrownBy(client.suggest(""))).toMatchObject({ status: 400, violations: [{ field: "prefix" }] });
    expect(await thrownBy(client.suggest("a", { limit: 21 }))).toBeInstanceOf(TypeError);
  });

  it("asks what a write would come to, and writes many at once", async () => {
    const { client } = await clientOf(service(), { quotaCharacters: 1_000 });
    expect(await client.preview(REFUNDS)).toMatchObject({ charge: 41, characterLeft: 959, waitSeconds: 0 });
    const article = { ...REFUNDS, metadata: { externalId: "a" } };
    const results = await client.batch([
      { op: "upsert", by: "externalId", article },
      { op: "upsert", by: "externalId", article },
      { op: "create", article: { title: "x", body: "y" } },
      { op: "delete", id: "000000000000000000000000" },
    ]);
    expect(results.map(({ status }) => status)).toEqual([200, 200, 400, 404]);
    const [only, ...others] = await all(client.listArticles());
    expect(others).toEqual([]);
    expect(await client.preview({ id: only?.id ?? "", body: "" }).catch(String)).toContain("body");
  });

  it("tells what the bot uses of its limits", async () => {
    const { client, bot, pace } = await clientOf(service(), { quotaCharacters: 1_000, rateCharactersPerMinute: 500 });
    await client.createArticle(REFUNDS);
    pace.pass(20_000);
    expect(await client.usage()).toMatchObject({
      ...{ characterUsed: 41, characterQuota: 1_000, characterLeft: 959 },
      rate: { charactersPerMinute: 500, used: 41, resetSeconds: 40 },
      documents: { EXTERNAL: 1, PDF: 0 },
    });
    const key = await service().engine.addKey(bot.id, "site", { scope: "search" });
    const site = new LoredexClient({ baseUrl: service().url, key });
    expect(await thrownBy(site.usage())).toMatchObject({ status: 403, code: 10002 });
    expect(await thrownBy(client.usage({ verbose: true } as object))).toBeInstanceOf(TypeError);
  });

  it("shows every broken rule, and who was not let in", async () => {
    const { client } = await clientOf(service());
    const error = await thrownBy(client.createArticle({ title: "Hi", body: "", source: "no" }));
    expect(error).toBeInstanceOf(LoredexError);
    expect(error).toMatchObject({ name: "LoredexError", status: 400, code: 1001, retryAfterSeconds: undefined });
    expect(error instanceof LoredexError && error.violations.map(({ field }) => field)).toEqual([
      "title",
      "body",
      "source",
    ]);
    expect(error instanceof LoredexError && error.requestId).toMatch(/./);
    const stranger = new LoredexClient({ baseUrl: service().url, key: "nobody" });
    expect(await thrownBy(stranger.search("a"))).toMatchObject({ status: 401, code: 10001, violations: [] });
  });

  it("names a full quota", async () => {
    const { client } = await clientOf(service(), { quotaCharacters: 20 });
    const error = await thrownBy(client.createArticle(REFUNDS));
    expect(error).toMatchObject({ status: 422, code: 30001, message: expect.stringContaining("20") });
  });

  it("creates an article once for one key of the caller's", async () => {
    const { client } = await clientOf(service());
    const first = await client.createArticle(REFUNDS, { idempotencyKey: "one" });
    const second = await client.createArticle(REFUNDS, { idempotencyKey: "one" });
    expect(second.article.id).toBe(first.article.id);
    expect(await thrownBy(client.createArticle({ ...REFUNDS, body: "b" }, { idempotencyKey: "one" }))).toMatchObject({
      status: 409,
      code: 20005,
    });
    expect(await all(client.listArticles())).toHaveLength(1);
  });
});

it("takes an option that is undefined for one that is not given", async () => {
  const asked: string[] = [];
  const answer = { success: true, data: [], message: "" };
  const client = new LoredexClient({
    baseUrl: "http://a.test",
    key: "k",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      asked.push(`${request.method} ${request.url} ${await request.text()}`);
      return Response.json(request.url.endsWith("/search") ? [] : answer);
    },
  });
  const nothing = { signal: undefined, limit: undefined, after: undefined };
  const both = async (call: (options: object) => Promise<unknown>, given: object): Promise<void> => {
    await call({});
    await call(given);
    const [without, withUndefined] = asked.splice(0);
    expect(withUndefined).toBe(without);
  };
  await both((options) => client.getArticlesPage({}, options), nothing);
  await both((options) => client.getArticlesPage(options), { id: undefined, title: undefined, metadata: undefined });
  await both((options) => all(client.listArticles({}, options)), { signal: undefined, pageSize: undefined });
  await both((options) => client.search("a", options), { signal: undefined, topK: undefined, filters: undefined });
});
