import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryParameters, splitTarget } from "../src/request-target.ts";

describe("splitTarget", () => {
  it.each([
    ["/a/b", "/a/b", ""],
    ["/a?b=c?d", "/a", "b=c?d"],
    ["/a?", "/a", ""],
    ["http://host:80/a?b", "/a", "b"],
    ["HTTPS://host", "/", ""],
    ["http://host?b", "/", "b"],
    ["//host/a", "//host/a", ""],
    ["*", "*", ""],
  ])("splits %s", (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});

describe("queryParameters", () => {
  it("decodes names and values, and keeps their order", () => {
    expect(queryParameters("title=a+b%2Bc%26%3D%C3%A9=&id=&id&&%74=1")).toEqual([
      ["title", "a b+c&=é="],
      ["id", ""],
      ["id", ""],
      ["t", "1"],
    ]);
    expect(queryParameters("")).toEqual([]);
    expect(queryParameters("&&")).toEqual([]);
  });

  it("has no value for what is malformed, in its name or its value", () => {
    expect(queryParameters("id=1&title=%zz&%ff=1&%=%")).toEqual([
      ["id", "1"],
      ["title", undefined],
      ["%ff", undefined],
      ["%", undefined],
    ]);
  });

  it("gives back what URLSearchParams wrote", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: "binary" }))), (pairs) => {
        expect(queryParameters(new URLSearchParams(pairs).toString())).toEqual(pairs);
      }),
    );
  });
});
