import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

onStage("knowledge", (stage) => {
  it("lists documents, last change first, and finds, filters and sorts them", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    const table = page.getByRole("table", { name: "Documents" });
    await table.getByText("Refunds").waitFor();
    expect(await table.getByRole("row").count()).toBe(12);
    const firstTitle = () => table.getByRole("row").nth(1).getByRole("cell").first().textContent();
    expect(await firstTitle()).toContain("Paying by invoice");
    await page.getByRole("searchbox", { name: "Search documents" }).fill("e");
    await table.getByRole("button", { name: "Title" }).click();
    await expect.poll(firstTitle).toContain("Changing an order");
    await page.getByLabel("Filter by type").selectOption("TABLE");
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await page.getByText("1 document", { exact: true }).waitFor();
  });

  it("has all of 200 rows in the page, and of 100,000 those in sight", async () => {
    const fill = (count: number): void => {
      while (stage.shop.articles.size + stage.shop.documents.size < count) {
        const resourceDocId = `row-${stage.shop.documents.size}`;
        const document = { resourceDocId, type: "WEBPAGE", status: "active", source: "site", content: [] };
        stage.shop.documents.set(resourceDocId, { ...document, metaData: { title: `Page ${resourceDocId}` } });
      }
    };
    fill(200);
    const page = await stage.enter("knowledge?bot=shop");
    const table = page.getByRole("table", { name: "Documents" });
    await expect.poll(() => table.getByRole("row").count()).toBe(201);
    fill(100_000);
    await page.reload();
    await page.getByText("100,000 documents").waitFor();
    expect(await table.getAttribute("aria-rowcount")).toBe("100001");
    expect(await table.getByRole("row").count()).toBeLessThan(100);
    await page.locator(".table-box").evaluate((node) => node.scrollTo(0, node.scrollHeight));
    await table.getByText("row-99993").first().waitFor();
    await page.locator(".table-box").evaluate((node) => node.scrollTo(0, node.scrollHeight / 2));
    await expect.poll(() => table.locator("tr.row-loading").count()).toBe(0);
    expect(await table.getByRole("row").count()).toBeLessThan(100);
  });

  it("shows what the bot sees of a new article, and saves it", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    await page.getByRole("button", { name: "New article" }).click();
    const focused = () =>
      page.evaluate("document.activeElement.labels?.[0]?.innerText ?? document.activeElement.ariaLabel");
    await expect.poll(focused).toBe("Title");
    await page.getByRole("textbox", { name: "Title" }).fill("Teacher discount");
    await page.getByRole("textbox", { name: "Body" }).fill("# Teachers\n\nTeachers pay nine tenths.\nShow your card.");
    const seen = page.getByRole("region", { name: "What the bot sees" });
    await seen.getByText("Lines 3 to 4").waitFor();
    await seen.getByText("69 characters would be charged").waitFor();
    await seen.getByText(/of the quota left/).waitFor();
    await seen.getByText(/left this minute/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("table", { name: "Documents" }).getByRole("row").nth(1);
    await row.getByText("Teacher discount").waitFor();
    await page.getByRole("status").getByText("Saved.").waitFor();
    await expect.poll(focused).toBe("Search documents");
    expect([...stage.shop.articles.values()].at(-1)).toMatchObject({ title: "Teacher discount", metadata: {} });
    expect(stage.problems).toEqual([]);
  });

  it("warns of an article that says nearly the same", async () => {
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Title" }).fill("Refund");
    await page
      .getByRole("textbox", { name: "Body" })
      .fill("A refund takes three working days after the parcel has arrived. The money comes back the way you paid.");
    const seen = page.getByRole("region", { name: "What the bot sees" });
    await seen.getByText("Much like what is there").waitFor();
    await seen.getByText("Refunds", { exact: true }).waitFor();
  });

  it("changes an article's metadata and address, and keeps what was not changed", async () => {
    const { id } = stage.shop.write(
      { title: "Fair", body: "In May.", metadata: { year: 2026, code: "7" }, activeOn: [{ channel: "web" }] },
      undefined,
    );
    const page = await stage.enter(`knowledge/edit/${id}?bot=shop`);
    await page.getByText("Address and metadata").click();
    const metadata = page.getByRole("textbox", { name: "Metadata" });
    expect(await metadata.inputValue()).toBe('year: 2026\ncode: "7"');
    await metadata.fill('year: 2027\ncode: "7"\nopen: true');
    await page.getByRole("textbox", { name: "Address of the original" }).fill("https://shop.example.com/fair");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved.").waitFor();
    expect(stage.shop.article(id)).toMatchObject({
      body: "In May.",
      metadata: { year: 2027, code: "7", open: true },
      source: "https://shop.example.com/fair",
      activeOn: [{ channel: "web" }],
    });
  });

  it("shows the server's words when a save is refused, and keeps the text", async () => {
    stage.shop.quota = stage.shop.used + 10;
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Title" }).fill("Too long");
    await page.getByRole("textbox", { name: "Body" }).fill("This is more than the quota admits.");
    await page
      .getByRole("region", { name: "What the bot sees" })
      .getByText(/above the quota/)
      .waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("exceeds the quota by 33 characters").waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Too long");
  });

  it("keeps unsaved text while one visits another view", async () => {
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Body" }).fill("Half a sentence");
    await page.getByRole("link", { name: "Ask" }).click();
    await page.getByRole("link", { name: "Knowledge" }).click();
    await page.getByRole("button", { name: "New article" }).click();
    expect(await page.getByRole("textbox", { name: "Body" }).inputValue()).toBe("Half a sentence");
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("button", { name: "New article" }).click();
    expect(await page.getByRole("textbox", { name: "Body" }).inputValue()).toBe("");
  });

  it("deletes an article, and brings it back under a new id", async () => {
    const [before] = [...stage.shop.articles.values()].filter(({ title }) => title === "Refunds");
    const page = await stage.enter("knowledge?bot=shop");
    const table = page.getByRole("table", { name: "Documents" });
    await table.getByRole("row", { name: "Refunds" }).getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => table.getByText("Refunds", { exact: true }).count()).toBe(0);
    stage.shop.rateUsed = 0;
    await page.getByRole("link", { name: "Fleet" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("status").getByText("“Refunds” is back").waitFor();
    const after = [...stage.shop.articles.values()].find(({ title }) => title === "Refunds");
    expect(after).toMatchObject({ body: before?.body, source: before?.source });
    expect(after?.id).not.toBe(before?.id);
    expect(stage.shop.rateUsed).toBe(0);
  });

  it("keeps a deleted text on the screen when it cannot come back, until it does", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    const table = page.getByRole("table", { name: "Documents" });
    await table.getByRole("row", { name: "Warranty" }).getByRole("button", { name: "Delete" }).click();
    stage.shop.quota = 10;
    await page.getByRole("button", { name: "Undo" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The warranty covers two years").waitFor();
    await alert.getByText(/exceeds the quota/).waitFor();
    stage.shop.quota = 1_000_000;
    await page.getByRole("button", { name: "Undo" }).click();
    await table.getByText("Warranty").waitFor();
  });

  it("keeps both texts when two people change one article", async () => {
    const [ours, theirs] = await Promise.all([stage.enter("knowledge?bot=shop"), stage.enter("knowledge?bot=shop")]);
    for (const page of [ours, theirs])
      await page.getByRole("row", { name: "Gift cards" }).getByRole("button", { name: "Edit" }).click();
    await ours.getByRole("textbox", { name: "Body" }).fill("Ours.");
    await theirs.getByRole("textbox", { name: "Body" }).fill("Theirs.");
    await theirs.getByRole("button", { name: "Save" }).click();
    await theirs.getByRole("table", { name: "Documents" }).waitFor();
    await ours.getByRole("button", { name: "Save" }).click();
    await ours.getByRole("alert").getByText("Both texts are kept").waitFor();
    expect(await ours.getByRole("textbox", { name: "Body" }).inputValue()).toBe("Ours.");
    await ours.getByRole("region", { name: "Their version" }).getByText("Theirs.").waitFor();
    await ours.getByRole("button", { name: "Take theirs" }).click();
    expect(await ours.getByRole("textbox", { name: "Body" }).inputValue()).toBe("Theirs.");
    await ours.getByRole("region", { name: "Your previous text" }).getByText("Ours.").waitFor();
    await ours.getByRole("textbox", { name: "Body" }).fill("Theirs. Ours.");
    await ours.getByRole("button", { name: "Save" }).click();
    await ours.getByRole("table", { name: "Documents" }).waitFor();
    const bodies = [...stage.shop.articles.values()].map(({ body }) => body);
    expect(bodies).toContain("Theirs. Ours.");
  });

  it("replaces their version only after one has chosen to", async () => {
    const article = [...stage.shop.articles.values()].find(({ title }) => title === "Warranty");
    const page = await stage.enter(`knowledge/edit/${article?.id}?bot=shop`);
    await page.getByRole("textbox", { name: "Title" }).fill("Our warranty");
    stage.shop.write({ body: "Three years." }, article);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("region", { name: "Their version" }).getByText("Three years.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("Our warranty").waitFor();
    expect(stage.shop.article(article?.id ?? "")).toMatchObject({ title: "Our warranty", body: article?.body });
  });

  it("creates an article again that somebody deleted meanwhile", async () => {
    const article = [...stage.shop.articles.values()].find(({ title }) => title === "Warranty");
    const page = await stage.enter(`knowledge/edit/${article?.id}?bot=shop`);
    await page.getByRole("textbox", { name: "Body" }).fill("Still wanted.");
    stage.shop.articles.delete(article?.id ?? "");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Somebody else deleted").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("Warranty").waitFor();
  });

  it("imports files and pages, and reports each", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    await page.getByRole("button", { name: "Add files or pages" }).click();
    const file = (name: string, text: string) => ({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });
    await page
      .getByLabel("Choose files")
      .setInputFiles([file("care.md", "Wash at 30 degrees."), file("tool.exe", "MZ")]);
    await page.getByRole("textbox", { name: "Addresses of pages" }).fill("https://shop.example.com/faq");
    await page.getByRole("button", { name: "Import" }).click();
    const report = page.getByRole("region", { name: "Report" });
    await expect.poll(() => report.getByText("1 imported, 0 unchanged").count()).toBe(2);
    await report.getByText("line 1: This kind of file cannot be read.").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("care.md").first().waitFor();
    expect(stage.shop.documents.get("file:care.md")?.content).toEqual([{ md: "Wash at 30 degrees." }]);
  });

  it("switches an imported document, and takes one out after a question", async () => {
    const page = await stage.enter("knowledge?bot=shop");
    const table = page.getByRole("table", { name: "Documents" });
    await table.getByRole("row", { name: "Size chart" }).getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog").getByText("The page about size chart").waitFor();
    await page.getByRole("dialog").getByLabel("Status").selectOption("inactive");
    await expect.poll(() => stage.shop.documents.get("file:site/size-chart.md")?.status).toBe("inactive");
    await page.keyboard.press("Escape");
    await table.getByRole("row", { name: "Terms" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take out" }).click();
    await expect.poll(() => table.getByText("Terms").count()).toBe(0);
  });

  it("syncs a source", async () => {
    const page = await stage.enter("knowledge/sources?bot=shop");
    const row = page.getByRole("table", { name: "Sources" }).getByRole("row", { name: "site" });
    await row.getByText(/27 Nov 2026/).waitFor();
    await row.getByRole("button", { name: "Sync" }).click();
    await row.getByText("0 imported, 2 unchanged").waitFor();
  });

  it("tries a vocabulary on the golden questions before it is saved", async () => {
    const page = await stage.enter("knowledge/vocabulary?bot=shop");
    const pins = page.getByRole("textbox", { name: "Pinned answers" });
    await pins.fill("Do you ship to Norway? => file:site/terms.md");
    await page.getByRole("button", { name: "Try on the golden questions" }).click();
    const tried = page.getByRole("region", { name: "What it does to the golden questions" });
    await tried.getByText("Better (1)").waitFor();
    await tried.getByText("Do you ship to Norway?").waitFor();
    expect(stage.shop.vocabulary).toMatchObject({ ignored: ["hello", "please"] });
    await page.getByRole("textbox", { name: "Ignored words" }).fill("hello");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved.").waitFor();
    expect(stage.shop.vocabulary).toMatchObject({
      pins: [{ question: "Do you ship to Norway?", document: "file:site/terms.md" }],
      ignored: ["hello"],
    });
  });
});
