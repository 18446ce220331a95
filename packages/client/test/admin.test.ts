import { describe, expect, it } from "vitest";
import { ADMIN_OPERATIONS } from "../../http/src/admin/table.ts";
import { FakeAdmin, READ_KEY, WRITE_KEY } from "../../http/test/support/fake-admin.ts";
import { ARTICLE_ID, BOT_ID, BOT_NAME, FakeEngine } from "../../http/test/support/fake-engine.ts";
import { serve } from "../../http/test/support/server.ts";
import { LoredexAdmin } from "../src/index.ts";
import { TestPace, thrownBy } from "./service.ts";

async function start(key = WRITE_KEY) {
  const admin = new FakeAdmin();
  const { url, log } = await serve(new FakeEngine(), { admin });
  return { admin, log, client: new LoredexAdmin({ baseUrl: url, key, attemptsMax: 1 }) };
}

const ARTICLE = { title: "Refunds", body: "A refund takes three days." };

describe("the client of the admin API", () => {
  it("has every operation but those of a browser's session", async () => {
    const { admin, client, log } = await start();
    const bot = BOT_NAME;
    await client.listBots();
    await client.createBot({ name: "new" });
    await client.showBot(bot);
    await client.setBot(bot, { quality: "fast" });
    await client.removeBot(bot);
    await client.listKeys(bot);
    expect(await client.addKey(bot, { name: "two" })).toBe("lore_added");
    expect(await client.rotateKey(bot, "two")).toBe("lore_rotated");
    await client.revokeKey(bot, "two");
    await client.listAgents(bot);
    await client.putAgent(bot, "one", true);
    await client.removeAgent(bot, "one");
    await client.listAgentArticles(bot, "one");
    await client.listChannels(bot);
    await client.putChannel(bot, "one", false);
    await client.removeChannel(bot, "one");
    await client.listSources(bot);
    expect(await client.removeSource(bot, "docs")).toBe(3);
    await client.syncSource(bot, "docs");
    await client.uploadFile(bot, "a.md", Buffer.from("text"), { source: "docs" });
    await client.importAddresses(bot, { addresses: ["https://example.com"] });
    await client.listJobs(bot);
    await client.getJob(bot, "1");
    await client.listDocuments(bot, { limit: 5, type: "PDF" });
    await client.getDocument(bot, ARTICLE_ID);
    await client.setDocumentStatus(bot, "1", "inactive");
    await client.removeDocument(bot, "1");
    await client.createArticle(bot, ARTICLE, { undo: true });
    await client.listArticles(bot);
    await client.getArticle(bot, ARTICLE_ID);
    await client.updateArticle(bot, ARTICLE_ID, { title: "Refunds again" }, { ifMatch: '"x"' });
    await client.deleteArticle(bot, ARTICLE_ID);
    await client.previewArticle(bot, ARTICLE);
    await client.usage(bot);
    await client.search(bot, "refunds", { topK: 3, quality: "words" });
    expect(await client.query(bot, "refunds", { facets: ["type"] })).toMatchObject({ total: 7 });
    await client.suggest(bot, "ref");
    await client.explain(bot, { query: "refunds", id: "1" });
    const { vocabulary, etag } = await client.getVocabulary(bot);
    expect(await client.setVocabulary(bot, vocabulary, { ifMatch: etag })).toEqual({ etag });
    expect(admin.lastOf("setVocabulary")?.at(-1)).toEqual({ ifMatch: etag });
    const golden = await client.getGolden(bot);
    const questions = [{ question: "How long?", id: "1" }];
    expect(await client.setGolden(bot, { questions }, { ifMatch: golden.etag })).toEqual(golden);
    expect(admin.lastOf("setGolden")?.at(-1)).toEqual({ ifMatch: golden.etag });
    await client.startRun(bot);
    await client.listRuns(bot);
    await client.getRun(bot, "1");
    await client.listGaps(bot, { limit: 3 });
    await client.listQuestions(bot, { limit: 3, before: 9 });
    await client.clearQuestions(bot);
    await client.listFindings(bot);
    expect(await new Response(await client.backUp(bot, { questions: true })).text()).toBe("part 1,part 2");
    await client.restore(new Blob(["part 1"]), { as: "other" });
    await client.listChanges({ limit: 2 });
    await client.status();
    for await (const { event } of client.events()) if (event === "alerts") break;

    // The stream is logged when the server has seen its end.
    await expect.poll(() => log.some((each) => each.event === "request" && each.route.endsWith("/events"))).toBe(true);
    const called = log.flatMap((each) => (each.event === "request" ? [`${each.method} ${each.route}`] : []));
    const ofBrowsers = (path: string) => path.endsWith("/session");
    const all = ADMIN_OPERATIONS.filter(({ path }) => !ofBrowsers(path)).map(({ method, path }) => `${method} ${path}`);
    expect(called.toSorted()).toEqual(all.toSorted());
    expect(log.filter((each) => each.event === "request" && each.status >= 300)).toEqual([]);
  });

  it("sends what it is given", async () => {
    const { admin, client } = await start();
    await client.uploadFile(BOT_NAME, "a b.md", new Blob(["text"]));
    expect([admin.uploaded.toString(), admin.lastOf("upload")]).toEqual(["text", [BOT_ID, { name: "a b.md" }]]);
    await client.putAgent(BOT_NAME, "a/b", true);
    expect(admin.lastOf("putRegistration")).toEqual([BOT_ID, "agent", "a/b", true]);
    await client.listDocuments(BOT_NAME, { offset: 2, sort: "title:asc", search: "ü" });
    expect(admin.lastOf("documentPage")).toEqual([BOT_ID, { offset: 2, sort: "title:asc", search: "ü" }]);
  });

  it("writes what it has read, whole or in part", async () => {
    const { admin, client } = await start();
    const kept = [{ question: "How long?", expected: [{ id: "1", gain: 1, lines: [[1, 2] as const] }] }];
    const insights = await admin.insights(BOT_ID);
    admin.insights = async () => ({ ...insights, golden: async () => kept });
    const golden = await client.getGolden(BOT_NAME);
    const { questions, etag } = golden;
    const sent = [BOT_ID, kept, { ifMatch: etag }];
    await client.setGolden(BOT_NAME, { questions }, { ifMatch: etag });
    expect(admin.lastOf("setGolden")).toEqual(sent);
    await client.setGolden(BOT_NAME, golden, { ifMatch: etag });
    expect(admin.lastOf("setGolden")).toEqual(sent);
    const words = await client.getVocabulary(BOT_NAME);
    await client.setVocabulary(BOT_NAME, words.vocabulary);
    const written = admin.lastOf("setVocabulary");
    await client.setVocabulary(BOT_NAME, words);
    expect(admin.lastOf("setVocabulary")).toEqual(written);
    expect(await thrownBy(client.setGolden(BOT_NAME, { questions, more: 1 } as never))).toMatchObject({ status: 400 });
  });

  it("throws the service's refusals, and a TypeError for wrong arguments before it sends anything", async () => {
    const { admin, client } = await start(READ_KEY);
    expect(await thrownBy(client.removeBot(BOT_NAME))).toMatchObject({ status: 403, code: 10003 });
    expect(await thrownBy(client.showBot("nowhere"))).toMatchObject({ status: 404, code: 20007 });
    admin.operator.backup = () => {
      throw new Error("broken");
    };
    expect(await thrownBy(client.backUp(BOT_NAME))).toMatchObject({ status: 500 });
    for (const wrong of [
      () => client.showBot(""),
      () => client.showBot(7 as never),
      () => client.listBots({ sgnal: 1 } as never),
      () => client.listDocuments(BOT_NAME, { limit: 0 }),
      () => client.uploadFile(BOT_NAME, "a", "text" as never),
      () => client.setBot(BOT_NAME, [] as never),
      () => client.putAgent(BOT_NAME, "a", "yes" as never),
      () => client.setDocumentStatus(BOT_NAME, "1", "gone" as never),
    ]) {
      expect(await thrownBy(wrong())).toBeInstanceOf(TypeError);
    }
  });

  it("waits for a job, and tells how far it is", async () => {
    const told: unknown[] = [];
    const { pace, client } = answering(() =>
      Response.json({ success: true, data: { id: "1", state: told.length < 3 ? "running" : "done" } }),
    );
    const job = await client.waitForJob("help", "1", { onProgress: ({ state }) => told.push(state) });
    expect([job.state, told, pace.waits]).toEqual(["done", ["running", "running", "running", "done"], [50, 100, 200]]);
    const late = answering(() => Response.json({ success: true, data: { id: "1", state: "running" } }));
    expect(await thrownBy(late.client.waitForJob("help", "1", { timeoutSeconds: 5 }))).toMatchObject({
      message: "Job 1 still runs after 5 s.",
    });
    expect(await thrownBy(client.waitForJob("help", "1", { timeoutSeconds: -1 }))).toBeInstanceOf(TypeError);
  });

  it("reads events however they are cut, and leaves out others", async () => {
    const text = `retry: 1\n\n: heartbeat\n\nevent: later\ndata: {}\n\n${ALERTS}event: restart\ndata: {}\n\n`;
    for (const size of [1, 2, 3, 7, 1_000]) {
      const { client } = answering(() => new Response(pieces(text, size)));
      const seen = [];
      for await (const event of client.events()) seen.push(event);
      expect(seen).toEqual([
        { event: "alerts", data: [] },
        { event: "restart", data: {} },
      ]);
    }
  });

  it("gives up events that are too long, broken or given up, and a stream that its reader leaves", async () => {
    const long = answering(() => new Response(pieces(ALERTS, 1)), { answerBytesMax: 10 });
    expect(await thrownBy(long.client.events().next())).toMatchObject({ isTooLong: true });
    const broken = answering(() => new Response("event: fleet\ndata: {\n\n"));
    expect(await thrownBy(broken.client.events().next())).toMatchObject({
      message: "The event is not as Loredex gives it.",
    });
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from(ALERTS)),
      cancel: () => {
        cancelled = true;
      },
    });
    for await (const { event } of answering(() => new Response(endless)).client.events()) if (event === "alerts") break;
    expect(cancelled).toBe(true);
    const cut = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
    expect(
      await thrownBy(
        answering(() => new Response(cut))
          .client.events()
          .next(),
      ),
    ).toMatchObject({
      message: "The events broke off.",
    });
    const { client } = await start();
    const stop = new AbortController();
    const events = client.events({ signal: stop.signal });
    await events.next();
    stop.abort(new Error("enough"));
    await expect(async () => {
      for await (const _ of events);
    }).rejects.toThrow("enough");
  });
});

const ALERTS = "event: alerts\ndata: []\n\n";

/** A client whose requests are answered here, on a clock that only sleeping moves. */
function answering(answer: () => Response, options: { answerBytesMax?: number } = {}) {
  const pace = new TestPace();
  return {
    pace,
    client: new LoredexAdmin({
      baseUrl: "http://127.0.0.1:1",
      key: "k",
      fetch: async () => answer(),
      pace,
      ...options,
    }),
  };
}

/** A stream of a text, cut into pieces of this size. */
function pieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text);
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}
