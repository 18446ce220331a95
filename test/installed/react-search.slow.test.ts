import { once } from "node:events";
import { cp, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { Engine } from "@loredex/core";
import { type ApiServer, createApiServer } from "@loredex/http";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CHROMIUM, openBrowser, SKIPPED } from "../support/chromium.ts";
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

  describe.skipIf(CHROMIUM === undefined)(`in a browser${SKIPPED}`, () => {
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      browser = await openBrowser();
    });
    beforeEach(async () => {
      page = await opened(allowed.origin);
    });
    afterEach(() => page.context().close());
    afterAll(() => browser.close());

    /** The example's page as a visitor has it, with the focus in its field. */
    async function opened(origin: string): Promise<Page> {
      const context = await browser.newContext();
      const found = await context.newPage();
      await found.goto(origin);
      await found.getByRole("heading", { name: "Help" }).waitFor();
      await found.getByRole("combobox").focus();
      return found;
    }

    const type = (text: string) => page.keyboard.type(text);
    async function press(...keys: readonly string[]): Promise<void> {
      for (const key of keys) await page.keyboard.press(key);
    }
    const shows = (selector: string, text: string) => expect.poll(() => textOf(selector)).toBe(text);
    const textOf = async (selector: string) => {
      const [text] = await page.locator(selector).first().locator("visible=true").allInnerTexts();
      return text ?? "";
    };

    it("shows quotes with marked words and lines while one types, and links to pages alone", async () => {
      await type("how long does a refund take");
      await shows("[role=status]", "2 pages found.");
      expect(await textOf(".results li")).toBe("Refunds\nA refund takes three working days.\nLine 3");
      expect(await page.locator("li:first-child mark").allInnerTexts()).toEqual(
        expect.arrayContaining(["refund", "takes"]),
      );
      const links = await page.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      expect(links).toEqual(["https://shop.example.com/refunds"]);
    });

    it("shows the answer to the last question alone, and none for an empty field", async () => {
      await type("refund");
      await shows("[role=status]", "2 pages found.");
      // The first one closes the list, the second empties the field.
      await press("Escape", "Escape");
      await type("parcels");
      await shows(".results h2", "Delivery");
      expect(await textOf(".results blockquote")).toContain("Parcels arrive");
      expect(await page.locator("img").count()).toBe(0);
      await press("Escape", "Escape");
      await shows("[role=status]", "");
    });

    it("narrows the results to what one chooses by keys, and back", async () => {
      await type("refund");
      await shows("[role=status]", "2 pages found.");
      expect(await textOf("fieldset:nth-of-type(2)")).toBe("Team\nbilling (1)sales (1)");
      // The field, the kind, the first team, the second one.
      await press("Tab", "Tab", "Tab");
      await expect.poll(() => page.locator("label:focus-within").innerText()).toBe("sales (1)");
      await press("Space");
      await shows("[role=status]", "1 page found.");
      expect(await textOf(".results h2")).toBe("Refunds of sales");
      expect(await textOf("fieldset:nth-of-type(2)")).toBe("Team\nbilling (1)sales (1)");
      await press("Space");
      await shows("[role=status]", "2 pages found.");
    });

    it("suggests titles that continue what one types, chosen by keys or by mouse", async () => {
      const input = page.getByRole("combobox");
      const options = () => page.getByRole("option").allInnerTexts();
      const active = async () => {
        const id = await input.getAttribute("aria-activedescendant");
        return id === null ? undefined : page.locator(`[id="${id}"]`).innerText();
      };
      const state = async () => [await input.getAttribute("aria-expanded"), await input.inputValue()];
      await type("refu");
      await expect.poll(options).toEqual(["Refunds", "Refunds of sales"]);
      expect(await state()).toEqual(["true", "refu"]);
      expect(await active()).toBeUndefined();
      await press("ArrowUp");
      await expect.poll(active).toBe("Refunds of sales");
      await press("ArrowDown");
      await expect.poll(active).toBe("Refunds");
      await press("Escape");
      await expect.poll(state).toEqual(["false", "refu"]);
      await press("ArrowDown", "ArrowDown", "Enter");
      await expect.poll(state).toEqual(["false", "Refunds of sales"]);
      await shows(".results h2", "Refunds of sales");
      await press("Escape", "Escape");
      await type("deli");
      await expect.poll(options).toEqual(["Delivery"]);
      await page.getByRole("option").click();
      await expect.poll(state).toEqual(["false", "Delivery"]);
      await shows(".results h2", "Delivery");
    });

    it("says that many people search, and tries again when the service says so", async () => {
      let refused = 0;
      const headers = {
        "access-control-allow-origin": allowed.origin,
        "access-control-expose-headers": "retry-after",
        "retry-after": "2",
        "content-type": "text/plain",
      };
      const refuse = (route: Route) => {
        refused += 1;
        return route.fulfill({ status: 429, headers, body: "" });
      };
      await page.route("**/knowledge/query", refuse, { times: 1 });
      await type("refund");
      await shows("[role=status]", "Many people search now. Next try in 2 s.");
      await shows("[role=status]", "2 pages found.");
      expect(refused).toBe(1);
    });

    it("says that one is offline, and continues afterwards", async () => {
      await page.context().setOffline(true);
      await type("refund");
      await shows("[role=status]", "You are offline. The search continues when you are online again.");
      await page.context().setOffline(false);
      await shows("[role=status]", "2 pages found.");
    });

    it("finds nothing from an origin that the key does not list", async () => {
      await page.context().close();
      page = await opened(stranger.origin);
      await type("refund");
      await shows("[role=status]", "The search cannot be reached.");
    });

    it("tells a screen reader of a combobox with its name, and of nothing that it cannot name", async () => {
      expect(await page.locator("body").ariaSnapshot()).toContain('combobox "Search the help pages"');
    });
  });
});

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
