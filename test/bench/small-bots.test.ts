import { describe, expect, it } from "vitest";
import { type SmallBotSource, smallBots } from "../../bench/corpora/small-bots.ts";
import { smallTalk } from "../../bench/corpora/small-talk.ts";
import { SMALL_TALK } from "../../tools/encoder/small-talk/texts.ts";

/** Twelve documents of four kinds, with two questions each. */
const source: SmallBotSource = {
  name: "made",
  language: "en",
  use: "tune",
  topics: Array.from({ length: 12 }, (_, i) => ({
    kind: `kind ${i % 4}`,
    document: { resourceDocId: `d${i}`, type: "DOCUMENT", content: [{ md: `Text ${i}` }] },
    questions: ["one", "two"].map((text) => ({ id: `${i} ${text}`, text, judgements: new Map([[`d${i}`, 1]]) })),
  })),
};

describe("a small bot", () => {
  it("has as many documents, a question to each, and unanswerable ones of other kinds alone", () => {
    for (const { documents, answerable, unanswerable } of smallBots(source, 2, 20, 1)) {
      const ids = documents.map(({ resourceDocId }) => resourceDocId);
      expect(new Set(ids).size).toBe(2);
      expect(answerable.map(({ judgements }) => [...judgements.keys()][0])).toEqual(ids);
      const kinds = new Set(ids.map((id) => Number(id?.slice(1)) % 4));
      expect(unanswerable.length).toBeGreaterThan(0);
      for (const { id } of unanswerable) expect(kinds.has(Number.parseInt(id, 10) % 4)).toBe(false);
    }
  });

  it("is the same one in every run, and another one by another seed", () => {
    const drawn = (seed: number): string =>
      JSON.stringify([...smallBots(source, 3, 5, seed)].map(({ answerable }) => answerable.map(({ id }) => id)));
    expect(drawn(1)).toBe(drawn(1));
    expect(drawn(1)).not.toBe(drawn(2));
  });
});

describe("small talk of the bench", () => {
  it("is not among what the axis is made of, and no line is used to choose and to report", () => {
    for (const language of ["en", "de"]) {
      const [tune, report] = [smallTalk(language, "tune"), smallTalk(language, "report")];
      expect(tune.length).toBeGreaterThan(20);
      const plain = (line: string): string => line.toLowerCase().replace(/[^\p{L} ]/gu, "");
      const made = new Set((SMALL_TALK[language] ?? []).map(plain));
      expect(report.map(plain).filter((line) => made.has(line) || tune.map(plain).includes(line))).toEqual([]);
    }
  });
});
