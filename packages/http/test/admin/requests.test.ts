import { LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { call, codeOf, rulesOf } from "../support/client.ts";
import { FakeAdmin, WRITE_KEY } from "../support/fake-admin.ts";
import { BOT_ID, BOT_NAME, FakeEngine } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";
import { ask, CHANGES } from "./ask.ts";

const BOT = `/api/v1/admin/bots/${BOT_NAME}`;

async function start() {
  const admin = new FakeAdmin();
  const { url } = await serve(new FakeEngine(), { admin });
  const asked = (method: string, path: string, body?: unknown, headers = {}) =>
    call(url, method, BOT + path, { key: WRITE_KEY, headers, ...(body === undefined ? {} : { body }) });
  return { admin, asked };
}

describe("what a request of the admin API says", () => {
  it.each([
    ["GET", "/documents?limit=0", undefined, ["limit range"]],
    ["GET", "/documents?limit=1001&offset=-1", undefined, ["offset integer", "limit range"]],
    ["GET", "/documents?sort=age", undefined, ["sort enum"]],
    ["GET", "/documents?search=", undefined, ["search minLength"]],
    ["GET", `/documents?search=${"x".repeat(201)}`, undefined, ["search maxLength"]],
    ["GET", `/documents?search=${encodeURIComponent("😀".repeat(201))}`, undefined, ["search maxLength"]],
    ["GET", "/documents?search=%ff", undefined, ["search string"]],
    ["GET", "/documents?limit=1&limit=2", undefined, ["limit repeated"]],
    ["GET", "/documents?lmit=1", undefined, ["lmit unknownField"]],
    ["GET", "/keys?a=1", undefined, ["a unknownField"]],
    ["GET", "/gaps?limit=1e3", undefined, ["limit integer"]],
    ["GET", "/questions?before=x", undefined, ["before integer"]],
    ["GET", "/backup?questions=yes", undefined, ["questions enum"]],
    ["PUT", "/agents/one", { active: "true" }, ["active boolean"]],
    ["PUT", "/agents/one", {}, ["active required"]],
    ["PUT", "/documents/1/status", { status: "gone" }, ["status enum"]],
    ["POST", "/keys", { scope: "all" }, ["name required"]],
    ["POST", "/articles?undo=1", { title: "abc", body: "x" }, ["undo enum"]],
    ["POST", "/search?quality=good", { query: "x" }, ["quality enum"]],
    ["POST", "/explain", { query: "", id: 1 }, ["query minLength", "id string"]],
    ["POST", "/explain", { query: "x", id: "1", options: { signal: {} } }, ["options.signal unknownField"]],
    ["POST", "/explain", { query: "x", id: "1", options: [] }, ["options object"]],
    ["POST", "/imports", { addresses: [] }, ["addresses minItems"]],
    ["POST", "/imports", { addresses: ["https://a", 7] }, ["addresses.1 string"]],
    ["POST", "/imports", { addresses: Array(101).fill("https://a") }, ["addresses maxItems"]],
    ["POST", "/imports", { addresses: "https://a" }, ["addresses array"]],
    ["POST", "/runs", { vocabluary: {} }, ["vocabluary unknownField"]],
    ["PUT", "/golden", { questions: {} }, ["questions array"]],
    ["PUT", "/golden", {}, ["questions required"]],
  ])("is checked: %s %s %j", async (method, path, body, rules) => {
    const { admin, asked } = await start();
    const answer = await asked(method, path, body);
    expect([answer.status, rulesOf(answer)]).toEqual([400, rules]);
    expect(admin.calls.filter(({ name }) => name !== "golden")).toEqual([]);
    expect(admin.changes).toEqual([]);
  });

  it("may be left out where every field may, and nowhere else", async () => {
    const { admin, asked } = await start();
    expect((await asked("POST", "/runs")).status).toBe(202);
    expect(admin.lastOf("run")).toEqual([BOT_ID, {}]);
    expect(rulesOf(await asked("PUT", "/golden"))).toEqual(["body json"]);
  });

  it("names a hundred unknown fields, and counts the others", async () => {
    const { asked } = await start();
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));
    const answer = await asked("PUT", "/channels/one", body);
    expect([answer.status, rulesOf(answer).length]).toEqual([400, 100]);
  });

  it.each(CHANGES)("has no query that would be passed over: $method $path", async (change) => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    const target = `${change.target}${change.target.includes("?") ? "&" : "?"}dryRun=true`;
    const answer = await ask(url, { ...change, target });
    expect([answer.status, rulesOf(answer)]).toEqual([400, ["dryRun unknownField"]]);
    expect([admin.changes, admin.calls]).toEqual([[], []]);
  });

  it("is noted as failed where the service could not make it as a whole, and not where it is refused", async () => {
    const { admin, asked } = await start();
    admin.failure = new Error("the disk is gone");
    expect((await asked("DELETE", "/questions")).status).toBe(500);
    expect(admin.changes).toMatchObject([{ action: "questions clear (failed)", bot: BOT_ID }]);
    admin.failure = new LoredexError("DOCUMENT_NOT_FOUND", "none");
    expect((await asked("DELETE", "/documents/one")).status).toBe(404);
    expect(admin.changes).toHaveLength(1);
  });

  it("reaches the operations with decoded names and ids", async () => {
    const { admin, asked } = await start();
    await asked("PUT", `/agents/${encodeURIComponent("a/b ü")}`, { active: true });
    expect(admin.lastOf("putRegistration")).toEqual([BOT_ID, "agent", "a/b ü", true]);
    expect(admin.changes[0]).toMatchObject({ action: "agent put", bot: BOT_ID, target: "a/b ü" });
    await asked("DELETE", `/sources/${encodeURIComponent("https://a.example/?q=1")}`);
    expect(admin.lastOf("removeSource")).toEqual([BOT_ID, "https://a.example/?q=1"]);
    await asked("GET", "/documents?limit=5&sort=title:asc&search=a%20b");
    expect(admin.lastOf("documentPage")).toEqual([BOT_ID, { limit: 5, sort: "title:asc", search: "a b" }]);
  });

  it("counts characters as the engine does: a sign of two UTF-16 units is one", async () => {
    const { admin, asked } = await start();
    const search = "😀".repeat(200);
    expect((await asked("GET", `/documents?search=${encodeURIComponent(search)}`)).status).toBe(200);
    expect(admin.lastOf("documentPage")).toEqual([BOT_ID, { search }]);
  });

  it.each([
    ["/vocabulary", { ignored: ["please"] }, "setVocabulary"],
    ["/golden", { questions: [{ question: "How long?", id: "1" }] }, "setGolden"],
  ])("replaces %s only as its tag says, and answers the tag of what is kept", async (path, body, name) => {
    const { admin, asked } = await start();
    const read = await asked("GET", path);
    const tag = read.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const headers = { "if-match": tag };
    const written = await asked("PUT", path, body, headers);
    expect([written.status, written.headers.get("etag")]).toEqual([200, tag]);
    expect(admin.lastOf(name)?.at(-1)).toEqual({ ifMatch: tag });
    await asked("PUT", path, body);
    expect(admin.lastOf(name)?.at(-1)).toEqual({});
    admin.failure = new LoredexError("CONTENT_CHANGED", "changed");
    const refused = await asked("PUT", path, body, headers);
    expect([refused.status, codeOf(refused)]).toEqual([412, 20019]);
  });

  it("refuses a vocabulary without any list, which would delete all", async () => {
    const { admin, asked } = await start();
    expect(rulesOf(await asked("PUT", "/vocabulary", {}))).toEqual(["body required"]);
    expect(admin.lastOf("setVocabulary")).toBeUndefined();
    expect((await asked("PUT", "/vocabulary", { pins: [] })).status).toBe(200);
    expect(admin.lastOf("setVocabulary")?.[1]).toEqual({ pins: [] });
  });

  it("names an option of an explanation where the body has it", async () => {
    const { admin, asked } = await start();
    const broken = async (options: object) =>
      rulesOf(await asked("POST", "/explain", { query: "x", id: "1", options }));
    expect(await broken({ topk: 1, noted: true })).toEqual(["options.topk unknownField", "options.noted unknownField"]);
    const { ValidationError } = await import("@loredex/core");
    const message = "vocabulary.synonyms.0 must have at least 1 character";
    admin.failure = new ValidationError([{ field: "vocabulary.synonyms.0", type: "minLength", message }]);
    const answer = await asked("POST", "/explain", {
      query: "x",
      id: "1",
      options: { vocabulary: { synonyms: [""] } },
    });
    expect(rulesOf(answer)).toEqual(["options.vocabulary.synonyms.0 minLength"]);
    expect(answer.text).toContain(`options.${message}`);
  });

  it("creates an article without the rate only where a delete is undone", async () => {
    const { admin, asked } = await start();
    for (const [query, withoutRate] of [
      ["", false],
      ["?undo=false", false],
      ["?undo=true", true],
    ] as const) {
      await asked("POST", `/articles${query}`, { title: "abc", body: "x" });
      expect(admin.fakeBot.calls.at(-1)?.values).toEqual([{ title: "abc", body: "x" }, { withoutRate }]);
    }
  });

  it("is no question of users: searches are kept out of the question log", async () => {
    const { admin, asked } = await start();
    for (const path of ["/search", "/query"]) {
      admin.fakeBot.noting = undefined;
      await asked("POST", path, { query: "refunds" });
      expect(admin.fakeBot.noting).toEqual({ noted: false });
    }
  });

  it("tells a broken rule of a setting without the name of a function", async () => {
    const { admin, asked } = await start();
    const { requireArguments, kinds } = await import("@loredex/core");
    admin.operator.setBot = async (_bot, changes) => {
      requireArguments("Engine.updateBot", { changes }, { changes: { name: kinds.A_STRING } } as never);
      throw new Error("not reached");
    };
    const answer = await asked("PUT", "", { nmae: "x" });
    expect(rulesOf(answer)).toEqual(["nmae unknownOption"]);
    expect(answer.text).not.toContain("Engine.");
  });
});
