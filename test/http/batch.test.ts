import { describe, expect, it } from "vitest";
import { expectInvalid } from "./answers.ts";
import { type BotClient, KNOWLEDGE } from "./client.ts";
import { ownService, sharedService } from "./service.ts";

const service = sharedService();

interface Result {
  readonly status: number;
  // Each test says what it expects of it.
  readonly body: Readonly<Record<string, unknown>> & { readonly data?: { readonly id: string } };
  readonly retryAfter?: number;
}

interface BatchReply {
  readonly success: true;
  readonly results: readonly Result[];
}

const batch = (bot: BotClient, operations: unknown) =>
  bot.send<BatchReply>("POST", `${KNOWLEDGE}/batch`, { json: { operations } });
const run = async (bot: BotClient, ...operations: readonly unknown[]) => {
  const reply = await batch(bot, operations);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.success).toBe(true);
  return reply.json.results;
};
const statuses = (results: readonly Result[]) => results.map(({ status }) => status);
const upsert = (article: object) => ({ op: "upsert", by: "externalId", article });
const article = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });

describe("a batch", () => {
  it("answers each operation as it would have been answered alone, in their order", async () => {
    const [bot, alone] = [await service().bot(), await service().bot()];
    const [one, other] = [await bot.add(article(10)), await alone.add(article(10))];
    const results = await run(
      bot,
      { op: "create", article: article(20) },
      { op: "update", id: one.id, article: { body: "Changed.", metadata: null } },
      { op: "create", article: { title: "ab" } },
      { op: "update", id: "0".repeat(24), article: {} },
      { op: "delete", id: one.id },
      { op: "delete", id: one.id },
    );
    const singly = [
      await alone.create(article(20)),
      await alone.update(other.id, { body: "Changed.", metadata: null }),
      await alone.create({ title: "ab" }),
      await alone.update("0".repeat(24), {}),
      await alone.remove(other.id),
      await alone.remove(other.id),
    ];
    const created = results[0]?.body.data?.id ?? "";
    const createdAlone = singly[0]?.text.match(/[0-9a-f]{24}/)?.[0] ?? "";
    const same = JSON.stringify(results).replaceAll(one.id, other.id).replaceAll(created, createdAlone);
    expect(JSON.parse(same)).toEqual(singly.map(({ status, json }) => ({ status, body: json })));
  });

  it("charges each on its own, and goes on after a refusal", async () => {
    const bot = await service().bot({ quotaCharacters: 100, rateCharactersPerMinute: 120 });
    const { id } = await bot.add(article(60));
    const results = await run(
      bot,
      { op: "create", article: article(41) },
      { op: "delete", id },
      { op: "create", article: article(61) },
      { op: "create", article: article(60) },
      { op: "create", article: article(40) },
      { op: "create", article: article(121) },
    );
    expect(statuses(results)).toEqual([422, 200, 429, 200, 429, 422]);
    expect(results[0]?.body).toMatchObject({ success: false, error: { code: 30001, status: 422 } });
    expect(results[2]).toEqual({ status: 429, body: expect.stringMatching(/rate limit exceeded/i), retryAfter: 60 });
    expect(results[3]?.body).toMatchObject({ characterUsed: 60 });
    expect(results.map((result) => "retryAfter" in result)).toEqual([false, false, true, false, true, false]);
    await service().engine.updateBot(bot.id, { quotaCharacters: 1_000 });
    expect(await run(bot, { op: "create", article: article(121) })).toEqual([
      { status: 429, body: expect.stringMatching(/can never be admitted/) },
    ]);
  });

  it("is durable when it is answered", async () => {
    const own = await ownService({ onDisk: true });
    const bot = await own.bot();
    await run(
      bot,
      ...Array.from({ length: 100 }, (_, i) => upsert({ title: `Title ${i}`, body: "x", metadata: { externalId: i } })),
    );
    const before = await bot.allActive();
    await own.restart();
    expect(await bot.allActive()).toEqual(before);
    expect(before.length).toBe(100);
  });

  it("is refused as a whole where it is no list of operations, with all that is wrong", async () => {
    const bot = await service().bot();
    const { id } = await bot.add(article(10));
    const remove = { op: "delete", id };
    for (const [operations, ...rules] of [
      [undefined, ["operations", "required"]],
      [{}, ["operations", "array"]],
      [[], ["operations", "minItems"]],
      [Array.from({ length: 101 }, () => remove), ["operations", "maxItems"]],
      [
        [remove, 1, null, [], {}],
        ["operations.1", "object"],
        ["operations.2", "object"],
        ["operations.3", "object"],
        ["operations.4.op", "required"],
      ],
      [
        [remove, { op: "drop" }, { op: "delete", id: 7, more: 1 }],
        ["operations.1.op", "enum"],
        ["operations.2.id", "string"],
        ["operations.2.more", "unknownField"],
      ],
      [
        [remove, { op: "create" }, { op: "update", article: [] }],
        ["operations.1.article", "required"],
        ["operations.2.id", "required"],
        ["operations.2.article", "object"],
      ],
      [
        [remove, { op: "upsert", article: {} }, { op: "create", by: "k", article: {} }],
        ["operations.1.by", "required"],
        ["operations.2.by", "unknownField"],
      ],
    ] as const) {
      expectInvalid(await batch(bot, operations), ...rules);
    }
    expectInvalid(await bot.send("POST", `${KNOWLEDGE}/batch`, { json: { operations: [remove], more: 1 } }), [
      "more",
      "unknownField",
    ]);
    expect((await bot.list()).json.data.length).toBe(1);
  });
});

describe("an upsert", () => {
  it("finds the article by several keys together", async () => {
    const bot = await service().bot();
    const of = (folder: string | number, body: string, by: unknown = ["id", "folder"]) =>
      ({ op: "upsert", by, article: { title: "abc", body, metadata: { id: "1", folder } } }) as const;
    const results = await run(bot, of("a", "one"), of("b", "two"), of("a", "three"), of(7, "four"), of("7", "five"));
    expect(statuses(results)).toEqual([200, 200, 200, 200, 200]);
    const [a, b, again, number, text] = results.map(({ body }) => body.data?.id);
    expect(again).toBe(a);
    expect(new Set([a, b, number, text]).size).toBe(4);
    const [several] = await run(bot, of("a", "x", "id"));
    expect(several).toMatchObject({ status: 409, body: { error: { code: 20006 } } });
    const [lacking] = await run(bot, of("a", "x", ["id", "other"]));
    const result = [{ field: "metadata.other", type: "required" }];
    expect(lacking).toMatchObject({ status: 400, body: { data: { result } } });
    for (const [by, rule] of [
      [[], ["operations.0.by", "minItems"]],
      [Array.from({ length: 101 }, (_, i) => `k${i}`), ["operations.0.by", "maxItems"]],
      [
        ["id", 7],
        ["operations.0.by.1", "string"],
      ],
    ] as const) {
      expectInvalid(await batch(bot, [of("a", "x", by)]), rule);
    }
  });

  it("creates what is not there and updates what is, by the value as it is typed", async () => {
    const bot = await service().bot();
    const first = await run(bot, upsert({ title: "abc", body: "one", metadata: { externalId: 7, more: 1 } }));
    expect(first[0]?.body.message).toMatch(/addition/);
    const [created] = (await bot.list()).json.data;
    const second = await run(
      bot,
      upsert({ title: "abc", body: "two", metadata: { externalId: 7 } }),
      upsert({ title: "abc", body: "text", metadata: { externalId: "7" } }),
      upsert({ metadata: { externalId: 7, again: true } }),
    );
    expect(second.map(({ body }) => body.message)).toEqual([
      expect.stringMatching(/update/),
      expect.stringMatching(/addition/),
      expect.stringMatching(/update/),
    ]);
    const all = (await bot.list()).json.data;
    expect(all.map(({ id, body, metadata }) => ({ id, body, metadata }))).toEqual([
      { id: created?.id, body: "two", metadata: { externalId: 7, again: true } },
      { id: second[1]?.body.data?.id, body: "text", metadata: { externalId: "7" } },
    ]);
  });

  it("needs the value, and is refused where several articles have it", async () => {
    const bot = await service().bot();
    for (const metadata of [undefined, {}, null, { other: 1 }]) {
      const [refused] = await run(
        bot,
        upsert({ title: "ab", body: "x", ...(metadata === undefined ? {} : { metadata }) }),
      );
      expect(refused).toMatchObject({
        status: 400,
        body: {
          code: 1001,
          data: {
            result: [
              { field: "title", type: "minLength" },
              { field: "metadata.externalId", type: "required" },
            ],
          },
        },
      });
    }
    const [nested] = await run(bot, upsert({ title: "abc", body: "x", metadata: { externalId: { a: 1 } } }));
    expect(nested).toMatchObject({
      status: 400,
      body: { data: { result: [{ field: "metadata", type: "metadataField" }] } },
    });
    const [proto] = await run(bot, {
      op: "upsert",
      by: "__proto__",
      article: { title: "abc", body: "x", metadata: {} },
    });
    expect(proto).toMatchObject({
      status: 400,
      body: { data: { result: [{ field: "metadata.__proto__", type: "required" }] } },
    });
    for (let i = 0; i < 2; i++) await bot.add({ title: "abc", body: "x", metadata: { externalId: "twice" } });
    const [several] = await run(bot, upsert({ title: "abc", body: "y", metadata: { externalId: "twice" } }));
    expect(several).toMatchObject({ status: 409, body: { success: false, error: { code: 20006, status: 409 } } });
    expect((await bot.list()).json.data.map(({ body }) => body)).toEqual(["x", "x"]);
  });

  it("never makes two, however many come at once", async () => {
    const bot = await service().bot();
    const send = (i: number) => run(bot, upsert({ title: "abc", body: `writer ${i}`, metadata: { externalId: "k" } }));
    const results = (await Promise.all(Array.from({ length: 10 }, (_, i) => send(i)))).flat();
    expect(new Set(statuses(results))).toEqual(new Set([200]));
    expect(new Set(results.map(({ body }) => body.data?.id)).size).toBe(1);
    expect(results.filter(({ body }) => String(body.message).includes("addition")).length).toBe(1);
    expect((await bot.list()).json.data.length).toBe(1);
  });
});
