import { expect, it } from "vitest";
import { FakeBot } from "./support/fake-bot.ts";
import { onStage } from "./support/on-stage.ts";

onStage("asking", (stage) => {
  it("shows answers while one types, best first, with the marked lines of each", async () => {
    const page = await stage.enter("ask?bot=shop");
    await page.getByRole("searchbox", { name: "Question" }).pressSequentially("how long does a refund take");
    const first = page.getByRole("list", { name: "Answers" }).getByRole("listitem").first();
    await first.getByText("lines 3 to 4", { exact: true }).waitFor();
    expect(await first.getByRole("heading").allInnerTexts()).toEqual(["Refunds"]);
    expect(await first.locator("mark").first().textContent()).toBe(
      "A refund takes three working days after the parcel has arrived.\nThe money comes back the way you paid.",
    );
    await first.getByText("line 8", { exact: true }).waitFor();
    await page.getByRole("status").getByText("best").waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBe("how long does a refund take");
    expect(stage.problems).toEqual([]);
  });

  it("shows the whole document with the same marks, scrolled to the best one", async () => {
    const body = `${"A line of no interest.\n\n".repeat(300)}Umbrellas are repaired in Vienna.\n\n${"More.\n\n".repeat(300)}`;
    stage.shop.write({ title: "Umbrellas", body }, undefined);
    const page = await stage.enter("ask?bot=shop&q=umbrellas repaired Vienna");
    const region = page.getByRole("region", { name: "Document", exact: true });
    const mark = region.locator("mark");
    await mark.waitFor();
    expect(await mark.textContent()).toBe("Umbrellas are repaired in Vienna.");
    await expect.poll(() => mark.evaluate((node) => node.getBoundingClientRect().top)).toBeLessThan(800);
    expect(await mark.evaluate((node) => node.getBoundingClientRect().top)).toBeGreaterThan(0);
    await region.getByText("A line of no interest.").first().waitFor({ state: "attached" });
  });

  it("opens another document by its button", async () => {
    const page = await stage.enter("ask?bot=shop&q=refund of an order");
    const items = page.getByRole("list", { name: "Answers" }).getByRole("listitem");
    const other = items.filter({ hasText: "Gift cards" });
    await other.getByRole("button", { name: "Show the document" }).click();
    await page
      .getByRole("region", { name: "Document", exact: true })
      .getByRole("heading", { name: "Gift cards" })
      .waitFor();
  });

  it("draws why a document has its rank, and returns to the button", async () => {
    const page = await stage.enter("ask?bot=shop&q=how long does a refund take");
    const why = page.getByRole("listitem").first().getByRole("button", { name: "Why" });
    await why.click();
    const region = page.getByRole("region", { name: "Explanation" });
    await region.getByText("Rank 1").waitFor();
    for (const part of ["Words", "Meaning", "Reranking"]) await region.getByText(part, { exact: true }).waitFor();
    const terms = region.getByRole("table", { name: "Terms" });
    expect(await terms.getByRole("rowheader").allInnerTexts()).toEqual(["refund", "take"]);
    await region.getByRole("table", { name: "Tokens" }).waitFor();
    await page.keyboard.press("Escape");
    await region.waitFor({ state: "detached" });
    await expect.poll(() => why.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  });

  it("says why the score of small talk is lower than that of its passages, and says it of nothing else", async () => {
    const page = await stage.enter("ask?bot=shop&q=thanks for the refund of an order");
    await page.getByRole("button", { name: "Why" }).first().click();
    const region = page.getByRole("region", { name: "Explanation" });
    const reason = region.getByText(
      "The question is small talk (75%). So the score is the best passage’s, to the power of 2.5.",
    );
    await reason.waitFor();
    await page.getByRole("searchbox", { name: "Question" }).fill("refund of an order");
    await page.getByRole("button", { name: "Why" }).first().click();
    await region.getByText("Rank 1").waitFor();
    await region.getByRole("table", { name: "Tokens" }).waitFor();
    expect(await reason.count()).toBe(0);
    expect(stage.problems).toEqual([]);
  });

  it("says that the title raises the scores of the passages, where it does", async () => {
    const page = await stage.enter("ask?bot=shop&q=titled refund of an order");
    await page.getByRole("button", { name: "Why" }).first().click();
    const region = page.getByRole("region", { name: "Explanation" });
    await region
      .getByText("The title is closer to the question than the passages. It raises their scores 1.25 times.")
      .waitFor();
    expect(stage.problems).toEqual([]);
  });

  it("shows the heading of an explanation on a phone", async () => {
    const page = await stage.enter("ask?bot=shop&q=refund of an order", { viewport: { width: 360, height: 740 } });
    await page.getByRole("button", { name: "Why" }).nth(1).click();
    const heading = page.getByRole("region", { name: "Explanation" }).getByRole("heading").first();
    await page.getByRole("table", { name: "Terms" }).waitFor();
    const top = () => heading.evaluate((node) => node.getBoundingClientRect().top);
    await expect.poll(top).toBeGreaterThan(-1);
    expect(await top()).toBeLessThan(370);
  });

  it("says why an expected document is not there", async () => {
    const page = await stage.enter("ask?bot=shop&q=how long does a refund take");
    await page.getByText("Is a document missing?").click();
    await page.getByRole("textbox", { name: "Expected document" }).fill("warr");
    await page.getByRole("button", { name: "Warranty" }).click();
    const region = page.getByRole("region", { name: "Explanation" });
    await region.getByText("No passage of it is close enough").waitFor();
    await region.getByText(/The last answer has/).waitFor();
  });

  it("compares answers by words, by the static embedder and by all", async () => {
    const page = await stage.enter("ask?bot=shop&q=how long does a refund take");
    const asked = new Set<string | null>();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/search")) asked.add(searchParams.get("quality"));
    });
    await page.getByRole("button", { name: "Compare" }).click();
    const region = page.getByRole("region", { name: "Comparison" });
    for (const name of ["By words alone", "Static embedder", "All"]) {
      await region.getByRole("list", { name }).getByText("Refunds").waitFor();
    }
    expect(asked).toEqual(new Set(["words", "fast", "best"]));
  });

  it("asks another bot when one chooses it", async () => {
    stage.server.bot("handbook").write({ title: "Holidays", body: "Thirty days of holidays a year." }, undefined);
    const page = await stage.enter("ask?bot=shop");
    await page.getByRole("combobox", { name: "Bot" }).selectOption("handbook");
    await page.getByRole("searchbox", { name: "Question" }).fill("holidays a year");
    await page.getByRole("heading", { name: "Holidays" }).first().waitFor();
    expect(new URL(page.url()).searchParams.get("bot")).toBe("handbook");
  });

  it("reaches each bot by keys alone", async () => {
    stage.server.bots.push(new FakeBot("intern"));
    const page = await stage.enter("ask?bot=shop");
    const choice = page.getByRole("combobox", { name: "Bot" });
    await choice.focus();
    for (const name of ["handbook", "intern"]) {
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => new URL(page.url()).searchParams.get("bot")).toBe(name);
    }
    expect(await choice.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
  });

  it("says that nothing was found", async () => {
    const page = await stage.enter("ask?bot=shop&q=zeppelin");
    await page.getByRole("status").getByText("Nothing was found.").waitFor();
    expect(await page.getByRole("listitem").count()).toBe(0);
  });
});
