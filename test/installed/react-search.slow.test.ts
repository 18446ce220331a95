import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { Engine } from "@loredex/core";
import { type ApiServer, createApiServer } from "@loredex/http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser, chromium, type Page } from "./browser.ts";
import { npm, whyNotInstalled } from "./npm.ts";
import { ROOT } from "./packages.ts";
import { openRegistry } from "./registry.ts";
import { directoryElsewhere, removeDirectoriesAfterwards } from "./users-machine.ts";

const EXAMPLE = "examples/react-search";
const ARTICLES = [
  {
    title: "Refunds",
    body: "# Refunds\n\nA refund takes three working days.",
    source: "https://shop.example.com/refunds",
  },
  { title: "Refunds of sales", body: "Sale items get no refund." },
  { title: "Delivery", body: "Parcels arrive on the next working day. <img src=x onerror=alert(1)>" },
];
const TEAMS = ["billing", "sales", "warehouse"];

const why = await whyNotInstalled();
const program = await chromium();
removeDirectoriesAfterwards();

describe.skipIf(why !== undefined)(`${EXAMPLE}${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
  let directory: string;
  let engine: Engine;
  let api: ApiServer;
  let allowed: { readonly server: Server; readonly origin: string };
  let stranger: typeof allowed;
  let environment: Readonly<Record<string, string>>;

  beforeAll(async () => {
    directory = await directoryElsewhere();
    await cp(join(ROOT, EXAMPLE), directory, { recursive: true });
    engine = await Engine.open({ embedders: {} });
    api = createApiServer(engine);
    const { bot } = await engine.createBot({ name: "shop" });
    const shop = await engine.bot(bot.id);
    for (const [at, article] of ARTICLES.entries()) {
      await shop.createArticle({ ...article, metadata: { team: TEAMS[at] ?? "" } });
    }
    [allowed, stranger] = await Promise.all([served(join(directory, "dist")), served(join(directory, "dist"))]);
    const key = await engine.addKey("shop", "page", { scope: "search", origins: [allowed.origin] });
    const { url } = await api.listen({ port: 0, host: "127.0.0.1" });
    environment = { VITE_LOREDEX_URL: url, VITE_LOREDEX_KEY: key };
    const registry = await openRegistry();
    try {
      const settings = { npm_config_registry: registry.url, npm_config_ignore_scripts: "true" };
      expect(await npm(["install"], directory, settings)).toMatchObject({ code: 0 });
    } finally {
      await registry.close();
    }
  });
  afterAll(async () => {
    allowed?.server.close();
    stranger?.server.close();
    await api?.close({ timeoutMs: 0 });
    await engine?.close();
  });

  it("is strict TypeScript, and is built", async () => {
    expect(await npm(["run", "types"], directory)).toMatchObject({ code: 0 });
    expect(await npm(["run", "build"], directory, environment)).toMatchObject({ code: 0 });
  });

  describe.skipIf(program === undefined)(
    `in a browser${program === undefined ? " (did not run: no Chromium)" : ""}`,
    () => {
      let browser: Browser;
      let page: Page;

      beforeAll(async () => {
        browser = new Browser(program ?? "", await directoryElsewhere());
      });
      beforeEach(async () => {
        page = await browser.page(allowed.origin);
        await shows(page, "h1", "Help");
        await page.value("document.querySelector('input').focus()");
      });
      afterAll(() => browser.close());

      it("shows quotes with marked words and lines while one types, and links to pages alone", async () => {
        await page.type("how long does a refund take");
        await shows(page, "[role=status]", "2 pages found.");
        expect(await page.text(".results li")).toBe("Refunds\nA refund takes three working days.\nLine 3");
        expect(
          await page.value("[...document.querySelectorAll('li:first-child mark')].map((mark) => mark.innerText)"),
        ).toEqual(expect.arrayContaining(["refund", "takes"]));
        expect(await page.value("[...document.querySelectorAll('a')].map(({ href }) => href)")).toEqual([
          "https://shop.example.com/refunds",
        ]);
      });

      it("shows the answer to the last question alone, and none for an empty field", async () => {
        await page.type("refund");
        await shows(page, "[role=status]", "2 pages found.");
        // The first one closes the list, the second empties the field.
        for (const key of ["Escape", "Escape"]) await page.press(key);
        await page.type("parcels");
        await shows(page, ".results h2", "Delivery");
        expect(await page.text(".results blockquote")).toContain("Parcels arrive");
        expect(await page.value("document.images.length")).toBe(0);
        for (const key of ["Escape", "Escape"]) await page.press(key);
        await shows(page, "[role=status]", "");
      });

      it("narrows the results to what one chooses by keys, and back", async () => {
        await page.type("refund");
        await shows(page, "[role=status]", "2 pages found.");
        expect(await page.text("fieldset:nth-of-type(2)")).toBe("Team\nbilling (1)sales (1)");
        // The field, the kind, the first team, the second one.
        for (let at = 0; at < 3; at += 1) await page.press("Tab");
        expect(await page.value("document.activeElement.closest('label').innerText")).toBe("sales (1)");
        await page.press(" ");
        await shows(page, "[role=status]", "1 page found.");
        expect(await page.text(".results h2")).toBe("Refunds of sales");
        expect(await page.text("fieldset:nth-of-type(2)")).toBe("Team\nbilling (1)sales (1)");
        await page.press(" ");
        await shows(page, "[role=status]", "2 pages found.");
      });

      it("suggests titles that continue what one types, chosen by keys or by mouse", async () => {
        const input = (name: string) => page.value(`document.querySelector("input").${name}`);
        const options = () =>
          page.value("[...document.querySelectorAll('[role=option]')].map((each) => each.innerText)");
        const active = () =>
          page.value(
            `document.getElementById(document.querySelector("input").getAttribute("aria-activedescendant"))?.innerText`,
          );
        await page.type("refu");
        await expect.poll(options).toEqual(["Refunds", "Refunds of sales"]);
        expect(await input("ariaExpanded")).toBe("true");
        expect(await active()).toBeUndefined();
        await page.press("ArrowUp");
        expect(await active()).toBe("Refunds of sales");
        await page.press("ArrowDown");
        expect(await active()).toBe("Refunds");
        await page.press("Escape");
        expect([await input("ariaExpanded"), await input("value")]).toEqual(["false", "refu"]);
        for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.press(key);
        expect([await input("ariaExpanded"), await input("value")]).toEqual(["false", "Refunds of sales"]);
        await shows(page, ".results h2", "Refunds of sales");
        for (const key of ["Escape", "Escape"]) await page.press(key);
        await page.type("deli");
        await expect.poll(options).toEqual(["Delivery"]);
        await page.value("document.querySelector('[role=option]').click()");
        expect([await input("ariaExpanded"), await input("value")]).toEqual(["false", "Delivery"]);
        await shows(page, ".results h2", "Delivery");
      });

      it("says that many people search, and tries again when the service says so", async () => {
        let refused = 0;
        browser.on("Fetch.requestPaused", ({ requestId }) => {
          refused += 1;
          const headers = Object.entries({
            "access-control-allow-origin": allowed.origin,
            "access-control-expose-headers": "retry-after",
            "retry-after": "2",
            "content-type": "text/plain",
          }).map(([name, value]) => ({ name, value }));
          void page
            .send("Fetch.fulfillRequest", { requestId, responseCode: 429, responseHeaders: headers, body: "" })
            .then(() => page.send("Fetch.disable"));
        });
        await page.send("Fetch.enable", { patterns: [{ urlPattern: "*/knowledge/query" }] });
        await page.type("refund");
        await shows(page, "[role=status]", "Many people search now. Next try in 2 s.");
        await shows(page, "[role=status]", "2 pages found.");
        expect(refused).toBe(1);
      });

      it("says that one is offline, and continues afterwards", async () => {
        const network = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
        await page.send("Network.enable");
        await page.send("Network.emulateNetworkConditions", { ...network, offline: true });
        await page.type("refund");
        await shows(page, "[role=status]", "You are offline. The search continues when you are online again.");
        await page.send("Network.emulateNetworkConditions", { ...network, offline: false });
        await shows(page, "[role=status]", "2 pages found.");
      });

      it("finds nothing from an origin that the key does not list", async () => {
        const elsewhere = await browser.page(stranger.origin);
        await shows(elsewhere, "h1", "Help");
        await elsewhere.value("document.querySelector('input').focus()");
        await elsewhere.type("refund");
        await shows(elsewhere, "[role=status]", "The search cannot be reached.");
      });

      it("tells a screen reader of a combobox with its name, and of nothing that it cannot name", async () => {
        const { nodes } = (await page.send("Accessibility.getFullAXTree")) as {
          nodes: { role?: { value: string }; name?: { value: string } }[];
        };
        const named = nodes.map(({ role, name }) => [role?.value, name?.value]);
        expect(named).toContainEqual(["combobox", "Search the help pages"]);
      });
    },
  );
});

/** Waits until an element shows a text. */
async function shows(page: Page, selector: string, text: string): Promise<void> {
  await expect.poll(() => page.text(selector)).toBe(text);
}

const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** A server of a folder's files. */
async function served(folder: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = pathname === "/" ? "/index.html" : pathname;
    readFile(join(folder, file)).then(
      (content) => response.setHeader("content-type", TYPES[extname(file)] ?? "text/plain").end(content),
      () => response.writeHead(404).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { server, origin: `http://127.0.0.1:${address.port}` };
}
