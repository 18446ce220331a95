import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Outcome, run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A site on this machine with a sitemap of its pages of markdown, which may be changed. */
async function ownSite(pages: Map<string, string>): Promise<string> {
  const server = createServer((request, response) => {
    const { url = "" } = request;
    const text = pages.get(url);
    const listed = [...pages.keys()].map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`);
    if (url === "/sitemap.xml") {
      response.setHeader("content-type", "application/xml").end(`<urlset>${listed.join("")}</urlset>`);
    } else if (text === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", "text/markdown; charset=utf-8").end(text);
  });
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

it("an address is imported, asked, and kept in step by what was said of it", async () => {
  const data = join(await temporaryDirectory(), "data");
  const lx = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
  const pages = new Map([
    ["/returns", "# Returns\n\nSend anything back within 30 days.\n"],
    ["/hours", "# Opening hours\n\nDay and night.\n"],
  ]);
  const site = await ownSite(pages);
  await lx("bot", "create", "b", "--embedder", "none");
  const fast = ["--requests-per-second", "1000"];
  expect(await lx("import", "b", `${site}/sitemap.xml`, "--source", "site", ...fast)).toMatchObject({ code: 0 });
  expect((await lx("search", "b", "send back")).out).toContain(`${site}/returns`);
  const [source] = JSON.parse((await lx("source", "list", "b", "--json")).out);
  expect(source).toMatchObject({
    name: "site",
    documents: 2,
    arguments: [{ kind: "address", path: `${site}/sitemap.xml`, settings: { requestsPerSecond: 1000 } }],
  });
  expect(source.arguments[0]).not.toHaveProperty("gone");
  pages.delete("/hours");
  pages.set("/returns", "# Returns\n\nSend anything back within 60 days.\n");
  const { code, err } = await lx("sync", "b");
  expect(err).toContain("site: 0 added, 1 changed, 0 unchanged, 1 removed");
  expect(code).toBe(0);
});

it("an address that cannot be fetched is told, and an option that it cannot have is wrong usage", async () => {
  const data = join(await temporaryDirectory(), "data");
  const lx = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", data);
  const site = await ownSite(new Map());
  await lx("bot", "create", "b", "--embedder", "none");
  const { code, err } = await lx("import", "b", `${site}/none`);
  expect(code).toBe(1);
  expect(err).toContain(`${site}/none: there is no such page (404)`);
  expect(await lx("import", "b", site, "--follow", "-1")).toMatchObject({ code: 2 });
  expect(await lx("import", "b", site, "--follow", "1000")).toMatchObject({ code: 2 });
});
