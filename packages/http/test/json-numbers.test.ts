import { readJson, ValidationError } from "@loredex/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonObject } from "../src/json.ts";

const parsed = (text: string) => parseJsonObject(new TextEncoder().encode(text));

/** The fields that are refused, or nothing. */
function refusedIn(text: string): string[] {
  try {
    parsed(text);
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    for (const { message } of error.violations) expect(message).toContain("as a string");
    return error.violations.map(({ field, type }) => `${field} ${type}`);
  }
}

/** A whole number in the digits of its shortest form, by another way than the product's. */
function shown(number: number): string {
  return number.toLocaleString("en-US", {
    useGrouping: false,
    maximumSignificantDigits: 17,
    roundingPriority: "lessPrecision",
  });
}

describe("a whole number that would become another", () => {
  it.each([
    ['{"metadata":{"externalId":1234567890123456781}}', ["metadata.externalId"]],
    ['{"a":9007199254740993}', ["a"]],
    ['{"a":-9007199254740993}', ["a"]],
    ['{"a":[1,{"b":[ -12345678901234567890 ]},100000000000000000001]}', ["a.1.b.0", "a.2"]],
    ['{"":99999999999999999999}', [""]],
    ['{"a":1500000000000000000000001,"b":99999999999999991611392}', ["a", "b"]],
  ])("is refused by its field: %s", (text, fields) => {
    expect(refusedIn(text)).toEqual(fields.map((field) => `${field} exactInteger`));
  });

  it.each([
    '{"a":9007199254740991,"b":-9007199254740991,"c":-0,"d":[]}',
    '{"a":9007199254740992,"b":-10000000000000000,"c":100000000000000000000,"d":1500000000000000000000000}',
    '{"a":1e20,"b":1.5E+300,"c":-9007199254740993.0,"d":0.1234567890123456789}',
    '{"a":"1234567890123456781","1234567890123456781":"\\"1234567890123456781","b":[1e20]}',
  ])("is not seen where there is none: %s", (text) => {
    expect(parsed(text)).toEqual(readJson(text));
  });

  it("is refused, and no other: what is taken comes back digit by digit", () => {
    const digits = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
    const near = fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n });
    fc.assert(
      fc.property(fc.array(fc.oneof(digits, near, fc.maxSafeInteger().map(BigInt)), { maxLength: 9 }), (numbers) => {
        const isKept = (one: bigint) => shown(Number(one)) === String(one);
        const fields = numbers.flatMap((one, i) => (isKept(one) ? [] : [`list.${i} exactInteger`]));
        const text = `{"list":[${numbers.join(",")}]}`;
        expect(refusedIn(text)).toEqual(fields);
        if (fields.length > 0) return;
        const { list } = parsed(text) as { list: number[] };
        expect(list.map(shown)).toEqual(numbers.map(String));
      }),
    );
  });

  it("is never what an answer shows: the numbers of an answer can be sent back", () => {
    const whole = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(Math.trunc),
      fc.double({ min: 2 ** 53, max: 1e22 }).map(Math.trunc),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(whole, fc.double({ noNaN: true, noDefaultInfinity: true })), { maxLength: 20 }),
        (list) => {
          const text = JSON.stringify({ list });
          expect(refusedIn(text)).toEqual([]);
          expect(JSON.stringify(parsed(text))).toBe(text);
        },
      ),
    );
  });

  it("is named the first hundred times, and counted the others", () => {
    try {
      parsed(`{"list":[${Array.from({ length: 5_000 }, () => "12345678901234567890").join(",")}]}`);
      expect.fail("it was taken");
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      expect([error.violations.length, error.count]).toEqual([100, 5_000]);
    }
  });
});
