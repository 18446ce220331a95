import { ValidationError } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "../src/json.ts";
import { jsonText } from "./support/json-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** What is refused of a body, or nothing. */
function duplicatesIn(text: string): string[] {
  try {
    parseJsonObject(bytes(text));
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.violations.map(({ field, type }) => `${field} ${type}`);
  }
}

describe("a key that is there twice", () => {
  it.each([
    ['{"title":1,"title":2}', ["title"]],
    ['{"a":1,"\\u0061":2}', ["a"]],
    ['{"a\\"b":1,"a\\u0022b":2}', ['a"b']],
    ['{"__proto__":1,"__proto__":{}}', ["__proto__"]],
    ['{"":1,"":2}', [""]],
    ['{"a":{"b":[0,{"c":1,"c":{}}]}}', ["a.b.1.c"]],
    ['{"a":[1,[2,{"b":1}],{"b":"x,:{[","b":2}]}', ["a.2.b"]],
    ['{"a":1,"a":2,"a":3,"b":{"a":1},"b":{"c":1,"c":1}}', ["a", "b", "b.c"]],
    ['{"a":{"x":1},"a":{"x":1}}', ["a"]],
  ])("is refused by its field: %s", (text, fields) => {
    expect(duplicatesIn(text)).toEqual(fields.map((field) => `${field} duplicateKey`));
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1,\\"a\\":2","b":":,{}[]"}',
    '{"a":1,"A":2,"a ":3,"\\u00e4":4,"a\\u0308":5}',
  ])("is not seen where there is none: %s", (text) => {
    expect(duplicatesIn(text)).toEqual([]);
  });

  it("is found in any JSON, and only there", () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const key = fc.constantFrom("a", "b", "__proto__", "", '"', "\\", "é", "\u0061\n");
    const entries = fc.array(fc.tuple(key, value, fc.boolean()), { maxLength: 8 });
    const written = (text: string, isEscaped: boolean) =>
      isEscaped && text !== ""
        ? `"${[...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
        : JSON.stringify(text);
    fc.assert(
      fc.property(entries, (pairs) => {
        const members = pairs.map(([name, inner, isEscaped]) => `${written(name, isEscaped)}:${jsonText(inner)}`);
        const names = pairs.map(([name]) => name);
        const twice = names.filter((name, i) => names.indexOf(name) !== i);
        const expected = [...new Set(twice)].map((name) => `outer.1.${name} duplicateKey`).sort();
        expect(duplicatesIn(`{"outer":[{}, { ${members.join(" , ")} }]}`).sort()).toEqual(expected);
      }),
    );
  });

  it("names the first hundred and counts the others, whatever they are called", () => {
    const long = "k".repeat(100_000);
    const pairs = Array.from({ length: 5_000 }, (_, i) => `"k${i}":1,"k${i}":2`).join(",");
    try {
      parseJsonObject(bytes(`{"${long}":{${pairs}}}`));
      expect.fail("it was taken");
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      expect([error.violations.length, error.count]).toEqual([100, 5_000]);
      for (const { field } of error.violations) expect(field.length).toBeLessThan(1_100);
    }
  });
});
