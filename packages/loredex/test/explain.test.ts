import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeEmbedder } from "../../core/test/support/fake-embedder.ts";
import { describeReranking, verdict } from "../src/commands/explain.ts";
import { serve } from "../src/serve.ts";
import { documentLine, writeFiles } from "./support/files.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const DOCUMENTS = [
  documentLine("refunds", "# Refunds\n\nMoney comes back within 14 days.\n\nWrite to the shop before."),
  documentLine("bank", "Money is kept in the bank."),
  JSON.stringify({ resourceDocId: "why", type: "QNA", question: "Why the bank?", answer: "So.", status: "inactive" }),
  documentLine("empty", ""),
];

/** A bot that finds by words, on its directory or through a server that holds it. */
async function shop(way: "directory" | "server") {
  const directory = await temporaryDirectory();
  const data = join(directory, "data");
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
  await writeFiles(directory, { "all.jsonl": DOCUMENTS.join("\n") });
  await at("bot", "create", "shop", "--embedder", "none");
  await at("import", "shop", join(directory, "all.jsonl"));
  if (way === "server") {
    const server = await serve({ directory: data, port: 0 });
    onTestFinished(() => server.close());
  }
  const json = async (...argv: string[]) => JSON.parse((await at(...argv, "--json")).out);
  return { at, json };
}

describe.each(["directory", "server"] as const)("explain, on a %s,", (way) => {
  it("gives machines the whole explanation, with the numbers of the search", async () => {
    const { json } = await shop(way);
    const [first] = await json("search", "shop", "when does money come back");
    const explanation = await json("explain", "shop", "when does money come back", "refunds");
    expect(explanation).toMatchObject({
      id: "refunds",
      outcome: "returned",
      rank: 1,
      topK: 10,
      score: first.bestMatchScore,
      similarTextParts: first.similarTextParts,
      passages: [{ kind: "passage", start: 3 }],
    });
  });

  it("gives people its place, the terms and the passages", async () => {
    const { at } = await shop(way);
    const { out, code, err } = await at("explain", "shop", "does money fly back", "refunds");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^refunds\nDOCUMENT {2}active {2}refunds\nReturned as number 1 of 2, with 0\.\d{3}\.\n\n/);
    expect(out).toMatch(/\nTERM +COUNT +IN PASSAGES +IDF +WEIGHT +SHARE\n/);
    expect(out).toMatch(/\nfli +1 +none +\d\.\d\d +\d\.\d\d +\d+ %\n/);
    expect(out).toContain("By words alone.\n");
    expect(out).toMatch(/\nSCORE +WORDS +PASSAGE +TERMS\n0\.\d{3} +0\.\d{3} +lines 3-5 +(back|money) \d\.\d\d, /);
  });

  it("says why a document is not there", async () => {
    const { at, json } = await shop(way);
    const said = async (...argv: string[]): Promise<string> => (await at("explain", "shop", ...argv)).out;
    expect(await said("money in the bank", "refunds", "--top-k", "1")).toMatch(
      /\nNot returned: it would be number \d, with 0\.\d{3}, and 1 are returned\. The last of them has 0\.\d{3}\.\n/,
    );
    expect(await said("bank", "bank", "--filter", "status=inactive")).toContain(
      'Not returned: filters.status asks for "inactive", and it has "active". Without that it would be number ',
    );
    expect(await said("bank", "refunds", "--filter", "metaData.year:=2024")).toContain(
      "Not returned: filters.metaData.year asks for 2024, and it has none. It would not be found without that either.\n",
    );
    expect(await said("why the bank?", "why", "--only-active-intents")).toContain(
      'and it has "inactive". Without that it would be number 1, with 1.000 (one of its questions equals the question).',
    );
    expect(await said("why", "why", "--no-faqs")).toContain("options.includeFaqs asks for false");
    expect(await said("parcels", "refunds")).toContain("Not found: no passage of it has enough in common");
    expect(await said("money", "empty")).toContain("Not found: the document has no text.");
    expect(await said("?!", "bank")).toContain("Not found: the question has not a single word.");
    const unknown = await at("explain", "shop", "money", "nope");
    expect(unknown).toMatchObject({ code: 1, out: expect.stringContaining("no document and no article with this id") });
    expect(await json("explain", "shop", "money", "nope")).toMatchObject({ outcome: "unknown" });
  });

  it("refuses what a search refuses", async () => {
    const { at } = await shop(way);
    expect(await at("explain", "nobody", "a", "b")).toMatchObject({ code: 1, err: expect.stringContaining("no bot") });
    expect((await at("explain", "shop", "a", "bank", "--filter", "colour=red")).err).toContain("not a known filter");
  });
});

describe("reranking, explained to people,", () => {
  /** A server whose bot has so many documents about cars, read by an encoder that gives tokens. */
  async function cars(count: number) {
    const directory = await temporaryDirectory();
    const data = join(directory, "data");
    const fake = { languages: ["en"], open: async () => new FakeEmbedder({ tokens: "words" }) };
    const server = await serve({ directory: data, port: 0, embedders: { fake } });
    onTestFinished(() => server.close());
    const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
    const lines = Array.from({ length: count }, (_, i) =>
      documentLine(`car-${i}`, `# Cars\n\nYou buy a car here${" and there".repeat(i)}.\n\nA boat is elsewhere.`),
    );
    await writeFiles(directory, { "all.jsonl": lines.join("\n") });
    await at("bot", "create", "shop");
    await at("import", "shop", join(directory, "all.jsonl"), "--wait-vectors");
    return at;
  }

  it("says what it weighs, and shows of every token what it weighs and matches", async () => {
    const at = await cars(1);
    const { out } = await at("explain", "shop", "buy yonder", "car-0");
    expect(out).toMatch(
      /\nReranking, of the best 20 documents, weighs 0\.50 beside 1 for words and meaning\. By it lines \d-5 has 0\.\d{3}, and 0\.\d{3} by all\.\n/,
    );
    expect(out).toMatch(/\nTOKEN +WEIGHT +CLOSENESS +BEST IN\nbuy +1\.00 +1\.00 +line/);
    expect(out).toMatch(/\nyonder +1\.00 +-?0\.\d\d +line/);
  });

  it("says of a document that was not compared that it was not", async () => {
    const at = await cars(25);
    const { out } = await at("explain", "shop", "buy", "car-24");
    expect(out).toContain("This one was not compared: it is not among them, or its token codes are not made yet.\n");
    expect(out).not.toContain("TOKEN");
  });

  it("is not spoken of where there was none", async () => {
    const at = await cars(1);
    expect((await at("explain", "shop", "buy", "car-0", "--quality", "fast")).out).not.toContain("reranking");
  });
});

it("says that scores are lowered for small talk, and to which power", async () => {
  const directory = await temporaryDirectory();
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", join(directory, "data"));
  await writeFiles(directory, { "all.jsonl": documentLine("thanks", "Say thank you to whoever helped.") });
  await at("bot", "create", "shop", "--embedder", "static");
  await at("import", "shop", join(directory, "all.jsonl"));
  const { dense } = JSON.parse((await at("explain", "shop", "thank you", "thanks", "--json")).out).question;
  expect(dense.smallTalk).toBeGreaterThan(0);
  expect(dense.scorePower).toBeGreaterThan(1);
  const share = (dense.smallTalk * 100).toFixed(0);
  expect((await at("explain", "shop", "thank you", "thanks")).out).toContain(
    `The question is ${share} % small talk: each score is raised to the power of ${dense.scorePower.toFixed(1)}.\n`,
  );
  expect((await at("explain", "shop", "who helped", "thanks")).out).not.toContain("small talk");
});

describe("the options of a search", () => {
  it.each([
    [["--filter", "active"], "FIELD=VALUE"],
    [["--filter", "=active"], "FIELD=VALUE"],
    [["--filter", "metaData.year:=many"], "a number, true, false"],
    [["--filter", "metaData.year:=[1]"], "a number, true, false"],
    [["--top-k", "101"], "1 to 100"],
  ])("%j are wrong usage", async (argv, why) => {
    for (const command of [
      ["search", "a", "b"],
      ["explain", "a", "b", "c"],
    ]) {
      expect(await run(...command, ...argv)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
    }
  });

  it("narrow a search as well", async () => {
    const { json } = await shop("directory");
    const ids = async (...argv: string[]): Promise<unknown[]> =>
      (await json("search", "shop", "bank", ...argv)).map(
        ({ resourceDocId }: { resourceDocId: string }) => resourceDocId,
      );
    expect((await ids()).sort()).toEqual(["bank", "why"]);
    expect(await ids("--no-faqs")).toEqual(["bank"]);
    expect(await ids("--only-active-intents")).toEqual(["bank"]);
    expect(await ids("--filter", "type=QNA", "--filter", "status=inactive")).toEqual(["why"]);
  });
});

it("a missed document is the graph's fault only if vectors answered", () => {
  const missed = {
    id: "refunds",
    outcome: "missed" as const,
    topK: 10,
    returned: 10,
    rank: 3,
    score: 0.5,
    droppedBy: [],
    passages: [],
    similarTextParts: [],
  };
  const question = { terms: [], upperBound: 1, lexicalFloor: 0.1 };
  const dense = { embedder: "fake", weight: 0.5, floor: 0.1 };
  expect(verdict({ ...missed, question: { ...question, dense } })).toContain("the graph of the vectors");
  expect(verdict({ ...missed, question })).toMatch(/number 3, but more passages have its words than/);
  const rerank = { documents: 20, weight: 0.5, wordPieces: [] };
  const behind = { ...missed, outcome: "notReranked" as const, rank: 26, question: { ...question, dense, rerank } };
  expect(verdict(behind)).toBe(
    "Not returned: by words and vectors it is number 26, with 0.500, and the best 20 are reranked. A search for more than 20 results reranks 100.",
  );
  const deep = { ...behind, rank: 126, question: { ...question, dense, rerank: { ...rerank, documents: 100 } } };
  expect(verdict(deep)).toMatch(/and the best 100 are reranked\.$/);
});

it("a title that raises the passages is told, with the factor", () => {
  const [wordPiece, closeness] = ["refund", 0.5];
  const told = (titleFactor?: number): string =>
    describeReranking({
      question: { terms: [], upperBound: 1, lexicalFloor: 0.1, rerank: { documents: 20, weight: 0.4, wordPieces: [] } },
      passages: [
        {
          ...{ kind: "passage", start: 3, stop: 4, bm25: 1, lexical: 0.2, similarity: 0.3, terms: [] },
          rerank: {
            closeness,
            similarity: 0.6,
            ...(titleFactor === undefined ? {} : { titleFactor }),
            matches: [{ wordPiece, closeness }],
          },
        },
      ],
    }).join("");
  expect(told(1.25)).toContain(
    "0.600 by all, 1.25 times as much as without the title, which is closer to the question.",
  );
  expect(told()).toContain("0.600 by all.\n");
});
