import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

onStage("gaps, measure and fleet", (stage) => {
  it("shows gaps, and a new one while one watches", async () => {
    const page = await stage.enter("gaps?bot=shop");
    const table = page.getByRole("table", { name: "Gaps" });
    await table.getByRole("row", { name: "Do you ship to Norway?" }).getByText("2", { exact: true }).waitFor();
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual([
      "Question",
      "Count",
      "Best score",
      "Nearest document",
      "Actions",
    ]);
    await table.getByRole("row", { name: "courier" }).getByText("1× said not to help").waitFor();
    stage.shop.ask("May I bring a zeppelin?");
    await table.getByText("May I bring a zeppelin?").waitFor();
  });

  it("closes a gap: an article is written, and the question answered", async () => {
    const page = await stage.enter("gaps?bot=shop");
    const row = page.getByRole("table", { name: "Gaps" }).getByRole("row", { name: "teacher discount" });
    await row.getByRole("button", { name: "Write an article" }).click();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Is there a teacher discount?");
    await page.getByText("Users asked this 1 time").waitFor();
    await page.getByRole("textbox", { name: "Body" }).fill("There is a teacher discount of a tenth.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Try the question" }).click();
    await page.getByRole("listitem").first().getByText("There is a teacher discount of a tenth.").waitFor();
    await page.getByRole("link", { name: "Gaps" }).click();
    const table = page.getByRole("table", { name: "Gaps" });
    await table.getByText("Do you ship to Norway?").waitFor();
    expect(await table.getByText("teacher discount").count()).toBe(0);
  });

  it("makes a golden question of a gap", async () => {
    const page = await stage.enter("gaps?bot=shop");
    const row = page.getByRole("table", { name: "Gaps" }).getByRole("row", { name: "Berlin" });
    await row.getByRole("button", { name: "Make it a golden question" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Expected document" }).fill("opening");
    await page.getByRole("dialog").getByRole("button", { name: "Opening hours" }).click();
    await page.getByRole("status").getByText("Golden question added").waitFor();
    expect(stage.shop.golden.at(-1)).toEqual({
      question: "Can I collect it in Berlin?",
      expected: [{ id: "file:site/opening-hours.md" }],
    });
  });

  it("shows findings, and turns the question log on", async () => {
    stage.shop.questionLog = false;
    const page = await stage.enter("gaps?bot=shop");
    await page.getByRole("button", { name: "Keep questions" }).click();
    await page.getByRole("table", { name: "Gaps" }).getByText("Do you ship to Norway?").waitFor();
    expect(stage.shop.questionLog).toBe(true);
    await page.getByRole("region", { name: "May contradict" }).getByText("free from 50 euros").waitFor();
    await page.getByRole("region", { name: "Near-duplicates" }).getByText(".91 alike").waitFor();
    await page.getByRole("region", { name: "Never found" }).getByText("Paying by invoice").waitFor();
    await page.getByRole("table", { name: "Week over week" }).getByText("2026-W47").waitFor();
    await page.getByRole("button", { name: "Delete all kept questions" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete all kept questions" }).click();
    await page.getByText("No question is kept").waitFor();
    expect(stage.shop.questions).toEqual([]);
  });

  it("runs the golden questions, draws the curve, and tells each miss", async () => {
    const page = await stage.enter("measure?bot=shop");
    const table = page.getByRole("table", { name: "Golden questions" });
    await expect.poll(() => table.getByRole("row").count()).toBe(6);
    const figure = page.getByRole("figure", { name: "nDCG over time" });
    await figure.locator("canvas").waitFor();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("status").getByText("Done: nDCG@10 .800").waitFor();
    await figure.getByText(".800").waitFor();
    const misses = page.getByRole("region", { name: "Misses" });
    await misses.getByText("The expected document is not among the first ten.").waitFor();
    await misses.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("region", { name: "Explanation" }).getByText("No passage of it is close enough").waitFor();
  });

  it("adds, changes and deletes golden questions", async () => {
    const page = await stage.enter("measure?bot=shop");
    const table = page.getByRole("table", { name: "Golden questions" });
    await page.getByRole("button", { name: "Add a question" }).click();
    await page.getByRole("textbox", { name: "Golden question" }).fill("Are you open on Sunday?");
    await page.getByRole("textbox", { name: "Ids of expected documents" }).fill("file:site/opening-hours.md:3-5");
    await page.getByRole("textbox", { name: "Find a document to add" }).fill("Gift");
    await page.getByRole("dialog").getByRole("button", { name: "Gift cards" }).click();
    await page.getByRole("button", { name: "Keep it" }).click();
    const row = table.getByRole("row", { name: "Are you open on Sunday?" });
    await row.getByText("not run yet").waitFor();
    await table.getByRole("row", { name: "How long does a refund take?" }).getByText("first").waitFor();
    expect(stage.shop.golden.at(-1)?.expected).toEqual([
      { id: "file:site/opening-hours.md", gain: 1, lines: [[3, 5]] },
      { id: [...stage.shop.articles.keys()][3], gain: 1, lines: [] },
    ]);
    await row.getByText("Gift cards").waitFor();
    stage.shop.documents.delete("file:site/opening-hours.md");
    await page.reload();
    await row.getByText("The bot does not have the expected document.").waitFor();
    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Golden question" }).fill("Open on Sundays?");
    await page.getByRole("button", { name: "Keep it" }).click();
    const changed = table.getByRole("row", { name: "Open on Sundays?" });
    await changed.getByText("not run yet").waitFor();
    await changed.getByRole("button", { name: "Delete" }).click();
    await changed.waitFor({ state: "detached" });
    expect(stage.shop.golden).toHaveLength(5);
  });

  it("compares two runs", async () => {
    stage.shop.write({ title: "Ship to Norway", body: "We ship to Norway." }, undefined);
    stage.shop.golden = stage.shop.golden.map((golden) =>
      golden.question.includes("Norway")
        ? { ...golden, expected: [{ id: [...stage.shop.articles.keys()].at(-1) ?? "" }] }
        : golden,
    );
    stage.shop.run(undefined);
    // In the minute of the second run.
    Object.assign(stage.shop.runs[0] ?? {}, { at: "2026-11-21T10:00:30.000Z" });
    const page = await stage.enter("measure?bot=shop");
    await expect.poll(() => page.getByLabel("Later").getByText(":00:30").count()).toBe(1);
    expect(await page.getByLabel("Later").getByText(":00:00").count()).toBe(1);
    const compared = page.getByRole("region", { name: "Two runs compared" });
    await compared.getByText("Better (1)").waitFor();
    const ofRuns = stage.server.seen.filter((each) => each.includes("/runs/run-"));
    expect(new Set(ofRuns).size).toBe(ofRuns.length);
    await compared.getByText("Do you ship to Norway?").waitFor();
    const bottoms = await compared
      .locator("select")
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().bottom));
    expect(new Set(bottoms).size).toBe(1);
    await compared.getByLabel("Later").selectOption("run-1");
    await compared.getByText("No question changed.").waitFor();
  });

  it.each([
    ["en", 1280],
    ["de", 1280],
    ["en", 360],
    ["de", 360],
  ])("cuts no table: %s, %i pixels wide", async (language, width) => {
    const page = await stage.enter("fleet?bot=shop", { viewport: { width, height: 800 } });
    await page.evaluate(`localStorage.setItem("loredex-language", "${language}")`);
    for (const place of ["fleet", "knowledge", "knowledge/sources"]) {
      await page.goto(`${stage.server.url}/console/${place}?bot=shop`);
      await page
        .locator("tbody tr")
        .nth(place === "knowledge/sources" ? 0 : 1)
        .waitFor();
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.table-box, .col-actions')].map((e) => e.scrollWidth - e.clientWidth).filter((each) => each > 0)",
      );
      expect([place, cut]).toEqual([place, []]);
    }
    await page.goto(`${stage.server.url}/console/knowledge?bot=shop`);
    const title = page.locator(".col-title .cell-title").filter({ hasText: "Delivery times and costs" });
    await title.waitFor();
    const lack = await title.evaluate((node) => node.scrollWidth - node.clientWidth);
    if (width === 1280) expect(lack).toBe(0);
  });

  it("shows all bots, live, and what each alert means", async () => {
    const page = await stage.enter("fleet");
    const row = page.getByRole("table", { name: "Bots" }).getByRole("row", { name: "shop" });
    await row.getByText("34", { exact: true }).waitFor();
    await row.getByText("3.4 ms").waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
    await page.getByRole("region", { name: "Alerts" }).getByText("raise the quota").waitFor();
    expect(stage.problems).toEqual([]);
  });
});
