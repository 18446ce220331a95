import { describe, expect, it } from "vitest";
import { type Bot, Engine } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const page = (id: string, md = `Text of ${id}.`) => ({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });

async function opened(): Promise<Bot> {
  const engine = await Engine.open();
  const { bot } = await engine.createBot({ name: "bot" });
  return engine.bot(bot.id);
}

/** All that a bot knows of its sources. */
async function known(bot: Bot): Promise<unknown> {
  const sources = await bot.listSources();
  const owned = await bot.ownedDocuments(sources.map(({ name }) => name));
  return [sources, [...owned].sort((a, b) => (a.id < b.id ? -1 : 1))];
}

describe("a source", () => {
  it("keeps its documents from others, also while the first write is in flight", async () => {
    const bot = await opened();
    const outcomes = await Promise.allSettled([
      bot.importDocument(page("a", "one"), { source: "one" }),
      bot.importDocument(page("a", "two"), { source: "two" }),
      bot.importDocument(page("a", "three")),
      bot.importDocument(page("b"), {}),
      bot.importDocument(page("b", "other"), { source: "one" }),
      bot.removeDocument("a", { source: "two" }),
    ]);
    const verdicts = outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.code));
    expect(verdicts).toEqual(["added", "VALIDATION", "VALIDATION", "added", "VALIDATION", "DOCUMENT_NOT_FOUND"]);
    expect(await bot.getDocument("a")).toMatchObject({ content: [{ md: "one" }] });
    await bot.removeDocument("a");
    expect(await bot.importDocument(page("a", "two"), { source: "two" })).toBe("added");
    expect((await bot.listSources()).map(({ name, documents }) => [name, documents])).toEqual([["two", 1]]);
  });

  it("keeps a document that another one brings as it is", async () => {
    const bot = await opened();
    await bot.importDocument(page("a"), { source: "one" });
    expect(await bot.importDocument(page("a"), { source: "two" })).toBe("unchanged");
    expect(await bot.importDocument(page("a"))).toBe("unchanged");
    expect(await bot.ownedDocuments(["one", "two"])).toEqual([{ id: "a", source: "one" }]);
  });

  it("lets nothing be lost that was asked for before a close", async () => {
    const disk = simulatedDisk();
    const engine = await Engine.open({ storage: await openOn(disk) });
    const { bot: info } = await engine.createBot({ name: "bot" });
    const bot = await engine.bot(info.id);
    const place = { name: "docs", kind: "folder", path: "/docs", ids: "file:docs/" } as const;
    const asked = [
      bot.putSourceArgument("/docs", place),
      bot.putSourceArgument("/docs", place, { imported: true }),
      bot.importDocument(page("a"), { source: "/docs" }),
      bot.setDocumentStatus("a", "inactive"),
    ];
    const closed = engine.close();
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => "fulfilled"));
    await closed;
    const again = await Engine.open({ storage: await openOn(disk) });
    expect(await (await again.bot("bot")).getDocument("a")).toMatchObject({ status: "inactive" });
    await again.close();
  });

  it("keeps a large document from others, however long that one takes", async () => {
    const bot = await opened();
    const long = "A sentence about a harbour. ".repeat(20_000);
    const outcomes = await Promise.allSettled([
      bot.importDocument(page("a", long), { source: "one" }),
      bot.importDocument(page("a", `${long}!`), { source: "two" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await bot.documentsOfSource("one")).toEqual(["a"]);
  });

  it("moves at once, before whatever is asked for after it", async () => {
    const bot = await opened();
    const place = { name: "docs", kind: "folder", path: "/new/docs", ids: "file:docs/" } as const;
    await bot.importDocument(page("a"), { source: "/old/docs" });
    const [, late] = await Promise.allSettled([
      bot.moveSource("/old/docs", "/new/docs", place),
      bot.importDocument(page("a", "changed"), { source: "/old/docs" }),
    ]);
    expect(late).toMatchObject({ status: "rejected", reason: { message: expect.stringContaining("/new/docs") } });
    expect(await bot.importDocument(page("a", "changed"), { source: "/new/docs" })).toBe("replaced");
    expect(await bot.ownedDocuments(["/new/docs"])).toEqual([{ id: "a", source: "/new/docs", argument: "docs" }]);
  });

  it("without documents keeps no other from its name", async () => {
    const disk = simulatedDisk();
    const engine = await Engine.open({ storage: await openOn(disk) });
    const { bot: info } = await engine.createBot({ name: "bot" });
    const bot = await engine.bot(info.id);
    const place = { name: "docs", kind: "folder", path: "/new/docs", ids: "file:docs/" } as const;
    await bot.importDocument(page("a"), { source: "/old/docs" });
    await bot.putSourceArgument("/new/docs", place);
    await expect(bot.moveSource("nobody", "/new/docs", place)).rejects.toMatchObject({ code: "SOURCE_NOT_FOUND" });
    expect(await bot.listSources()).toHaveLength(2);
    await bot.moveSource("/old/docs", "/new/docs", place);
    expect(await bot.listSources()).toEqual([{ name: "/new/docs", documents: 1, arguments: [place] }]);
    await bot.putSourceArgument("/old/docs", { ...place, path: "/old/docs" });
    const late = bot.importDocument(page("b"), { source: "/old/docs" });
    await expect(bot.moveSource("/new/docs", "/old/docs", place)).rejects.toMatchObject({ code: "SOURCE_EXISTS" });
    await late;
    const live = await known(bot);
    await engine.close();
    const again = await Engine.open({ storage: await openOn(disk) });
    expect(await known(await again.bot("bot"))).toEqual(live);
    await again.close();
  });

  it("is not kept at the end of an import that brought nothing, unless it has something", async () => {
    const bot = await opened();
    const place = { name: "docs", kind: "folder", path: "/docs", ids: "file:docs/" } as const;
    const end = { imported: true, unlessEmpty: true } as const;
    await bot.putSourceArgument("/docs", place);
    await bot.putSourceArgument("/docs", place, end);
    expect(await bot.listSources()).toEqual([]);
    await bot.putSourceArgument("/docs", place, end);
    expect(await bot.listSources()).toEqual([]);
    await bot.importDocument(page("a"), { source: "/docs" });
    await bot.putSourceArgument("/docs", place, end);
    expect(await bot.listSources()).toMatchObject([{ documents: 1, arguments: [{ importedAt: expect.any(String) }] }]);
  });

  it.each([
    [{ source: "" }],
    [{ source: 7 }],
    [{ source: { argument: "x" } }],
    [{ source: { source: "x".repeat(4_097) } }],
    [{ source: { source: "x", path: 1 } }],
  ])("is refused as %j", async (options) => {
    const bot = await opened();
    // Boundary: what a program without types may give.
    await expect(bot.importDocument(page("a"), options as never)).rejects.toMatchObject({ code: "VALIDATION" });
  });

  it("is there again after a start, from the log and from a snapshot", async () => {
    const disk = simulatedDisk();
    const openEngine = async () => Engine.open({ storage: await openOn(disk) });
    const engine = await openEngine();
    const { bot: info } = await engine.createBot({ name: "bot" });
    const bot = await engine.bot(info.id);
    const place = { name: "docs", kind: "folder", path: "/old/docs", ids: "file:docs/" } as const;
    await bot.importDocument(page("former"), { source: "file:docs" });
    await bot.putSourceArgument("/old/docs", place, { takesOver: "file:docs" });
    await bot.importDocument(page("former"), { source: { source: "/old/docs", argument: "docs", path: "a.md" } });
    await bot.importDocument(page("b"), { source: { source: "/old/docs", argument: "docs", path: "b.md" } });
    await bot.importDocument(page("c"), { source: "program" });
    await bot.putSourceArgument("/old/docs", place, { imported: true });
    await bot.moveSource("/old/docs", "/new/docs", { ...place, path: "/new/docs" });
    await bot.moveSource("program", "program", { ...place, name: "p" });
    const live = await known(bot);
    await engine.close();
    const replayed = await openEngine();
    expect(await known(await replayed.bot("bot"))).toEqual(live);
    await (await replayed.bot("bot")).snapshot();
    await replayed.close();
    const loaded = await openEngine();
    expect(await known(await loaded.bot("bot"))).toEqual(live);
    expect(await (await loaded.bot("bot")).removeSource("/new/docs")).toBe(2);
    await loaded.close();
  });
});

describe("an argument of a source", () => {
  const place = { name: "docs", kind: "folder", path: "/docs", ids: "file:docs/" } as const;
  const report = { added: 1, changed: 2, unchanged: 3, removed: 4, failed: 5, problems: [] };
  const noted = { ...report, notes: [{ place: "/docs/a.csv", message: "A column was left out." }] };
  const argumentOf = async (bot: Bot) => (await bot.listSources())[0]?.arguments[0];

  it("keeps how it is imported and what came of it, until an import says otherwise", async () => {
    const bot = await opened();
    await bot.putSourceArgument("kb", { ...place, settings: { type: "WEBPAGE", follow: 2, drafts: true } });
    await bot.putSourceArgument("kb", place, { imported: true, report });
    const told = { settings: { type: "WEBPAGE", follow: 2, drafts: true }, report };
    expect(await argumentOf(bot)).toMatchObject(told);
    await bot.putSourceArgument("kb", { ...place, path: "/elsewhere" });
    expect(await argumentOf(bot)).toMatchObject({ ...told, path: "/elsewhere" });
    await bot.moveSource("kb", "kb", { ...place, path: "/again" });
    expect(await argumentOf(bot)).toMatchObject({ ...told, path: "/again" });
    await bot.putSourceArgument("kb", { ...place, settings: {} }, { imported: true });
    expect(await argumentOf(bot)).toEqual({ ...place, settings: {}, importedAt: expect.any(String) });
  });

  it("has them after one start and another", async () => {
    const disk = simulatedDisk();
    let engine = await Engine.open({ storage: await openOn(disk) });
    const { bot: info } = await engine.createBot({ name: "bot" });
    let bot = await engine.bot(info.id);
    await bot.putSourceArgument("kb", { ...place, settings: { type: "PDF" } }, { imported: true, report: noted });
    await bot.importDocument(page("a"), { source: { source: "kb", argument: "docs", path: "a.md", digest: "1:abc" } });
    const before = await known(bot);
    expect(before).toMatchObject([[{ arguments: [{ report: noted }] }], [{ id: "a", digest: "1:abc" }]]);
    for (let start = 1; start <= 2; start += 1) {
      await engine.close();
      engine = await Engine.open({ storage: await openOn(disk) });
      bot = await engine.bot(info.id);
      expect(await known(bot)).toEqual(before);
    }
    await engine.close();
  });

  it("is refused where it could not be kept, by name; problems too many or too long are shortened", async () => {
    const bot = await opened();
    const bad = [
      { settings: { deep: {} } },
      { settings: { far: Number.POSITIVE_INFINITY } },
      { settings: { long: "x".repeat(1_001) } },
      { settings: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`s${i}`, 1])) },
      { settings: [] },
    ];
    for (const one of bad) {
      // Boundary: what a caller without types could give.
      const given = { ...place, ...one } as unknown as typeof place;
      await expect(bot.putSourceArgument("kb", given)).rejects.toMatchObject({ code: "VALIDATION" });
    }
    const wrong = { imported: true, report: { ...report, added: -1 } };
    await expect(bot.putSourceArgument("kb", place, wrong)).rejects.toThrow("report.added");
    expect(await bot.listSources()).toEqual([]);
    const problems = Array.from({ length: 30 }, () => ({ place: "p", message: "\u{1f600}".repeat(600) }));
    await bot.putSourceArgument("kb", place, { imported: true, report: { ...report, problems } });
    const kept = (await argumentOf(bot))?.report?.problems ?? [];
    expect(kept).toHaveLength(10);
    expect(kept[0]?.message).toHaveLength(500);
    const notes = Array.from({ length: 200 }, () => ({ place: "p", message: "m" }));
    await bot.putSourceArgument("kb", place, { imported: true, report: { ...report, notes } });
    expect((await argumentOf(bot))?.report?.notes).toHaveLength(100);
    await bot.putSourceArgument("kb", place, { imported: true, report: { ...report, notes: [] } });
    expect((await argumentOf(bot))?.report).toEqual(report);
  });
});

it("the same document with another digest is unchanged, and known by the new one", async () => {
  const bot = await opened();
  const from = (digest: string) => ({ source: { source: "kb", path: "a.md", digest } });
  expect(await bot.importDocument(page("a"), from("1"))).toBe("added");
  expect(await bot.importDocument(page("a"), from("2"))).toBe("unchanged");
  expect(await bot.ownedDocuments(["kb"])).toEqual([{ id: "a", source: "kb", path: "a.md", digest: "2" }]);
});
