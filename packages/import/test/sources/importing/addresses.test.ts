import { tmpdir } from "node:os";
import { type Bot, Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { moveSource } from "../../../src/sources/belonging/move-source.ts";
import { sourceNamed } from "../../../src/sources/belonging/moved-place.ts";
import type { ImportReport, ImportSourcesOptions } from "../../../src/sources/importing/import-options.ts";
import { importSources } from "../../../src/sources/importing/import-sources.ts";
import { syncSources } from "../../../src/sources/keeping/sync-sources.ts";
import { testResolver } from "../../web/support/crawled.ts";
import { answer, type SitePage, type TestSite, testSite } from "../../web/support/test-site.ts";
import { TestTime } from "../../web/support/test-time.ts";

const machine = { time: new TestTime(), resolver: testResolver() };

async function ownBot(): Promise<Bot> {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({ name: "help" });
  return engine.bot(bot.id);
}

function markdown(title: string): SitePage {
  return answer(200, { "content-type": "text/markdown" }, `# ${title}\n\nAll about ${title}.\n`);
}

/** A site with a sitemap at `/sitemap.xml` of these pages. */
async function mapped(...names: readonly string[]): Promise<TestSite> {
  const site = await testSite(Object.fromEntries(names.map((name) => [`/${name}`, markdown(name)])));
  map(site, ...names);
  return site;
}

function map({ origin, pages }: TestSite, ...names: readonly string[]): void {
  const listed = names.map((name) => `<url><loc>${origin}/${name}</loc></url>`);
  pages.set("/sitemap.xml", answer(200, { "content-type": "text/xml" }, `<urlset>${listed.join("")}</urlset>`));
}

function imported(bot: Bot, addresses: readonly string[], options: ImportSourcesOptions = {}): Promise<ImportReport> {
  return importSources(bot, addresses, { machine, ...options });
}

/** The ids of all documents with their sources, without the site's origin. */
async function owned(bot: Bot, { origin }: TestSite): Promise<string[]> {
  const all = await bot.ownedDocuments((await bot.listSources()).map(({ name }) => name));
  return all.map(({ id, source }) => `${id} of ${source}`.replaceAll(origin, "")).sort();
}

describe("an address", () => {
  it("becomes a document whose id and url it is, of a source that has its name", async () => {
    const bot = await ownBot();
    const site = await mapped("a");
    const address = `${site.origin}/a`;
    expect(await imported(bot, [`${address}?utm_source=mail#top`])).toMatchObject({ added: 1, failed: 0, notes: [] });
    await bot.whenSearchable();
    const [found] = await bot.search("all about a");
    expect(found).toMatchObject({ resourceDocId: address, url: address, type: "DOCUMENT", metaData: { title: "a" } });
    expect(await bot.listSources()).toMatchObject([
      { name: address, documents: 1, arguments: [{ kind: "address", path: address, ids: address }] },
    ]);
    expect(await imported(bot, [address])).toMatchObject({ added: 0, unchanged: 1 });
  });

  it("that is none is refused in words", async () => {
    const { problems } = await imported(await ownBot(), ["https://user:password@site.test/", "http://"]);
    expect(problems.map(({ message }) => message.slice(0, 45))).toEqual([
      "this is no address that can be imported: it h",
      "this is no address that can be imported: it h",
    ]);
  });

  it("takes no options that it cannot have, and changes nothing then", async () => {
    const bot = await ownBot();
    for (const options of [{ follow: -1 }, { follow: 1.5 }, { pagesMax: 0 }, { requestsPerSecond: 0 }]) {
      await expect(imported(bot, ["http://site.test/"], options)).rejects.toThrow(/from/);
    }
  });

  it("is gone with a sync when its server says so, and only then", async () => {
    const bot = await ownBot();
    const site = await mapped("a");
    const address = `${site.origin}/a`;
    await imported(bot, [address]);
    site.pages.set("/a", answer(500, {}));
    expect(await imported(bot, [address], { sync: true })).toMatchObject({
      removed: 0,
      failed: 1,
      notSynced: [address],
    });
    site.pages.delete("/a");
    expect(await imported(bot, [address])).toMatchObject({ removed: 0, failed: 1 });
    expect(await imported(bot, [address], { sync: true })).toMatchObject({
      removed: 1,
      failed: 0,
      notes: [`${address}: there is no such page (404)`],
    });
    expect(await owned(bot, site)).toEqual([]);
  });
});

describe("the source of an address", () => {
  it("is found however the address is written, and cannot be moved", async () => {
    const bot = await ownBot();
    const site = await mapped("a");
    const { port } = site;
    await imported(bot, [`${site.origin}/a`]);
    expect(sourceNamed(await bot.listSources(), `HTTP://SITE.test:${port}/./a#top`).name).toBe(`${site.origin}/a`);
    await expect(moveSource(bot, `${site.origin}/a`, `${site.origin}/b`)).rejects.toThrow(/cannot be moved/);
    await expect(moveSource(bot, `${site.origin}/a`, tmpdir())).rejects.toThrow(/cannot be moved/);
  });
});

describe("the pages of a site", () => {
  it("are kept in step: what has gone from it goes, if all of it was read", async () => {
    const bot = await ownBot();
    const site = await mapped("a", "b", "c");
    const start = `${site.origin}/sitemap.xml`;
    expect(await imported(bot, [start], { source: "site" })).toMatchObject({ added: 3, failed: 0 });
    map(site, "a", "b");
    site.pages.set("/a", markdown("A anew"));
    site.pages.set("/b", answer(503, {}));
    expect(await imported(bot, [start], { source: "site", sync: true })).toMatchObject({
      changed: 1,
      removed: 0,
      failed: 1,
      notSynced: [start],
    });
    site.pages.set("/b", markdown("b"));
    expect(await imported(bot, [start], { source: "site", sync: true })).toMatchObject({ unchanged: 2, removed: 1 });
    site.pages.delete("/b");
    const report = await imported(bot, [start], { source: "site", sync: true });
    expect(report).toMatchObject({ unchanged: 1, removed: 1, failed: 0, passedOver: 1, passedOverFor: { gone: 1 } });
    expect(report.notes).toEqual([`${start}: passed over ${site.origin}/b: there is no such page (404)`]);
    expect(await owned(bot, site)).toEqual(["/a of site"]);
  });

  it("belong to the first that brought them", async () => {
    const bot = await ownBot();
    const site = await mapped("a", "b");
    const [map, page] = [`${site.origin}/sitemap.xml`, `${site.origin}/a`];
    expect(await imported(bot, [page, map])).toMatchObject({ added: 2, failed: 0 });
    expect(await owned(bot, site)).toEqual(["/a of /a", "/b of /sitemap.xml"]);
    expect(await imported(bot, [map], { sync: true })).toMatchObject({ unchanged: 2, removed: 0 });
    expect(await owned(bot, site)).toEqual(["/a of /a", "/b of /sitemap.xml"]);
    const { failed, problems } = await imported(bot, [page], { source: "mine" });
    expect(failed).toBe(1);
    expect(problems[0]?.message).toContain(`the page belongs to the source "${page}"`);
    expect((await bot.listSources()).map(({ name }) => name)).toEqual([page, map]);
  });

  it("are followed as deep as before where nothing is said, and their questions are documents of their own", async () => {
    const bot = await ownBot();
    const text = "Everything about orders that anybody has ever asked, from the first click to the way back. ".repeat(
      3,
    );
    const html = (title: string, more: string): string =>
      `<html><head><title>${title}</title></head><body><nav><a href="/a.html">A</a></nav><main><h1>${title}</h1><p>${text}</p>${more}</main></body></html>`;
    const faq = "<details><summary>Can I pay later?</summary><p>Yes, within a week.</p></details>";
    const site = await testSite({ "/": html("Help", ""), "/a.html": html("Orders", faq) });
    const start = `${site.origin}/`;
    expect(await imported(bot, [start], { follow: 1, source: "site" })).toMatchObject({ added: 3, failed: 0 });
    const ids = await owned(bot, site);
    expect(ids).toEqual([
      "/ of site",
      "/a.html of site",
      expect.stringMatching(/^\/a\.html#qna-[0-9a-f]{16} of site$/),
    ]);
    expect(await imported(bot, [start], { source: "site", sync: true })).toMatchObject({ unchanged: 3, removed: 0 });
    site.pages.set("/a.html", html("Orders", ""));
    expect(await imported(bot, [start], { source: "site", sync: true })).toMatchObject({ removed: 1, failed: 0 });
    expect(await imported(bot, [start], { source: "site", follow: 0, sync: true })).toMatchObject({
      unchanged: 1,
      removed: 1,
    });
    expect(await owned(bot, site)).toEqual(["/ of site"]);
  });

  it("are brought up to date as they were brought", async () => {
    const bot = await ownBot();
    const site = await mapped("a", "b", "c");
    await imported(bot, [`${site.origin}/sitemap.xml`], { pagesMax: 100, requestsPerSecond: 50, ignoreRobots: true });
    expect((await bot.listSources())[0]?.arguments[0]?.settings).toEqual({
      pagesMax: 100,
      requestsPerSecond: 50,
      ignoreRobots: true,
    });
    map(site, "a", "b");
    site.asked.length = 0;
    const [synced] = await syncSources(bot, { machine });
    expect(synced?.report).toMatchObject({ unchanged: 2, removed: 1, failed: 0 });
    expect(site.asked).toEqual(["/sitemap.xml", "/a", "/b"]);
  });
});

describe("a page that leads elsewhere for now", () => {
  it("keeps what it brought, and so does its site", async () => {
    const bot = await ownBot();
    const site = await mapped("a", "b", "c");
    await imported(bot, [`${site.origin}/sitemap.xml`], { source: "site" });
    const before = await owned(bot, site);
    for (const status of [302, 303, 307]) {
      site.pages.set("/a", answer(status, { location: "/login" }));
      site.pages.set("/b", answer(status, { location: "http://site.test:1/login" }));
      site.pages.set("/login", markdown("login"));
      const report = await imported(bot, [`${site.origin}/sitemap.xml`], { source: "site", sync: true });
      expect(report).toMatchObject({ added: 0, removed: 0, notSynced: [expect.any(String)] });
      expect(report.problems.map(({ message }) => message).join("\n")).toContain("leads to");
      expect(await owned(bot, site)).toEqual(before);
    }
    site.pages.set("/b", markdown("b"));
    site.pages.set("/a", answer(301, { location: "/moved" }));
    site.pages.set("/moved", markdown("moved"));
    map(site, "a", "b", "c");
    const moved = await imported(bot, [`${site.origin}/sitemap.xml`], { source: "site", sync: true });
    expect(moved).toMatchObject({ added: 1, removed: 1, failed: 0 });
  });

  it("is not taken for the one that it leads to, where it is the one that was asked for", async () => {
    const bot = await ownBot();
    const site = await mapped("a");
    await imported(bot, [`${site.origin}/a`]);
    site.pages.set("/a", answer(302, { location: "/login" }));
    site.pages.set("/login", markdown("login"));
    expect(await imported(bot, [`${site.origin}/a`], { sync: true })).toMatchObject({
      added: 0,
      removed: 0,
      failed: 1,
    });
    expect(await owned(bot, site)).toEqual(["/a of /a"]);
  });
});

it("a page that has no text any more keeps what it brought", async () => {
  const bot = await ownBot();
  const site = await mapped("a", "b");
  await imported(bot, [`${site.origin}/sitemap.xml`], { source: "site" });
  site.pages.set("/a", answer(200, { "content-type": "text/html" }, '<div id="root"></div>'));
  const report = await imported(bot, [`${site.origin}/sitemap.xml`], { source: "site", sync: true });
  expect(report).toMatchObject({ removed: 0, failed: 1, notSynced: [expect.any(String)] });
  expect(await owned(bot, site)).toEqual(["/a of site", "/b of site"]);
});

it("a draft at an address stays out, and a type is that of what is there", async () => {
  const bot = await ownBot();
  const site = await mapped("a");
  site.pages.set("/a", answer(200, { "content-type": "text/markdown" }, "---\ndraft: true\n---\n# A\n\nText.\n"));
  const address = `${site.origin}/a`;
  expect(await imported(bot, [address])).toMatchObject({ added: 0, drafts: 1, failed: 0 });
  expect(await imported(bot, [address], { drafts: true, type: "WEBPAGE" })).toMatchObject({ added: 1, drafts: 0 });
  expect((await bot.getDocument(address))?.type).toBe("WEBPAGE");
});

it("a page that asks to be left alone now goes with what it brought, and nothing else does", async () => {
  const bot = await ownBot();
  const site = await mapped("a", "b");
  const address = `${site.origin}/a`;
  await imported(bot, [address, `${site.origin}/sitemap.xml`]);
  const body = "# A\n\nAll about it.\n";
  site.pages.set("/a", answer(200, { "content-type": "text/markdown", "x-robots-tag": "noindex" }, body));
  expect(await imported(bot, [address])).toMatchObject({ failed: 1, removed: 0 });
  const report = await imported(bot, [address, `${site.origin}/sitemap.xml`], { sync: true });
  expect(report).toMatchObject({ removed: 1, unchanged: 1, failed: 0, notSynced: [] });
  expect(report.notes.join()).toContain("noindex");
  site.pages.set("/b", answer(200, { "content-type": "text/markdown", "x-robots-tag": "noindex" }, body));
  map(site, "b", "c");
  site.pages.set("/c", markdown("c"));
  expect(await imported(bot, [`${site.origin}/sitemap.xml`], { sync: true })).toMatchObject({ added: 1, removed: 1 });
});

it("a site whose first page asks to be left alone keeps all that it brought", async () => {
  const bot = await ownBot();
  const text = "Everything about orders that anybody has ever asked, from the first click to the way back. ".repeat(3);
  const html = (title: string, head = ""): string =>
    `<html><head><title>${title}</title>${head}</head><body><a href="/b.html">B</a> <a href="/c.html">C</a><main><h1>${title}</h1><p>${title}: ${text}</p></main></body></html>`;
  const site = await testSite({ "/": html("A"), "/b.html": html("B"), "/c.html": html("C") });
  const start = `${site.origin}/`;
  expect(await imported(bot, [start], { follow: 1 })).toMatchObject({ added: 3, failed: 0 });
  for (const asks of ["noindex, nofollow", "nofollow"]) {
    site.pages.set("/", html("A", `<meta name="robots" content="${asks}">`));
    expect(await imported(bot, [start], { sync: true })).toMatchObject({ removed: 0, failed: 1, notSynced: [start] });
  }
  site.pages.set("/", html("A", '<meta name="robots" content="noindex">'));
  expect(await imported(bot, [start], { sync: true })).toMatchObject({ removed: 1, unchanged: 2, failed: 0 });
});

it("a page that is gone is not said to take along what stays", async () => {
  const bot = await ownBot();
  const site = await mapped("a");
  await imported(bot, [`${site.origin}/a`]);
  site.pages.delete("/a");
  const [synced] = await syncSources(bot, { machine });
  expect(synced?.report).toMatchObject({ removed: 0, notSynced: [`${site.origin}/a`] });
  expect(synced?.report?.notes).toEqual([
    `${site.origin}/a: there is no such page (404)`,
    expect.stringContaining("nothing was removed, since nothing is there any more"),
  ]);
});
