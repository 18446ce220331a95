/** A web app with the engine inside: its own pages, and the HTTP API under /kb, in one process on one port. */

import { strict as assert } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import { Engine } from "@loredex/core";
import { createApiHandler } from "@loredex/http";

const engine = await Engine.open();
const { bot: created, key } = await engine.createBot({ name: "shop" });
const bot = await engine.bot(created.id);

const api = createApiHandler(engine, {
  prefix: "/kb",
  requestsMax: 64,
  timeouts: { searchMs: 5_000 },
  logger: ({ event, message, ...more }) =>
    console.log(`   log: ${event}, ${message}`, "route" in more ? more.route : ""),
});

const server = createServer((request, response) => {
  // What is none of the API's paths comes back to the shop.
  api(request, response, () => void page(new URL(request.url ?? "/", "http://shop.example"), response));
});

/**
 * The shop's own page: help for its customers, who have no key.
 * @param {URL} url
 * @param {import("node:http").ServerResponse} response
 */
async function page(url, response) {
  const question = url.searchParams.get("help");
  if (question === null) {
    response.end("Welcome to the shop.\n");
    return;
  }
  const [best] = await bot.search(question, { topK: 1 });
  response.end(best === undefined ? "Please call us.\n" : `${best.similarTextParts[0]?.text ?? ""}\n`);
}

server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
assert.ok(address !== null && typeof address === "object");
const shop = `http://127.0.0.1:${address.port}`;

console.log("\n== An article is written through the API ==");
const written = await fetch(`${shop}/kb/api/v1/knowledge`, {
  method: "POST",
  headers: { "x-api-key": key, "content-type": "application/json" },
  body: JSON.stringify({ title: "Returns", body: "You can return an unused product within 30 days.\n" }),
  redirect: "error",
});
assert.equal(written.status, 200);
await bot.whenSearchable();

console.log("\n== A customer asks on the shop's own page ==");
const help = await (await fetch(`${shop}/?help=${encodeURIComponent("return a product")}`)).text();
console.log(help);
assert.equal(help, "You can return an unused product within 30 days.\n");
assert.equal(await (await fetch(shop)).text(), "Welcome to the shop.\n");

console.log("== The app ends ==");
assert.equal((await fetch(`${shop}/kb/ready`)).status, 200);
api.drain();
assert.equal((await fetch(`${shop}/kb/ready`)).status, 503);
server.close();
await once(server, "close");
await engine.close();
console.log("Not ready first, then the server is closed, then the engine.");
