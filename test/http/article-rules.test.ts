import { describe, expect, it } from "vitest";
import { type Broken, brokenRules, expectInvalid } from "./answers.ts";
import { type BotClient, KNOWLEDGE, type Reply, type WriteReply } from "./client.ts";
import { sharedService } from "./service.ts";

const service = sharedService();
const BASE = { title: "A fine title", body: "A fine body." };

/** Sends the fields as a create, and as an update of an article that has all the others. */
async function bothWays(fields: object): Promise<readonly Reply<WriteReply>[]> {
  const bot = await service().bot();
  const { id } = await bot.add(BASE);
  return [await bot.create({ ...BASE, ...fields }), await bot.update(id, fields)];
}

async function expectBothAccepted(fields: object): Promise<void> {
  for (const reply of await bothWays(fields)) {
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json.data).toMatchObject(fields);
  }
}

async function expectBothInvalid(fields: object, ...broken: readonly Broken[]): Promise<void> {
  for (const reply of await bothWays(fields)) expectInvalid(reply, ...broken);
}

const astral = (length: number) => "😀".repeat(length);
const url = (length: number) => `https://example.org/${"p".repeat(length - 20)}`;
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key ${i}`, i]));
const entries = (count: number) => Array.from({ length: count }, (_, i) => ({ channel: `channel ${i}` }));

describe("the largest and smallest that is accepted, and the first that is not", () => {
  it.each<[string, object, object, Broken]>([
    ["title from 3 characters", { title: "abc" }, { title: "ab" }, ["title", "minLength"]],
    ["title from 3 code points", { title: astral(3) }, { title: astral(2) }, ["title", "minLength"]],
    ["title to 1,000 characters", { title: "t".repeat(1_000) }, { title: "t".repeat(1_001) }, ["title", "maxLength"]],
    ["title to 1,000 code points", { title: astral(1_000) }, { title: astral(1_001) }, ["title", "maxLength"]],
    ["body from 1 character", { body: "b" }, { body: "" }, ["body", "minLength"]],
    ["source to 2,048 characters", { source: url(2_048) }, { source: url(2_049) }, ["source", "maxLength"]],
    ["activeOn to 1,000 entries", { activeOn: entries(1_000) }, { activeOn: entries(1_001) }, ["activeOn", "maxItems"]],
    ["metadata to 100 keys", { metadata: keys(100) }, { metadata: keys(101) }, ["metadata", "maxItems"]],
  ])("%s", async (_, accepted, refused, broken) => {
    await expectBothAccepted(accepted);
    await expectBothInvalid(refused, broken);
  });

  it.each([
    ["keys to 256 characters", { ["k".repeat(256)]: 1 }, { ["k".repeat(257)]: 1 }],
    ["keys to 256 code points", { [astral(256)]: 1 }, { [astral(257)]: 1 }],
    ["values to 10,000 characters", { k: "v".repeat(10_000) }, { k: "v".repeat(10_001) }],
    ["values to 10,000 code points", { k: astral(10_000) }, { k: astral(10_001) }],
  ])("metadata %s", async (_, accepted, refused) => {
    await expectBothAccepted({ metadata: accepted });
    for (const reply of await bothWays({ metadata: refused })) {
      const [[field, type] = ["", ""], ...others] = brokenRules(reply);
      expect(others).toEqual([]);
      expect(field).toMatch(/^metadata(\.|$)/);
      expect(type).toBe("maxLength");
    }
  });

  it("a body may fill what a request can carry", async () => {
    await expectBothAccepted({ body: "b".repeat(1_000_000) });
  });

  it("white space counts as characters", async () => {
    await expectBothAccepted({ title: "   ", body: "\n" });
  });
});

describe("the kind of each field", () => {
  it.each<[object, Broken]>([
    [{ title: 123 }, ["title", "string"]],
    [{ title: ["abc"] }, ["title", "string"]],
    [{ body: { md: "x" } }, ["body", "string"]],
    [{ body: true }, ["body", "string"]],
    [{ source: 5 }, ["source", "string"]],
    [{ source: "" }, ["source", "url"]],
    [{ source: "example.org" }, ["source", "url"]],
    [{ source: "https://example.org/a\u0000b" }, ["source", "url"]],
    [{ source: "https://example.org/\u001f" }, ["source", "url"]],
    [{ source: "https://example.org/\u0085" }, ["source", "url"]],
    [{ source: "/relative" }, ["source", "url"]],
    [{ source: "//example.org/" }, ["source", "url"]],
    [{ source: "ftp://example.org/" }, ["source", "url"]],
    [{ source: "javascript:alert(1)" }, ["source", "url"]],
    [{ source: "mailto:a@example.org" }, ["source", "url"]],
    [{ source: "http://" }, ["source", "url"]],
    [{ source: "not a url" }, ["source", "url"]],
    [{ activeOn: "web" }, ["activeOn", "array"]],
    [{ activeOn: { channel: "web" } }, ["activeOn", "array"]],
    [{ activeOn: ["web"] }, ["activeOn.0", "object"]],
    [{ activeOn: [{ channel: "web" }, null] }, ["activeOn.1", "object"]],
    [{ activeOn: [{ channel: "web" }, {}] }, ["activeOn.1.channel", "required"]],
    [{ activeOn: [{ agent: "Ada" }] }, ["activeOn.0.channel", "required"]],
    [{ activeOn: [{ channel: 7 }] }, ["activeOn.0.channel", "string"]],
    [{ activeOn: [{ channel: "web", agent: 7 }] }, ["activeOn.0.agent", "string"]],
    [{ activeOn: [{ channel: "web", agnet: "Ada" }] }, ["activeOn.0.agnet", "unknownField"]],
    [{ strict: "true" }, ["strict", "boolean"]],
    [{ strict: 1 }, ["strict", "boolean"]],
    [{ titel: "Typo" }, ["titel", "unknownField"]],
    [{ Title: "Typo" }, ["Title", "unknownField"]],
    [{ characterUsed: 5 }, ["characterUsed", "unknownField"]],
    [{ success: true }, ["success", "unknownField"]],
  ])("%j is refused", async (fields, broken) => {
    await expectBothInvalid(fields, broken);
  });

  it.each([
    "http://example.org",
    "https://user@example.org:8443/a?b=c#d",
    "HTTP://EXAMPLE.ORG/",
    "http://localhost:3000/x",
    "http://[::1]/",
    "https://例え.jp/路径",
  ])("source %s is kept as it is given", async (source) => {
    await expectBothAccepted({ source });
  });

  it.each<[unknown]>([
    [{ nested: { a: 1 } }],
    [{ list: [1] }],
    [{ list: [] }],
    [{ fine: 1, nothing: null }],
    [[1, 2]],
    ["text"],
    [5],
    [true],
  ])("metadata %j is refused on metadata", async (metadata) => {
    for (const reply of await bothWays({ metadata })) {
      expect(new Set(brokenRules(reply).map(([field]) => field))).toEqual(new Set(["metadata"]));
    }
  });

  it.each([{ nested: { a: 1 } }, { list: ["a"] }, { nothing: null }])(
    "metadata %j gets the metadataField answer that says what a key may hold",
    async (metadata) => {
      for (const reply of await bothWays({ metadata })) {
        expectInvalid(reply, ["metadata", "metadataField"]);
        expect(reply.text).toMatch(/metadata key must be a string, number or boolean/i);
      }
    },
  );

  it("a field that is neither known nor own (__proto__) is unknown too", async () => {
    const bot = await service().bot();
    const body = '{"title":"Title","body":"b","__proto__":{"source":"x"}}';
    const headers = { "content-type": "application/json" };
    expectInvalid(await bot.send("POST", KNOWLEDGE, { body, headers }), ["__proto__", "unknownField"]);
  });
});

describe("what is missing", () => {
  it.each<[object, readonly Broken[]]>([
    [
      {},
      [
        ["title", "required"],
        ["body", "required"],
      ],
    ],
    [{ title: "Title" }, [["body", "required"]]],
    [{ body: "b" }, [["title", "required"]]],
  ])("%j is refused on create", async (fields, broken) => {
    expectInvalid(await (await service().bot()).create(fields), ...broken);
  });

  it("null is no title and no body", async () => {
    const reply = await (await service().bot()).create({ title: null, body: null });
    expect(
      brokenRules(reply)
        .map(([field]) => field)
        .sort(),
    ).toEqual(["body", "title"]);
  });

  it.each(["id", "status", "createdAt", "updatedAt", "characterCount"])("%s is unknown on create", async (field) => {
    expectInvalid(await (await service().bot()).create({ ...BASE, [field]: "x" }), [field, "unknownField"]);
  });
});

describe("several broken rules", () => {
  const broken = {
    title: "ab",
    body: "",
    metadata: { deep: {} },
    source: "nowhere",
    activeOn: [{ channel: "web" }, { agent: 5 }, 7],
    strict: "no",
    colour: "red",
  };
  const rules: readonly Broken[] = [
    ["title", "minLength"],
    ["body", "minLength"],
    ["metadata", "metadataField"],
    ["source", "url"],
    ["activeOn.1.agent", "string"],
    ["activeOn.1.channel", "required"],
    ["activeOn.2", "object"],
    ["strict", "boolean"],
    ["colour", "unknownField"],
  ];

  it("are reported all at once, on create and on update", async () => {
    await expectBothInvalid(broken, ...rules);
  });

  it("store nothing and charge nothing", async () => {
    const bot = await service().bot();
    await bot.create(broken);
    expect((await bot.list()).json.data).toEqual([]);
    expect((await bot.create({ title: "abc", body: "d" })).json.characterUsed).toBe(4);
  });

  it("leave an article as it was", async () => {
    const bot = await service().bot();
    const before = await bot.publish(BASE);
    await bot.update(before.id, { ...broken, title: "Accepted title" });
    expect((await bot.list()).json.data).toEqual([before]);
  });
});

describe("a lone surrogate", () => {
  const lone = "x\ud800y";

  it.each<[object, string]>([
    [{ title: `abc ${lone}` }, "title"],
    [{ body: lone }, "body"],
    [{ body: "\udc00" }, "body"],
    [{ source: `https://example.org/${lone}` }, "source"],
    [{ activeOn: [{ channel: lone }] }, "activeOn.0.channel"],
    [{ activeOn: [{ channel: "web", agent: lone }] }, "activeOn.0.agent"],
  ])("in %j is a 400 of type string", async (fields, field) => {
    await expectBothInvalid(fields, [field, "string"]);
  });

  it.each([{ key: lone }, { [lone]: "value" }])("in metadata %j is a 400 of type string", async (metadata) => {
    for (const reply of await bothWays({ metadata })) {
      const [[field, type] = ["", ""], ...others] = brokenRules(reply);
      expect(others).toEqual([]);
      expect(field).toMatch(/^metadata(\.|$)/);
      expect(type).toBe("string");
    }
  });

  it("does not hide in the name of an unknown field", async () => {
    const bot: BotClient = await service().bot();
    const reply = await bot.create({ ...BASE, [lone]: 1 });
    expect(brokenRules(reply)).toHaveLength(1);
  });

  it("is told from a proper pair", async () => {
    await expectBothAccepted({ title: "pair \ud83d\ude00", metadata: { "\ud83d\ude00": "\ud83d\ude00" } });
  });
});

it("names a hundred broken rules, and says how many more there are", async () => {
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`unknown${i}`, 1]));
  for (const reply of await bothWays(fields)) {
    expect(reply.status).toBe(400);
    const { message, data } = JSON.parse(reply.text);
    expect(data.result).toHaveLength(100);
    expect(data.result[99]).toMatchObject({ field: "unknown99", type: "unknownField" });
    expect(message).toMatch(/and 2995 more$/);
  }
});

describe("what a client may write in two ways", () => {
  it("takes an agent that is null as one that is absent", async () => {
    for (const reply of await bothWays({ activeOn: [{ agent: null, channel: "web" }] })) {
      expect(reply.json.data.activeOn).toEqual([{ channel: "web" }]);
    }
  });

  it("refuses a key that is there twice, wherever, and writes nothing", async () => {
    const bot = await service().bot();
    const send = (body: string) =>
      bot.send<unknown>("POST", KNOWLEDGE, { body, headers: { "content-type": "application/json" } });
    expectInvalid(await send('{"title":"abc","body":"kept?","body":"lost?"}'), ["body", "duplicateKey"]);
    expectInvalid(
      await send(
        '{"title":"abc","body":"x","metadata":{"a":1,"\\u0061":2},"activeOn":[{"channel":"a","channel":"b"}]}',
      ),
      ["metadata.a", "duplicateKey"],
      ["activeOn.0.channel", "duplicateKey"],
    );
    expect((await bot.list()).json.data).toEqual([]);
  });
});
