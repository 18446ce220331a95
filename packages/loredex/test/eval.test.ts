import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withEncoder } from "../../encoder/test/runtime.ts";
import { readGoldenFile } from "../src/evaluation/golden-file.ts";
import { serve } from "../src/serve.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const DOCUMENTS = [
  documentLine("refunds", "# Refunds\n\nMoney comes back within 14 days.\n\nWrite to the shop before."),
  documentLine("shipping", "# Shipping\n\nParcels leave at noon.\n\nMoney for lost parcels comes back as well."),
];

const GOLDEN = [
  { question: "money comes back within 14 days", id: "refunds", lines: 3 },
  { question: "when do parcels leave", expected: "shipping" },
  "",
  { question: "lost parcels", expected: { id: "shipping", lines: [3, 3] } },
  { question: "what of umbrellas", id: "umbrellas" },
];

/** A bot that finds by words, on its directory or through a server that holds it, and a golden file. */
async function shop(golden: readonly unknown[] = GOLDEN, way: "directory" | "server" = "directory") {
  const directory = await temporaryDirectory();
  const data = join(directory, "data");
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
  const file = join(directory, "golden.jsonl");
  const lines = golden.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  await writeFiles(directory, { "all.jsonl": DOCUMENTS.join("\n"), "golden.jsonl": lines.join("\n") });
  await at("bot", "create", "shop", "--embedder", "none");
  await at("import", "shop", join(directory, "all.jsonl"));
  if (way === "server") {
    const server = await serve({ directory: data, port: 0 });
    onTestFinished(() => server.close());
  }
  return { data, file, at, ask: (...argv: string[]) => at("eval", "shop", file, ...argv) };
}

describe.each(["directory", "server"] as const)("eval, on a %s,", (way) => {
  it("gives people the measures and the misses, each with its line in the file", async () => {
    const { ask, file } = await shop(GOLDEN, way);
    const { out, err, code } = await ask();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("4 questions, 2 answered as expected\n\nnDCG@10             0.750\n");
    expect(out).toMatch(/\nline in first part {2}0\.500 {2}of 2 questions that say lines\n/);
    expect(out).toMatch(
      /\nExpects documents that the bot does not have: 1\n {2}\S+golden\.jsonl:5 {2}what of umbrellas\n/,
    );
    expect(out).toContain("    expected  umbrellas: UNKNOWN: the bot has no such document\n    found     nothing\n");
    expect(out).toContain(`  ${file}:4  lost parcels\n    expected  shipping, line 3: number 1, 0.`);
    expect(out).toMatch(/ found {5}shipping, line 5: 0\.\d{3} {2}Money for lost parcels comes back as well\.\n/);
  });

  it("gives machines all of it", async () => {
    const { ask } = await shop(GOLDEN, way);
    const { out, code } = await ask("--json", "--min-ndcg", ".7", "--min-lines", "0.9");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      questions: 4,
      topK: 100,
      measures: { ndcgAt10: 0.75, mrrAt10: 0.75, recallAt10: 0.75, recallAt100: 0.75, lines: { firstPart: 0.5 } },
      unknownDocuments: ["umbrellas"],
      misses: [
        { line: 4, kind: "wrongLines", question: "lost parcels" },
        { line: 5, kind: "unknownDocument", expected: [{ id: "umbrellas", outcome: "unknown" }], found: [] },
      ],
      thresholds: [
        { label: "nDCG@10", needed: 0.7, measured: 0.75, isMet: true },
        { label: "line in first part", needed: 0.9, measured: 0.5, isMet: false },
      ],
      passed: false,
    });
  });
});

describe("the exit code of eval", () => {
  it.each([
    [["--min-ndcg", "0.75"], 0, "nDCG@10             0.750  at least 0.75\n"],
    [["--min-ndcg", "0.76"], 1, "nDCG@10             0.750  BELOW 0.76\n"],
    [["--min-mrr", "0.8"], 1, "MRR@10              0.750  BELOW 0.8\n"],
    [["--min-recall", "1"], 1, "recall@10           0.750  BELOW 1\n"],
    [["--min-lines", ".5", "--min-mrr", "0"], 0, "line in first part  0.500  at least 0.5  of 2"],
  ])("with %j is %i", async (argv, expected, said) => {
    const { ask } = await shop();
    const { code, out } = await ask(...argv);
    expect(out).toContain(said);
    expect(code).toBe(expected);
  });

  it.each([
    ["a number that is none", ["--min-ndcg", "high"], "from 0 to 1"],
    ["a number above 1", ["--min-mrr", "90"], "from 0 to 1"],
    ["too few documents", ["--top-k", "5"], "10 to 100"],
  ])("is 2 for %s", async (_, argv, why) => {
    const { ask } = await shop();
    expect(await ask(...argv)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(why) });
  });

  it("is 2 for whatever keeps it from measuring", async () => {
    const { at, file, data } = await shop();
    expect(await at("eval", "shop", `${file}.none`)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/cannot be read: there is no such file/),
    });
    expect(await at("eval", "nobody", file)).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/no bot/) });
    expect(await run("eval", "shop", file, "--data", `${data}-none`)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no data dir/),
    });
    expect(await at("eval", "shop", file, "--filter", "colour=red")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not a known/),
    });
  });

  it("is 2 for bad lines, which are all named, and nothing is asked", async () => {
    const bad = [GOLDEN[0], "{", { question: "parcels" }, { question: "parcels", id: "shipping", lines: [3, 1] }];
    const { ask, file } = await shop(bad);
    const { code, out, err } = await ask("--json");
    expect({ code, out }).toEqual({ code: 2, out: "" });
    const said = err.split("\n");
    expect(said[0]).toMatch(/golden\.jsonl:2: the line is no valid JSON/);
    expect(said[1]).toBe(`${file}:3: expected, or id, must name the document that answers`);
    expect(said[2]).toContain(`${file}:4: lines must be a line, [first, last] or several of these`);
    expect(said[3]).toBe(`loredex: 3 lines of ${file} are no golden questions; nothing was asked`);
  });

  it("is 2 for a file without questions, and for thresholds of lines that no question says", async () => {
    expect(await (await shop([""])).ask()).toMatchObject({ code: 2, err: expect.stringMatching(/has no questions/) });
    const { ask } = await shop([{ question: "parcels", id: "shipping" }]);
    expect(await ask("--min-lines", "0.5")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/says lines/),
    });
    expect((await ask()).out).not.toContain("line in");
  });
});

describe("an evaluation", () => {
  it("asks as the options say", async () => {
    const { ask, at } = await shop([{ question: "parcels", id: "shipping" }]);
    await at("status", "shop", "shipping", "inactive");
    expect((await ask()).out).toContain("1 answered as expected");
    const { out } = await ask("--filter", "status=active", "--top-k", "10");
    expect(out).toContain("shipping: dropped by a filter");
    expect(out).not.toContain("recall@100");
  });

  it("shows as many misses as it is told to, the worst first", async () => {
    const { ask } = await shop([...GOLDEN, { question: "umbrellas", id: "refunds" }]);
    const { out } = await ask("--misses", "1");
    expect(out).toContain("what of umbrellas");
    expect(out).not.toContain("lost parcels");
    expect(out).toContain("\n2 more misses are not shown");
  });

  withEncoder("says what the encoder has not read yet", async () => {
    const { at, file } = await shop();
    await at("bot", "set", "shop", "--embedder", "minilm");
    expect((await at("eval", "shop", file)).err).toMatch(
      /^2 documents are found by words and by the built-in static embedder/,
    );
    expect((await at("eval", "shop", file, "--wait-vectors")).err).toBe("");
  });

  it("cannot steer the terminal", async () => {
    const evil = "\u001b[2J\u009b2J\u202e";
    const { ask } = await shop([{ question: `parcels ${evil}`, id: `x${evil}` }]);
    const { out } = await ask();
    expect(out).toContain("parcels");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come out
    expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

it("a golden file is for programs too", async () => {
  const { file } = await shop();
  const { questions, lines, problems } = await readGoldenFile(file);
  expect(lines).toEqual([1, 2, 4, 5]);
  expect(problems).toEqual([]);
  expect(questions[0]).toEqual({
    question: "money comes back within 14 days",
    expected: [{ id: "refunds", gain: 1, lines: [[3, 3]] }],
  });
});
