/** The law of tenancy: whatever the holders of one bot's keys send, they learn nothing of another bot, and change nothing of it. */

import type { Article } from "@loredex/core";
import fc from "fast-check";
import { expect } from "vitest";
import { expectRefused } from "../http/answers.ts";
import {
  type BotClient,
  KNOWLEDGE,
  type ListReply,
  type Reply,
  SEARCH,
  type Sent,
  SUGGEST,
  USAGE,
} from "../http/client.ts";
import type { Service } from "../http/service.ts";
import { count } from "../support/counts.ts";

/** What is sent as the key: what opens all, what opens the search alone, and what opens nothing. */
const KEYS = ["default", "bearer", "added", "search", "revoked", "rotated", "unknown", "none", "both"] as const;
type KeyKind = (typeof KEYS)[number];
const OPENS_ALL: ReadonlySet<KeyKind> = new Set(["default", "bearer", "added"]);

const ACTIONS = [
  "search",
  "searchById",
  "searchByMetadata",
  "query",
  "suggest",
  "list",
  "listById",
  "listByTitle",
  "listByMetadata",
  "listPage",
  "listSorted",
  "get",
  "getTagged",
  "create",
  "createOnce",
  "update",
  "updateTagged",
  "delete",
  "preview",
  "previewUpdate",
  "batch",
  "usage",
  "feedback",
] as const;

interface Step {
  readonly side: 0 | 1;
  readonly key: KeyKind;
  readonly action: (typeof ACTIONS)[number];
  /** Of whose articles the id, the tag or the place in the list is that is sent. */
  readonly of: "own" | "other";
  readonly number: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  side: fc.constantFrom(0, 1),
  key: fc.oneof({ weight: 3, arbitrary: fc.constant("default" as const) }, fc.constantFrom(...KEYS)),
  action: fc.oneof(fc.constantFrom(...ACTIONS), fc.constantFrom("create", "update", "search")),
  of: fc.constantFrom("own", "other"),
  number: fc.nat({ max: 9 }),
});

const QUERY = `${KNOWLEDGE}/query`;
const FEEDBACK = `${KNOWLEDGE}/feedback`;

/** With nothing found; or, by a batch, for each of its parts. */
const ANSWERED_TO_FOREIGN_IDS: ReadonlySet<string> = new Set(["searchById", "listById", "listPage", "batch"]);

const JSON_QUERY = { options: { topK: 100, includeContent: true } };
const QUOTA_CHARACTERS = 1_000_000;

/** A bot, with what is known of it from outside of the API. */
class Side {
  readonly bot: BotClient;
  /** Stands in every text of this bot, and in none of the other's. */
  readonly word: string;
  readonly keys: Readonly<Record<KeyKind, Readonly<Record<string, string>>>>;
  /** Of all articles that it ever had. */
  readonly ids = new Set<string>();
  articles: readonly Article[] = [];
  /** The `x-request-id` of a search in its question log. */
  get asked(): string {
    return `${this.word}-asked`;
  }

  /** What it is answered with when it lists and finds all that it has. */
  seen = "";

  constructor(bot: BotClient, word: string, keys: Side["keys"]) {
    this.bot = bot;
    this.word = word;
    this.keys = keys;
  }

  async all(): Promise<{ readonly listed: Reply<ListReply>; readonly found: Reply<unknown> }> {
    const listed = await this.bot.list();
    return { listed, found: await this.bot.search({ query: "harbour ferry", ...JSON_QUERY }) };
  }

  /** Looks at what it has now. */
  async look(): Promise<void> {
    this.articles = await this.bot.allActive();
    const { listed, found } = await this.all();
    this.seen = listed.text + found.text;
    for (const { id } of this.articles) this.ids.add(id);
  }

  get characterUsed(): number {
    return this.articles.reduce((sum, { characterCount }) => sum + characterCount, 0);
  }
}

async function makeSides(service: Service): Promise<readonly [Side, Side]> {
  const limits = { quotaCharacters: QUOTA_CHARACTERS };
  const [one, other] = [await service.bot(limits), await service.bot(limits)];
  const sides = [
    [one, other, "quokka"],
    [other, one, "walrus"],
  ] as const;
  const rotated = { [one.id]: one.key, [other.id]: other.key };
  const fresh = {
    [one.id]: one.with(await service.engine.rotateKey(one.id)),
    [other.id]: other.with(await service.engine.rotateKey(other.id)),
  };
  const made = await Promise.all(
    sides.map(async ([{ id }, { id: otherId }, word]) => {
      const [bot, neighbour] = [fresh[id], fresh[otherId]];
      if (bot === undefined || neighbour === undefined) throw new Error("there are two bots");
      const added = await service.engine.addKey(id, "added");
      const search = await service.engine.addKey(id, "search", { scope: "search" });
      const revoked = await service.engine.addKey(id, "revoked");
      await service.engine.revokeKey(id, "revoked");
      const side = new Side(bot, word, {
        default: { "x-api-key": bot.key },
        bearer: { authorization: `Bearer ${bot.key}` },
        added: { "x-api-key": added },
        search: { "x-api-key": search },
        revoked: { "x-api-key": revoked },
        rotated: { "x-api-key": rotated[id] ?? "" },
        unknown: { "x-api-key": `${bot.key.slice(0, -1)}${bot.key.endsWith("0") ? "1" : "0"}` },
        none: {},
        both: { "x-api-key": bot.key, authorization: `Bearer ${neighbour.key}` },
      });
      await service.engine.updateBot(id, { questionLog: true });
      await bot.add(articleOf(side, 0));
      const headers = { "x-api-key": bot.key, "x-request-id": side.asked };
      await service.send("POST", SEARCH, { json: { query: "ferry" }, headers });
      await side.look();
      return side;
    }),
  );
  const [first, second] = made;
  if (first === undefined || second === undefined) throw new Error("there are two bots");
  return [first, second];
}

/** Titles, metadata and keys of creates are the same for both: only the words of the body tell whose it is. */
function articleOf({ word }: Side, number: number) {
  return {
    title: `Article ${number % 3}`,
    body: `The ${word} waits at the harbour for ferry ${number}.`,
    metadata: { externalId: `e${number % 3}` },
    source: "https://example.org/harbour",
  };
}

/** What the step asks for. */
async function requestOf(me: Side, them: Side, { action, of, number }: Step): Promise<[string, string, Sent]> {
  const whose = of === "own" ? me : them;
  const ids = [...whose.ids];
  const id = ids[number % ids.length] ?? "";
  const path = `${KNOWLEDGE}/${id}`;
  const article = articleOf(me, number);
  const query = `harbour ${them.word} ${me.word}`;
  const tag = async () => (await whose.bot.send("GET", path)).headers.get("etag") ?? '"x"';
  switch (action) {
    case "search":
      return ["POST", SEARCH, { json: { query, ...JSON_QUERY } }];
    case "searchById":
      return ["POST", SEARCH, { json: { query, filters: { resourceDocId: id }, ...JSON_QUERY } }];
    case "searchByMetadata":
      return ["POST", SEARCH, { json: { query, filters: { "metaData.externalId": `e${number % 3}` }, ...JSON_QUERY } }];
    case "query": {
      const options = { facets: ["resourceDocId", "metaData.title"], groupBy: "metaData.externalId" };
      return ["POST", QUERY, { json: { query, options } }];
    }

    case "suggest":
      return ["POST", SUGGEST, { json: { prefix: "article", limit: 20 } }];
    case "list":
      return ["GET", KNOWLEDGE, {}];
    case "listById":
      return ["GET", `${KNOWLEDGE}?id=${id}`, {}];
    case "listByTitle":
      return ["GET", `${KNOWLEDGE}?title=Article%20${number % 3}`, {}];
    case "listByMetadata":
      return ["GET", `${KNOWLEDGE}?metadata.externalId=e${number % 3}`, {}];
    case "listSorted":
      return ["GET", `${KNOWLEDGE}?sort=title:desc`, {}];
    case "listPage": {
      const page = await whose.bot.send<{ next?: string }>("GET", `${KNOWLEDGE}?limit=1`);
      const after = page.json.next === undefined ? "" : `&after=${encodeURIComponent(page.json.next)}`;
      return ["GET", `${KNOWLEDGE}?limit=2${after}`, {}];
    }
    case "get":
      return ["GET", path, {}];
    case "getTagged":
      return ["GET", path, { headers: { "if-none-match": await tag() } }];
    case "create":
      return ["POST", KNOWLEDGE, { json: article }];
    case "createOnce":
      return ["POST", KNOWLEDGE, { json: article, headers: { "idempotency-key": `k${number % 3}` } }];
    case "update":
      return ["PUT", path, { json: { body: article.body } }];
    case "updateTagged":
      return ["PUT", path, { json: { body: article.body }, headers: { "if-match": await tag() } }];
    case "delete":
      return ["DELETE", path, {}];
    case "preview":
      return ["POST", `${KNOWLEDGE}/preview`, { json: article }];
    case "previewUpdate":
      return ["POST", `${KNOWLEDGE}/preview`, { json: { id, ...article } }];
    case "usage":
      return ["GET", USAGE, {}];
    case "feedback":
      return ["POST", FEEDBACK, { json: { requestId: whose.asked, helpful: number % 2 === 0, comment: `c${number}` } }];
    case "batch": {
      const operations = [
        { op: "upsert", by: "externalId", article },
        { op: "update", id, article: { body: article.body } },
        { op: "delete", id },
        { op: "create", article },
      ];
      return ["POST", `${KNOWLEDGE}/batch`, { json: { operations } }];
    }
  }
}

/** Nothing in an answer, its headers included, is the other bot's, but for the ids that were sent. */
function expectNothingOf(them: Side, sent: string, reply: Reply<unknown>): void {
  count("answers looked through for another bot's text, ids and counts");
  const told = JSON.stringify([...reply.headers]) + reply.text;
  expect(told).not.toContain(them.word);
  expect([...them.ids].filter((id) => told.includes(id) && !sent.includes(id))).toEqual([]);
}

async function expectKept(service: Service, me: Side, them: Side, step: Step): Promise<void> {
  const [method, path, more] = await requestOf(me, them, step);
  const headers = { ...me.keys[step.key], ...more.headers };
  const theirs = step.action === "feedback" ? await feedbackOf(service, them) : "";
  const reply = await service.send(method, path, { ...more, headers });
  const sent = path + JSON.stringify(more.json ?? "");
  expectNothingOf(them, sent, reply);
  const isForeign = [...them.ids].some((id) => sent.includes(id));
  if (!OPENS_ALL.has(step.key) && step.key !== "search") expectRefused(reply, 401, 10001);
  else if (step.key === "search" && ![SEARCH, QUERY, SUGGEST, FEEDBACK].includes(path))
    expectRefused(reply, 403, 10002);
  else if (step.action === "feedback" && step.of === "other") expectRefused(reply, 404, 20008);
  else if (step.action === "feedback") expect(reply.status, reply.text).toBe(200);
  else if (isForeign && ANSWERED_TO_FOREIGN_IDS.has(step.action)) expect(reply.status, reply.text).toBe(200);
  else if (isForeign) expectRefused(reply, 404, 20001);
  else expect([200, 304, 404, 409, 412], reply.text).toContain(reply.status);

  if (step.action === "feedback") expect(await feedbackOf(service, them)).toBe(theirs);
  await me.look();
  const { listed, found } = await them.all();
  expectNothingOf(me, "", listed);
  expectNothingOf(me, "", found);
  expect(listed.text + found.text).toBe(them.seen);
  const { json } = await me.bot.send<{ data: { characterLeft: number; charge: number } }>(
    "POST",
    `${KNOWLEDGE}/preview`,
    { json: articleOf(me, step.number) },
  );
  expect(json.data.characterLeft + json.data.charge).toBe(QUOTA_CHARACTERS - me.characterUsed);
  const { characterUsed, documents } = (await me.bot.usage()).json.data;
  expect([characterUsed, documents.EXTERNAL]).toEqual([me.characterUsed, me.articles.length]);
}

/** The feedback in a bot's question log. */
async function feedbackOf(service: Service, { bot, asked }: Side): Promise<string> {
  const rows = await (await service.engine.insights(bot.id)).questions({ limit: 1_000 });
  return JSON.stringify(rows.find(({ requestId }) => requestId === asked)?.feedback ?? "none");
}

/** Two bots whose holders send everything there is, with every kind of key, again and again. */
export async function expectNothingCrosses(service: Service, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: "max" }), async (steps) => {
      const sides = await makeSides(service);
      for (const each of steps) {
        const [one, other] = sides;
        const [me, them] = each.side === 0 ? [one, other] : [other, one];
        await expectKept(service, me, them, each);
      }
    }),
    { numRuns },
  );
}
