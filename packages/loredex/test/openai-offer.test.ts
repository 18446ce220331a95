import { describe, expect, it } from "vitest";
import { FakeModelServer } from "../../openai/test/support/fake-model-server.ts";
import { openAiOffer } from "../src/openai-offer.ts";

describe("the embedder that the environment names", () => {
  it("is asked as every variable says", async () => {
    const server = await FakeModelServer.start({ dimensions: 32 });
    const embedder = await openAiOffer({
      LOREDEX_OPENAI_BASE_URL: ` ${server.baseUrl} `,
      LOREDEX_OPENAI_MODEL: "e5",
      LOREDEX_OPENAI_API_KEY: "sk-1",
      LOREDEX_OPENAI_DIMENSIONS: "32",
      LOREDEX_OPENAI_QUERY_PREFIX: "query: ",
      LOREDEX_OPENAI_PASSAGE_PREFIX: "passage: ",
      LOREDEX_OPENAI_QUERY_INPUT_TYPE: "query",
      LOREDEX_OPENAI_PASSAGE_INPUT_TYPE: "",
      LOREDEX_OPENAI_WEIGHT: ".6",
      LOREDEX_OPENAI_TIMEOUT_MS: "5000",
      LOREDEX_OPENAI_QUESTION_MS_MAX: "700",
      LOREDEX_OPENAI_TEXTS_PER_REQUEST: "4",
      LOREDEX_OPENAI_CONCURRENCY: "3",
    }).open();
    expect(embedder).toMatchObject({ dimensions: 32, weight: 0.6, cost: { textsPerCall: 12, questionMsMax: 700 } });
    await embedder.embedQuery("one");
    await embedder.embedPassages(["two"]);
    await embedder.close();
    await server.stop();
    expect(server.arrived[0]?.headers.authorization).toBe("Bearer sk-1");
    expect(server.arrived.map(({ body }) => body)).toEqual([
      { model: "e5", input: ["query: one"], encoding_format: "float", dimensions: 32, input_type: "query" },
      { model: "e5", input: ["passage: two"], encoding_format: "float", dimensions: 32 },
    ]);
  });

  it("is the default of the languages that it is told, and of none otherwise", () => {
    expect(openAiOffer({}).languages).toEqual([]);
    expect(openAiOffer({ LOREDEX_OPENAI_LANGUAGES: "en, multi" }).languages).toEqual(["en", "multi"]);
  });

  it.each([
    [{}, "LOREDEX_OPENAI_BASE_URL is not set"],
    [{ LOREDEX_OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }, "LOREDEX_OPENAI_MODEL is not set"],
    [
      { LOREDEX_OPENAI_BASE_URL: "http://h/v1", LOREDEX_OPENAI_MODEL: "m", LOREDEX_OPENAI_DIMENSIONS: "many" },
      "LOREDEX_OPENAI_DIMENSIONS must be a number",
    ],
  ])("says which variable is missing or wrong: %j", async (environment, message) => {
    await expect(openAiOffer(environment).open()).rejects.toThrow(message);
  });
});
