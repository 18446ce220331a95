import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evenly, knownQuestions } from "../../examples/demo-support/questions.mjs";

describe("known questions", () => {
  test("come with the id of the document that answers them; one without is left out", async () => {
    const directory = await mkdtemp(join(tmpdir(), "loredex-questions-"));
    try {
      await writeFile(join(directory, "qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\ta b.md\t1\nq3\tc.md\t1\n");
      const queries = ["one?", "two?", "three?"].map((text, i) => JSON.stringify({ _id: `q${i + 1}`, text }));
      await writeFile(join(directory, "queries.jsonl"), `${queries.join("\n")}\n`);
      expect(await knownQuestions(directory, 10, (path) => `file:${path}`)).toEqual([
        { question: "one?", expectedId: "file:a b.md" },
        { question: "three?", expectedId: "file:c.md" },
      ]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  test("are taken evenly: as many as asked for, in order, with gaps that differ by one at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 50 }), (length, count) => {
        const taken = evenly(
          Array.from({ length }, (_, index) => index),
          count,
        );
        expect(taken).toHaveLength(Math.min(length, count));
        const gaps = taken.slice(1).map((index, i) => index - (taken[i] ?? 0));
        if (gaps.length > 0) expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
