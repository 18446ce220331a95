import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { codeBlocks } from "./code-blocks.ts";
import { npm, whyNotInstalled } from "./npm.ts";
import { ROOT } from "./packages.ts";
import { directoryElsewhere, removeDirectoriesAfterwards, run } from "./users-machine.ts";

/** The tool of docs/ai-sdk.md in the library's own loop, with the library's mock of a model. The page's story runs its program. */

const PAGE = "docs/ai-sdk.md";
const FILE = "search-knowledge.mjs";
/** Both versions of the page. The second asks for a newer Node than the oldest of ours, on which it works as yet. */
const VERSIONS = ["ai@6", "ai@7.0.173"];

const why = await whyNotInstalled();
const blocks = codeBlocks(PAGE, await readFile(join(ROOT, PAGE), "utf8"));
const textOf = (name: string) => blocks.find(({ file }) => file === name)?.text ?? "";
removeDirectoriesAfterwards();

/** Asks twice, as the model of the mock wants it, and prints what the model was given. Its arguments: results by question, and options. */
const PROGRAM = `
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { searchKnowledge } from "./${FILE}";

const [answers, options, inputs] = JSON.parse(process.argv[2]);
const sent = [];
globalThis.fetch = async (input) => {
  sent.push(String(input?.url ?? input));
  throw new Error("nobody is there");
};
const asked = [];
const client = {
  search: async (...question) => {
    asked.push(question);
    const answer = answers[question[0]];
    if (answer === undefined) throw new Error("the service is busy");
    return answer;
  },
};
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const steps = inputs.map((input, at) => ({
  content: [{ type: "tool-call", toolCallId: String(at), toolName: "searchKnowledge", input: JSON.stringify(input) }],
  finishReason: { unified: "tool-calls" }, usage, warnings: [],
}));
const model = new MockLanguageModelV3({
  doGenerate: [...steps, { content: [{ type: "text", text: "Done." }], finishReason: { unified: "stop" }, usage, warnings: [] }],
});
const quotes = [];
const tools = { searchKnowledge: searchKnowledge(client, quotes, options) };
const { text } = await generateText({ model, prompt: "?", tools, stopWhen: stepCountIs(9) });
const given = model.doGenerateCalls.at(-1).prompt.filter(({ role }) => role === "tool").map(({ content }) => content[0].output);
console.log(JSON.stringify({ text, sent, given, quotes, asked: asked.map(([question, { signal, ...rest }]) => [question, rest]) }));
`;

/** In place of the packages that the page's program imports: a bot that knows nothing, and a model that searches in each step. */
const INSTEAD: Readonly<Record<string, string>> = {
  "@loredex/client": "export class LoredexClient { search = async () => []; }",
  "@ai-sdk/openai-compatible": `
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const chunks = [
  { type: "stream-start", warnings: [] },
  { type: "tool-call", toolCallId: "1", toolName: "searchKnowledge", input: JSON.stringify({ question: "refund" }) },
  { type: "finish", finishReason: { unified: "tool-calls" }, usage },
];
export const createOpenAICompatible = () => () =>
  new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) });
`,
};

interface Printed {
  readonly text: string;
  /** Addresses that the library itself asked. */
  readonly sent: readonly string[];
  readonly given: readonly { readonly type: string; readonly value: unknown }[];
  readonly quotes: readonly { readonly number: number; readonly text: string }[];
  readonly asked: readonly unknown[];
}

const result = (id: string, ...texts: readonly string[]) => ({
  resourceDocId: id,
  url: `https://shop.example.com/${id}`,
  metaData: { title: `About ${id}` },
  similarTextParts: texts.map((text, at) => ({ text, start: at + 1, stop: at + 2, similarity: 0.5 })),
});

describe.skipIf(why !== undefined).each(VERSIONS)(
  `the tool of ${PAGE}, with %s${why ? ` (did not run: ${why})` : ""}`,
  (version) => {
    let directory: string;

    beforeAll(async () => {
      directory = await directoryElsewhere();
      expect(await npm(["install", "--ignore-scripts", version, "zod@4"], directory)).toMatchObject({ code: 0 });
      await writeFile(join(directory, FILE), textOf(FILE));
      await writeFile(join(directory, "ask.mjs"), PROGRAM);
    });

    async function asked(answers: object, options: object, ...inputs: readonly object[]): Promise<Printed> {
      const given = JSON.stringify([answers, options, inputs]);
      const { code, out, err } = await run(process.execPath, ["ask.mjs", given], { cwd: directory });
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as Printed;
    }

    it("gives quotes with their lines, numbered over all searches of an answer", async () => {
      const answers = {
        refund: [result("refunds", "Three days.", "No sales.")],
        hours: [result("hours", "From nine.")],
      };
      const options = { topK: 2, filters: { type: "EXTERNAL" } };
      const printed = await asked(answers, options, { question: "refund" }, { question: "hours" });
      const quote = (number: number, id: string, text: string, lines: readonly number[]) => ({
        ...{ number, title: `About ${id}`, lines, url: `https://shop.example.com/${id}`, text },
      });
      const first = [quote(1, "refunds", "Three days.", [1, 2]), quote(2, "refunds", "No sales.", [2, 3])];
      const second = [quote(3, "hours", "From nine.", [1, 2])];
      expect(printed.given.map(({ value }) => value)).toEqual([first, second]);
      expect(printed.quotes).toEqual([...first, ...second]);
      expect(printed.asked).toEqual([
        ["refund", options],
        ["hours", options],
      ]);
      expect(printed.text).toBe("Done.");
    });

    it("the page's program says that there is no answer if the model searches in each step", async () => {
      for (const [name, text] of Object.entries(INSTEAD)) {
        const folder = join(directory, "node_modules", name);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }));
        await writeFile(join(folder, "index.js"), text);
      }
      await writeFile(join(directory, "answer.mjs"), textOf("answer.mjs"));
      const { code, out, err } = await run(process.execPath, ["answer.mjs", "refund?"], { cwd: directory });
      expect([code, out.trim()], err).toEqual([0, "No answer: the model searched in all of its steps."]);
    });

    it("gives no more characters than it may, whole quotes and best first, and cuts a long one", async () => {
      const long = result("a", "😀".repeat(5_000), "b".repeat(1_500), "c");
      for (const charactersMax of [2, 100, 2_500, 8_000]) {
        const { given, quotes } = await asked({ x: [long] }, { charactersMax }, { question: "x" });
        const json = JSON.stringify(given[0]?.value);
        expect(json.length).toBeLessThanOrEqual(charactersMax);
        expect(json).not.toContain("\\ud83d");
        expect(quotes.map(({ number }) => number)).toEqual([1, 2, 3].slice(0, quotes.length));
        expect(quotes).toHaveLength({ 2: 0, 100: 0, 2500: 1, 8000: 3 }[charactersMax] ?? -1);
      }
    });

    it("gives the model nothing, or the message of a search that failed, and refuses what is no question", async () => {
      const printed = await asked({ none: [] }, {}, { question: "none" }, { question: "busy" }, { question: "" });
      expect(printed.given[0]).toMatchObject({ type: "json", value: [] });
      expect(JSON.stringify(printed.given[1])).toContain("the service is busy");
      expect(printed.given[2]?.type).toMatch(/^error/);
      expect(printed.asked).toHaveLength(2);
      expect(printed.text).toBe("Done.");
    });
  },
);
