import { expect, it } from "vitest";
import { onStage } from "./support/on-stage.ts";

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const BODY = `${SCRIPT}\n\n[click](javascript:window.hacked=1) zeppelin\n\n<svg onload="window.hacked=1"><iframe srcdoc="<script>parent.hacked=1</script>">`;

onStage("hostile content", (stage) => {
  it("is text in every view: nothing of it runs, and no address of it but the web's is a link", async () => {
    const { shop } = stage;
    const { id } = shop.write(
      { title: `Zeppelin ${SCRIPT}`, body: BODY, source: "javascript:window.hacked=1" },
      undefined,
    );
    const resourceDocId = `file:${SCRIPT}.md`;
    const content = [{ md: BODY }];
    shop.documents.set(resourceDocId, {
      resourceDocId,
      type: "DOCUMENT",
      status: "active",
      metaData: { title: SCRIPT },
      content,
      source: SCRIPT,
    });
    shop.ask(`${SCRIPT} ${Array.from({ length: 60 }, (_, i) => `unknown${i}`).join(" ")}`);
    shop.findings = { ...shop.findings, neverFound: [{ id, title: SCRIPT }] };
    shop.golden = [{ question: `${SCRIPT} zeppelin`, expected: [{ id }] }];
    shop.run(undefined);
    shop.vocabulary = { synonyms: [SCRIPT], pins: [], ignored: [SCRIPT] };
    stage.server.alerts = [{ name: SCRIPT, severity: "critical", meaning: SCRIPT, bots: [SCRIPT] }];

    shop.keys.set(SCRIPT, { scope: "all", origins: [SCRIPT] });
    for (const registered of [shop.agents, shop.channels]) registered.set(SCRIPT, true);
    stage.server.changes.push({ by: SCRIPT, action: SCRIPT, bot: SCRIPT, target: SCRIPT });

    const page = await stage.enter(`ask?bot=shop&q=${encodeURIComponent(`zeppelin ${SCRIPT}`)}`);
    const texts = () => page.getByRole("main").innerText();
    await page.getByRole("button", { name: "Why" }).first().click();
    await page.getByRole("region", { name: "Explanation" }).getByText("Rank 1").waitFor();
    await expect.poll(texts).toContain(SCRIPT);
    expect(await page.getByRole("link", { name: "Original page" }).count()).toBe(0);
    for (const place of [
      "knowledge",
      `knowledge/edit/${id}`,
      "knowledge/sources",
      "knowledge/vocabulary",
      "gaps",
      "measure",
      "fleet",
      "fleet/keys",
      "fleet/agents",
      "fleet/changes",
      "fleet/settings",
      "fleet/backups",
    ]) {
      if (place === "fleet/settings") shop.name = `shop ${SCRIPT}`;
      await page.goto(`${stage.server.url}/console/${place}?bot=${shop.id}`);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      await expect
        .poll(
          async () => (await texts()) + (await page.locator("textarea").allInnerTexts()).join() + (await values(page)),
        )
        .toContain("onerror");
      expect(
        await page.evaluate(
          "[window.hacked, document.images.length, document.querySelectorAll('iframe, main script').length]",
        ),
      ).toEqual([undefined, 0, 0]);
    }
    expect(stage.problems).toEqual([]);
  });
});

async function values(page: { evaluate: (expression: string) => Promise<unknown> }): Promise<string> {
  return String(
    await page.evaluate("[...document.querySelectorAll('input, textarea')].map((each) => each.value).join()"),
  );
}
