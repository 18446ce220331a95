import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LoredexRetriever } from "../../examples/langchain/loredex-retriever.mjs";
import type { LoredexClient, SearchResult } from "../../packages/client/src/index.ts";

/** A client that answers this, and remembers what it was asked. */
function answering(...results: SearchResult[]) {
  const asked: unknown[] = [];
  const search: LoredexClient["search"] = async (...question) => {
    asked.push(question);
    return results;
  };
  return { search, asked };
}

const result = (id: string, similarities: readonly number[]): SearchResult => ({
  resourceDocId: id,
  type: "WEBPAGE",
  status: "active",
  url: `https://a.example/${id}`,
  metaData: { title: "A page", team: "billing" },
  bestMatchScore: Math.max(...similarities),
  similarTextParts: similarities.map((similarity, at) => ({
    text: `${id} ${at}`,
    similarity,
    start: at + 1,
    stop: at + 2,
  })),
  content: [{ md: "# One" }, { md: "two" }],
});

describe("the retriever for LangChain", () => {
  test("gives each text that matches, with its place and its document", async () => {
    const client = answering(result("one", [0.5]));
    const retriever = new LoredexRetriever({ client, k: 3, filters: { type: "WEBPAGE" } });
    expect(await retriever.invoke("what?")).toEqual([
      {
        id: "one#L1-L2",
        pageContent: "one 0",
        metadata: {
          title: "A page",
          team: "billing",
          documentId: "one",
          documentType: "WEBPAGE",
          source: "https://a.example/one",
          score: 0.5,
          startLine: 1,
          stopLine: 2,
        },
      },
    ]);
    expect(client.asked).toEqual([
      ["what?", { topK: 3, filters: { type: "WEBPAGE" }, context: "none", includeContent: false }],
    ]);
  });

  test("gives the sections around the texts, each once", async () => {
    const found = result("one", [0.5, 0.4]);
    const [first, second] = found.similarTextParts;
    const context = { text: "# One\ntwo", start: 1, stop: 9, headings: ["One"] };
    const parts = [first && { ...first, context }, second].flatMap((part) => part ?? []);
    const client = answering({ ...found, similarTextParts: parts });
    const documents = await new LoredexRetriever({ client, context: "section" }).invoke("what?");
    expect(documents).toMatchObject([
      { id: "one#L1-L9", pageContent: "# One\ntwo", metadata: { score: 0.5, startLine: 1, headings: ["One"] } },
    ]);
    expect(documents).toHaveLength(1);
    expect(client.asked).toMatchObject([["what?", { context: "section" }]]);
  });

  test("gives whole documents where it is told to", async () => {
    const client = answering(result("one", [0.5, 0.4]));
    const [whole, ...more] = await new LoredexRetriever({ client, wholeDocuments: true }).invoke("what?");
    expect([whole?.id, whole?.pageContent, whole?.metadata.score, more]).toEqual(["one", "# One\ntwo", 0.5, []]);
    expect(client.asked).toEqual([["what?", { topK: 4, filters: {}, context: "none", includeContent: true }]]);
  });

  test("gives the best k, best first, and none below the least score", async () => {
    const similarities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 });
    const scoreMin = fc.double({ min: 0, max: 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(similarities), fc.integer({ min: 1, max: 9 }), scoreMin, async (all, k, least) => {
        const client = answering(...all.map((each, at) => result(`d${at}`, each)));
        const documents = await new LoredexRetriever({ client, k, scoreMin: least }).invoke("what?");
        const best = all.flat().filter((each) => each >= least);
        expect(documents.map(({ metadata }) => metadata.score)).toEqual(best.sort((a, b) => b - a).slice(0, k));
      }),
    );
  });

  test("shows its client, which has the key, to nobody", () => {
    const client = { ...answering(), key: "lx_secret" };
    const retriever = new LoredexRetriever({ client, tags: ["docs"] });
    expect(JSON.stringify([retriever, { ...retriever }])).not.toContain("lx_secret");
  });
});
