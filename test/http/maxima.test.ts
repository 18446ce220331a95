import { REQUEST_BODY_BYTES_MAX } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { bodySchemas, maximaOf, SAMPLE_TEXT } from "./request-shapes.ts";
import { sharedService } from "./service.ts";

const service = sharedService({ hasAdmin: true });
const ADMIN = "/api/v1/admin/";
/** One admin key for all tests. */
let adminKey: Promise<string> | undefined;

/** What has no maximum of its own: a body that holds more is a 413, and the address and headers with more a 431. */
const BY_THE_BODY = new Set([
  // As long as a request: its characters are charged.
  "POST /api/v1/knowledge body string",
  "PUT /api/v1/knowledge/{id} body string",
  "POST /api/v1/knowledge/preview body string",
  // Cut off after the characters of the longest query.
  "POST /api/v1/retrieval query string",
  // Compared with two names, and kept nowhere.
  "POST /api/v1/retrieval knowledge_id string",
  // As long as a request, as those of the API.
  "POST /api/v1/admin/bots/{bot}/articles body string",
  "PUT /api/v1/admin/bots/{bot}/articles/{id} body string",
  "POST /api/v1/admin/bots/{bot}/articles/preview body string",
  // One of a few names, which it is compared with.
  "POST /api/v1/admin/bots embedder string",
  "PUT /api/v1/admin/bots/{bot} embedder string",
]);
/** Numbers that a larger one is taken as, or that are nothing but a value. */
const ANY_NUMBER = /(?:options\.topK|retrieval_setting\.top_k|metadata\.k|\.gain) number$/;
/** Filters have rules of their own. */
const FILTERS = /(?: filters|options\.filters|metadata_condition)/;

/** The rules by which a value beyond each maximum is refused. */
const RULES = {
  maxLength: ["maxLength"],
  // A range of lines is two numbers, or it is none.
  maxItems: ["maxItems", "lines"],
  maxProperties: ["maxItems", "maxProperties"],
  propertyNames: ["maxLength"],
  // Beyond the whole numbers that are exact, none is one.
  maximum: ["range", "integer", "lines"],
} as const;

const SHAPES = bodySchemas();

/** Any key that an operation may need. */
async function headersFor(path: string, key: string) {
  adminKey ??= service().engine.administration.addKey("maxima");
  const sent = path.startsWith(ADMIN) ? await adminKey : key;
  return { "x-api-key": sent, authorization: `Bearer ${sent}` };
}

describe("every string, list, name and number of a request", () => {
  it("is found by the walk through the description", () => {
    const count = SHAPES.reduce((sum, [, schema]) => sum + maximaOf(schema).maxima.length, 0);
    expect([SHAPES.length, count > 30]).toEqual([29, true]);
  });

  it.each(SHAPES)("has a maximum in %s", (operation, schema) => {
    const without = maximaOf(schema).unbounded.map((place) => `${operation} ${place}`);
    expect(
      without.filter((place) => !BY_THE_BODY.has(place) && !ANY_NUMBER.test(place) && !FILTERS.test(place)),
    ).toEqual([]);
  });

  it.each(SHAPES)("is refused one beyond it in %s", async (operation, schema) => {
    const bot = await service().bot();
    const { id } = await bot.add({ title: "Maxima", body: "Of a request." });
    const [method = "", path = ""] = operation.split(" ");
    const headers = await headersFor(path, bot.key);
    for (const { field, rule, beyond } of maximaOf(schema).maxima) {
      if (FILTERS.test(` ${field}`)) continue;
      const reply = await service().send<Refused>(method, path.replace("{id}", id).replace("{bot}", bot.id), {
        json: ofArticle(beyond, id),
        headers,
      });
      const told = `${operation} ${field} ${rule}: ${reply.status} ${reply.text.slice(0, 300)}`;
      expect(reply.status, told).toBe(400);
      // Dify is told in a form of its own, in one sentence.
      if (operation.endsWith("/retrieval")) {
        expect(reply.text).toContain(`${field} must`);
        continue;
      }
      const types = reply.json.data?.result.filter((each) => isOf(each.field, field)).map(({ type }) => type) ?? [];
      expect(
        types.some((type) => RULES[rule].some((known) => known === type)),
        told,
      ).toBe(true);
    }
  });

  it("is bounded by the request where it has none of its own", async () => {
    const bot = await service().bot();
    const long = "x".repeat(REQUEST_BODY_BYTES_MAX);
    for (const place of BY_THE_BODY) {
      const [method = "", path = "", field = ""] = place.split(" ");
      const { id } = await bot.add({ title: "Maxima", body: "Of a request." });
      const target = path.replace("{id}", id).replace("{bot}", bot.id);
      const headers = await headersFor(path, bot.key);
      const reply = await service().send(method, target, { json: { [field]: long }, headers });
      expect(reply.status, place).toBe(413);
    }
    const headers = await headersFor("", (await service().bot()).key);
    const far = await service().send("GET", `/api/v1/knowledge?title=${"x".repeat(16_384)}`, { headers });
    expect(far.status).toBe(431);
  });
});

interface Refused {
  readonly data?: { readonly result: readonly { readonly field: string; readonly type: string }[] };
}

/** A body that names an article names this one. */
function ofArticle(body: unknown, id: string): unknown {
  const isNamed = typeof body === "object" && body !== null && "id" in body && body.id === SAMPLE_TEXT;
  return isNamed ? { ...body, id } : body;
}

/** Rules of an entry are told at the entry or at its list. */
function isOf(told: string, field: string): boolean {
  return told === field || field.startsWith(`${told}.`) || told.startsWith(field);
}
