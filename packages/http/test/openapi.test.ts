import { DOCUMENT_STATUSES, DOCUMENT_TYPES } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { OPENAPI_DOCUMENT } from "../src/openapi/document.ts";
import { ROUTES } from "../src/routes/table.ts";
import { call } from "./support/client.ts";
import { FakeEngine } from "./support/fake-engine.ts";
import { faultsOf, isObject } from "./support/schema-check.ts";
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
  it("describes every route and no other", () => {
    const served = ROUTES.flatMap(({ path, handlers }) =>
      Object.keys(handlers).map((method) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`),
    );
    expect(operations().sort()).toEqual(served.sort());
  });

  it("refers only to schemas that it has, and to each of them", () => {
    const named = new Set(references(OPENAPI_DOCUMENT));
    const present = Object.keys(OPENAPI_DOCUMENT.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...named].sort()).toEqual(present.sort());
  });

  it("names every type and status that a filter can find, and refuses no other", () => {
    const { SearchRequest } = OPENAPI_DOCUMENT.components.schemas;
    const { description } = SearchRequest.properties.filters;
    for (const value of [...DOCUMENT_TYPES, ...DOCUMENT_STATUSES]) expect(description).toContain(value);
    expect(faultsOf({ query: "x", filters: { type: "EXTERN" } }, SearchRequest, OPENAPI_DOCUMENT)).toEqual([]);
  });

  it("is served without a key", async () => {
    const { url } = await serve(new FakeEngine());
    const answer = await call(url, "GET", "/openapi.json", { key: null });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(JSON.parse(JSON.stringify(OPENAPI_DOCUMENT)));
    expect(answer.json).toMatchObject({ openapi: "3.1.0" });
  });
});

describe("the check of answers against it", () => {
  const { Failure, Article } = OPENAPI_DOCUMENT.components.schemas;

  it("finds what is missing, unknown or of another type", () => {
    const error = { message: "no", code: 1, status: 500 };
    expect(faultsOf({ success: false, error }, Failure, OPENAPI_DOCUMENT)).toEqual([]);
    expect(faultsOf({ success: true, error: { message: 1, code: 1.5, more: 0 } }, Failure, OPENAPI_DOCUMENT)).toEqual([
      "$.success: const false",
      "$.error: required status",
      "$.error.message: type string",
      "$.error.code: type integer",
      "$.error: unknown more",
    ]);
    expect(faultsOf({ id: "x" }, Article, OPENAPI_DOCUMENT)).toContain("$.id: pattern");
  });
});
