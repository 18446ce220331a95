import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, it, vi } from "vitest";
import { OPENAPI_DOCUMENT } from "../src/openapi/document.ts";

const source = JSON.stringify(OPENAPI_DOCUMENT);

const problemsOf = async (text: string): Promise<string[]> => {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
};

it("has nothing in it that a linter warns of, its examples included", async () => {
  expect(await problemsOf(source)).toEqual([]);
  expect(await problemsOf(source.replaceAll('"code":10001', '"code":"10001"'))).not.toEqual([]);
});

it("becomes types without a warning, one operation for each", async () => {
  const said = [vi.spyOn(console, "warn"), vi.spyOn(console, "error"), vi.spyOn(console, "log")];
  const types = astToString(await openapiTS(source));
  expect(said.flatMap(({ mock }) => mock.calls)).toEqual([]);
  for (const item of Object.values(OPENAPI_DOCUMENT.paths)) {
    for (const operation of Object.values(item)) {
      if ("operationId" in operation) expect(types).toContain(`    ${operation.operationId}: {`);
    }
  }
  // What generators cannot tell the type of.
  expect(types).not.toContain("@enum {unknown}");
  // Objects that nothing fits, and options that all have to be given.
  expect(types).not.toMatch(
    /article: Record<string, never>|metadata\?: Record<string, never>|metaData: Record<string, never>/,
  );
  expect(types).toContain("topK?: number");
  expect(types).toContain("includeContent?: boolean");
  vi.restoreAllMocks();
});
