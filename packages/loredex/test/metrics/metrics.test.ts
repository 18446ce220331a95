import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { SimulatedDatabase } from "../../../core/testing/index.ts";
import { Engine, type EngineOptions, type ServeOptions, serve } from "../../src/index.ts";
import { BotLabels, OTHER_BOTS } from "../../src/metrics/bot-labels.ts";
import { openMetrics } from "../../src/metrics/open-metrics.ts";
import { fetchOnce } from "../support/fetch-once.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const QUESTION = "where do walruses sleep";

async function served(options: Partial<ServeOptions> = {}) {
  const directory = await temporaryDirectory();
  const server = await serve({ directory, port: 0, embedders: {}, metrics: { port: 0 }, ...options });
  onTestFinished(() => server.close());
  const scrape = async (): Promise<string> => (await fetchOnce(server.metricsUrl ?? "")).text();
  return { directory, server, scrape };
}

/** Those lines that count something: a counter exists with 0 before. */
function countedOf(text: string, name: string): string[] {
  return linesOf(text, name).filter((line) => !line.endsWith(" 0"));
}

/** The lines of one metric, without the name, as `{labels} value`. */
function linesOf(text: string, name: string): string[] {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.map((line) => line.slice(name.length).trim());
}

it("counts what bots do, who was refused and why, and says how they are", async () => {
  const { server, scrape } = await served();
  const { bot: made, key } = await server.engine.createBot({ name: "acme", quotaCharacters: 100 });
  const bot = await server.engine.bot(made.id);
  const ask = (path: string, body: unknown, headers = {}): Promise<Response> =>
    fetchOnce(`${server.url}/api/v1/knowledge${path}`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  expect((await ask("", { title: "Walrus", body: "It sleeps on the ice." })).status).toBe(200);
  expect((await ask("", { title: "Long", body: "x".repeat(200) })).status).toBe(422);
  expect((await ask("/search", { query: QUESTION })).status).toBe(200);
  expect((await ask("/search", { query: "" })).status).toBe(400);
  expect((await ask("/search", { query: QUESTION }, { "x-api-key": "lx_wrong" })).status).toBe(401);
  expect((await fetchOnce(`${server.url}/${QUESTION}`, { method: "PROPFIND" })).status).toBe(401);
  expect((await fetchOnce(`${server.url}/ready`)).status).toBe(200);
  await bot.importDocument({ resourceDocId: "d", type: "DOCUMENT", content: [{ md: "Seals swim." }] });
  await expect(bot.importDocument({ resourceDocId: "d" })).rejects.toThrow();
  await bot.whenSearchable();

  const text = await scrape();
  const of = `bot="${made.id}"`;
  const expected: Record<string, string[]> = {
    loredex_searches_total: [`{${of},result="ok"} 1`, `{${of},result="refused"} 1`],
    loredex_search_duration_seconds_count: ["1"],
    loredex_writes_total: [
      `{${of},kind="create",result="ok"} 1`,
      `{${of},kind="create",result="refused"} 1`,
      `{${of},kind="import",result="ok"} 1`,
      `{${of},kind="import",result="refused"} 1`,
    ],
    loredex_imported_documents_total: [`{${of},outcome="added"} 1`, `{${of},outcome="failed"} 1`],
    loredex_refusals_total: ['{code="QUOTA_EXCEEDED"} 1', '{code="VALIDATION"} 1', '{code="UNAUTHENTICATED"} 2'],
    loredex_bots: ["1"],
    loredex_open_bots: ["1"],
    loredex_writable: ["1"],
    loredex_database_unreachable: [],
    loredex_bot_faults: [],
    loredex_bot_articles: [`{${of}} 1`],
    loredex_bot_documents: [`{${of}} 1`],
    loredex_bot_characters: [`{${of}} 27`],
    loredex_bot_quota_characters: [`{${of}} 100`],
  };
  const told = Object.fromEntries(Object.keys(expected).map((name) => [name, countedOf(text, name).sort()]));
  for (const lines of Object.values(expected)) lines.sort();
  expect(told).toEqual(expected);
  expect(linesOf(text, "loredex_bot_index_queue")).toEqual([`{${of}} 0`]);
  expect(linesOf(text, "loredex_bot_info")).toEqual([`{${of},name="acme"} 1`]);
  const requests = linesOf(text, "loredex_http_requests_total");
  expect(requests).toContain('{method="POST",route="/api/v1/knowledge/search",status="200"} 1');
  expect(requests).toContain('{method="GET",route="/ready",status="200"} 1');
  expect(requests).toContain('{method="other",route="none",status="401"} 1');
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
  // Nothing of what anybody sent.
  expect(text).not.toMatch(/walrus|lx_|PROPFIND/i);
});

it("is not there unless it is asked for, and leaves the log as it was", async () => {
  const events: string[] = [];
  const without = await serve({ directory: await temporaryDirectory(), port: 0, embedders: {} });
  expect(without).not.toHaveProperty("metricsUrl");
  await without.close();
  const { server } = await served({ logger: ({ event }) => events.push(event) });
  await fetchOnce(`${server.url}/health`);
  await fetchOnce(server.metricsUrl ?? "");
  // No line for whoever collects metrics.
  expect(events).toEqual(["request"]);
});

it("answers at one path alone, to be read", async () => {
  const { server } = await served();
  const url = server.metricsUrl ?? "";
  expect((await fetchOnce(url)).headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect((await fetchOnce(url, { method: "HEAD" })).status).toBe(200);
  expect((await fetchOnce(url, { method: "POST" })).status).toBe(405);
  expect((await fetchOnce(url.replace("/metrics", "/"))).status).toBe(404);
});

it("lets everything go where its address cannot be had", async () => {
  const { server } = await served();
  const directory = await temporaryDirectory();
  const metrics = { port: Number(new URL(server.metricsUrl ?? "").port) };
  await expect(serve({ directory, port: 0, metrics })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await (await Engine.open({ directory })).close();
});

it("tells bots apart by their first use, and no more of them than it was told", async () => {
  const ids = fc.array(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 200 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 20 }), (used, max) => {
      const labels = new BotLabels(max);
      const first = new Set([...new Set(used)].slice(0, max));
      for (const id of used) expect(labels.of(id)).toBe(first.has(id) ? id : OTHER_BOTS);
    }),
  );
});

it("gives labels to all bots where there are enough, and else to those that are used", async () => {
  const labels = new BotLabels(2);
  labels.fill(["a", "b", "c"]);
  expect(["a", "b", "c"].map((id) => labels.known(id))).toEqual([OTHER_BOTS, OTHER_BOTS, OTHER_BOTS]);
  expect(labels.of("c")).toBe("c");
  expect(labels.known("c")).toBe("c");
  const enough = new BotLabels(3);
  enough.fill(["a", "b", "c"]);
  expect(["a", "b", "c"].map((id) => enough.known(id))).toEqual(["a", "b", "c"]);
});

it("adds up the figures and faults of bots that share a label", async () => {
  const metrics = await openMetrics({ botLabelsMax: 1 });
  const figures = {
    ...{ articles: 2, documents: 0, characterUsed: 10, quotaCharacters: 100, indexQueue: 1, indexFailures: 0 },
    ...{
      texts: 0,
      vectors: 0,
      documentsWaiting: 0,
      documentsGivenUp: 0,
      tokenCodesWaiting: 3,
      tokenCodesGivenUp: 0,
      embedderFailures: 0,
      diskBytes: 0,
      memoryBytes: 0,
    },
  };
  const ids = ["a", "b", "c"];
  let faults = ids.map((id) => ({ id, kind: "damaged" as const }));
  metrics.watch({
    condition: () => ({ canWrite: false, faults }),
    figures: () => ({
      bots: 3,
      openBots: ids.map((id) => ({ id, ...figures })),
      fleet: ids.map((id) => ({ id, name: `bot ${id}`, quotaCharacters: 100, figures })),
      questionVectors: { found: 7, made: 5, bytes: 0 },
      tokenCodes: { found: 8, read: 9, bytes: 77 },
    }),
  });
  for (let round = 0; round < 2; round++) {
    const text = await metrics.text();
    expect(linesOf(text, "loredex_bot_articles")).toEqual(['{bot="a"} 2', '{bot="other"} 4']);
    expect(linesOf(text, "loredex_bot_faults")).toEqual([
      '{bot="a",kind="damaged"} 1',
      '{bot="other",kind="damaged"} 2',
    ]);
    expect(linesOf(text, "loredex_question_vectors")).toEqual(['{from="made"} 5', '{from="kept"} 7']);
    expect(linesOf(text, "loredex_token_codes")).toEqual(['{from="memory"} 8', '{from="disk"} 9']);
    expect(linesOf(text, "loredex_rerank_memory_bytes")).toEqual(["77"]);
    expect(linesOf(text, "loredex_bot_token_codes_waiting")).toEqual(['{bot="a"} 3', '{bot="other"} 6']);
    expect(linesOf(text, "loredex_writable")).toEqual(["0"]);
  }
  faults = [];
  expect(linesOf(await metrics.text(), "loredex_bot_faults")).toEqual([]);
});

it("tells whether a database that nodes share answers", async () => {
  const metrics = await openMetrics();
  const database = new SimulatedDatabase();
  const engine = await Engine.open({ storage: database.open(), embedders: {} });
  onTestFinished(() => engine.close());
  metrics.watch(engine);
  const told = async () => linesOf(await metrics.text(), "loredex_database_unreachable");
  expect(await told()).toEqual(["0"]);
  database.cut();
  await expect.poll(told).toEqual(["1"]);
  database.mend();
  await expect.poll(told).toEqual(["0"]);
});

it("times the statements to a database that nodes share, and counts conflicts and staleness", async () => {
  const metrics = await openMetrics();
  let cuts = false;
  const database = new SimulatedDatabase({
    roundTrip: async () => {
      if (cuts) database.cut();
    },
  });
  const open = async (options: Partial<EngineOptions> = {}): Promise<Engine> => {
    const engine = await Engine.open({ storage: database.open(), embedders: {}, ...options });
    onTestFinished(() => engine.close());
    return engine;
  };
  const engine = await open({ onStatement: metrics.onStatement });
  metrics.watch(engine);
  const { bot: made } = await engine.createBot({ name: "help" });
  const other = await (await open()).bot(made.id);
  const bot = await engine.bot(made.id);
  const told = async (name: string) => linesOf(await metrics.text(), `loredex_${name}`);
  expect(await told("conflicts_total")).toEqual(["0"]);
  expect(await told("database_statement_failures_total")).toContain('{kind="append"} 0');
  const writes = [other, bot].flatMap((each) =>
    [1, 2, 3].map(() => each.createArticle({ title: "Walrus", body: "Ice." })),
  );
  await Promise.all(writes);
  for (const kind of ["append", "head"]) {
    const [count] = await told(`database_statement_duration_seconds_count`).then((lines) =>
      lines.filter((line) => line.startsWith(`{kind="${kind}"}`)),
    );
    expect(Number(count?.split(" ").at(-1))).toBeGreaterThan(0);
  }
  expect(Number((await told("conflicts_total"))[0])).toBeGreaterThan(0);
  const [before = ""] = await told("staleness_seconds");
  expect(Number(before)).toBeGreaterThanOrEqual(0);
  cuts = true;
  await expect(bot.createArticle({ title: "Walrus", body: "Ice." })).rejects.toThrow();
  expect(await told("database_statement_failures_total")).not.toContain('{kind="head"} 0');
  await expect.poll(async () => Number((await told("staleness_seconds"))[0]), { timeout: 10_000 }).toBeGreaterThan(1.2);
});

it("counts the conflicts of all engines that it watches one after the other", async () => {
  const metrics = await openMetrics();
  const engineWith = (conflicts: number) => ({
    condition: () => ({ canWrite: true, faults: [] }),
    figures: () => ({
      ...{ bots: 0, openBots: [], fleet: [], shared: { conflicts, stalenessMs: 0 } },
      questionVectors: { found: 0, made: 0, bytes: 0 },
      tokenCodes: { found: 0, read: 0, bytes: 0 },
    }),
  });
  const told: string[] = [];
  const first = engineWith(5);
  for (const engine of [first, engineWith(2), engineWith(9), first]) {
    metrics.watch(engine);
    told.push(...linesOf(await metrics.text(), "loredex_conflicts_total"));
  }
  expect(told).toEqual(["5", "7", "16", "16"]);
});

it("knows bots after a restart before anybody asks them, and counts from 0", async () => {
  const directory = await temporaryDirectory();
  const engine = await Engine.open({ directory, embedders: {} });
  const { bot } = await engine.createBot({ name: 'a "shop"', quotaCharacters: 100 });
  await (await engine.bot(bot.id)).createArticle({ title: "Walrus", body: "Ice." });
  await engine.close();
  const server = await serve({ directory, port: 0, embedders: {}, metrics: { port: 0 } });
  onTestFinished(() => server.close());
  const text = await (await fetchOnce(server.metricsUrl ?? "")).text();
  const of = `bot="${bot.id}"`;
  expect(linesOf(text, "loredex_open_bots")).toEqual(["0"]);
  expect(linesOf(text, "loredex_bot_info")).toEqual([`{${of},name="a \\"shop\\""} 1`]);
  expect(linesOf(text, "loredex_bot_articles")).toEqual([`{${of}} 1`]);
  expect(linesOf(text, "loredex_bot_characters")).toEqual([`{${of}} 10`]);
  expect(linesOf(text, "loredex_bot_quota_characters")).toEqual([`{${of}} 100`]);
  expect(linesOf(text, "loredex_searches_total")).toContain(`{${of},result="failed"} 0`);
  expect(linesOf(text, "loredex_writes_total")).toContain(`{${of},kind="create",result="refused"} 0`);
  expect(linesOf(text, "loredex_imported_documents_total")).toContain(`{${of},outcome="failed"} 0`);
  expect(linesOf(text, "loredex_refusals_total")).toContain('{code="OVERLOADED"} 0');
  expect(linesOf(text, "loredex_http_requests_total")).toContain(
    '{method="POST",route="/api/v1/knowledge/search",status="200"} 0',
  );
});
