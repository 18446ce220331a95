/** A small site, served from files of this folder. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const TYPES = { html: "text/html; charset=utf-8", txt: "text/plain; charset=utf-8" };

/**
 * Serves the site until `use` is done.
 * @param {(site: { url: string, change: (path: string, from: string, to: string) => void }) => Promise<void>} use
 */
export async function withSite(use) {
  /** @type {Map<string, [from: string, to: string]>} */
  const changes = new Map();
  const server = createServer(async (request, response) => {
    const path = request.url === "/" ? "/index.html" : (request.url ?? "");
    if (path === "/old-returns.html") {
      response.writeHead(301, { location: "/orders/returns.html" }).end();
      return;
    }
    const type = path.endsWith(".html") ? TYPES.html : TYPES.txt;
    try {
      // Only names that the site itself has lead anywhere.
      if (!/^(?:\/[\w-]+)+\.(?:html|txt)$/.test(path)) throw new Error("no page");
      const text = await readFile(new URL(`site${path}`, import.meta.url), "utf8");
      const [from, to] = changes.get(path) ?? ["", ""];
      response.writeHead(200, { "content-type": type }).end(text.replace(from, to));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site is not served");
  try {
    await use({
      url: `http://127.0.0.1:${address.port}/`,
      change: (path, from, to) => changes.set(path, [from, to]),
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}
