/** The laws of bad requests: whatever is sent, the answer is one that the API promises, and the service lives on. */

import fc from "fast-check";
import { expect } from "vitest";
import { brokenRules } from "../http/answers.ts";
import { type BotClient, exchange, KNOWLEDGE, type Reply, SEARCH } from "../http/client.ts";
import { expectResults } from "../http/lines.ts";

/** Any text JSON can carry, also with surrogates that have lost their other half. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "abc",
    "\ud800",
    "x\udfff",
    "\u0000",
    "😀",
    "__proto__",
    "constructor",
    "a.b.c",
    "https://example.org/",
    "EXTERNAL",
    "active",
  ),
);
const anything = fc.oneof({ weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) }, { weight: 1, arbitrary: text });
/** Mostly what belongs there, sometimes anything. */
const mostly = <T>(right: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: anything });

const metadata = mostly(fc.dictionary(text, mostly(fc.oneof(text, fc.double(), fc.boolean())), { maxKeys: 5 }));
const activeOn = mostly(
  fc.array(mostly(fc.record({ agent: text, channel: text }, { requiredKeys: ["channel"] })), { maxLength: 3 }),
);
const articleLike = fc.record(
  {
    title: mostly(text),
    body: mostly(text),
    metadata,
    source: mostly(fc.webUrl()),
    activeOn,
    strict: mostly(fc.boolean()),
    id: anything,
    extra: anything,
  },
  { requiredKeys: [] },
);
const field = fc.oneof(
  fc.constantFrom("type", "status", "url", "resourceDocId", "metaData.title", "metaData.a.b"),
  text,
);
const operators = fc.dictionary(
  fc.oneof(
    fc.constantFrom("eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists", "contains", "startsWith"),
    text,
  ),
  mostly(fc.oneof(text, fc.double(), fc.boolean(), fc.constant("2024-02-29"), fc.array(text, { maxLength: 3 }))),
  { maxKeys: 3 },
);
const { filters } = fc.letrec<{ filters: unknown; group: unknown }>((tie) => ({
  group: fc.record(
    { and: fc.array(tie("filters"), { maxLength: 3 }), or: mostly(fc.array(tie("filters"))), not: tie("filters") },
    { requiredKeys: [] },
  ),
  filters: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.dictionary(field, mostly(fc.oneof(text, fc.double(), fc.boolean(), operators)), { maxKeys: 4 }),
    tie("group"),
  ),
}));
const searchLike = fc.record(
  {
    query: mostly(text),
    filters: mostly(filters),
    options: mostly(
      fc.record(
        {
          topK: mostly(fc.integer({ min: -2, max: 200 })),
          includeFaqs: mostly(fc.boolean()),
          includeContent: mostly(fc.boolean()),
          onlyActiveIntents: mostly(fc.boolean()),
          context: mostly(fc.constantFrom("none", "passage", "section", "page")),
          contextCharacters: mostly(fc.integer({ min: -2, max: 30_000 })),
          offset: mostly(fc.integer({ min: -2, max: 120 })),
          minScore: mostly(fc.double({ min: -0.5, max: 1.5 })),
          extra: anything,
        },
        { requiredKeys: [] },
      ),
    ),
    extra: anything,
  },
  { requiredKeys: [] },
);

/** A 200 or a well-formed 400; returns whether it was accepted. */
function expectPromised(reply: Reply<unknown>): boolean {
  expect([200, 400], reply.text).toContain(reply.status);
  if (reply.status === 400) brokenRules(reply);
  return reply.status === 200;
}

const JSON_TYPE = { "content-type": "application/json" };

export async function expectAnyJsonIsAnswered(bot: BotClient, runs: number): Promise<void> {
  const { id } = await bot.add({ title: "Target", body: "Something to update." });
  await fc.assert(
    fc.asyncProperty(fc.oneof(articleLike, searchLike, anything), async (json) => {
      const body = JSON.stringify(json);
      const sent = { body, headers: JSON_TYPE };
      const created = await bot.send<{ data: { id: string } }>("POST", KNOWLEDGE, sent);
      if (expectPromised(created)) {
        const listed = await bot.list({ id: created.json.data.id });
        expect(listed.json.data).toEqual([{ ...created.json.data, status: expect.any(String) }]);
        expect((await bot.remove(created.json.data.id)).status).toBe(200);
      }
      expectPromised(await bot.send("PUT", `${KNOWLEDGE}/${id}`, sent));
      const found = await bot.send("POST", SEARCH, sent);
      if (expectPromised(found)) expect(Array.isArray(found.json)).toBe(true);
    }),
    { numRuns: runs },
  );
}

export async function expectAnyBytesAreAnswered(bot: BotClient, runs: number): Promise<void> {
  const { id } = await bot.add({ title: "Target", body: "Something to update." });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((json) => Buffer.from(json)),
    fc.tuple(fc.json(), fc.nat(), fc.nat({ max: 255 })).map(([json, at, byte]) => {
      const buffer = Buffer.from(json);
      buffer[at % buffer.length] = byte;
      return buffer;
    }),
    fc
      .string({
        unit: fc.constantFrom("{", "}", "[", "]", '"', ":", ",", "\\", "u", "d", "8", "0", "1", "e", "-", " ", "null"),
        maxLength: 60,
      })
      .map((json) => Buffer.from(json)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      const sent = { body, headers: JSON_TYPE };
      for (const [method, path] of [
        ["POST", KNOWLEDGE],
        ["POST", SEARCH],
        ["PUT", `${KNOWLEDGE}/${id}`],
      ] as const) {
        expectPromised(await bot.send(method, path, sent));
      }
    }),
    { numRuns: runs },
  );
}

export async function expectAnyAddressIsAnswered(bot: BotClient, port: number, runs: number): Promise<void> {
  const fragment = fc.oneof(
    fc.constantFrom(
      "/api/v1/knowledge",
      "/api/v1",
      "/search",
      "/",
      "..",
      "//",
      "?id=",
      "&title=",
      "&",
      "=",
      "#",
      "%",
      "%00",
      "%2f",
      "%ff",
      "%F0%9F%98%80",
      "+",
      ";",
      "http://a",
      "*",
      "?",
      "\\",
      "__proto__",
    ),
    fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 10 }),
  );
  const target = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((fragments) => `/${fragments.join("")}`);
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS");
  await fc.assert(
    fc.asyncProperty(method, target, async (verb, path) => {
      const head = `${verb} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${bot.key}\r\n`;
      const answer = await exchange(port, `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
      expect(answer, `${verb} ${path}`).toMatch(/^HTTP\/1\.1 [234]\d\d /);
    }),
    { numRuns: runs },
  );
}

export async function expectAnyQueryIsAnswered(bot: BotClient, runs: number): Promise<void> {
  await bot.publish({
    title: "Harbour",
    body: "# Ferry\n\nThe ferry leaves **at noon**.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |",
  });
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.boolean(),
      async (random, about) => {
        const query = about ? `ferry ${random}` : random;
        expectResults(await bot.find(query, { options: { includeContent: true } }));
      },
    ),
    { numRuns: runs },
  );
}
