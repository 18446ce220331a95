import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

const CONTROL =
  /^\s*- '?(?<role>button|link|textbox|searchbox|combobox|tab|checkbox|spinbutton) "(?<name>(?:[^"\\]|\\.)*)"/gm;
/** Found documents are buttons with their titles and ids: data names them. */
const NAMED_BY_DATA = /file:|[0-9a-f]{24}|Nearest document/;

type Step = (page: Page) => Promise<unknown>;

const button =
  (name: string): Step =>
  (page) =>
    page.getByRole("button", { name, exact: true }).first().click();
const shown =
  (text: string | RegExp): Step =>
  (page) =>
    page.getByText(text).first().waitFor();

/** Every view and dialog: how to come there. Each step is checked as well. */
const VIEWS: readonly (readonly [place: string, ...steps: Step[]])[] = [
  [
    "ask?q=how long does a refund take",
    shown("best"),
    button("Why"),
    (page) => page.getByRole("table", { name: "Tokens" }).waitFor(),
    (page) => page.getByText("Is a document missing?").click(),
    (page) => page.getByRole("textbox", { name: "Expected document" }).fill("open"),
    shown("Opening hours"),
  ],
  ["knowledge", shown("Refunds"), button("Edit")],
  ["knowledge", shown("Refunds"), button("Add files or pages")],
  [
    "knowledge",
    shown("Size chart"),
    (page) => page.getByRole("row", { name: "Size chart" }).getByRole("button", { name: "Edit" }).click(),
    shown("The page about size chart"),
  ],
  [
    "knowledge",
    (page) => page.getByRole("row", { name: "Terms" }).getByRole("button", { name: "Delete" }).click(),
    button("Close"),
    (page) => page.getByRole("row", { name: "Warranty" }).getByRole("button", { name: "Delete" }).click(),
    shown("“Warranty” was deleted."),
  ],
  [
    "knowledge/new",
    (page) => page.getByRole("textbox", { name: "Title" }).fill("Refund"),
    (page) => page.getByText("Address and metadata").click(),
  ],
  ["knowledge/sources", button("Remove")],
  ["knowledge/vocabulary", shown("Synonyms")],
  ["gaps", shown("Week over week"), button("Make it a golden question"), shown("Which document answers it?")],
  ["gaps", shown("Week over week"), button("Delete all kept questions")],
  ["measure", shown("All runs"), (page) => page.locator("summary").click(), button("Add a question")],
  ["measure", shown("All runs"), button("Edit")],
  ["fleet", shown("Live"), button("Create one")],
  ["fleet", shown("Live"), button("Restore a backup")],
  ["fleet/settings", shown("Embedder"), button("Delete everything")],
  ["fleet/keys", shown("default"), button("Add one")],
  [
    "fleet/keys",
    shown("default"),
    button("Rotate"),
    (page) => page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click(),
    shown("never again"),
  ],
  ["fleet/keys", shown("default"), button("Revoke")],
  ["fleet/agents", shown("Sales")],
  ["fleet/backups", shown("Download it")],
  ["fleet/changes", shown("Older")],
];

onStage("names of controls", (stage) => {
  it("are unique in each view, also as a part of another control's name", async () => {
    stage.shop.agents.set("Sales", true);
    stage.shop.channels.set("web", false);
    for (let at = 0; at < 150; at += 1) stage.server.changes.unshift({ by: "Bea", action: "article update" });
    const visitor = await stage.visit();
    await visitor.getByLabel("Admin key").waitFor();
    const found = new Set(await clashes(visitor));
    const page = await stage.enter("fleet");
    page.on("dialog", (dialog) => void dialog.accept());
    for (const [place, ...steps] of VIEWS) {
      await page.goto(`${stage.server.url}/console/${place}${place.includes("?") ? "&" : "?"}bot=shop`);
      for (const step of steps) {
        await step(page);
        for (const clash of await clashes(page)) found.add(`${place}: ${clash}`);
      }
    }
    expect([...found]).toEqual([]);
  });
});

/** Pairs of controls in the page of which one's name is contained in the other's. Equal names of one role are one action, in several rows. */
async function clashes(page: Page): Promise<string[]> {
  const snapshot = await page.locator("body").ariaSnapshot();
  const controls = new Map<string, string>();
  for (const { groups: { role = "", name = "" } = {} } of snapshot.matchAll(CONTROL))
    if (!NAMED_BY_DATA.test(name)) controls.set(`${role} “${name}”`, name.toLowerCase());
  return [...controls].flatMap(([one, name]) =>
    [...controls]
      .filter(([other, longer]) => other !== one && longer.includes(name))
      .map(([other]) => `${one} is a part of ${other}`),
  );
}
