/** `npm run write-console-images`: the pictures of docs/console.md, of the console on a shop's bot. It needs Chromium, and built packages. */

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { openBrowser } from "../../test/support/chromium.ts";
import { openShop, type Shop } from "./shop.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/console/", import.meta.url));
const DESKTOP = { width: 1200, height: 760 };
const PHONE = { width: 360, height: 720 };
/** Until the bars have their lengths. */
const SETTLED_MS = 700;

interface Picture {
  readonly name: string;
  readonly place: string;
  readonly ready: (page: Page, shop: Shop) => Promise<void>;
}

const QUESTION = "How long does a refund take?";

const PICTURES: readonly Picture[] = [
  {
    name: "ask",
    place: `ask?bot=shop&q=${encodeURIComponent(QUESTION)}`,
    ready: (page) => page.getByRole("status").getByText("best").waitFor(),
  },
  {
    name: "why",
    place: `ask?bot=shop&q=${encodeURIComponent(QUESTION)}`,
    ready: async (page) => {
      await page.getByRole("button", { name: "Why" }).first().click();
      await page.getByRole("table", { name: "Tokens" }).waitFor();
    },
  },
  {
    name: "knowledge",
    place: "knowledge?bot=shop",
    ready: (page) => page.getByRole("table", { name: "Documents" }).getByText("Refunds").waitFor(),
  },
  {
    name: "editor",
    place: "knowledge?bot=shop",
    ready: async (page) => {
      await page.getByRole("row", { name: "Refunds" }).getByRole("button", { name: "Edit" }).click();
      await page.getByRole("textbox", { name: "Body" }).press("Control+End");
      await page.getByRole("textbox", { name: "Body" }).pressSequentially("\n- the receipt, for a gift");
      await page
        .getByRole("region", { name: "What the bot sees" })
        .getByText(/^Lines 10 to \d+$/)
        .waitFor();
    },
  },
  {
    name: "vocabulary",
    place: "knowledge/vocabulary?bot=shop",
    ready: async (page, { articles }) => {
      await page.getByRole("textbox", { name: "Synonyms" }).fill("parcel, shipment");
      const pin = `do vouchers expire => ${articles.get("gift-cards")}`;
      await page.getByRole("textbox", { name: "Pinned answers" }).fill(pin);
      await page.getByRole("button", { name: "Try on the golden questions" }).click();
      await page.getByText("Better (1)").waitFor();
    },
  },
  {
    name: "gaps",
    place: "gaps?bot=shop",
    ready: (page) => page.getByRole("table", { name: "Gaps" }).getByText("Norway").first().waitFor(),
  },
  {
    name: "measure",
    place: "measure?bot=shop",
    ready: (page) => page.getByRole("figure").locator("canvas").waitFor(),
  },
  { name: "fleet", place: "fleet?bot=shop", ready: (page) => page.getByRole("status").getByText("Live").waitFor() },
];

const KINDS: readonly (readonly [suffix: string, options: BrowserContextOptions, names: readonly string[]])[] = [
  ["", { colorScheme: "light", viewport: DESKTOP }, PICTURES.map(({ name }) => name)],
  ["-dark", { colorScheme: "dark", viewport: DESKTOP }, ["ask", "measure"]],
  ["-phone", { colorScheme: "light", viewport: PHONE }, ["ask", "gaps"]],
  ["-phone-dark", { colorScheme: "dark", viewport: PHONE }, ["knowledge"]],
];

async function write(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const directory = await mkdtemp(join(tmpdir(), "loredex-shop-"));
  const browser = await openBrowser();
  const shop = await openShop(directory);
  const { server, key } = shop;
  try {
    for (const [suffix, options, names] of KINDS) {
      const context = await browser.newContext({ ...options, locale: "en-GB", timezoneId: "UTC" });
      const page = await context.newPage();
      page.on("dialog", (dialog) => void dialog.accept());
      await page.goto(`${server.consoleUrl}/fleet`);
      await page.getByLabel("Admin key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      for (const { name, place, ready } of PICTURES.filter((each) => names.includes(each.name))) {
        await page.goto(`${server.consoleUrl}/${place}`);
        await ready(page, shop);
        await page.waitForTimeout(SETTLED_MS);
        await page.screenshot({ path: join(FOLDER, `${name}${suffix}.png`) });
      }
      await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
    await rm(directory, { recursive: true });
  }
}

await write();
