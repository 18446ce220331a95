import { describe, expect, test } from "vitest";
import { weeklyReport } from "../../examples/weekly-report/report.mjs";
import { type LoredexAdmin, LoredexError } from "../../packages/client/src/index.ts";

type Answers = {
  [Call in "listBots" | "listGaps" | "listFindings" | "listRuns"]: Awaited<ReturnType<LoredexAdmin[Call]>>;
};
type Bot = Answers["listBots"][number];

const BOT = { id: "1", name: "shop", questionLog: true } as Bot;
const NO_FINDINGS: Answers["listFindings"] = { neverFound: [], nearDuplicates: [], contradictions: [], weeks: [] };

function gap(question: string, count: number): Answers["listGaps"][number] {
  const counts = { count, countWeek: count, countBefore: 0, unhelpful: 0 };
  return { question, ...counts, bestScore: 0.1, examples: [], lastAskedAt: "2026-11-24T00:00:00.000Z" };
}

function run(at: string, missed: number, vocabulary = false): Answers["listRuns"][number] {
  return {
    id: at,
    at: `${at}T00:00:00.000Z`,
    questions: 10,
    missed,
    measures: { ndcgAt10: 1 - missed / 10 },
    vocabulary,
  };
}

/** The report of a server that answers this. */
async function reportOf(
  answers: Partial<Answers>,
  alerts: { severity: string; meaning: string }[] = [],
): Promise<string> {
  const admin: Partial<Record<keyof LoredexAdmin, unknown>> = {
    status: async () => ({ alerts }),
    listBots: async () => answers.listBots ?? [BOT],
    listGaps: async () => answers.listGaps ?? [],
    listFindings: async () => answers.listFindings ?? NO_FINDINGS,
    listRuns: async () => answers.listRuns ?? [],
  };
  return weeklyReport(admin as LoredexAdmin, new Date("2026-11-29T12:00:00Z"));
}

describe("the weekly report", () => {
  test("is short for a bot about which there is nothing to say", async () => {
    expect(await reportOf({})).toBe(
      [
        "# Bots, 2026-11-29\n\n## shop\n\nIt is healthy.\n\nNobody has asked anything yet.\n\n**Largest gaps**: none.\n\n",
        "**To read again**: nothing.\n\n**Golden questions**: never run.\n",
      ].join(""),
    );
  });

  test("has the three largest gaps, whatever their order", async () => {
    const gaps = [gap("a", 2), gap("b", 1), gap("c", 9), gap("d", 3)];
    const said = await reportOf({ listGaps: gaps });
    expect([...said.matchAll(/^1\. (\w): asked (\d) times/gm)].map(([, question, count]) => [question, count])).toEqual(
      [
        ["c", "9"],
        ["d", "3"],
        ["a", "2"],
      ],
    );
    expect(said).toContain("**Largest gaps**, 3 of 4");
  });

  test("sets the newest week and the newest run beside those before, without tried vocabularies", async () => {
    const weeks = ["2026-11-09", "2026-11-23", "2026-11-16"].map((week, at) => ({
      ...{ week, questions: 10 * (at + 1), gaps: at, helpful: 0, unhelpful: 0 },
    }));
    const runs = [run("2026-11-01", 5), run("2026-11-22", 2), run("2026-11-23", 0, true), run("2026-11-15", 3)];
    const said = await reportOf({ listFindings: { ...NO_FINDINGS, weeks }, listRuns: runs });
    expect(said).toContain(
      "|  | Week of 2026-11-23 | Week of 2026-11-16 |\n| --- | --- | --- |\n| Questions | 20 | 30 |\n",
    );
    expect(said).toContain(
      "| Golden questions | 2026-11-22 | 2026-11-15 |\n| --- | --- | --- |\n| nDCG@10 | 0.800 | 0.700 |\n| Missed | 2 of 10 | 3 of 10 |",
    );
  });

  test("shows texts of users as they are: no heading, link, tag or cell of their making", async () => {
    const hostile = "# [a](https://a.example) <b>|\n\n## c";
    const said = await reportOf({
      listBots: [{ ...BOT, name: hostile }],
      listGaps: [gap(hostile, 1)],
      listFindings: {
        ...NO_FINDINGS,
        contradictions: [{ ids: ["1", "2"], titles: [hostile, hostile], lines: [hostile, hostile], reason: "numbers" }],
      },
    });
    const shown = "\\# \\[a\\](https://a.example) \\<b\\>\\| \\#\\# c";
    expect(said.split(shown)).toHaveLength(7);
    expect(said).not.toContain(" [");
  });

  test("goes past bots that cannot be opened or read, and leaves out what a bot without a question log cannot know", async () => {
    const fault = { kind: "DAMAGED", message: "Its log is damaged." };
    const findings = { ...NO_FINDINGS, neverFound: [{ id: "1", title: "Refunds" }] };
    const bots = [
      { ...BOT, fault },
      { ...BOT, name: "quiet", questionLog: false },
    ];
    const said = await reportOf({ listBots: bots, listFindings: findings }, [
      { severity: "critical", meaning: "Disk full." },
    ]);
    expect(said).toContain(
      "\n\n- **critical**: Disk full.\n\n## shop\n\nIt **cannot be opened**: Its log is damaged.\n\n## quiet\n",
    );
    expect(said).toContain("Its question log is off");
    expect(said).not.toContain("never found");
    const broken = {
      status: async () => ({ alerts: [] }),
      listBots: async () => [BOT, { ...BOT, name: "next" }],
      listGaps: async () => {
        throw new LoredexError({ message: "The database is away.", status: 503 });
      },
    };
    const rest = await weeklyReport(broken as unknown as LoredexAdmin);
    expect(rest.match(/The rest is missing: The database is away\./g)).toHaveLength(2);
  });
});
