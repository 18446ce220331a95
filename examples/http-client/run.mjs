/**
 * Search, and articles from their creation to their end, over the HTTP API with nothing but `fetch`.
 * usage: node run.mjs [BASE_URL KEY], or LOREDEX_URL and LOREDEX_KEY; with neither it starts a server of its own
 */

import { readable } from "../shared/answers.mjs";
import { withOwnServer } from "../shared/own-server.mjs";
import { ApiError, explain, LoredexClient } from "./client.mjs";

/**
 * @param {object} service
 * @param {string} service.baseUrl
 * @param {string} service.key
 */
async function tour({ baseUrl, key }) {
  const client = new LoredexClient({ baseUrl, key, onWait: sayWait });

  const {
    data: created,
    message,
    characterUsed,
  } = await client.createArticle({
    title: "Resetting your password",
    body: "Open the sign-in page and press **Forgot password**.\n\nThe link in the mail is valid for *20 minutes*.\n",
    metadata: { topic: "account", reviewed: true, revision: 1 },
    source: "https://example.com/help/password",
    activeOn: [{ channel: "web" }],
  });
  console.log(`create: ${message}`);
  console.log(
    `   id ${created.id}, ${created.status}, ${created.characterCount} characters, ${characterUsed} used in all`,
  );
  try {
    await client.waitUntilActive(created.id);
    console.log("   it is active now");

    const listed = await client.listArticles({ title: "Resetting your password" });
    console.log(`list by title: ${listed.length} article(s), the newest from ${listed.at(-1)?.createdAt}`);

    console.log("search: how long is the link valid?");
    const filters = { resourceDocId: created.id };
    console.log(readable(await client.search("how long is the link valid?", { topK: 3, filters })));

    const updated = await client.updateArticle(created.id, {
      body: "Open the sign-in page and press **Forgot password**.\n\nThe link in the mail is valid for *one hour*.\n",
    });
    await client.waitUntilActive(created.id);
    console.log(`update: ${updated.message}`);
    console.log(readable(await client.search("how long is the link valid?", { filters })));

    console.log("errors, as the API gives them:");
    // As if it came from a form: the types of this file would refuse it before the service does.
    await showError(
      client.createArticle(JSON.parse('{ "title": "Hi", "metadata": { "tags": ["a"] }, "colour": "red" }')),
    );
    await showError(client.search("x", { topK: 0 }));
    await showError(client.updateArticle("000000000000000000000000", { title: "No such article" }));
    await showError(new LoredexClient({ baseUrl, key: "not-a-key" }).listArticles());
  } finally {
    console.log(`delete: ${(await client.deleteArticle(created.id)).message}`);
  }
}

/**
 * What a client does at the rate limit. The service must be ours for this: it fills the window.
 * @param {object} service
 * @param {string} service.baseUrl
 * @param {string} service.limitedKey the key of a bot that may add 1,000 characters a minute and has just done so
 */
async function atTheRateLimit({ baseUrl, limitedKey }) {
  const client = new LoredexClient({ baseUrl, key: limitedKey, onWait: sayWait });
  console.log("an article at the rate limit:");
  const { data } = await client.createArticle({ title: "A short one", body: "It had to wait for its turn.\n" });
  console.log(`   admitted: ${data.title} (${data.status})`);

  console.log("an article that is larger than any minute allows:");
  try {
    await client.createArticle({ title: "A long one", body: "Far too long. ".repeat(100) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    console.log(`   given up, for waiting would not help: ${error.message}`);
  }
}

/** @type {(seconds: number, error: ApiError) => void} */
function sayWait(seconds, { status, message }) {
  console.log(`   ${status}: ${message}\n   waiting ${seconds} s, as Retry-After says`);
}

/** @param {Promise<unknown>} request one that the service refuses */
async function showError(request) {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.log(`   ${error.describe().replaceAll("\n", "\n   ")}`);
    return;
  }
  throw new Error("the service accepted what it should refuse");
}

const [baseUrl = process.env.LOREDEX_URL, key = process.env.LOREDEX_KEY] = process.argv.slice(2);
try {
  if (baseUrl && key) {
    await tour({ baseUrl, key });
  } else if (baseUrl || key) {
    console.error("Give both the base URL and the key, or neither.\nusage: node run.mjs [BASE_URL KEY]");
    process.exitCode = 2;
  } else {
    await withOwnServer(async (service) => {
      await tour(service);
      await atTheRateLimit(service);
    });
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
