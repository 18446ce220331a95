import { describe, expect, it } from "vitest";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

describe("a search result", () => {
  it("of an article has exactly the promised fields", async () => {
    const bot = await service().bot();
    const { id } = await bot.publish({ title: "Bicycles", body: "Bicycles park in the cellar." });
    const reply = await bot.search({ query: "where do bicycles park" });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual([
      {
        resourceDocId: id,
        type: "EXTERNAL",
        status: "active",
        metaData: { title: "Bicycles" },
        bestMatchScore: expect.any(Number),
        similarTextParts: [{ text: "Bicycles park in the cellar.", similarity: expect.any(Number), start: 1, stop: 1 }],
        content: [],
      },
    ]);
    expect(reply.json[0]).not.toHaveProperty("url");
  });

  it("carries the article's metadata with its title, which wins, and its source as url", async () => {
    const bot = await service().bot();
    const metadata = { title: "Not this one", team: "blue", level: 3, open: false, "a.b": "dots" };
    await bot.publish({ title: "Bicycles", body: "Bicycles park.", metadata, source: "HTTPS://Example.org/x" });
    const [found] = await bot.find("bicycles");
    expect(found?.metaData).toEqual({ ...metadata, title: "Bicycles" });
    expect(found?.url).toBe("HTTPS://Example.org/x");
    expect((await bot.list()).json.data[0]?.metadata).toEqual(metadata);
  });

  it("of an imported document has its own type, status, metadata and url", async () => {
    const bot = await service().bot();
    const metaData = { title: "Harbour page", tags: ["sea", 1], nested: { deep: { x: null } } };
    const content = [{ md: "# Harbours" }, { md: "Ships sleep in harbours." }];
    for (const type of ["WEBPAGE", "PDF", "DOCUMENT", "TABLE"] as const) {
      await bot.import({ resourceDocId: `id of ${type}`, type, url: "https://example.org/h", metaData, content });
      const [found] = await bot.find("ships sleep", { filters: { type }, options: { includeContent: true } });
      expect(found).toEqual({
        resourceDocId: `id of ${type}`,
        type,
        status: "active",
        url: "https://example.org/h",
        metaData,
        bestMatchScore: expect.any(Number),
        similarTextParts: [{ text: "Ships sleep in harbours.", similarity: expect.any(Number), start: 2, stop: 2 }],
        content,
      });
    }
  });

  it("has the content exactly as stored when it is asked for, and else an empty list", async () => {
    const bot = await service().bot();
    const body = "\ufeff# Ferry\r\n\r\nThe ferry\tleaves  \r\rat noon.\u0000 😀 \n\n\n";
    await bot.publish({ title: "Timetable", body });
    expect((await bot.find("ferry noon", { options: { includeContent: true } }))[0]?.content).toEqual([{ md: body }]);
    expect((await bot.find("ferry noon", { options: { includeContent: false } }))[0]?.content).toEqual([]);
    expect((await bot.find("ferry noon"))[0]?.content).toEqual([]);
  });

  it("has at most three parts, the best first, none overlapping, and the best one's score as its own", async () => {
    const bot = await service().bot();
    const section = (i: number) =>
      `## Wing ${i}\n\nWindow ${"window ".repeat(i % 4)}number ${i} faces the garden. ${"It was built long ago by people who liked the light. ".repeat(12)}`;
    await bot.publish({ title: "The house", body: Array.from({ length: 12 }, (_, i) => section(i)).join("\n\n") });
    const [found] = await bot.find("window facing the garden");
    const parts = found?.similarTextParts ?? [];
    // Twelve sections match, so there is something to leave out.
    expect(parts).toHaveLength(3);
    const scores = parts.map(({ similarity }) => similarity);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(found?.bestMatchScore).toBe(scores[0]);
    const byLine = [...parts].sort((a, b) => a.start - b.start);
    for (const [i, part] of byLine.entries()) expect(part.start).toBeGreaterThan(byLine[i - 1]?.stop ?? 0);
  });

  it("leaves out parts that have nothing to do with the query", async () => {
    const bot = await service().bot();
    await bot.publish({ title: "The house", body: "The roof is red.\n\nA kangaroo lives here.\n\nThe door is blue." });
    const [found] = await bot.find("kangaroo");
    expect(found?.similarTextParts.map(({ start }) => start)).toEqual([3]);
  });
});

describe("the order of results", () => {
  it("is by score, the highest first", async () => {
    const bot = await service().bot();
    await Promise.all(
      [
        "The red lamp hangs.",
        "A lamp.",
        "Red paint.",
        "The big red lamp near the old door hangs low.",
        "Nothing of it.",
      ].map((body, i) => bot.add({ title: `Item ${i}`, body })),
    );
    await bot.allActive();
    const scores = (await bot.find("red lamp")).map(({ bestMatchScore }) => bestMatchScore);
    expect(scores.length).toBeGreaterThanOrEqual(4);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThan(0);
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
  });

  it("is by resourceDocId where scores are equal", async () => {
    const bot = await service().bot();
    const ids = ["m", "B", "a", "10", "9", "ä", "z", "a b"];
    await bot.import(
      ...ids.map((resourceDocId) => ({
        resourceDocId,
        type: "DOCUMENT" as const,
        content: [{ md: "An equal text." }],
      })),
    );
    const found = await bot.find("equal");
    expect(new Set(found.map(({ bestMatchScore }) => bestMatchScore)).size).toBe(1);
    expect(found.map(({ resourceDocId }) => resourceDocId)).toEqual([...ids].sort());
    const top = await bot.ids("equal", { options: { topK: 3 } });
    expect(top).toEqual([...ids].sort().slice(0, 3));
  });

  it("mixes all kinds of knowledge", async () => {
    const bot = await service().bot();
    const content = [{ md: "The lighthouse is white." }];
    await bot.publish({ title: "Article", body: "The lighthouse is white." });
    await bot.import(
      { resourceDocId: "w", type: "WEBPAGE", content },
      { resourceDocId: "p", type: "PDF", content },
      { resourceDocId: "d", type: "DOCUMENT", content },
      { resourceDocId: "t", type: "TABLE", content: [{ md: "| a | b |\n|---|---|\n| lighthouse | white |" }] },
      {
        resourceDocId: "q",
        type: "QNA",
        question: "What colour is the lighthouse?",
        answer: "The lighthouse is white.",
      },
    );
    const types = (await bot.find("white lighthouse")).map(({ type }) => type);
    expect(types.sort()).toEqual(["DOCUMENT", "EXTERNAL", "PDF", "QNA", "TABLE", "WEBPAGE"]);
  });

  it("is the same each time it is asked", async () => {
    const bot = await service().bot();
    for (let i = 0; i < 25; i += 1)
      await bot.add({ title: `Copy ${i}`, body: `The copier on floor ${i % 3} is warm.` });
    await bot.allActive();
    const answers = new Set<string>();
    for (let i = 0; i < 5; i += 1) answers.add((await bot.search({ query: "warm copier floor 2" })).text);
    expect(answers.size).toBe(1);
  });
});

describe("what a search finds", () => {
  it("is nothing for white space or marks alone", async () => {
    const bot = await service().bot();
    await bot.publish({ title: "?!?", body: "Is it? Yes! ** ## --" });
    await bot.publish({ title: "   ", body: "Words." });
    for (const query of [
      " ",
      "\n\t ",
      "\u00a0\u3000",
      "?",
      "!!! ???",
      "**",
      "---",
      "# >",
      "…—“”",
      "\u0000",
      "\u200b",
    ]) {
      expect(await bot.ids(query), JSON.stringify(query)).toEqual([]);
    }
  });

  it("is nothing, or little, for nonsense", async () => {
    const bot = await service().bot();
    for (let i = 0; i < 20; i += 1)
      await bot.add({ title: `Guide ${i}`, body: `Step ${i}: press the button and wait for the lamp.` });
    await bot.allActive();
    for (const query of ["zzqxv blorptik", "xkcdqq", "qwe rty uio pas dfg", "\u{1f9ff}\u{1f9ff}", "ζξψ ωθ"]) {
      for (const { bestMatchScore } of await bot.find(query)) expect(bestMatchScore, query).toBeLessThan(0.5);
    }
  });

  it("is never a document without text", async () => {
    const bot = await service().bot();
    for (const body of [" ", "\n\n", "---", "\r\n \t\n***\n"]) await bot.publish({ title: "Empty drawer", body });
    const { id } = await bot.publish({ title: "Empty drawer", body: "Words." });
    await bot.import({
      resourceDocId: "blank",
      type: "DOCUMENT",
      metaData: { title: "Empty drawer" },
      content: [{ md: "" }, { md: "\n" }],
    });
    expect(await bot.ids("Empty drawer")).toEqual([id]);
    expect(await bot.ids("drawer")).toEqual([id]);
  });

  it("is of every status: active, inactive and pending, told as it is", async () => {
    const bot = await service().bot();
    const content = [{ md: "The archive smells of dust." }];
    for (const status of ["active", "inactive", "pending"] as const) {
      await bot.import({ resourceDocId: status, type: "PDF", status, content });
    }
    const found = await bot.find("dust in the archive");
    expect(found.map(({ resourceDocId, status }) => [resourceDocId, status])).toEqual(
      ["active", "inactive", "pending"].map((status) => [status, status]),
    );
    await (await bot.core()).setDocumentStatus("active", "pending");
    expect((await bot.find("dust")).map(({ status }) => status)).toEqual(["pending", "inactive", "pending"]);
  });

  it("is found by a heading above it", async () => {
    const bot = await service().bot();
    await bot.publish({
      title: "Manual",
      body: "# Refrigerator\n\nTurn the wheel to the left.\n\n# Oven\n\nTurn the wheel to the right.",
    });
    const [found] = await bot.find("refrigerator");
    expect(found?.similarTextParts[0]?.start).toBeLessThanOrEqual(3);
  });

  it("is the old or the new version of an article while it is replaced, never a mixture", async () => {
    const home = await ownService({ onDisk: true });
    const bot = await home.bot();
    const version = (n: number) => ({
      title: `Version ${n}`,
      body: Array.from({ length: 40 }, (_, i) => `Paragraph ${i} of version v${n} tells of a heron.`).join("\n\n"),
    });
    const { id } = await bot.publish(version(0));
    let last = 0;
    let running = true;
    const watch = async () => {
      while (running) {
        const [found, ...others] = await bot.find("heron", { options: { includeContent: true } });
        expect(others).toEqual([]);
        const n = Number(/^Version (\d+)$/.exec(String(found?.metaData.title))?.[1]);
        const { body } = version(n);
        expect(found?.content).toEqual([{ md: body }]);
        expect(n).toBeGreaterThanOrEqual(last);
        last = n;
        for (const { text, start, stop } of found?.similarTextParts ?? []) {
          expect(text).toBe(
            body
              .split("\n")
              .slice(start - 1, stop)
              .join("\n"),
          );
        }
      }
    };
    const write = async () => {
      for (let n = 1; n <= 25; n += 1) {
        await bot.update(id, version(n));
        if (n % 5 === 0) await bot.active(id);
      }
      await bot.active(id);
      running = false;
    };
    await Promise.all([watch(), write()]);
    expect((await bot.find("heron"))[0]?.metaData.title).toBe("Version 25");
  });
});
