import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { readTags } from "../../src/model/entity-tags.ts";
import { Violations } from "../../src/model/validation.ts";

/** What is read of a header: undefined where it is refused, in which case a violation is told. */
function read(text: string): ReturnType<typeof readTags> {
  const violations = new Violations();
  const tags = readTags("if-match", text, violations);
  if (tags === undefined) expect(() => violations.throwIfAny()).toThrow("if-match must be * or a list of entity tags");
  else violations.throwIfAny();
  return tags;
}

const sign = fc.constantFrom("!", "#", "a", "Z", "0", ",", "~", "\u00e9", "*", "W", "/", "\\");
const tag = fc.record({
  tag: fc.array(sign, { maxLength: 6 }).map((signs) => `"${signs.join("")}"`),
  isWeak: fc.boolean(),
});
const space = fc.array(fc.constantFrom(" ", "\t"), { maxLength: 3 }).map((signs) => signs.join(""));
const element = fc.record({ before: space, after: space, tag: fc.option(tag, { nil: undefined }) });
const written = ({
  before,
  after,
  tag,
}: {
  before: string;
  after: string;
  tag?: { tag: string; isWeak: boolean } | undefined;
}) => before + (tag === undefined ? "" : `${tag.isWeak ? "W/" : ""}${tag.tag}`) + after;

describe("a list of entity tags", () => {
  it("may have empty elements and white space anywhere between its tags, as RFC 9110 has lists", () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 12 }), (elements) => {
        const tags = elements.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
        expect(read(elements.map(written).join(","))).toEqual(tags.length === 0 ? undefined : tags);
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it.each([',,"tag"', '"tag",', ' , "tag" ,\t,', '\t"tag"', '"tag" '])("is one with a tag: %j", (list) => {
    expect(read(list)).toEqual([{ tag: '"tag"', isWeak: false }]);
  });

  it.each([
    "",
    " ",
    ",",
    ", ,",
    "*,",
    "*, *",
    '*,"tag"',
    '"tag"x',
    'x,"tag"',
    '"a" "b"',
    '"a',
    'a"',
    'w/"a"',
    'W/ "a"',
    '"a b"',
    "nonsense",
    '"a";"b"',
  ])("is none: %j", (list) => {
    expect(read(list)).toBeUndefined();
  });

  it.each(["*", " *", "*\t"])("is any: %j", (list) => {
    expect(read(list)).toBe("any");
  });

  it("is read in linear time, however it was made to take longer", () => {
    for (const part of [",", " ", "\t", '"', '""', '"a",', "W/", '" ', ", ,", '"a" ', "* "]) {
      const hostile = part.repeat(500_000);
      read(hostile);
      read(`${hostile}x`);
      read(`"a"${hostile}x`);
    }
  });
});
