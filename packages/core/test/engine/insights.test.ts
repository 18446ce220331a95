import { describe, expect, it, onTestFinished } from "vitest";
import { type Bot, copyStores, Engine, evaluate, type Insights, type NewBot } from "../../src/index.ts";
import { codeOf, openNodes } from "../nodes/nodes.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { filesWith } from "../support/files-of.ts";
import { TestClock } from "../support/test-clock.ts";

const DAY_MS = 86_400_000;

interface Opened {
  readonly engine: Engine;
  readonly bot: Bot;
  readonly insights: Insights;
}

async function open(disk: SimulatedDisk, clock = new TestClock()): Promise<Engine> {
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {}, clock });
  onTestFinished(() => engine.close());
  return engine;
}

async function filled(engine: Engine, settings: Partial<NewBot> = { questionLog: true }): Promise<Opened> {
  await engine.createBot({ name: "acme", ...settings });
  const bot = await engine.bot("acme");
  await bot.importDocument({ resourceDocId: "leave", type: "DOCUMENT", content: [{ md: "Annual leave is long." }] });
  await bot.createArticle({ title: "Refunds", body: "Refunds take 14 days." });
  await bot.whenSearchable();
  return { engine, bot, insights: await engine.insights("acme") };
}

async function asked(insights: Insights): Promise<string[]> {
  return (await insights.questions()).map(({ question }) => question).reverse();
}

async function bytesOf(backup: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of backup) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe("the question log", () => {
  it("keeps nothing of a bot without one, and has no store then", async () => {
    const disk = simulatedDisk();
    const { bot, insights, engine } = await filled(await open(disk), {});
    await bot.search("annual leave");
    expect(await insights.questions()).toEqual([]);
    expect(await insights.gaps()).toEqual([]);
    await insights.feedback({ requestId: "a", helpful: true });
    await engine.close();
    expect(await (await openOn(disk)).list()).not.toContain(`insights-${bot.id}`);
  });

  it("keeps the questions of searches and queries with their best score, masked", async () => {
    const { bot, insights } = await filled(await open(simulatedDisk()));
    await bot.search("annual leave of jo@example.com", { requestId: "first" });
    await bot.query("quantum chromodynamics");
    const rows = await insights.questions();
    expect(rows).toMatchObject([
      { question: "quantum chromodynamics", bestScore: 0 },
      { question: "annual leave of [e-mail]", nearest: { id: "leave" }, requestId: "first" },
    ]);
    expect(rows[1]?.bestScore).toBeGreaterThan(0.05);
    expect(rows[1]?.askedAt).toBe("2027-01-15T08:00:00.000Z");
  });

  it("keeps no question of an evaluation, an explanation, a next page or a search that says so", async () => {
    const { bot, insights } = await filled(await open(simulatedDisk()));
    await evaluate(bot, [{ question: "annual leave", id: "leave" }]);
    await bot.explain("annual leave", "leave");
    await bot.search("annual leave", { offset: 1 });
    await bot.search("annual leave", { noted: false });
    await bot.answerRequest({ query: "annual leave" }, undefined, undefined, { noted: false });
    await bot.search("   ");
    expect(await insights.questions()).toEqual([]);
  });

  it("never writes what it masks", async () => {
    const disk = simulatedDisk();
    const { bot, insights, engine } = await filled(await open(disk));
    await bot.search("refund to jo@example.com", { requestId: "r" });
    await insights.feedback({ requestId: "r", helpful: false, comment: "call +49 170 1234567" });
    // Clients may make the ids of requests out of what they know of a user.
    const ids = ["jo@example.com", "+491701234567", "+491701234568"];
    for (const requestId of ids) await bot.search("annual leave", { requestId });
    for (const requestId of ids) await insights.feedback({ requestId, helpful: true, comment: requestId.slice(-1) });
    const rows = (await insights.questions({ limit: 3 })).map(({ requestId, feedback }) => [
      requestId?.slice(0, -5),
      feedback?.comment,
    ]);
    expect(rows).toEqual([
      ["[phone]#", "8"],
      ["[phone]#", "7"],
      ["[e-mail]#", "m"],
    ]);
    await engine.close();
    expect(await filesWith(disk, "jo@example.com", "1234567", "1701234")).toEqual([]);
    expect(await filesWith(disk, "refund to [e-mail]", "call [phone]")).not.toEqual([]);
  });

  it("is written within seconds without being read, and is there after a start", async () => {
    const disk = simulatedDisk();
    const { bot, engine } = await filled(await open(disk));
    await bot.search("annual leave");
    await expect.poll(() => filesWith(disk, "annual leave"), { timeout: 10_000 }).not.toEqual([]);
    await engine.close();
    expect(await asked(await (await open(disk)).insights("acme"))).toEqual(["annual leave"]);
  });

  it("drops old questions for its callers at once, and from the disk when they are sought", async () => {
    const [disk, clock, ahead] = [simulatedDisk(), new TestClock(), new TestClock()];
    ahead.advance(365 * DAY_MS);
    // One question that was noted while the clock was wrong stops no other from leaving.
    const first = await filled(await open(disk, ahead), { questionLog: true, questionLogDays: 2 });
    await first.bot.search("question of tomorrow");
    await first.engine.close();
    const engine = await open(disk, clock);
    const [bot, insights] = [await engine.bot("acme"), await engine.insights("acme")];
    await bot.search("ancient question");
    expect(await asked(insights)).toEqual(["question of tomorrow", "ancient question"]);
    clock.advance(2 * DAY_MS + 1);
    await bot.search("young question");
    expect(await asked(insights)).toEqual(["question of tomorrow", "young question"]);
    expect(await filesWith(disk, "ancient question")).not.toEqual([]);
    clock.advance(DAY_MS);
    await engine.close();
    // A start seeks old questions after some seconds.
    const again = await open(disk, clock);
    await expect.poll(() => filesWith(disk, "ancient question"), { timeout: 30_000 }).toEqual([]);
    expect(await asked(await again.insights("acme"))).toEqual(["question of tomorrow", "young question"]);
  }, 40_000);

  it("leaves no text when it is cleared, and goes with its bot", async () => {
    const disk = simulatedDisk();
    const { bot, insights, engine } = await filled(await open(disk));
    await bot.search("secret question");
    await insights.setGolden([{ question: "kept question", id: "leave" }]);
    expect(await asked(insights)).toEqual(["secret question"]);
    await insights.clear();
    expect(await filesWith(disk, "secret question")).toEqual([]);
    expect([await insights.questions(), await insights.weeks()]).toEqual([[], []]);
    expect(await insights.golden()).toHaveLength(1);
    await engine.removeBot("acme");
    expect(await filesWith(disk, "kept question")).toEqual([]);
    await expect(insights.questions()).rejects.toMatchObject({ code: "BOT_NOT_FOUND" });
  });

  it("pages back through its rows", async () => {
    const { bot, insights } = await filled(await open(simulatedDisk()));
    for (const question of ["one", "two", "three"]) await bot.search(question);
    const [newest] = await insights.questions({ limit: 1 });
    expect(newest?.question).toBe("three");
    const rest = await insights.questions({ limit: 5, before: newest?.id ?? 0 });
    expect(rest.map(({ question }) => question)).toEqual(["two", "one"]);
    await expect(insights.questions({ limit: 0 })).rejects.toMatchObject({ violations: [{ field: "limit" }] });
    const wrong = insights.questions(JSON.parse('{"limits":1}'));
    await expect(wrong).rejects.toMatchObject({ violations: [{ field: "limits", type: "unknownOption" }] });
  });

  it("never fails a search, and is written once the disk works again", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    let isBroken = true;
    const create = storage.create.bind(storage);
    storage.create = (name, ...rest) =>
      isBroken && name.startsWith("insights-") ? Promise.reject(new Error("no space")) : create(name, ...rest);
    const events: string[] = [];
    const engine = await Engine.open({
      storage,
      embedders: {},
      logger: ({ event }) => events.push(event),
    });
    onTestFinished(() => engine.close());
    const { bot, insights } = await filled(engine);
    expect(await bot.search("annual leave")).toHaveLength(1);
    expect(await insights.questions()).toEqual([]);
    expect(events).toContain("questionLogFailed");
    isBroken = false;
    expect(await asked(insights)).toEqual(["annual leave"]);
  });
});

describe("gaps", () => {
  it("are what was asked and found little, the worst first, by the setting of the bot or the call", async () => {
    const { bot, insights, engine } = await filled(await open(simulatedDisk()));
    for (const question of ["quantum physics", "Quantum physics?", "submarines", "annual leave"])
      await bot.search(question);
    const gaps = await insights.gaps();
    expect(gaps.map(({ question, count }) => [question, count])).toEqual([
      ["quantum physics", 2],
      ["submarines", 1],
    ]);
    expect(gaps[0]).toMatchObject({ bestScore: 0, countWeek: 2, countBefore: 0, examples: [] });
    expect(await insights.gaps({ limit: 1 })).toHaveLength(1);
    expect(await insights.gaps({ belowScore: 1 })).toHaveLength(3);
    await engine.updateBot("acme", { gapScore: 1 });
    const [, , leave] = await insights.gaps();
    expect(leave).toMatchObject({ question: "annual leave", nearest: { id: "leave" } });
    await expect(insights.gaps({ belowScore: 2 })).rejects.toMatchObject({ violations: [{ field: "belowScore" }] });
  });

  it("count feedback: an answer that did not help is one, whatever its score", async () => {
    const { bot, insights } = await filled(await open(simulatedDisk()));
    await bot.search("annual leave", { requestId: "x" });
    expect(await insights.gaps()).toEqual([]);
    await insights.feedback({ requestId: "x", helpful: false, resourceDocId: "leave", comment: "no" });
    expect(await insights.gaps()).toMatchObject([{ question: "annual leave", unhelpful: 1 }]);
    expect((await insights.weeks())[0]).toMatchObject({ questions: 1, gaps: 0, helpful: 0, unhelpful: 1 });
    // Later feedback replaces it.
    await insights.feedback({ requestId: "x", helpful: true });
    expect(await insights.gaps()).toEqual([]);
    expect(await insights.weeks()).toEqual([{ week: "2027-01-11", questions: 1, gaps: 0, helpful: 1, unhelpful: 0 }]);
    expect((await insights.questions())[0]?.feedback).toMatchObject({ helpful: true });
  });

  it("keep the id of a document in feedback, and mask any other text there", async () => {
    const disk = simulatedDisk();
    const { bot, insights } = await filled(await open(disk));
    const { article } = await bot.createArticle({ title: "Refunds", body: "They take two weeks." });
    await bot.search("annual leave", { requestId: "x" });
    const kept = async (resourceDocId: string) => {
      await insights.feedback({ requestId: "x", helpful: false, resourceDocId });
      return (await insights.questions())[0]?.feedback?.resourceDocId;
    };
    expect(await kept("leave")).toBe("leave");
    expect(await kept(article.id)).toBe(article.id);
    expect(await kept("gone")).toBe("gone");
    expect(await kept("+49 170 7654321 jo@leak.example")).toBe("[phone] [e-mail]");
    expect(await filesWith(disk, "jo@leak.example")).toEqual([]);
  });

  it("take feedback for 24 hours, and name wrong fields", async () => {
    const clock = new TestClock();
    const { bot, insights } = await filled(await open(simulatedDisk(), clock));
    await bot.search("annual leave", { requestId: "x" });
    expect(await codeOf(insights.feedback({ requestId: "y", helpful: true }))).toBe("QUESTION_NOT_FOUND");
    clock.advance(DAY_MS + 1);
    expect(await codeOf(insights.feedback({ requestId: "x", helpful: true }))).toBe("QUESTION_NOT_FOUND");
    // Of several searches with one id, the latest counts.
    await bot.search("newer", { requestId: "x" });
    await insights.feedback({ requestId: "x", helpful: true });
    expect((await insights.questions({ limit: 1 }))[0]).toMatchObject({
      question: "newer",
      feedback: { helpful: true },
    });
    const wrong = insights.feedback({ requestId: "", helpful: "yes", coment: "", comment: "a".repeat(1_001) });
    const fields = ["coment", "requestId", "comment", "helpful"];
    await expect(wrong).rejects.toMatchObject({ violations: fields.map((field) => ({ field })) });
  });
});

describe("golden questions and runs", () => {
  it("are kept, and compared", async () => {
    const disk = simulatedDisk();
    const { bot, insights, engine } = await filled(await open(disk));
    const golden = [
      { question: "annual leave", id: "leave" },
      { question: "submarine", id: "leave" },
    ];
    await insights.setGolden(golden);
    expect(await insights.golden()).toEqual([
      { question: "annual leave", expected: [{ id: "leave", gain: 1, lines: [] }] },
      { question: "submarine", expected: [{ id: "leave", gain: 1, lines: [] }] },
    ]);
    const first = await insights.addRun(await evaluate(bot, await insights.golden()));
    expect(first).toMatchObject({ id: "1", questions: 2, missed: 1, at: "2027-01-15T08:00:00.000Z" });
    await bot.importDocument({ resourceDocId: "sub", type: "DOCUMENT", content: [{ md: "The submarine is yellow." }] });
    await bot.whenSearchable();
    const second = await insights.addRun({
      ...(await evaluate(bot, [
        { question: "annual leave", id: "leave" },
        { question: "submarine", id: "sub" },
      ])),
      quality: "fast",
    });
    await engine.close();
    const again = await (await open(disk)).insights("acme");
    expect(await again.runs()).toEqual([second, first]);
    expect(await again.run("1")).toMatchObject({ misses: [{ index: 1, question: "submarine", kind: "notFound" }] });
    expect(await again.run("7")).toBeUndefined();
    expect(await again.compareRuns("1", "2")).toEqual({
      measures: { ndcgAt10: 0.5, mrrAt10: 0.5, recallAt10: 0.5 },
      better: [{ question: "submarine", before: "notFound", after: "right" }],
      worse: [],
      unknown: 0,
    });
    expect(await codeOf(again.compareRuns("1", "9"))).toBe("RUN_NOT_FOUND");
  });

  it("are refused by the dotted names of wrong fields", async () => {
    const { insights } = await filled(await open(simulatedDisk()));
    await expect(insights.setGolden(JSON.parse('[{"question":1,"id":"a"}]'))).rejects.toMatchObject({
      violations: [{ field: "golden.0.question" }],
    });
    const many = Array.from({ length: 2_001 }, (_, i) => ({ question: `q${i}`, id: "a" }));
    await expect(insights.setGolden(many)).rejects.toMatchObject({
      violations: [{ field: "golden", type: "maxItems" }],
    });
    const run =
      '{"questions":1,"topK":10,"unknownDocuments":[],"measures":{"ndcgAt10":2,"mrrAt10":1,"recallAt10":1},"misses":[{"kind":"none"}],"quality":"best"}';
    const fields = [
      "measures.ndcgAt10",
      "misses.0.index",
      "misses.0.question",
      "misses.0.kind",
      "misses.0.expected",
      "misses.0.found",
    ];
    await expect(insights.addRun(JSON.parse(run))).rejects.toMatchObject({
      violations: fields.map((field) => ({ field })),
    });
    await insights.setGolden([]);
    expect(await insights.golden()).toEqual([]);
  });
});

describe("insights go along", () => {
  it("in a backup with questions alone", async () => {
    const { bot, engine } = await filled(await open(simulatedDisk()));
    await bot.search("annual leave");
    const [without, withThem] = [
      await bytesOf(engine.backup("acme")),
      await bytesOf(engine.backup("acme", { withQuestions: true })),
    ];
    const other = await open(simulatedDisk());
    await other.restore(once(without), { as: "without" });
    expect(await (await other.insights("without")).questions()).toEqual([]);
    await other.restore(once(withThem));
    expect(await asked(await other.insights("acme"))).toEqual(["annual leave"]);
    expect(await (await other.bot("acme")).getDocument("leave")).toBeDefined();
    // The bot of that id takes further questions.
    await (await other.bot("acme")).search("submarines");
    expect(await asked(await other.insights("acme"))).toEqual(["annual leave", "submarines"]);
  });

  it("with a copy", async () => {
    const disk = simulatedDisk();
    const { bot, engine } = await filled(await open(disk));
    await bot.search("annual leave");
    await engine.close();
    const [from, to] = [await openOn(disk), await openOn(simulatedDisk())];
    await copyStores(from, to);
    // The same call again finds that all is there.
    await copyStores(from, to);
    await from.close();
    const copied = await Engine.open({ storage: to, embedders: {}, clock: new TestClock() });
    onTestFinished(() => copied.close());
    expect(await asked(await copied.insights("acme"))).toEqual(["annual leave"]);
  });

  it("between nodes, which append to one log", async () => {
    const { nodes } = await openNodes();
    const [one, two, three] = nodes;
    await filled(one);
    const bots = [await one.bot("acme"), await two.bot("acme"), await three.bot("acme")];
    await Promise.all(bots.map((bot, i) => bot.search(`question ${i}`, { requestId: `r${i}` })));
    const all = await Promise.all(nodes.map(async (node) => asked(await node.insights("acme"))));
    // Each has written its own by now.
    expect(new Set(await asked(await two.insights("acme")))).toEqual(
      new Set(["question 0", "question 1", "question 2"]),
    );
    expect(all.flat()).toEqual(expect.arrayContaining(["question 0", "question 1", "question 2"]));
    await (await three.insights("acme")).feedback({ requestId: "r0", helpful: true });
    expect((await (await one.insights("acme")).weeks())[0]).toMatchObject({ questions: 3, helpful: 1 });
    await (await two.insights("acme")).clear();
    expect(await asked(await one.insights("acme"))).toEqual([]);
    await one.removeBot("acme");
    expect(await codeOf(two.insights("acme").then((gone) => gone.questions()))).toBe("BOT_NOT_FOUND");
  });
});
