import { kinds, requireArguments, ValidationError, VIOLATIONS_MAX } from "@loredex/core";
import { describe, expect, it } from "vitest";

interface Options {
  readonly isLoud?: boolean;
  readonly names: readonly string[];
}

/** What is said of an argument named `given` of this kind. */
function told(given: unknown, kind: kinds.Kind<never> | object): string {
  return kinds
    .argumentProblems({ given }, { given: kind } as never)
    .map(({ message }) => message)
    .join("; ");
}

describe("a kind", () => {
  it.each<[string, object, unknown, string]>([
    ["a boolean", kinds.A_BOOLEAN, "false", 'given must be true or false, not the string "false"'],
    ["a string", kinds.A_STRING, 7, "given must be a string, not 7"],
    ["a text", kinds.A_TEXT, "", 'given must be a string of at least one character, not the string ""'],
    ["a number", kinds.aNumber(0, 1), Number.NaN, "given must be a number from 0 to 1, not NaN"],
    ["a number", kinds.aNumber(0), Number.POSITIVE_INFINITY, "given must be a number from 0, not Infinity"],
    ["a whole number", kinds.aWholeNumber(1), "5", 'given must be a whole number from 1, not the string "5"'],
    ["a whole number", kinds.aWholeNumber(1, 9), 1.5, "given must be a whole number from 1 to 9, not 1.5"],
    ["a whole number", kinds.aWholeNumber(1, 9), 5n, "given must be a whole number from 1 to 9, not 5n"],
    ["a size", kinds.aNumberOfBytes(1_048_576), 10, "from 1048576 (1 MiB), not 10; 10 MiB is 10485760"],
    ["a size", kinds.aNumberOfBytes(1_024, true), -1, "given must be a whole number of bytes, 0 or from 1024, not -1"],
    ["a choice", kinds.oneOf(["best", "fast"]), "slow", 'given must be one of best, fast, not the string "slow"'],
    ["a list", kinds.listOf(kinds.A_STRING), "path", 'given must be a list, not the string "path"'],
    ["a list", kinds.listOf(kinds.A_STRING), ["a", 1, 2], "given.1 must be a string, not 1"],
    ["a record", kinds.recordOf(kinds.A_BOOLEAN), { a: 1 }, "given.a must be true or false, not 1"],
    ["a signal", kinds.A_SIGNAL, "x", 'such as the signal of an AbortController, not the string "x"'],
    ["a stream", kinds.AN_ASYNC_ITERABLE, Buffer.from("x"), "AsyncIterable of bytes, not an Uint8Array"],
    ["a long text", kinds.A_BOOLEAN, "x".repeat(99), `not the string "${"x".repeat(32)}"…`],
  ])("%s is refused by name", (_, kind, given, message) => {
    expect(told(given, kind)).toContain(message);
  });

  it("takes what is of it", () => {
    const taken: readonly (readonly [object, unknown])[] = [
      [kinds.A_BOOLEAN, false],
      [kinds.aNumberOfBytes(1_024, true), 0],
      [kinds.aTimeMs(), 2 ** 31 - 1],
      [kinds.listOf(kinds.A_STRING), []],
      [kinds.A_STRING_OR_MORE, ["a", "b"]],
      [kinds.optional(kinds.A_STRING), undefined],
      [kinds.A_SIGNAL, new AbortController().signal],
      [{ isLoud: kinds.A_BOOLEAN }, { isLoud: undefined }],
    ];
    expect(taken.map(([kind, given]) => told(given, kind))).toEqual(taken.map(() => ""));
  });
});

describe("the arguments of a call", () => {
  const KINDS: kinds.OptionKinds<Options> = {
    isLoud: kinds.A_BOOLEAN,
    names: kinds.required(kinds.listOf(kinds.A_STRING)),
  };

  it("are refused together, each by its name, and named are as many as may be", () => {
    const options: Options = JSON.parse('{"isLoud":"no","nmes":[]}');
    const call = () =>
      requireArguments("Shop.open", { id: JSON.parse("7"), options }, { id: kinds.A_STRING, options: KINDS });
    expect(call).toThrow(
      new ValidationError([
        { field: "id", type: "string", message: "Shop.open: id must be a string, not 7" },
        { field: "nmes", type: "unknownOption", message: 'Shop.open: unknown option "nmes"; did you mean "names"?' },
        { field: "isLoud", type: "boolean", message: 'Shop.open: isLoud must be true or false, not the string "no"' },
        { field: "names", type: "array", message: "Shop.open: names must be a list, not undefined" },
      ]),
    );
    const many: object = Object.fromEntries(Array.from({ length: 3 * VIOLATIONS_MAX }, (_, n) => [`x${n}`, n]));
    try {
      requireArguments("Shop.open", { options: many }, { options: {} });
      expect.unreachable();
    } catch (error) {
      const { count, violations } = error as ValidationError;
      expect([count, violations.length]).toEqual([3 * VIOLATIONS_MAX, VIOLATIONS_MAX]);
    }
  });

  it("do not compile without a kind for each, or with another kind", () => {
    // @ts-expect-error an option without a kind
    const lacking: kinds.OptionKinds<Options> = { names: kinds.required(kinds.listOf(kinds.A_STRING)) };
    // @ts-expect-error an option with another kind
    const other: kinds.OptionKinds<Options> = { ...KINDS, isLoud: kinds.A_STRING };
    // @ts-expect-error a list of something else
    const list: kinds.OptionKinds<Options> = { ...KINDS, names: kinds.required(kinds.listOf(kinds.A_BOOLEAN)) };
    // @ts-expect-error an option that must be given, and is not asked for
    const given: kinds.OptionKinds<Options> = { ...KINDS, names: kinds.listOf(kinds.A_STRING) };
    // @ts-expect-error a kind that takes only some of the values
    const narrow: kinds.OptionKinds<{ readonly quality?: string }> = { quality: kinds.oneOf<"best">(["best"]) };
    // @ts-expect-error a parameter without a kind
    const parameter = () => requireArguments("Shop.open", { id: "a" }, {});
    expect([lacking, other, list, given, narrow, parameter]).toHaveLength(6);
  });
});
