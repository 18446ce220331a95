import { readJson, ValidationError } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "../src/json.ts";
import { jsonText } from "./support/json-text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function refusalOf(input: Uint8Array): string {
  try {
    parseJsonObject(input);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    expect(error.violations).toHaveLength(1);
    expect(error.violations[0]).toMatchObject({ field: "body", type: "json" });
    return error.message;
  }
  throw new Error("it was taken");
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("parseJsonObject", () => {
  it.each([
    ["no body", new Uint8Array(), "needs a JSON object"],
    ["white space alone", bytes("  "), "not valid JSON"],
    ["a broken object", bytes('{"a":'), "not valid JSON"],
    ["two objects", bytes("{}{}"), "not valid JSON"],
    ["a comment", bytes("{} // no"), "not valid JSON"],
    ["NaN", bytes('{"a":NaN}'), "not valid JSON"],
    ["an array", bytes("[]"), "must be a JSON object"],
    ["a string", bytes('"query"'), "must be a JSON object"],
    ["null", bytes("null"), "must be a JSON object"],
    ["a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), "byte order mark"],
    ["a stray byte", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "UTF-8"],
    ["an encoded surrogate", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), "UTF-8"],
    ["an overlong slash", new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), "UTF-8"],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), "UTF-8"],
    ["a number that overflows", bytes('{"a":[1e400]}'), "too large"],
    ["a negative one", bytes('{"a":{"b":-1e999}}'), "too large"],
    ["65 levels", bytes(nested(65)), "64 levels"],
    ["65 levels of arrays", bytes(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`), "64 levels"],
    ["half a million levels", bytes(`{"a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`), "64 levels"],
    ["sixty thousand values", bytes(`{"a":[${"1,".repeat(60_000)}1]}`), "30000 keys and values"],
  ])("refuses %s", (_name, input, message) => {
    expect(refusalOf(input)).toContain(message);
  });

  it("counts no mark inside of a text", () => {
    const text = `${"[{,:".repeat(20_000)}\\"[[`;
    const body = JSON.stringify({ text, next: "]" });
    expect(parseJsonObject(bytes(body))).toEqual(JSON.parse(body));
  });

  it("takes 64 levels", () => {
    expect(parseJsonObject(bytes(nested(64)))).toEqual(JSON.parse(nested(64)));
  });

  it("takes __proto__ as a key like any other", () => {
    const parsed = parseJsonObject(bytes('{"__proto__":{"polluted":true},"constructor":1}'));
    expect(Object.keys(parsed)).toEqual(["__proto__", "constructor"]);
    expect("polluted" in parsed).toBe(false);
    expect("polluted" in {}).toBe(false);
  });

  it("gives back every object of JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const text = jsonText(value);
        expect(JSON.stringify(parseJsonObject(bytes(text)))).toBe(JSON.stringify(readJson(text)));
      }),
    );
  });

  it("takes or refuses any bytes, and never fails otherwise", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        try {
          expect(typeof parseJsonObject(input)).toBe("object");
        } catch (error) {
          expect(error).toBeInstanceOf(ValidationError);
        }
      }),
    );
  });
});
