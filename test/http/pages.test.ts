import { ARTICLE_SORTS } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectInvalid } from "./answers.ts";
import type { BotClient, ListReply, Reply } from "./client.ts";
import { KNOWLEDGE } from "./client.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

type Page = ListReply & { readonly next?: string };
const page = (bot: BotClient, query: string): Promise<Reply<Page>> => bot.send<Page>("GET", `${KNOWLEDGE}?${query}`);
const titles = (reply: Reply<Page>) => reply.json.data.map(({ title }) => title);

describe("articles by their metadata", () => {
  it("are those that have all of it, written so", async () => {
    const bot = await service().bot();
    const add = (title: string, metadata: object) => bot.add({ title, body: "x", metadata });
    await add("number", { k: 7, "a.b": "ä b" });
    await add("text", { k: "7", "a.b": "other" });
    await add("true", { k: true });
    await add("none", {});
    await add("own", { ["__proto__"]: "x", constructor: "y", "": "empty" });
    const found = async (query: string) => titles(await page(bot, query));
    expect(await found("metadata.k=7")).toEqual(["number", "text"]);
    expect(await found("metadata.k=7&metadata.a.b=%C3%A4+b")).toEqual(["number"]);
    expect(await found("metadata.k=true")).toEqual(["true"]);
    expect(await found("metadata.k=")).toEqual([]);
    expect(await found("metadata.k=7.0")).toEqual([]);
    expect(await found("metadata.k=7&title=text")).toEqual(["text"]);
    expect(await found("metadata.toString=x")).toEqual([]);
    expect(await found("metadata.__proto__=x&metadata.constructor=y&metadata.=empty")).toEqual(["own"]);
  });

  it("are of this bot alone", async () => {
    const [one, other] = [await service().bot(), await service().bot()];
    await one.add({ title: "mine", body: "x", metadata: { k: 1 } });
    expect(titles(await page(other, "metadata.k=1"))).toEqual([]);
  });
});

describe("pages", () => {
  it("bring every article once, in the order of the list", async () => {
    const bot = await service().bot();
    for (let i = 0; i < 7; i++) {
      await bot.add({ title: `Title ${i}`, body: "x", metadata: { even: i % 2 === 0 } });
      if (i % 3 === 0) service().clock.advance(1);
    }
    const whole = await page(bot, "");
    expect(whole.json).not.toHaveProperty("next");
    for (const limit of [1, 2, 3, 7, 1_000]) {
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const reply = await page(bot, `limit=${limit}${next === undefined ? "" : `&after=${next}`}`);
        expect(reply.json.data.length).toBeLessThanOrEqual(limit);
        seen.push(...titles(reply));
        expect(seen.length).toBeLessThanOrEqual(7);
        next = reply.json.next;
      } while (next !== undefined);
      expect(seen).toEqual(titles(whole));
    }
    const evens = await page(bot, "metadata.even=true&limit=3");
    expect(titles(evens)).toEqual(["Title 0", "Title 2", "Title 4"]);
    const rest = await page(bot, `metadata.even=true&after=${evens.json.next}`);
    expect([titles(rest), rest.json.next]).toEqual([["Title 6"], undefined]);
  });

  it("go on where they were over deletes, creates, updates and a restart", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    for (let i = 0; i < 6; i++) await bot.add({ title: `Title ${i}`, body: "x" });
    const first = await page(bot, "limit=2");
    const [one, two] = first.json.data;
    await bot.remove(two?.id ?? "");
    await bot.update(one?.id ?? "", { title: "Changed" });
    await bot.add({ title: "Newest", body: "x" });
    await own.restart();
    const rest = await page(bot, `limit=100&after=${first.json.next}`);
    expect(titles(rest)).toEqual(["Title 2", "Title 3", "Title 4", "Title 5", "Newest"]);
  });

  it("leave out nothing that was there all the time, and bring nothing twice, whoever writes meanwhile", async () => {
    const step = fc.constantFrom("create", "delete", "update", "page");
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(undefined, ...ARTICLE_SORTS),
        async (steps, limit, sort) => {
          // Where a change moves an article, it may be missed or come twice.
          const moves = sort !== undefined && !sort.startsWith("createdAt");
          const bot = await (await service().bot()).core();
          const there: string[] = [];
          const add = async () =>
            void there.push((await bot.createArticle({ title: `abc ${there.length % 3}`, body: "x" })).article.id);
          for (let i = 0; i < 5; i++) await add();
          const kept = new Set(there);
          const seen: string[] = [];
          let next: string | undefined;
          const changed = new Set<string>();
          const once = () => {
            const still = seen.filter((id) => !changed.has(id));
            expect(new Set(still).size).toBe(still.length);
          };
          const turn = async () => {
            const { articles, next: more } = await bot.articlePage({
              limit,
              ...(sort === undefined ? {} : { sort }),
              ...(next === undefined ? {} : { after: next }),
            });
            seen.push(...articles.map(({ id }) => id));
            next = more;
            once();
            return more !== undefined;
          };
          let goesOn = await turn();
          for (const [i, kind] of steps.entries()) {
            service().clock.advance(i % 2);
            const id = there[i % Math.max(1, there.length)];
            if (kind === "page") goesOn = goesOn && (await turn());
            else if (kind === "create") await add();
            else if (id === undefined) continue;
            else if (kind === "update") {
              await bot.updateArticle(id, { title: `abc ${i}`, body: `y${i}` });
              if (moves) changed.add(id);
            } else {
              await bot.deleteArticle(id);
              there.splice(there.indexOf(id), 1);
              kept.delete(id);
            }
          }
          while (goesOn) goesOn = await turn();
          once();
          for (const id of kept) if (!changed.has(id) || sort === "updatedAt:asc") expect(seen).toContain(id);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("come in every order that there is", async () => {
    const bot = await service().bot();
    for (const title of ["beta", "Alpha", "gamma", "Beta"]) {
      await bot.add({ title, body: "x", metadata: { inside: title !== "gamma" } });
      service().clock.advance(1);
    }
    const [first] = (await page(bot, "")).json.data;
    await bot.update(first?.id ?? "", { body: "changed" });
    const listed = async (query: string) => titles(await page(bot, query)).join(" ");
    expect(await listed("sort=createdAt:asc")).toBe(await listed(""));
    expect(await listed("sort=createdAt:desc")).toBe("Beta gamma Alpha beta");
    expect(await listed("sort=updatedAt:asc")).toBe("Alpha gamma Beta beta");
    expect(await listed("sort=updatedAt:desc&limit=2")).toBe("beta Beta");
    expect(await listed("sort=title:asc")).toBe("Alpha beta Beta gamma");
    expect(await listed("sort=title:desc")).toBe("gamma Beta beta Alpha");
    expect(await listed("sort=title:desc&metadata.inside=true")).toBe("Beta beta Alpha");
    const { next } = (await page(bot, "sort=title:asc&limit=2")).json;
    expect(await listed(`sort=title:asc&after=${next}`)).toBe("Beta gamma");
    for (const sort of ["createdAt:asc", "updatedAt:asc", "title:desc"])
      expectInvalid(await page(bot, `sort=${sort}&after=${next}`), ["after", "page"]);
    expectInvalid(await page(bot, `after=${next}`), ["after", "page"]);
    for (const sort of ["", "title", "Title:asc", "metadata.k:asc", "title:asc,id:asc"])
      expectInvalid(await page(bot, `sort=${sort}&limit=0`), ["limit", "range"], ["sort", "enum"]);
    expectInvalid(await page(bot, "sort=title:asc&sort=title:asc"), ["sort", "repeated"]);
  });

  it("are refused where there can be none, with all that is wrong at once", async () => {
    const bot = await service().bot();
    for (const limit of ["0", "1001", "99999999999999999999"]) {
      expectInvalid(await page(bot, `limit=${limit}`), ["limit", "range"]);
    }
    for (const limit of ["", "-1", "1.5", "1e2", "x", "0x10"]) {
      expectInvalid(await page(bot, `limit=${limit}`), ["limit", "integer"]);
    }
    for (const after of [
      "",
      "x",
      "1-x",
      `-1-${"0".repeat(24)}`,
      `1-${"0".repeat(24)}0`,
      `12345678901234567-${"0".repeat(24)}`,
    ]) {
      expectInvalid(await page(bot, `limit=1&after=${after}`), ["after", "page"]);
    }
    expectInvalid(
      await page(bot, "id=%zz&foo=1&metadata.k=1&metadata.k=1&metadata=2&limit=0&Limit=1&metadata.b=%ff"),
      ["id", "percentEncoding"],
      ["foo", "unknownField"],
      ["metadata.k", "repeated"],
      ["metadata", "unknownField"],
      ["limit", "range"],
      ["Limit", "unknownField"],
      ["metadata.b", "percentEncoding"],
    );
    expectInvalid(await page(bot, "id=%zz&foo=1"), ["id", "percentEncoding"], ["foo", "unknownField"]);
  });
});
