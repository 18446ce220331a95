import { join } from "node:path";
import { Engine, findServerSocket, LoredexError, ValidationError } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { engineOperator } from "../../src/operator/engine-operator.ts";
import type { Operator } from "../../src/operator/operator.ts";
import { serveOperator } from "../../src/operator/operator-server.ts";
import { socketOperator } from "../../src/operator/socket-operator.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** The contract of the port: what holds on each of its ways. */

async function onEngine(): Promise<Operator> {
  const operator = engineOperator(await Engine.open(), { ownsEngine: true });
  onTestFinished(() => operator.close());
  return operator;
}

async function onSocket(below = ""): Promise<Operator> {
  const directory = join(await temporaryDirectory(), below);
  const engine = await Engine.open({ directory });
  const server = await serveOperator(engineOperator(engine), { directory, logger: () => undefined });
  const operator = socketOperator((await findServerSocket(directory)) ?? "");
  onTestFinished(async () => {
    await operator.close();
    await server.close();
    await engine.close();
    expect(await findServerSocket(directory)).toBeUndefined();
  });
  return operator;
}

async function refusal(promise: Promise<unknown>): Promise<LoredexError> {
  const error: unknown = await promise.then(
    () => "it was accepted",
    (reason: unknown) => reason,
  );
  if (error instanceof LoredexError) return error;
  throw error;
}

describe.each([
  ["on an engine of this process", onEngine],
  ["over the socket of a server", () => onSocket()],
  ["over a socket elsewhere, where the path is too long for one", () => onSocket("d".repeat(110))],
])("the operator, %s", (_, open) => {
  it("makes, shows, changes and removes bots and keys", async () => {
    const operator = await open();
    const { bot, key } = await operator.createBot({ name: "one", quotaCharacters: 500 });
    expect(key).toMatch(/^lore_/);
    expect(await operator.listBots()).toEqual([bot]);
    expect(await operator.fleet()).toMatchObject([bot]);
    expect(await operator.rotateKey("one")).not.toBe(key);
    const site = await operator.addKey("one", "site", { scope: "search", requestsPerMinute: 7 });
    expect(site).toMatch(/^lore_/);
    expect((await refusal(operator.addKey("one", "site", {}))).code).toBe("KEY_EXISTS");
    expect(await operator.rotateNamedKey("one", "site")).not.toBe(site);
    expect(await operator.listKeys("one")).toEqual([
      { name: "default", scope: "all", origins: [] },
      { name: "site", scope: "search", requestsPerMinute: 7, origins: [] },
    ]);
    await operator.revokeNamedKey("one", "site");
    expect((await refusal(operator.revokeNamedKey("one", "site"))).code).toBe("KEY_NOT_FOUND");
    await operator.revokeKey(bot.id);
    expect(await operator.setBot("one", { name: "two" })).toMatchObject({ id: bot.id, name: "two", hasKey: false });
    expect((await operator.showBot("two")).stats).toMatchObject({
      characterQuota: 500,
      rateLimit: 15_000,
      articles: 0,
    });
    await operator.removeBot("two");
    expect(await operator.listBots()).toEqual([]);
  });

  it("makes, lists, rotates and revokes admin keys, and tells who changed what", async () => {
    const operator = await open();
    const { bot } = await operator.createBot({ name: "one" });
    const key = await operator.createAdminKey("anna", { scope: "read", bots: ["one"] });
    expect(key).toMatch(/^lore_/);
    expect((await refusal(operator.createAdminKey("anna", {}))).code).toBe("KEY_EXISTS");
    expect((await refusal(operator.createAdminKey("bea", { bots: ["two"] }))).code).toBe("BOT_NOT_FOUND");
    expect(await operator.rotateAdminKey("anna")).not.toBe(key);
    expect(await operator.listAdminKeys()).toMatchObject([{ name: "anna", scope: "read", bots: [bot.id] }]);
    await operator.revokeAdminKey("anna");
    expect((await refusal(operator.revokeAdminKey("anna"))).code).toBe("KEY_NOT_FOUND");
    expect(await operator.listAdminKeys()).toEqual([]);
    const { changes } = await operator.listChanges({});
    expect(changes.map(({ action }) => action)).toEqual(
      ["revoked", "rotated", "created"].map((what) => `admin key ${what}`),
    );
    expect(new Set(changes.map(({ by, target }) => `${by}: ${target}`))).toEqual(new Set(["command line: anna"]));
    expect((await operator.listChanges({ limit: 2 })).changes).toHaveLength(2);
  });

  it("imports, lists, switches, finds and removes documents", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    const page = { resourceDocId: "p", type: "WEBPAGE", url: "http://a.b/", content: [{ md: "red apple €😀" }] };
    const question = { resourceDocId: "q", type: "QNA", question: "Why?", answer: "So." };
    expect(await operator.importDocument("one", page, "file:x")).toBe("added");
    expect(await operator.importDocument("one", page, "file:x")).toBe("unchanged");
    expect(await operator.importDocument("one", { ...page, url: "http://c.d/" }, "file:x")).toBe("replaced");
    await operator.importDocument("one", question, "file:y");
    await operator.whenSearchable("one");
    expect(await operator.ownedDocuments("one", ["file:x"])).toEqual([{ id: "p", source: "file:x" }]);
    await operator.setDocumentStatus("one", "p", "inactive");
    expect(await operator.listDocuments("one", { status: "inactive" })).toEqual([
      { id: "p", type: "WEBPAGE", status: "inactive", url: "http://c.d/" },
    ]);
    expect(await operator.listDocuments("one", { type: "QNA" })).toEqual([
      { id: "q", type: "QNA", status: "active", title: "Why?" },
    ]);
    expect((await operator.listDocuments("one", {})).map(({ id }) => id)).toEqual(["p", "q"]);
    const [found] = await operator.search("one", "apple", { topK: 1 });
    expect(found?.similarTextParts[0]?.text).toBe("red apple €😀");
    expect(await operator.query("one", "apple", { topK: 1, facets: ["type"] })).toEqual({
      ...{ results: [found], total: 1, facets: { type: [{ value: "WEBPAGE", count: 1 }] } },
    });
    expect(await operator.suggest("one", "wh", { limit: 1 })).toEqual([
      { text: "Why?", resourceDocId: "q", kind: "question" },
    ]);
    expect(await operator.getDocument("one", "q")).toMatchObject(question);
    await operator.removeDocument("one", "p");
    expect(await operator.search("one", "apple", {})).toEqual([]);
  });

  it("takes many documents at once, and tells of each what came of it", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, i) => {
        const id = i % 10 === 0 ? "" : `d${i}`;
        return operator.importDocument("one", { resourceDocId: id, type: "PDF", content: [] }, "s");
      }),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(270);
    expect(await operator.ownedDocuments("one", ["s"])).toHaveLength(270);
  });

  it("tells what is nested too deeply for the document's own fault, in the same words", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    const page = { resourceDocId: "p", type: "DOCUMENT" };
    const content = [{ md: "x" }];
    for (const levels of [65, 3_000, 200_000]) {
      const documents: [object, string][] = [
        [{ ...page, metaData: { a: nested(levels) }, content }, "metaData must be at most 64 levels deep"],
        [{ ...page, content: nested(levels) }, "content.0 must be an object"],
        [{ ...page, content, other: nested(levels) }, "other is not a known field"],
      ];
      for (const [document, words] of documents) {
        const error = await refusal(operator.importDocument("one", document, "file:x"));
        expect(error).toMatchObject({ code: "VALIDATION" });
        expect(error.message).toContain(words);
      }
    }
    expect(await operator.importDocument("one", { ...page, metaData: { a: nested(62) }, content }, "file:x")).toBe(
      "added",
    );
  });

  it("keeps sources: tells what they have, moves them and takes them out", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    const page = (id: string) => ({ resourceDocId: id, type: "PDF", content: [{ md: id }] });
    const place = { name: "docs", kind: "folder", path: "/old/docs", ids: "file:docs/" } as const;
    await operator.putSourceArgument("one", "/old/docs", place, {});
    const origin = { source: "/old/docs", argument: "docs", path: "a.md" };
    await operator.importDocument("one", page("a"), origin);
    await operator.importDocument("one", page("b"), { source: "/old/docs", argument: "docs" });
    await operator.importDocument("one", page("c"), "other");
    expect(await operator.listSources("one")).toEqual([
      { name: "/old/docs", documents: 2, arguments: [place] },
      { name: "other", documents: 1, arguments: [] },
    ]);
    const another = { ...page("a"), content: [{ md: "another" }] };
    await expect(operator.importDocument("one", another, "other")).rejects.toThrow('belongs to the source "/old/docs"');
    await expect(operator.moveSource("one", "nobody", "x", place)).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
    await expect(operator.moveSource("one", "/old/docs", "other", place)).rejects.toMatchObject({
      code: "SOURCE_EXISTS",
    });
    const moved = { ...place, path: "/new/docs" };
    await operator.moveSource("one", "/old/docs", "/new/docs", moved);
    await operator.putSourceArgument("one", "/new/docs", moved, { imported: true });
    const importedAt = expect.stringMatching(/Z$/);
    expect(await operator.listSources("one")).toEqual([
      { name: "/new/docs", documents: 2, arguments: [{ ...moved, importedAt }] },
      { name: "other", documents: 1, arguments: [] },
    ]);
    expect(await operator.ownedDocuments("one", ["/new/docs", "nobody"])).toEqual([
      { id: "a", ...origin, source: "/new/docs" },
      { id: "b", source: "/new/docs", argument: "docs" },
    ]);
    const by = { source: "/new/docs", argument: "elsewhere" };
    await expect(operator.removeDocument("one", "a", by)).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    expect(await operator.removeSource("one", "/new/docs")).toBe(2);
    await operator.removeDocument("one", "c", { source: "other" });
    expect(await operator.listSources("one")).toEqual([]);
    await expect(operator.removeSource("one", "other")).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
  });

  it("takes a large document", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    const md = `${"\u0001".repeat(1_000_000)}a needle\n`;
    await operator.importDocument("one", { resourceDocId: "big", type: "DOCUMENT", content: [{ md }] }, "s");
    expect(await operator.getDocument("one", "big")).toMatchObject({ content: [{ md }] });
  });

  it("keeps agents and channels", async () => {
    const operator = await open();
    await operator.createBot({ name: "one" });
    await operator.putRegistration("one", "agent", "ann", true);
    await operator.putRegistration("one", "channel", "web", false);
    expect(await operator.listRegistrations("one", "agent")).toEqual([{ name: "ann", active: true }]);
    expect(await operator.listRegistrations("one", "channel")).toEqual([{ name: "web", active: false }]);
    expect(await operator.articlesOfAgent("one", "ann")).toEqual([]);
    await operator.removeRegistration("one", "agent", "ann");
    expect(await operator.listRegistrations("one", "agent")).toEqual([]);
    expect(await operator.listRegistrations("one", "channel")).toHaveLength(1);
  });

  it("fails with the engine's own errors", async () => {
    const operator = await open();
    expect(await refusal(operator.showBot("none"))).toMatchObject({
      code: "BOT_NOT_FOUND",
      message: expect.stringContaining("none"),
    });
    await operator.createBot({ name: "one" });
    expect((await refusal(operator.createBot({ name: "one" }))).code).toBe("BOT_EXISTS");
    const invalid = await refusal(operator.importDocument("one", { type: "PDF" }, "s"));
    expect(invalid).toBeInstanceOf(ValidationError);
    expect(invalid).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("resourceDocId is required"),
      violations: [{ field: "resourceDocId", type: "required" }, { field: "content" }],
    });
    for (const promise of [
      operator.getDocument("one", "x"),
      operator.removeDocument("one", "x"),
      operator.setDocumentStatus("one", "x", "active"),
    ]) {
      expect((await refusal(promise)).code).toBe("DOCUMENT_NOT_FOUND");
    }
    expect((await refusal(operator.removeRegistration("one", "agent", "x"))).code).toBe("REGISTRATION_NOT_FOUND");
  });
});

it("tells what cannot be sent to a server for a fault of its own", async () => {
  const operator = await onSocket();
  await operator.createBot({ name: "one" });
  const error = await refusal(operator.importDocument("one", { resourceDocId: "p", type: 1n }, "file:x"));
  expect(error.code).toBe("VALIDATION");
  expect(error.message).toContain("it cannot be sent as JSON");
});

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}
