import { expect, it } from "vitest";
import { KEY } from "./support/browser.ts";
import { onStage } from "./support/on-stage.ts";

onStage("signing in", (stage) => {
  it("exchanges a key for a session, and stores the key nowhere", async () => {
    const page = await stage.enter("ask");
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(kept).toBe('[{},{},""]');
    await page.reload();
    await page.getByRole("navigation").getByRole("link", { name: "Ask" }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allInnerTexts()).toEqual([
      "Ask",
      "Knowledge",
      "Gaps",
      "Measure",
      "Fleet",
    ]);
    expect(stage.problems).toEqual([]);
  });

  it("says that a key is wrong, and that there were too many failures", async () => {
    const page = await stage.visit();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await page.getByLabel("Admin key").fill(`wrong ${attempt}`);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").filter({ hasText: "This key is not known" }).waitFor();
    }
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "Try again in 60 seconds" }).waitFor();
    expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
  });

  it("signs out", async () => {
    const page = await stage.enter();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin key").waitFor();
    await page.reload();
    await page.getByLabel("Admin key").waitFor();
  });

  it("keeps what was typed when a session ends, and continues after the next sign-in", async () => {
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Title" }).fill("Teacher discount");
    await page.getByRole("textbox", { name: "Body" }).fill("Teachers pay nine tenths.");
    await page.getByRole("region", { name: "What the bot sees" }).getByText("Line 1").waitFor();
    stage.server.endSessions();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your session has ended").waitFor();
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
    await page.getByLabel("Admin key").fill(KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("textbox", { name: "Body" }).inputValue()).toBe("Teachers pay nine tenths.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("Teacher discount").waitFor();
  });

  it("keeps an open dialog, too", async () => {
    const page = await stage.enter("measure?bot=shop");
    await page.getByRole("button", { name: "Add a question" }).click();
    await page.getByRole("textbox", { name: "Golden question" }).fill("Are you open on Sunday?");
    await page.getByRole("textbox", { name: "Ids of expected documents" }).fill("file:site/opening-hours.md");
    stage.server.endSessions();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByLabel("Admin key").fill(KEY);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("table", { name: "Golden questions" }).getByText("Are you open on Sunday?").waitFor();
  });

  it("lets a key that may read look at all, and change nothing", async () => {
    const page = await stage.visit("knowledge?bot=shop");
    await page.getByLabel("Admin key").fill("loredex-read-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("Refunds").waitFor();
    expect(await page.getByRole("button", { name: "New article" }).count()).toBe(0);
    await page.getByRole("row", { name: "Refunds" }).getByRole("button", { name: "Show" }).click();
    const title = page.getByRole("textbox", { name: "Title" });
    await expect.poll(() => title.inputValue()).toBe("Refunds");
    expect(await title.isEditable()).toBe(false);
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  });

  it("speaks English to everybody, and German once a person chose it, in every later visit", async () => {
    const page = await stage.visit("", { locale: "de-DE" });
    await page.getByLabel("Admin key").waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("en");
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByLabel("Verwaltungsschlüssel").fill(KEY);
    await page.getByRole("button", { name: "Anmelden" }).click();
    await page.getByRole("link", { name: "Wissen" }).waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Wissen" }).waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("de");
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("link", { name: "Knowledge" }).waitFor();
  });
});
