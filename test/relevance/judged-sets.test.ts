import { describe, expect, it } from "vitest";
import {
  dataIsThere,
  JUDGED_SETS,
  type JudgedSet,
  type LineSet,
  type Question,
  questionsFor,
  squadLines,
} from "../../bench/corpora/judged-sets.ts";

const sets: Readonly<Record<string, () => JudgedSet | LineSet>> = { ...JUDGED_SETS, "squad-lines": squadLines };

describe.skipIf(!dataIsThere())("the questions of judged sets", () => {
  it.each(Object.entries(sets))("are for tuning or for reporting, each for one of them: %s", (_, load) => {
    const set = load();
    const tuned = questionsFor<Question>(set, "tune").map(({ id }) => id);
    const reported = questionsFor<Question>(set, "report").map(({ id }) => id);
    expect(tuned.filter((id) => reported.includes(id))).toEqual([]);
    expect([...tuned, ...reported].sort()).toEqual(set.questions.map(({ id }) => id).sort());
  });

  it("are reported only where nothing was tuned on", () => {
    const uses = (name: string): number[] => {
      const set = sets[name]?.();
      if (set === undefined) throw new Error(`There is no set ${name}.`);
      return [questionsFor(set, "tune").length, questionsFor(set, "report").length];
    };
    expect(uses("stackfaq-qna")).toEqual([0, 1249]);
    expect(uses("scifact-train")).toEqual([809, 0]);
    expect(uses("cranfield")).toEqual([113, 112]);
    expect(uses("squad-lines")).toEqual(uses("squad-paragraphs"));
  });

  it("of SQuAD are for tuning on the first article, the third, and so on", () => {
    const tuned = new Set(questionsFor(squadLines(), "tune").map(({ answer }) => answer.documentId));
    expect(tuned).toEqual(
      new Set(squadLines().documents.flatMap(({ resourceDocId }, i) => (i % 2 === 0 ? [resourceDocId] : []))),
    );
  });

  it("of XQuAD are reported on the articles that SQuAD reports", () => {
    const articles = (name: string): Set<string | undefined> => {
      const set = JUDGED_SETS[name]?.();
      if (set === undefined) throw new Error(`There is no set ${name}.`);
      const judged = questionsFor(set, "report").map(({ id }) => [...(set.judgements.get(id)?.keys() ?? [])][0]);
      return new Set(judged.map((paragraph) => paragraph?.split("#")[0]));
    };
    expect(articles("xquad-en").size).toBe(24);
    expect(articles("xquad-en")).toEqual(articles("squad-paragraphs"));
  });
});
