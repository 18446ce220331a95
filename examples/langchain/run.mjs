/**
 * The retriever in a chain: a question, the texts that answer it, and the prompt that a model would get. No model is needed.
 * usage: node run.mjs [BASE_URL KEY], or LOREDEX_URL and LOREDEX_KEY; with neither it starts a server of its own
 */

import { strict as assert } from "node:assert";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough } from "@langchain/core/runnables";
import { LoredexClient } from "@loredex/client";
import { withOwnServer } from "../shared/own-server.mjs";
import { LoredexRetriever } from "./loredex-retriever.mjs";

const ARTICLES = [
  {
    title: "Refunds",
    body: "# Refunds\n\nYou get your money back within 14 days.\n\nSale items are exchanged, not refunded.\n",
    source: "https://example.com/refunds",
    metadata: { team: "billing" },
  },
  { title: "Delivery", body: "Parcels arrive on the next working day.\n", metadata: { team: "warehouse" } },
];

const PROMPT = ChatPromptTemplate.fromMessages([
  ["system", "Answer from these texts alone, and name the number of each that you use.\n\n{context}"],
  ["human", "{question}"],
]);

/**
 * What a chain hands to a model.
 * @param {LoredexRetriever} retriever
 */
function promptChain(retriever) {
  return RunnablePassthrough.assign({
    /** @param {{ question: string }} input */
    context: async ({ question }) => {
      const documents = await retriever.invoke(question);
      return documents
        .map(({ pageContent, metadata }, at) => `[${at + 1}] ${metadata.title}: ${pageContent}`)
        .join("\n");
    },
  }).pipe(PROMPT);
}

/** @param {{ baseUrl: string, key: string }} service */
async function ask(service) {
  const retriever = new LoredexRetriever({ client: new LoredexClient(service), k: 3 });
  const question = "how long does it take to get my money back?";
  console.log(`> ${question}`);
  const documents = await retriever.invoke(question);
  for (const { id, pageContent, metadata } of documents) {
    console.log(`   ${metadata.score.toFixed(3)}  ${id}\n          ${pageContent}`);
  }
  const { messages } = await promptChain(retriever).invoke({ question });
  console.log("what a model would get:");
  for (const message of messages)
    console.log(`   ${message.getType()}: ${String(message.content).replaceAll("\n", "\n   ")}`);
  return documents;
}

/** @param {{ baseUrl: string, key: string }} service */
async function ofItsOwn({ baseUrl, key }) {
  const service = { baseUrl, key };
  const client = new LoredexClient(service);
  for (const article of ARTICLES) {
    const { article: made } = await client.createArticle(article);
    await client.waitUntilActive(made.id);
  }
  const asked = await addressesDuring(async () => {
    const [best] = await ask(service);
    assert.equal(best?.pageContent, "You get your money back within 14 days.");
    assert.deepEqual([best.metadata.startLine, best.metadata.source], [3, "https://example.com/refunds"]);
  });
  assert.deepEqual(asked, [new URL(service.baseUrl).origin]);

  const filters = { "metaData.team": "warehouse" };
  const [whole] = await new LoredexRetriever({ client, filters, wholeDocuments: true }).invoke("when do parcels come?");
  assert.equal(whole?.pageContent, ARTICLES[1]?.body);
  console.log("nobody but the server was asked");
}

/**
 * Whom the program asks meanwhile.
 * @param {() => Promise<void>} work
 */
async function addressesDuring(work) {
  const { fetch } = globalThis;
  const origins = new Set();
  globalThis.fetch = (input, init) => {
    origins.add(new URL(input instanceof Request ? input.url : input).origin);
    return fetch(input, init);
  };
  try {
    await work();
  } finally {
    globalThis.fetch = fetch;
  }
  return [...origins];
}

const [baseUrl = process.env.LOREDEX_URL, key = process.env.LOREDEX_KEY] = process.argv.slice(2);
if (baseUrl && key) {
  await ask({ baseUrl, key });
} else if (baseUrl || key) {
  console.error("Give both the base URL and the key, or neither.\nusage: node run.mjs [BASE_URL KEY]");
  process.exitCode = 2;
} else {
  await withOwnServer(ofItsOwn);
}
