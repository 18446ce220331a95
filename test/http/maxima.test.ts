import { REQUEST_BODY_BYTES_MAX } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { bodySchemas, maximaOf, SAMPLE_TEXT } from "./request-shapes.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

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
]);
/** Numbers that a larger one is taken as, or that are nothing but a value. */
const ANY_NUMBER = /(?:options\.topK|retrieval_setting\.top_k|metadata\.k) number$/;
/** Filters have rules of their own. */
const FILTERS = /(?: filters|metadata_condition)/;

/** The rules by which a value beyond each maximum is refused. */
const RULES = {
  maxLength: ["maxLength"],
  maxItems: ["maxItems"],
  maxProperties: ["maxItems", "maxProperties"],
  propertyNames: ["maxLength"],
  maximum: ["range"],
} as const;

/** Those of the admin API are tried beside it, in packages/http/test/admin/requests.test.ts. */
const SHAPES = bodySchemas().filter(([operation]) => !operation.includes(" /api/v1/admin/"));

describe("every string, list, name and number of a request", () => {
  it("is found by the walk through the description", () => {
    const count = SHAPES.reduce((sum, [, schema]) => sum + maximaOf(schema).maxima.length, 0);
    expect([SHAPES.length, count > 30]).toEqual([9, true]);
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
    const headers = { "x-api-key": bot.key, authorization: `Bearer ${bot.key}` };
    for (const { field, rule, beyond } of maximaOf(schema).maxima) {
      if (FILTERS.test(` ${field}`)) continue;
      const reply = await service().send<Refused>(method, path.replace("{id}", id), {
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
    const headers = { "x-api-key": bot.key, authorization: `Bearer ${bot.key}` };
    const long = "x".repeat(REQUEST_BODY_BYTES_MAX);
    for (const place of BY_THE_BODY) {
      const [method = "", path = "", field = ""] = place.split(" ");
      const { id } = await bot.add({ title: "Maxima", body: "Of a request." });
      const reply = await service().send(method, path.replace("{id}", id), { json: { [field]: long }, headers });
      expect(reply.status, place).toBe(413);
    }
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
