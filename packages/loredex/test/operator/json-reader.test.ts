import { readJson } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { JsonReader } from "../../src/operator/json-reader.ts";

const SOUND = fc.jsonValue({ stringUnit: "binary" }).map((value) => JSON.stringify(value));
const SPACED = fc.jsonValue({ stringUnit: "grapheme" }).map((value) => JSON.stringify(value, undefined, "\t"));
/** A JSON text with something in it that does not belong there, or without a part of it. */
const BROKEN = fc
  .tuple(
    SOUND,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom("", '"', ",", "[", "}", "\\", "1e", ":", "nul", "\u0001", "\uFEFF"),
  )
  .map(([text, at, removed, put]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + removed);
  });
const ESCAPES = fc
  .array(fc.constantFrom("\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\\\", '\\"', "\\n", "é😀", "\\u12", "\\x", "a"))
  .map((units) => `["${units.join("")}"]`);

/** In pieces of these lengths, again and again; all at once without any. */
function readIn(bytes: Uint8Array, lengths: readonly number[]): unknown {
  const reader = new JsonReader();
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? bytes.length;
    reader.write(bytes.subarray(at, at + length));
    at += length;
  }
  return reader.end();
}

function orRefused(read: () => unknown): { readonly value: unknown } | "refused" {
  try {
    return { value: read() };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return "refused";
  }
}

describe("a JSON text that comes in pieces", () => {
  it("says what it says at once, or is refused as it is at once", () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.oneof(SOUND, SPACED, BROKEN, ESCAPES), cuts, (text, lengths) => {
        const bytes = Buffer.from(text);
        const whole = orRefused(() => readJson(bytes.toString("utf8")));
        expect(orRefused(() => readIn(bytes, lengths))).toEqual(whole);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it("keeps every key its own, and of a key that comes twice the last value", () => {
    const text = '{"a":1,"__proto__":{"b":[]},"a":{"":null}}';
    const read = readIn(Buffer.from(text), [3]);
    expect(JSON.stringify(read)).toBe(JSON.stringify(readJson(text)));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it("reads bytes that are no text as they have always been read", () => {
    const bytes = Buffer.from([34, 0xff, 97, 0xe2, 0x82, 34]);
    expect(readIn(bytes, [1])).toBe(JSON.parse(bytes.toString("utf8")));
  });

  it("may be as deep as it likes", () => {
    const text = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    let depth = 0;
    for (let at = readIn(Buffer.from(text), [1_000]); Array.isArray(at); [at] = at) depth++;
    expect(depth).toBe(100_000);
  });
});
