import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { hasEscapedKey, readByKeys, readJson } from "../../src/platform/read-json.ts";

const key = fc.oneof(
  fc.constantFrom("a", "b", "\\", "\\u", '"', "\n", "ab\\", "价格", "ab\n", "__proto__", "", "7", 'a"b\\'),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const scalar = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, fc.constant(null), fc.array(tie("value")), tie("object")),
  object: fc
    .uniqueArray(fc.tuple(key, tie("value")), { selector: ([name]) => name, maxLength: 5 })
    .map((members) => Object.fromEntries(members)),
}));

/** As clients write it that send nothing but ASCII, with spaces where they may be. */
function inAscii(written: unknown): string {
  return JSON.stringify(written, undefined, 1).replaceAll(
    /[^\0-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const hasEscape = (read: unknown): boolean =>
  typeof read === "object" &&
  read !== null &&
  Object.entries(read).some(
    ([name, inner]) => (!Array.isArray(read) && JSON.stringify(name) !== `"${name}"`) || hasEscape(inner),
  );

describe("JSON", () => {
  it("has the keys that are written, whatever was read before", () => {
    for (const [before, written] of [
      ['{"a":0,"\\\\":1}', '{"a":0,"\\n":1}'],
      ['{"b":0,"\\\\u":1}', '{"b":0,"\\u4ef7\\u683c":1}'],
      ['{"c":0,"gr\\\\u0":1}', '{"c":0,"gr\\u00f6\\u00dfe":1}'],
      ['[{"d":{"\\\\":1}}]', '[{"d":{"\\"" : 1}}]'],
    ] as const) {
      JSON.parse(before);
      expect(inAscii(readJson(written))).toBe(inAscii(readByKeys(written)));
      expect(inAscii(readJson(before))).toBe(inAscii(readByKeys(before)));
    }
    expect(Object.keys(readJson('{"b":0,"\\u4ef7\\u683c":1}') ?? {})).toEqual(["b", "价格"]);
  });

  it("is read the same key by key, whatever it is", () => {
    fc.assert(
      fc.property(value, (meant) => {
        for (const text of [JSON.stringify(meant), JSON.stringify(meant, undefined, "\t"), inAscii(meant)]) {
          // What is compared is written: a `__proto__` must be a key of its own, and keys have an order.
          expect(JSON.stringify(readByKeys(text))).toBe(JSON.stringify(meant));
          expect(JSON.stringify(readJson(text))).toBe(JSON.stringify(meant));
        }
        expect(hasEscapedKey(JSON.stringify(meant))).toBe(hasEscape(meant));
      }),
      { numRuns: lawRuns(4_000) },
    );
  });

  it("of any depth is read, and of two equal keys the last holds", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(Array.isArray(readByKeys(deep))).toBe(true);
    expect(readByKeys('{"a":1,"b":2,"\\u0061":3}')).toEqual({ a: 3, b: 2 });
  });

  it("that is none is refused", () => {
    for (const text of ["", "{", '{"a":1,}', '"\n"']) expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
