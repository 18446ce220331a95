import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../../../test/support/chromium.ts";
import { buildPage } from "../../build-page.ts";
import { type ConsoleFile, filesIn } from "../../src/console-files.ts";
import { fillDemo } from "./demo.ts";
import type { FakeBot } from "./fake-bot.ts";
import { FakeServer } from "./fake-server.ts";

export const KEY = "loredex-admin-key";

/** The page, built from the sources as they are. */
export async function builtFiles(): Promise<ReadonlyMap<string, ConsoleFile>> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-console-"));
  try {
    await buildPage(directory);
    return filesIn(pathToFileURL(`${directory}/`));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A browser with the page of a fake server. Each test gets a new server with the demo's shop. */
export class Stage {
  files: ReadonlyMap<string, ConsoleFile> = new Map();
  server = new FakeServer(this.files);
  shop: FakeBot = fillDemo(this.server);
  /** Errors of the page: of scripts, and of what its policy refuses. */
  readonly problems: string[] = [];
  #browser: Browser | undefined;

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error("the stage is not open");
    return this.#browser;
  }

  async open(): Promise<void> {
    [this.#browser, this.files] = await Promise.all([openBrowser(), builtFiles()]);
  }

  /** Begins a test. */
  async begin(): Promise<void> {
    this.problems.length = 0;
    this.server = new FakeServer(this.files);
    this.shop = fillDemo(this.server);
    await this.server.start();
  }

  async end(): Promise<void> {
    for (const context of this.browser.contexts()) await context.close();
    await this.server.stop();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }

  /** A new visitor's page, not signed in. */
  async visit(path = "", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      locale: "en-GB",
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security|Uncaught/.test(message.text()))
        this.problems.push(message.text());
    });
    await page.goto(`${this.server.url}/console/${path}`);
    return page;
  }

  /** A page of somebody who has signed in. */
  async enter(path = "", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.visit(path, options);
    await page.getByLabel("Admin key").fill(KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    return page;
  }
}
