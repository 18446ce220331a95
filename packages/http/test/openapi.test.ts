import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { ADMIN_OPERATIONS } from "../src/admin/table.ts";
import { OPENAPI_DOCUMENT } from "../src/openapi/document.ts";
import { routesWith } from "../src/routes/table.ts";
import { SECURITY_HEADERS } from "../src/security-headers.ts";
import { call } from "./support/client.ts";
import { faultsOf } from "./support/described.ts";
import { FakeEngine } from "./support/fake-engine.ts";
import { isObject } from "./support/is-object.ts";
import { serve } from "./support/server.ts";

const METHODS = new Set(["get", "post", "put", "delete"]);

function operations(): string[] {
  return Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((name) => METHODS.has(name))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Every `$ref` below a node. */
function references(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(references);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === "$ref" ? [String(value)] : references(value)));
}

describe("the OpenAPI description", () => {
  it("describes every route and no other, but for what leads to one", () => {
    const { all, described } = routesWith({ docs: true });
    expect(all.filter((route) => !described.includes(route)).map(({ path }) => path)).toEqual(["/", "/docs/"]);
    const ofRoutes = described.flatMap(({ path, handlers }) =>
      Object.keys(handlers).map((method) => ({ method, path })),
    );
    const served = [...ofRoutes, ...ADMIN_OPERATIONS].map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(operations().sort()).toEqual(served.sort());
  });

  it("refers only to schemas, answers and headers that it has, and to each of them", () => {
    const named = new Set(references(OPENAPI_DOCUMENT));
    const { schemas, responses, headers } = OPENAPI_DOCUMENT.components;
    const present = Object.entries({ schemas, responses, headers }).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...named].sort()).toEqual(present.sort());
  });

  it("has each refusal once: operations refer to it, but for those whose refusals have another form", () => {
    const inline = Object.entries(OPENAPI_DOCUMENT.paths).flatMap(([path, item]) =>
      Object.values(item).flatMap((operation) =>
        Object.entries("responses" in operation ? operation.responses : {}).flatMap(([status, answer]) =>
          Number(status) < 400 || (isObject(answer) && "$ref" in answer) ? [] : [path],
        ),
      ),
    );
    expect([...new Set(inline)]).toEqual(["/api/v1/retrieval", "/ready"]);
    const { responses } = OPENAPI_DOCUMENT.components;
    const texts = Object.values(responses).map((answer) => JSON.stringify(answer));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("names every type and status that a filter can find, and refuses no other", () => {
    const { SearchFilter } = OPENAPI_DOCUMENT.components.schemas;
    for (const value of [...DOCUMENT_TYPES, ...DOCUMENT_STATUSES]) expect(SearchFilter.description).toContain(value);
    expect(SearchFilter.additionalProperties.anyOf).toContainEqual({
      type: ["string", "number", "boolean"],
      maxLength: 10_000,
    });
  });

  it("has the operators and the groups of filters, with their maxima", () => {
    const { SearchFilter, FieldFilter } = OPENAPI_DOCUMENT.components.schemas;
    const operators = ["eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "exists", "contains", "startsWith"];
    expect(Object.keys(FieldFilter.properties)).toEqual(operators);
    expect(FieldFilter.properties.in).toMatchObject({ minItems: 1, maxItems: 1_000 });
    expect(FieldFilter.properties.contains).toMatchObject({ minLength: 1, maxLength: 10_000 });
    expect(SearchFilter.properties.and).toMatchObject({ minItems: 1, maxItems: 50 });
    const names = new RegExp(SearchFilter.propertyNames.pattern, "u");
    const known = ["and", "or", "not", "type", "metaData.a", "metaData.a.b", "metaData..a"];
    expect(known.filter((name) => !names.test(name))).toEqual([]);
    expect(["And", "nor", "metaData", "metaData.", "title"].filter((name) => names.test(name))).toEqual([]);
  });

  it.each(["/openapi.json", "/api/v1/openapi.json"])("is served at %s without a key", async (path) => {
    const { url } = await serve(new FakeEngine());
    const answer = await call(url, "GET", path, { key: null });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(OPENAPI_DOCUMENT)));
    expect(answer.json).toMatchObject({ openapi: "3.1.0" });
  });
});

describe("the check of answers against it", () => {
  const ID = { ...SECURITY_HEADERS, "x-request-id": "1", "content-type": "application/json; charset=utf-8" };
  const refusal = (code: number, status = 401) =>
    JSON.stringify({ success: false, error: { message: "no", code, status } });
  const check = (status: number, text: string, headers: Record<string, string> = {}, target = "/api/v1/knowledge") =>
    faultsOf("GET", target, { status, text, headers: new Headers({ ...ID, ...headers }) }).map(
      (fault) => /: (.*); it was/.exec(fault)?.[1],
    );

  it("finds what is missing, unknown, of another type or of another operation", () => {
    const challenge = { "www-authenticate": "ApiKey, Bearer" };
    expect(check(401, refusal(10001), challenge)).toEqual([]);
    expect(check(401, refusal(10001))).toEqual(["the header www-authenticate is missing"]);
    expect(check(401, refusal(10001), { ...challenge, "x-request-id": "" })).toContain("x-request-id is missing");
    expect(check(401, refusal(10002), challenge)).toEqual(["/error/code must be equal to constant"]);
    expect(check(422, refusal(30001, 422))).toEqual(["422 is not described"]);
    expect(check(200, "text", { "content-type": "text/plain" })).toEqual(["200 as text/plain is not described"]);
    expect(check(503, refusal(50001, 503), { "retry-after": "soon" })).toEqual(["the header retry-after is soon"]);
    const more = { success: "yes", data: [{ id: "x" }], more: 0 };
    expect(check(200, JSON.stringify(more))).toEqual(
      expect.arrayContaining([
        "the body must NOT have additional properties",
        "/success must be equal to constant",
        "/data/0 must have required property 'title'",
        '/data/0/id must match pattern "^[0-9a-f]{24}$"',
      ]),
    );
  });

  it("knows what a refusal looks like where there is no operation", () => {
    expect(check(404, refusal(20002, 404), {}, "/nowhere")).toEqual([]);
    expect(check(404, "{}", {}, "/nowhere")).not.toEqual([]);
    expect(check(200, "{}", {}, "/nowhere")).toContain("200 is not described");
    expect(check(405, refusal(20003, 405), {}, "/nowhere")).toEqual(["405 must have Allow"]);
  });
});
