/** A stand-in for a model server: it answers as one does, and understands next to nothing. */

import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** What it takes for the same. */
const MEANINGS = [
  ["refund", "money", "back", "return", "returned"],
  ["invoice", "invoices", "bill", "receipt"],
  ["password", "credentials", "login", "log"],
  ["parcel", "shipping", "delivery", "package"],
];
const DIMENSIONS = 64;

/**
 * Starts it on a port of 127.0.0.1; 0 takes a free one.
 * @param {number} port
 */
export async function startModelServer(port) {
  const server = createServer(async (request, response) => {
    /** @type {{ input: string[] }} */
    const { input } = JSON.parse(await text(request));
    const data = input.map((each, index) => ({ object: "embedding", index, embedding: vectorOf(each) }));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ object: "list", data }));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    /** As if it were killed: every connection is cut. */
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param {string} text */
function vectorOf(text) {
  // Like many a real model, it finds everything close to everything.
  const vector = new Array(DIMENSIONS).fill(0.5);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word));
    if (meaning >= 0) vector[meaning] += 6;
    else vector[MEANINGS.length + (word.length % (DIMENSIONS - MEANINGS.length))] += 0.1;
  }
  return vector;
}
