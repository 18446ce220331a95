import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

const file = (text: string) => ({ name: "shop.loredex", mimeType: "", buffer: Buffer.from(text) });

onStage("the pages of a bot", (stage) => {
  it("creates a bot, and shows its key once, with a button that copies it", async () => {
    const page = await stage.enter("fleet", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Create one" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("shop");
    await page.getByRole("button", { name: "Create it" }).click();
    await page.getByRole("alert").getByText("There is a bot of this name.").waitFor();
    await page.getByRole("textbox", { name: "Name" }).fill("travel");
    await page.getByRole("textbox", { name: "Characters of all articles" }).fill("5000");
    await page.getByLabel("Question log").selectOption("off");
    await page.getByRole("button", { name: "Create it" }).click();
    await page.getByRole("status").getByText("“travel” is there.").waitFor();
    await page.getByRole("table", { name: "Bots" }).getByText("travel").waitFor();
    expect(stage.server.bot("travel")).toMatchObject({ quota: 5000, questionLog: false, settings: { language: "en" } });
    const key = await page.locator("code", { hasText: "lore_" }).innerText();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
    await page.getByRole("button", { name: "Hide it" }).click();
    await page.reload();
    await page.getByRole("table", { name: "Bots" }).getByText("travel").waitFor();
    expect(await page.getByText(key).count()).toBe(0);
  });

  it("changes the settings of a bot, and says what is wrong with one", async () => {
    const page = await stage.enter("fleet?bot=handbook");
    const row = page.getByRole("table", { name: "Bots" }).getByRole("row", { name: "shop" });
    await row.getByRole("button", { name: "Manage" }).click();
    const quota = page.getByRole("textbox", { name: "Characters of all articles" });
    expect(await quota.inputValue()).toBe("1000000");
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await quota.fill("a lot");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("quotaCharacters must be a whole number").waitFor();
    await quota.fill("2000000");
    await page.getByRole("textbox", { name: "Name" }).fill("store");
    await page.getByLabel("Quality").selectOption("fast");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "store" }).waitFor();
    await page.getByRole("status").getByText("Saved.").waitFor();
    expect(stage.shop).toMatchObject({ name: "store", quota: 2_000_000, settings: { quality: "fast", gapScore: 0.3 } });
    expect(new URL(page.url()).searchParams.get("bot")).toBe("store");
  });

  it("deletes a bot only after its name was typed", async () => {
    const page = await stage.enter("fleet/settings?bot=handbook");
    await page.getByRole("button", { name: "Delete everything" }).click();
    const sure = page.getByRole("button", { name: "Yes, delete it" });
    const typed = page.getByRole("textbox", { name: "Confirmation" });
    await typed.fill("handboo");
    expect(await sure.isDisabled()).toBe(true);
    await typed.fill("handbook");
    await sure.click();
    const table = page.getByRole("table", { name: "Bots" });
    await table.getByText("shop").waitFor();
    await expect.poll(() => table.getByText("handbook").count()).toBe(0);
    expect(stage.server.bots).toHaveLength(1);
    expect(new URL(page.url()).search).toBe("");
  });

  it("adds a key, replaces it and revokes it", async () => {
    const page = await stage.enter("fleet/keys?bot=shop");
    const table = page.getByRole("table", { name: "Keys" });
    const code = page.locator("code", { hasText: "lore_" });
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("site");
    await page.getByRole("textbox", { name: "Requests a minute" }).fill("600");
    await page.getByRole("textbox", { name: "Origins" }).fill("https://shop.example.com\n");
    await page.getByRole("button", { name: "Add it" }).click();
    const row = table.getByRole("row", { name: "site" });
    await row.getByText("https://shop.example.com").waitFor();
    expect(stage.shop.keys.get("site")).toMatchObject({
      ...{ scope: "search", requestsPerMinute: 600, origins: ["https://shop.example.com"] },
    });
    const first = await code.innerText();
    await row.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await expect.poll(() => code.innerText()).not.toBe(first);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.waitFor({ state: "detached" });
    expect(await code.count()).toBe(0);
    expect([...stage.shop.keys.keys()]).toEqual(["default"]);
  });

  it("registers agents and channels, switches and removes them", async () => {
    const page = await stage.enter("fleet/agents?bot=shop");
    await page.getByRole("textbox", { name: "New channel" }).fill("web/chat");
    await page.getByRole("button", { name: "Register channel" }).click();
    await page.getByRole("textbox", { name: "New agent" }).fill("Sales");
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Agents" }).getByRole("row", { name: "Sales" }).waitFor();
    const channel = page.getByRole("table", { name: "Channels" }).getByRole("row", { name: "web/chat" });
    await channel.getByRole("button", { name: "Set inactive" }).click();
    await channel.getByText("inactive", { exact: true }).waitFor();
    expect([...stage.shop.channels]).toEqual([["web/chat", false]]);
    await channel.getByRole("button", { name: "Set active" }).click();
    await channel.getByRole("button", { name: "Set inactive" }).waitFor();
    await channel.getByRole("button", { name: "Remove" }).click();
    await channel.waitFor({ state: "detached" });
    expect([...stage.shop.agents]).toEqual([["Sales", true]]);
  });

  it("downloads a backup, and brings a bot back from one", async () => {
    const page = await stage.enter("fleet/backups?bot=shop");
    await page.getByLabel("With its kept questions").check();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download it" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("shop.loredex");
    expect(await readFile(await download.path(), "utf8")).toBe("backup of shop with questions");
    await page.getByRole("status").getByText("Done: 29 byte.").waitFor();
    await page.getByRole("link", { name: "To bring one back" }).click();
    await page.getByRole("button", { name: "Restore a backup" }).click();
    await page.getByLabel("File", { exact: true }).setInputFiles(file("not one"));
    await page.getByRole("button", { name: "Bring it back" }).click();
    await page.getByRole("alert").getByText("The backup is damaged.").waitFor();
    await page.getByLabel("File", { exact: true }).setInputFiles(file("backup of shop"));
    await page.getByRole("textbox", { name: "New name" }).fill("copy");
    await page.getByRole("button", { name: "Bring it back" }).click();
    await page.getByRole("status").getByText("“copy” is back.").waitFor();
    await page.locator("code", { hasText: "lore_" }).waitFor();
    await page.getByRole("table", { name: "Bots" }).getByText("copy").waitFor();
    expect(stage.problems).toEqual([]);
  });

  it("gives no file of a backup that broke off", async () => {
    const page = await stage.enter("fleet/backups?bot=shop");
    let downloads = 0;
    page.on("download", () => {
      downloads += 1;
    });
    await page.route("**/backup", (route) => route.abort());
    await page.getByRole("button", { name: "Download it" }).click();
    await page.getByRole("alert").getByText("Nothing was saved").waitFor();
    expect(downloads).toBe(0);
  });

  it("shows who changed what, page by page, and what one's own key may do", async () => {
    for (let at = 0; at < 150; at += 1)
      stage.server.changes.unshift({
        by: "Bea",
        action: "article update",
        bot: stage.shop.id,
        target: `article-${at}`,
      });
    const page = await stage.enter("fleet");
    await page.getByRole("link", { name: "Changes" }).click();
    const table = page.getByRole("table", { name: "Changes" });
    await expect.poll(() => table.getByRole("row").count()).toBe(101);
    expect(await table.getByRole("row").nth(1).getByRole("cell").allInnerTexts()).toEqual([
      ...[expect.stringContaining("28 Nov 2026"), "Bea", "article update", "shop", "article-149"],
    ]);
    await page.getByRole("button", { name: "Older" }).click();
    await expect.poll(() => table.getByRole("row").count()).toBe(151);
    await table.getByText("article-0", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Older" }).count()).toBe(0);
    await page.getByText("You are signed in as Ada. Your key may change everything.").waitFor();
  });

  it("has no button that changes something for a key that may read", async () => {
    stage.shop.agents.set("Sales", true);
    const page = await stage.visit("fleet/settings?bot=shop");
    await page.getByLabel("Admin key").fill("loredex-read-key");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Reader").getByText("reads only").waitFor();
    const names: string[] = [];
    for (const [place, text] of [
      ["fleet", "handbook"],
      ["fleet/settings", "Embedder"],
      ["fleet/keys", "default"],
      ["fleet/agents", "Sales"],
      ["fleet/backups", "Download it"],
      ["knowledge", "Refunds"],
      ["knowledge/sources", "27 Nov"],
      ["knowledge/vocabulary", "Synonyms"],
      ["gaps", "2026-W47"],
      ["measure", "All runs"],
    ] as const) {
      await page.goto(`${stage.server.url}/console/${place}?bot=shop`);
      await page.getByRole("main").getByText(text).first().waitFor();
      names.push(...(await page.getByRole("main").getByRole("button").allInnerTexts()));
    }
    const kept = ["Manage", "Download it", "Try it", "Show"];
    const sorts = ["Title", "Type", "Status", "Characters", "Last change"];
    expect(new Set(names.map((name) => name.replace(/\W+$/, "")))).toEqual(new Set([...kept, ...sorts]));
    await page.getByRole("table", { name: "Golden questions" }).getByRole("button", { name: "Show" }).first().click();
    await page.getByRole("dialog").getByText("How long does a refund take?").waitFor();
    expect(await page.getByRole("dialog").getByRole("textbox").count()).toBe(0);
    await page.goto(`${stage.server.url}/console/ask?bot=shop&q=refund`);
    await page.getByRole("region", { name: "Document", exact: true }).getByRole("heading").first().waitFor();
    expect(await page.getByRole("link", { name: "Change this article" }).count()).toBe(0);
    await page.goto(`${stage.server.url}/console/fleet/settings?bot=shop`);
    expect(await page.getByRole("textbox", { name: "Name" }).isDisabled()).toBe(true);
  });

  it("lets a key for some bots create and restore none", async () => {
    stage.server.keys.set("some", { name: "Some", scope: "write", bots: [stage.shop.id] });
    const page = await stage.visit("fleet/changes");
    await page.getByLabel("Admin key").fill("some");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Your key may change shop alone.").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("button", { name: "Manage" }).first().waitFor();
    for (const name of ["Create one", "Restore a backup"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
  });
});
