import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { KEY } from "./support/browser.ts";
import { onStage } from "./support/on-stage.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe finds wrong with the page as it is. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then((each) => each.violations)`,
  );
  return (found as Violation[]).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`,
  );
}

const VIEWS: readonly (readonly [place: string, ready: (page: Page) => Promise<unknown>])[] = [
  [
    "ask?q=how long does a refund take",
    async (page) => {
      await page.getByRole("button", { name: "Why" }).first().click();
      await page.getByRole("table", { name: "Tokens" }).waitFor();
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("list", { name: "By words alone" }).getByText("Refunds").waitFor();
    },
  ],
  ["knowledge", (page) => page.getByRole("table", { name: "Documents" }).getByText("Refunds").waitFor()],
  [
    "knowledge/new",
    async (page) => {
      await page.getByRole("textbox", { name: "Title" }).fill("Refund");
      await page
        .getByRole("textbox", { name: "Body" })
        .fill("A refund takes three working days after the parcel has arrived.");
      await page.getByRole("region", { name: "What the bot sees" }).getByText("Line 1").waitFor();
      await page.getByText("Address and metadata").click();
    },
  ],
  [
    "knowledge",
    async (page) => {
      await page.getByRole("button", { name: "Add files or pages" }).click();
      await page
        .getByLabel("Choose files")
        .setInputFiles({ name: "a.md", mimeType: "text/markdown", buffer: Buffer.from("Text") });
      await page.getByRole("button", { name: "Import" }).click();
      await page.getByText("1 imported").waitFor();
    },
  ],
  ["knowledge/sources", (page) => page.getByRole("table", { name: "Sources" }).waitFor()],
  ["knowledge/vocabulary", (page) => page.getByRole("textbox", { name: "Synonyms" }).waitFor()],
  ["gaps", (page) => page.getByRole("table", { name: "Week over week" }).waitFor()],
  [
    "measure",
    async (page) => {
      await page.getByRole("figure", { name: "nDCG over time" }).locator("canvas").waitFor();
      await page.locator("summary").click();
    },
  ],
  ["fleet", (page) => page.getByRole("status").getByText("Live").waitFor()],
  [
    "fleet",
    async (page) => {
      await page.getByRole("button", { name: "Create one" }).click();
      await page.getByRole("textbox", { name: "Gap score" }).waitFor();
    },
  ],
  [
    "fleet",
    async (page) => {
      await page.getByRole("button", { name: "Restore a backup" }).click();
      await page.getByRole("textbox", { name: "New name" }).waitFor();
    },
  ],
  [
    "fleet/settings",
    async (page) => {
      await page.getByRole("button", { name: "Delete everything" }).click();
      await page.getByRole("textbox", { name: "Confirmation" }).waitFor();
    },
  ],
  [
    "fleet/keys",
    async (page) => {
      await page.getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await page.getByText("never again").waitFor();
      await page.getByRole("button", { name: "Add one" }).click();
    },
  ],
  ["fleet/agents", (page) => page.getByRole("table", { name: "Agents" }).getByText("Sales").waitFor()],
  [
    "fleet/backups",
    async (page) => {
      await page.getByRole("button", { name: "Download it" }).click();
      await page.getByText("Done: ").waitFor();
    },
  ],
  ["fleet/changes", (page) => page.getByRole("table", { name: "Changes" }).getByText("Ada").first().waitFor()],
];

onStage("access for all", (stage) => {
  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 360],
    ["dark", 360],
  ] as const)("has no fault that axe finds, in no view: %s, %i pixels wide", async (colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 780 }, reducedMotion: "reduce" } as const;
    const visitor = await stage.visit("", options);
    await visitor.getByLabel("Admin key").fill("wrong");
    await visitor.getByRole("button", { name: "Sign in" }).click();
    await visitor.getByRole("alert").waitFor();
    expect(await violations(visitor)).toEqual([]);
    for (const registered of [stage.shop.agents, stage.shop.channels]) registered.set("Sales", true);
    const page = await stage.enter("fleet", options);
    page.on("dialog", (dialog) => void dialog.accept());
    for (const [place, ready] of VIEWS) {
      await page.goto(`${stage.server.url}/console/${place}${place.includes("?") ? "&" : "?"}bot=shop`);
      await ready(page);
      expect([place, await violations(page)]).toEqual([place, []]);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([place, overflow]).toEqual([place, 0]);
    }
  });

  it("is used by keys alone: sign in, ask, see why, change an article", async () => {
    const page = await stage.visit("ask?bot=shop");
    const { keyboard } = page;
    await page.getByLabel("Admin key").waitFor();
    await keyboard.type(KEY);
    await keyboard.press("Enter");
    await page.getByRole("searchbox", { name: "Question" }).waitFor();
    await keyboard.type("how long does a refund take");
    await page.getByRole("status").getByText("best").waitFor();
    await tabTo(page, "Why");
    await keyboard.press("Enter");
    await page.getByRole("region", { name: "Explanation" }).getByText("Rank 1").waitFor();
    await keyboard.press("Escape");
    await tabTo(page, "Change this article");
    await keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.labels?.[0]?.innerText")).toBe("Title");
    await keyboard.press("End");
    await keyboard.type(" and returns");
    await keyboard.press("Enter");
    await page.getByRole("table", { name: "Documents" }).getByText("Refunds and returns").waitFor();
  });

  it("shows where the focus is", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    await page.getByRole("table", { name: "Documents" }).waitFor();
    for (let at = 0; at < 20; at += 1) {
      await page.keyboard.press("Tab");
      const [name, style, width] = (await page.evaluate(
        "(() => { const e = document.activeElement; const s = getComputedStyle(e); return [e.textContent.slice(0, 20), s.outlineStyle, s.outlineWidth]; })()",
      )) as [string, string, string];
      expect([name, style, Number.parseFloat(width) > 1]).toEqual([name, "solid", true]);
    }
  });
});

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(
      "(document.activeElement.labels?.[0]?.innerText || document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim()",
    );
    if (focused === name) return;
  }
  throw new Error(`No key leads to ${name}`);
}
