import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdMaker, isId } from "../../src/articles/identifier.ts";
import { parseArticleFilter } from "../../src/articles/list-query.ts";
import { parseArticle, parseArticleChanges } from "../../src/articles/shape.ts";
import { changedArticle } from "../../src/articles/update.ts";
import { characterCount } from "../../src/model/characters.ts";
import { ValidationError } from "../../src/model/errors.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";

const nobody = { agent: () => false, channel: () => false };

function rulesOf(read: () => unknown): string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ValidationError) return error.violations.map(({ field, type }) => `${field} ${type}`).sort();
    throw error;
  }
  return [];
}

const valid = { title: "abc", body: "x" };

/** Metadata of that many characters: keys of one, and values of at most 10,000 emoji, which are two units each. */
function textsOf(characters: number): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let left = characters, i = 0; left > 0; i++) {
    const value = Math.min(10_000, left - 1);
    metadata[i] = "😀".repeat(value);
    left -= value + 1;
  }
  return metadata;
}

describe("characters", () => {
  it("are code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (a, b) => {
        expect(characterCount(a + b)).toBe([...(a + b)].length);
      }),
    );
  });
});

describe("ids", () => {
  it("are 24 hex digits, differ, and rise with the clock", () => {
    const clock = new TestClock();
    const ids = new IdMaker(clock, { bytes: (length) => new Uint8Array(length).fill(255) });
    const made: string[] = [];
    for (let i = 0; i < 1_000; i++) {
      made.push(ids.next());
      if (i % 100 === 0) clock.advance(1_000);
      if (i % 300 === 0) clock.wall -= 10_000;
    }
    expect(made.every(isId)).toBe(true);
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
    expect(new IdMaker(clock, seededRandom(1)).next()).not.toBe(new IdMaker(clock, seededRandom(2)).next());
  });
});

describe("the ids of a bot", () => {
  const clock = new TestClock();

  it("are of the time of their making, and rise within a millisecond by steps that tell nothing", () => {
    const ids = new IdMaker(clock, seededRandom(3));
    const made = Array.from({ length: 2_000 }, () => BigInt(`0x${ids.next()}`));
    const steps = made.slice(1).map((id, i) => id - (made[i] ?? 0n));
    expect(steps.every((step) => step > 0n)).toBe(true);
    expect(new Set(steps).size).toBe(steps.length);
    const [first = 0n] = made;
    expect(Number(first >> 64n)).toBe(Math.floor(clock.wall / 1_000));
    expect(Number((first >> 54n) & 1_023n)).toBe(clock.wall % 1_000);
    clock.advance(1);
    const next = BigInt(`0x${ids.next()}`);
    expect(next).toBeGreaterThan(made.at(-1) ?? 0n);
    expect(Number((next >> 54n) & 1_023n)).toBe(clock.wall % 1_000);
  });

  it("sort behind those that were made a second before, in the way of before too", () => {
    const seconds = Math.floor(clock.wall / 1_000) - 1;
    const older = `${seconds.toString(16).padStart(8, "0")}ffffffffffffffff`;
    expect(new IdMaker(clock, seededRandom(4)).next() > older).toBe(true);
  });
});

describe("a new article", () => {
  it("has its defaults, and null counts as absent", () => {
    expect(parseArticle({ ...valid, metadata: null, source: null, activeOn: null, strict: null }, nobody)).toEqual({
      ...valid,
      metadata: {},
      activeOn: [],
    });
  });

  it("may have 65,536 characters of metadata in all, and more only where it is kept", () => {
    expect(parseArticle({ ...valid, metadata: textsOf(65_536) }, nobody).metadata).toEqual(textsOf(65_536));
    const metadata = textsOf(65_537);
    expect(() => parseArticle({ ...valid, metadata }, nobody)).toThrow(
      /^keys and values of metadata must have at most 65536 characters together, not 65537: keep long texts in the body$/,
    );
    expect(rulesOf(() => parseArticleChanges({ metadata }))).toEqual(["metadata maxLength"]);
    expect(parseArticleChanges({ metadata }, () => true)).toEqual({ metadata });
  });

  it("is told which key of its metadata is too long", () => {
    const metadata = { short: "v", [`long ${"k".repeat(252)}`]: "v" };
    expect(() => parseArticle({ ...valid, metadata }, nobody)).toThrow(
      /^a metadata key must have at most 256 characters; one that begins with "long k{27}" has more$/,
    );
    expect(() => parseArticle({ ...valid, metadata: { ["😀".repeat(257)]: 1 } }, nobody)).toThrow(/"(?:😀){32}"/u);
  });

  it.each(["退款", "𠮷𠮷", "料", "환불", "あア"])(
    "is told that a title of fewer than three characters is refused in every script: %s",
    (title) => {
      const message =
        "title must have at least 3 characters, in Chinese, Japanese and Korean as well: add a word that says more, as in 退款说明 for 退款";
      for (const refused of [() => parseArticle({ ...valid, title }, nobody), () => parseArticleChanges({ title })]) {
        expect(rulesOf(refused)).toEqual(["title minLength"]);
        expect(refused).toThrow(message);
      }
      expect(parseArticle({ ...valid, title: `${title}说明` }, nobody).title).toBe(`${title}说明`);
      expect(rulesOf(() => parseArticle({ ...valid, title: `\udc00${[...title][0]}` }, nobody))).toEqual([
        "title string",
      ]);
    },
  );

  it("is refused with every broken rule at once", () => {
    const input = {
      title: "ab",
      body: 3,
      metadata: { a: {}, b: [1], c: 1 },
      source: "ftp://x",
      activeOn: [{ agent: 1 }, 5],
      strict: "yes",
      id: "x",
    };
    expect(rulesOf(() => parseArticle(input, nobody))).toEqual([
      "activeOn.0.agent string",
      "activeOn.0.channel required",
      "activeOn.1 object",
      "body string",
      "id unknownField",
      "metadata metadataField",
      "metadata metadataField",
      "source url",
      "strict boolean",
      "title minLength",
    ]);
  });

  it.each([
    [{ body: "x" }, "title required"],
    [{ ...valid, title: null }, "title string"],
    [{ ...valid, title: "😀😀" }, "title minLength"],
    [{ ...valid, title: "x".repeat(1_001) }, "title maxLength"],
    [{ ...valid, body: "" }, "body minLength"],
    [{ ...valid, body: "\udc00" }, "body string"],
    [{ ...valid, metadata: [] }, "metadata object"],
    [{ ...valid, metadata: new Map([["team", "billing"]]) }, "metadata object"],
    [{ ...valid, metadata: { a: null } }, "metadata metadataField"],
    [{ ...valid, metadata: { a: Number.NaN } }, "metadata metadataField"],
    [{ ...valid, metadata: { ["k".repeat(257)]: 1 } }, "metadata maxLength"],
    [{ ...valid, metadata: { k: "v".repeat(10_001) } }, "metadata.k maxLength"],
    [{ ...valid, metadata: textsOf(65_537) }, "metadata maxLength"],
    [{ ...valid, metadata: { ...textsOf(65_530), flag: false } }, "metadata maxLength"],
    [{ ...valid, metadata: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, 1])) }, "metadata maxItems"],
    [{ ...valid, source: "/relative" }, "source url"],
    [{ ...valid, source: `http://a.b/${"x".repeat(2_048)}` }, "source maxLength"],
    [{ ...valid, activeOn: {} }, "activeOn array"],
    [{ ...valid, activeOn: Array.from({ length: 1_001 }, () => ({ channel: "c" })) }, "activeOn maxItems"],
    [{ ...valid, activeOn: [{ channel: "c", more: 1 }] }, "activeOn.0.more unknownField"],
    ["text", "body object"],
  ])("%# is refused with %s", (input, rule) => {
    expect(rulesOf(() => parseArticle(input, nobody))).toEqual([rule]);
  });

  it("keeps __proto__ as a key like any other", () => {
    const draft = parseArticle(
      JSON.parse('{"title":"abc","body":"x","metadata":{"__proto__":1,"constructor":"c"}}'),
      nobody,
    );
    expect(Object.keys(draft.metadata)).toEqual(["__proto__", "constructor"]);
    expect(JSON.stringify(draft.metadata)).toBe('{"__proto__":1,"constructor":"c"}');
    expect(rulesOf(() => parseArticle(JSON.parse('{"__proto__":{"title":"abc"},"body":"x"}'), nobody))).toEqual([
      "__proto__ unknownField",
      "title required",
    ]);
  });

  it("is checked against agents and channels only when strict", () => {
    const registered = { agent: (name: string) => name === "ann", channel: (name: string) => name === "web" };
    const activeOn = [
      { agent: "ann", channel: "web" },
      { agent: "bob", channel: "app" },
    ];
    expect(rulesOf(() => parseArticle({ ...valid, activeOn, strict: true }, registered))).toEqual([
      "activeOn.1.agent registered",
      "activeOn.1.channel registered",
    ]);
    expect(parseArticle({ ...valid, activeOn }, registered).activeOn).toEqual(activeOn);
  });
});

describe("an update", () => {
  it("takes null to remove a source and to empty metadata and activeOn, but not for text", () => {
    expect(
      parseArticleChanges({ metadata: null, source: null, activeOn: null, id: "1", status: 5, createdAt: [] }),
    ).toEqual({
      metadata: {},
      source: null,
      activeOn: [],
    });
    expect(rulesOf(() => parseArticleChanges({ title: null, body: null, strict: 1, other: 1 }))).toEqual([
      "body string",
      "other unknownField",
      "strict boolean",
      "title string",
    ]);
    expect(parseArticleChanges({})).toEqual({});
  });

  it("keeps each field that it cannot change, whatever the article has", () => {
    const times = { createdAtMs: 1, updatedAtMs: 2 };
    const old = { id: "a", ...valid, metadata: {}, source: "s", activeOn: [], ...times, characterCount: 4, more: 5 };
    expect(changedArticle(old, { title: "abcd", source: null }, 3)).toEqual({
      ...{ id: "a", title: "abcd", body: "x", metadata: {}, activeOn: [] },
      ...{ createdAtMs: 1, updatedAtMs: 3, characterCount: 5, more: 5 },
    });
    expect(changedArticle(old, { title: "abc" }, 3)).toBe(old);
  });
});

describe("a listing's query", () => {
  it("knows id and title, once each", () => {
    expect(
      parseArticleFilter([
        ["title", ""],
        ["id", "x"],
      ]),
    ).toEqual({ id: "x", title: "" });
    expect(
      rulesOf(() =>
        parseArticleFilter([
          ["id", "1"],
          ["id", "2"],
          ["name", "x"],
        ]),
      ),
    ).toEqual(["id repeated", "name unknownField"]);
  });
});
