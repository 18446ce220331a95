import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ALL_OPTIONS } from "../../src/commands/all.ts";
import { keyOf, settable } from "../../src/configuration/option.ts";
import { configSchema } from "../../src/configuration/schema.ts";

const NAME = "loredex.config.schema.json";

it("the schema that is shipped is that of the options: npm run write-settings", () => {
  expect(JSON.parse(readFileSync(new URL(`../../${NAME}`, import.meta.url), "utf8"))).toEqual(
    configSchema(ALL_OPTIONS),
  );
});

it("the schema has every setting that a file may have, and no other", () => {
  const { properties, additionalProperties } = JSON.parse(
    readFileSync(new URL(`../../${NAME}`, import.meta.url), "utf8"),
  );
  expect(additionalProperties).toBe(false);
  expect(Object.keys(properties)).toEqual(["$schema", ...settable(ALL_OPTIONS, "file").map(keyOf)]);
  expect(properties).toMatchObject({
    port: { type: "integer", minimum: 0, maximum: 65_535 },
    json: { type: "boolean" },
    quality: { enum: ["best", "fast"] },
    minNdcg: { type: "number", minimum: 0, maximum: 1 },
  });
  expect(properties.yes).toBeUndefined();
});

it("the schema takes every unit of a time, and 0 where that is one", () => {
  const { properties } = JSON.parse(readFileSync(new URL(`../../${NAME}`, import.meta.url), "utf8"));
  for (const time of ["500ms", "2.5s", "30m", "6h", "1d", "10"])
    expect(time).toMatch(new RegExp(properties.every.pattern));
  expect(properties.every.exclusiveMinimum).toBe(0);
  expect(properties.drain.minimum).toBe(0);
});

it("the schema is a file of the package", () => {
  const { files, exports } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(files).toContain(NAME);
  expect(exports[`./${NAME}`]).toBe(`./${NAME}`);
});
