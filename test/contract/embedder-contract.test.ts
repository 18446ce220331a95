import { type Embedder, openEnglishStatic } from "@loredex/core";
import { embedderContract, staticEmbedderContract } from "@loredex/core/testing";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { openOpenAiEmbedder } from "@loredex/openai";
import { afterAll, beforeAll, describe, it } from "vitest";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";
import { FakeStatic } from "../../packages/core/test/support/fake-static.ts";
import { encoder } from "../../packages/encoder/test/runtime.ts";
import { FakeModelServer } from "../../packages/openai/test/support/fake-model-server.ts";
import { type OptionalPart, optionalPart } from "../support/optional-part.ts";

const server = await FakeModelServer.start();
afterAll(() => server.stop());

/** Every embedder, by the ways to open it; and what it needs that may be missing. */
const EMBEDDERS: readonly (readonly [name: string, open: () => Promise<Embedder>, needs?: OptionalPart])[] = [
  ["the fake of the tests", async () => new FakeEmbedder()],
  ["the fake with tokens", async () => new FakeEmbedder({ tokens: "1" })],
  ["@loredex/minilm", () => openMiniLm({ workers: 1 }), encoder],
  ["@loredex/multilingual", () => openMultilingual({ workers: 1 }), encoder],
  ["@loredex/openai", () => openOpenAiEmbedder({ baseUrl: server.baseUrl, model: "fake" })],
];

/** The answer shares no word with the question: ours understand more than words. */
const understands = {
  question: "How do I buy a car?",
  answer: "To purchase an automobile, ask at the desk.",
  other: "Penguins live on ice.",
};

for (const [name, open, needs = optionalPart(name, undefined)] of EMBEDDERS)
  describe.skipIf(needs.isMissing)(needs.named(`the contract of an embedder: ${name}`), () => {
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(() => embedder.close());
    const shared = () => embedder;
    for (const { name: demand, run } of embedderContract(open, { understands, shared })) it(demand, run);
  });

describe.each([
  ["of English", openEnglishStatic],
  ["the fake of the tests", async () => new FakeStatic()],
])("the contract of a static embedder: %s", (_name, open) => {
  for (const { name, run } of staticEmbedderContract(open)) it(name, run);
});
