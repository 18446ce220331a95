/** Serves the folder `site` beside this file: `node serve-site.mjs [PORT]`. A picture of a web server, just enough to be fetched from. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("./site", import.meta.url));
/** @type {Readonly<Record<string, string>>} */
const TYPES = { ".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8" };
const port = Number(process.argv[2] ?? 9000);

createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const path = normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
  try {
    const body = await readFile(join(ROOT, path));
    response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(body);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n");
  }
}).listen(port, "127.0.0.1", () => console.log(`The site is on http://127.0.0.1:${port}/`));
