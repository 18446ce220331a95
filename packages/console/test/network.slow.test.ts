import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

onStage("a slow or broken network", (stage) => {
  it("says that the server is away, and continues by itself when it is back", async () => {
    const page = await stage.enter("ask?bot=shop");
    await stage.server.stop();
    await page.getByRole("searchbox", { name: "Question" }).fill("how long does a refund take");
    await page
      .getByRole("status")
      .getByText(/does not answer|is restarting/)
      .waitFor();
    await stage.server.start();
    await page.getByRole("heading", { name: "Refunds" }).first().waitFor();
    await page.getByRole("status").getByText("The server answers again.").waitFor();
  });

  it("notices a restart while nobody does anything", async () => {
    const page = await stage.enter("fleet");
    await page.getByRole("status").getByText("Live").waitFor();
    await stage.server.stop();
    await page
      .getByRole("status")
      .getByText(/does not answer|is restarting/)
      .waitFor();
    await stage.server.start();
    await page.getByRole("status").getByText("The server answers again.").waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
  });

  it("keeps a text whose save was not answered, and saves it once", async () => {
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Title" }).fill("Night delivery");
    await page.getByRole("textbox", { name: "Body" }).fill("Not yet.");
    // The article is created, but its answer is lost.
    let lost = 0;
    await page.route("**/articles", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Your text is still here").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("table", { name: "Documents" }).getByText("Night delivery").waitFor();
    expect([...stage.shop.articles.values()].filter(({ title }) => title === "Night delivery")).toHaveLength(1);
  });

  it("shows the answers to the last question alone, however slow the network is", async () => {
    const page = await stage.enter("ask?bot=shop");
    stage.server.delayMs = 400;
    const field = page.getByRole("searchbox", { name: "Question" });
    await field.fill("gift cards valid");
    await page.waitForRequest("**/search?*");
    await field.fill("how long does a refund take");
    await page.getByRole("status").getByText("best").waitFor();
    expect(await page.getByRole("listitem").first().getByRole("heading").innerText()).toBe("Refunds");
  });

  it("asks before a page with unsaved text is closed", async () => {
    const page = await stage.enter("knowledge/new?bot=shop");
    await page.getByRole("textbox", { name: "Body" }).fill("Half a sentence");
    await page.getByText("Unsaved").waitFor();
    const asked = page.waitForEvent("dialog");
    void page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.accept();
  });

  it("loads nothing from elsewhere, at most 120 KB compressed, with assets that never change", async () => {
    const page = await stage.visit();
    const origins = new Set<string>();
    page.on("request", (request) => origins.add(new URL(request.url()).origin));
    await page.reload();
    await page.getByLabel("Admin key").waitFor();
    expect([...origins]).toEqual([stage.server.url]);
    const sizes = [...stage.files.values()].map(({ bytes, gzip }) => (gzip ?? bytes).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
    for (const [path, { immutable }] of stage.files)
      expect(immutable).toBe(/^assets\/[a-z-]+-[A-Z0-9]{8}\.\w+$/.test(path));
  });
});
