import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sharedService } from "../../../test/http/service.ts";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { type Article, LoredexClient, type NewArticle, type SyncStep } from "../src/index.ts";
import { planSync, wantedBy } from "../src/sync-plan.ts";
import { all, clientOf, thrownBy } from "./service.ts";

const service = sharedService();
const by = "externalId";

const doc = (externalId: string | number, body: string, more: Partial<NewArticle> = {}): NewArticle => ({
  title: `Title of ${externalId}`,
  body,
  ...more,
  metadata: { externalId, ...more.metadata },
});

describe("a sync", () => {
  it("creates, does nothing, updates what differs, and removes only when it may", async () => {
    const { client } = await clientOf(service());
    const byHand = await client.createArticle({ title: "Written by hand", body: "Leave me alone." });
    const steps: SyncStep[] = [];
    const onProgress = (step: SyncStep) => void steps.push(step);
    const [one, two, three] = [doc("1", "one"), doc("2", "two", { source: "https://a.test/2" }), doc(2, "number")];
    expect(await client.sync([one, two, three], { by, dryRun: true })).toMatchObject({ created: 3 });
    expect(await all(client.listArticles())).toHaveLength(1);

    expect(await client.sync([one, two, three], { by, onProgress })).toMatchObject({ created: 3, unchanged: 0 });
    expect(steps.map(({ action, value, done, total }) => [action, value, done, total])).toEqual([
      ["create", "1", 0, 3],
      ["create", "2", 1, 3],
      ["create", 2, 2, 3],
    ]);
    const before = await all(client.listArticles());
    expect(await client.sync([three, two, one], { by, remove: true })).toEqual({
      ...{ created: 0, updated: 0, removed: 0, unchanged: 3, problems: [] },
    });
    expect((await all(client.listArticles())).map(({ updatedAt }) => updatedAt)).toEqual(
      before.map(({ updatedAt }) => updatedAt),
    );

    const changed = [doc("1", "one, and more", { activeOn: [{ channel: "web" }] }), doc("2", "two")];
    expect(await client.sync(changed, { by })).toMatchObject({ created: 0, updated: 1, removed: 0, unchanged: 1 });
    expect(await client.sync(changed, { by, keep: [2], remove: true })).toMatchObject({ removed: 0, unchanged: 2 });
    expect(await client.sync(changed, { by, remove: true })).toMatchObject({ removed: 1, unchanged: 2 });
    const after = await all(client.listArticles());
    expect(after.map(({ id, body }) => [id, body])).toEqual([
      [byHand.article.id, "Leave me alone."],
      [before[1]?.id, "one, and more"],
      [before[2]?.id, "two"],
    ]);
    // What was not given has stayed.
    expect(after[2]?.source).toBe("https://a.test/2");
  });

  it("asks for one list, and then once for each article that changes", async () => {
    let asked: string[] = [];
    const { client } = await clientOf(
      service(),
      {},
      {
        fetch: (input, init) => {
          asked.push(init?.method ?? "GET");
          return fetch(input, init);
        },
      },
    );
    const docs = ["1", "2", "3", "4"].map((id) => doc(id, "x"));
    await client.sync(docs, { by });
    expect(asked).toEqual(["GET", "POST", "POST", "POST", "POST"]);
    asked = [];
    await client.sync([...docs.slice(0, 2), doc("3", "y")], { by, remove: true });
    expect(asked).toEqual(["GET", "DELETE", "PUT"]);
  });

  it("keeps to those that it is to look at: sources share a bot", async () => {
    const { client } = await clientOf(service());
    const of = (folder: string | number) => [doc("1", `of ${folder}`, { metadata: { folder } })];
    await client.sync(of("7"), { by, where: { folder: "7" }, remove: true });
    await client.sync(of(7), { by, where: { folder: 7 }, remove: true });
    await client.sync([], { by, where: { folder: 7 }, remove: true, allowEmpty: true });
    expect((await all(client.listArticles())).map(({ body }) => body)).toEqual(["of 7"]);
    expect(await thrownBy(client.sync(of("8"), { by, where: { folder: "7" } }))).toMatchObject({
      message: expect.stringContaining('lacks what "where" names'),
    });
  });

  it("makes one article of each and is charged once where two run at once, on all sources of a bot", async () => {
    const { client, bot } = await clientOf(service());
    const where = { folder: "a" };
    // Of another source, which has the same names.
    await client.createArticle(doc("1", "of b", { metadata: { folder: "b" } }));
    const docs = ["1", "2", "3"].map((id) => doc(id, `text ${id}`, { metadata: where }));
    let listed = 0;
    let bothListed = () => {};
    const afterBoth = new Promise<void>((resolve) => {
      bothListed = resolve;
    });
    // Neither writes before both have read the list, so that both mean to create all.
    const racing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method === "GET") {
        listed++;
        if (listed === 2) bothListed();
        await afterBoth;
      }
      return answer;
    };
    const other = () => new LoredexClient({ baseUrl: service().url, key: bot.key, fetch: racing });
    const outcomes = await Promise.all([1, 2].map(() => other().sync(docs, { by, where, remove: true })));
    expect(outcomes.map(({ created, updated }) => created + updated)).toEqual([3, 3]);
    expect(outcomes.reduce((sum, { created }) => sum + created, 0)).toBe(3);
    const there = await all(client.listArticles());
    expect(there.map(({ body }) => body).sort()).toEqual(["of b", "text 1", "text 2", "text 3"]);
    // Nothing is left for the next one to remove.
    expect(await client.sync(docs, { by, where, remove: true })).toMatchObject({ removed: 0, unchanged: 3 });
  });

  it("stays within the rate, and names what can never fit while the others go on", async () => {
    const { client, pace } = await clientOf(service(), { rateCharactersPerMinute: 100, quotaCharacters: 250 });
    const docs = [doc("a", "x".repeat(500)), doc("b", ""), ...["c", "d", "e"].map((id) => doc(id, id.repeat(80)))];
    const { created, problems } = await client.sync(docs, { by });
    expect(created).toBe(2);
    expect(problems.map(({ action, value, error }) => [action, value, error.status])).toEqual([
      ["create", "a", 422],
      ["create", "b", 400],
      ["create", "e", 422],
    ]);
    expect(pace.waits.every((ms) => ms > 50_000)).toBe(true);
  });

  it("stops where going on makes no sense, and goes on the next time", async () => {
    let left = 3;
    const { client } = await clientOf(
      service(),
      {},
      {
        fetch: (input, init) => {
          left--;
          return left < 0 ? Promise.resolve(new Response("", { status: 500 })) : fetch(input, init);
        },
      },
    );
    const docs = ["1", "2", "3"].map((id) => doc(id, "x"));
    expect(await thrownBy(client.sync(docs, { by }))).toMatchObject({ status: 500 });
    left = 100;
    expect(await client.sync(docs, { by })).toMatchObject({ created: 1, unchanged: 2 });
  });

  it("does not remove everything by mistake", async () => {
    const { client } = await clientOf(service());
    await client.sync([doc("1", "x")], { by });
    const error = await thrownBy(client.sync([], { by, remove: true }));
    expect(error).toMatchObject({ message: expect.stringContaining("1 article(s) would be deleted") });
    expect(await client.sync([], { by })).toMatchObject({ removed: 0 });
    expect(await client.sync([], { by, remove: true, allowEmpty: true })).toMatchObject({ removed: 1 });
  });

  it("counts as removed what somebody else has deleted meanwhile", async () => {
    const { client } = await clientOf(
      service(),
      {},
      {
        fetch: async (input, init) => {
          if (init?.method === "DELETE") await fetch(input, init);
          return fetch(input, init);
        },
      },
    );
    await client.sync([doc("1", "x"), doc("2", "x")], { by });
    expect(await client.sync([doc("2", "x")], { by, remove: true })).toMatchObject({ removed: 1, problems: [] });
  });

  it("refuses two articles with one value, and one without any, before it sends a thing", async () => {
    const { client } = await clientOf(service());
    for (const docs of [
      [doc("1", "x"), doc("1", "y")],
      [doc("1", "x"), { title: "None", body: "x" }],
    ]) {
      expect(await thrownBy(client.sync(docs, { by }))).toMatchObject({ name: "LoredexError", status: undefined });
    }
    // The service would refuse each of them: it would be another one.
    const inexact = [doc("1", "x"), doc(2 ** 53, "y")];
    expect(await thrownBy(client.sync(inexact, { by }))).toMatchObject({
      message: expect.stringContaining('externalId = 9007199254740992 of "Title of 9007199254740992" is too large'),
    });
    const near = [2 ** 53 - 1, 1e21, 1.5].map((number) => doc("2", "x", { metadata: { number } }));
    for (const one of near) expect(await client.sync([one], { by, dryRun: true })).toMatchObject({ created: 1 });
    expect(await all(client.listArticles())).toEqual([]);
    // A name that every object has is no metadata.
    expect(await thrownBy(client.sync([{ title: "None", body: "x", metadata: {} }], { by: "toString" }))).toMatchObject(
      {
        message: expect.stringContaining('no metadata "toString"'),
      },
    );
  });
});

const valueArb = fc.oneof(fc.constantFrom("1", "2", "3"), fc.constantFrom(1, 2), fc.boolean());
const bodyArb = fc.constantFrom("one", "two");
const wantedArb = fc.uniqueArray(fc.record({ value: valueArb, body: bodyArb }), {
  selector: ({ value }) => `${typeof value} ${value}`,
});
const presentArb = fc.array(fc.record({ value: fc.option(valueArb, { nil: undefined }), body: bodyArb }));

describe("the plan of a sync", () => {
  it("makes both sides equal, after which there is nothing to do, and touches nobody else's article", () => {
    fc.assert(
      fc.property(wantedArb, presentArb, fc.boolean(), (given, there, remove) => {
        const wanted = wantedBy(
          given.map(({ value, body }) => ({ title: "Title", body, metadata: { id: value } })),
          "id",
          {},
        );
        const present = there.map(({ value, body }, n) => articleOf(`old ${n}`, value, body));
        const options = { by: "id", remove, keep: [] };
        const after = applied(planSync(wanted, present, options), present);
        const strangers = (articles: readonly Article[]) =>
          articles.filter(({ metadata }) => metadata.id === undefined);
        expect(strangers(after)).toEqual(strangers(present));
        const again = planSync(wanted, after, options);
        expect(again).toEqual({ steps: [], unchanged: wanted.length });
        if (remove) expect(after.length - strangers(after).length).toBe(wanted.length);
        else expect(after.length).toBeGreaterThanOrEqual(present.length);
      }),
      { numRuns: lawRuns(500) },
    );
  });
});

function articleOf(id: string, value: string | number | boolean | undefined, body: string): Article {
  return {
    ...{ id, status: "active", title: "Title", body, metadata: value === undefined ? {} : { id: value } },
    ...{ activeOn: [], createdAt: "", updatedAt: "", characterCount: 0 },
  };
}

function applied({ steps }: ReturnType<typeof planSync>, present: readonly Article[]): Article[] {
  const articles = new Map(present.map((article) => [article.id, article]));
  for (const [n, step] of steps.entries()) {
    if (step.action === "remove") articles.delete(step.id);
    else if (step.action === "create") articles.set(`new ${n}`, articleOf(`new ${n}`, step.value, step.article.body));
    else {
      const old = articles.get(step.id);
      if (old !== undefined) articles.set(step.id, { ...old, body: step.changes.body ?? old.body });
    }
  }
  return [...articles.values()];
}
