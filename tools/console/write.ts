/** `npm run write-console-images`: the pictures of docs/console.md, of the console on the demo of its tests. It needs Chromium. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { Stage } from "../../packages/console/test/support/browser.ts";

const FOLDER = fileURLToPath(new URL("../../docs/images/console/", import.meta.url));
const DESKTOP = { width: 1200, height: 760 };
const PHONE = { width: 360, height: 720 };
/** Until the bars have their lengths. */
const SETTLED_MS = 700;

interface Picture {
  readonly name: string;
  readonly place: string;
  readonly ready: (page: Page) => Promise<void>;
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
      await page.getByRole("region", { name: "What the bot sees" }).getByText("Lines 12 to 14").waitFor();
    },
  },
  {
    name: "vocabulary",
    place: "knowledge/vocabulary?bot=shop",
    ready: async (page) => {
      await page.getByRole("textbox", { name: "Pinned answers" }).fill("Do you ship to Norway? => file:site/terms.md");
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
  const stage = new Stage();
  await stage.open();
  await stage.begin();
  for (const [suffix, options, names] of KINDS) {
    const page = await stage.enter("fleet", { ...options, locale: "en-GB", timezoneId: "UTC" });
    page.on("dialog", (dialog) => void dialog.accept());
    for (const { name, place, ready } of PICTURES.filter((each) => names.includes(each.name))) {
      await page.goto(`${stage.server.url}/console/${place}`);
      await ready(page);
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: join(FOLDER, `${name}${suffix}.png`) });
    }
  }
  await stage.end();
  await stage.close();
}

await write();
