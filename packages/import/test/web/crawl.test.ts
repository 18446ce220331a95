import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { crawled } from "./support/crawled.ts";
import { answer, page, testSite } from "./support/test-site.ts";

describe("one address", () => {
  it("brings its page, and nothing that it leads to", async () => {
    const site = await testSite({ "/a": page("A", { links: ["/b"] }), "/b": page("B") });
    expect(await crawled(`${site.origin}/a`)).toMatchObject({ pages: ["/a"], problems: [], notes: [] });
    expect(site.asked).toEqual(["/robots.txt", "/a"]);
  });

  it("has the address where it was found in the end", async () => {
    const site = await testSite({ "/old": answer(301, { location: "/new?utm_source=mail#top" }), "/new": page("New") });
    expect((await crawled(`${site.origin}/old#part`)).pages).toEqual(["/new"]);
  });

  it("is gone where its server says so, and a site is not gone because its first page is", async () => {
    const site = await testSite({ "/b": answer(410, {}) });
    expect(await crawled(`${site.origin}/a`)).toMatchObject({ gone: ["/a"], problems: [] });
    expect(await crawled(`${site.origin}/b`)).toMatchObject({ gone: ["/b"], problems: [] });
    expect(await crawled(`${site.origin}/a`, { follow: 1 })).toMatchObject({
      gone: [],
      problems: ["/a: there is no such page (404)"],
    });
  });

  it("that is a site's first page does not take the others along, whatever it asks", async () => {
    const first = (asks: string, links: readonly string[]) =>
      page("A", { links, head: `<meta name=robots content="${asks}">` });
    const before = { follow: 1, isKnown: () => true, hasBrought: true, hasOthers: () => true };
    const site = await testSite({ "/b": page("B") });
    for (const [asks, links, problem] of [
      ["noindex, nofollow", ["/b"], "nofollow"],
      ["nofollow", ["/b"], "nofollow"],
      ["none", [], "nofollow"],
      ["noindex", [], "no page came from it"],
    ] as const) {
      site.pages.set("/a", first(asks, links));
      const { problems } = await crawled(`${site.origin}/a`, before);
      expect(problems).toEqual([expect.stringContaining(problem)]);
    }
    // The others are there, or none was.
    site.pages.set("/a", first("noindex", ["/b"]));
    expect(await crawled(`${site.origin}/a`, before)).toMatchObject({ pages: ["/b"], gone: ["/a"], problems: [] });
    site.pages.set("/a", first("nofollow", ["/b"]));
    expect(await crawled(`${site.origin}/a`, { follow: 1 })).toMatchObject({ pages: ["/a"], problems: [] });
    expect((await crawled(`${site.origin}/a`, { ...before, ignoreRobots: true })).problems).toEqual([]);
  });

  it("of a kind that cannot be imported is refused in words, and not fetched", async () => {
    const site = await testSite({ "/a": answer(200, { "content-type": "image/png" }, "x".repeat(1_000)) });
    expect((await crawled(`${site.origin}/a`)).problems).toEqual([
      "/a: it is of a kind that cannot be imported (image/png)",
    ]);
  });

  it("is converted as what its server says, else as what its name says", async () => {
    const kinds: string[] = [];
    const site = await testSite({
      "/a": answer(200, { "content-type": "application/pdf" }, "1"),
      "/b.md": answer(200, { "content-type": "text/plain; charset=iso-8859-1" }, "2"),
      "/c.csv": answer(200, { "content-type": "application/octet-stream" }, "3"),
      "/d": answer(200, { "content-type": "text/plain" }, "4"),
      "/e.html": answer(200, { "content-type": "text/markdown" }, "5"),
      "/f.docx": answer(200, {}, "6"),
    });
    for (const path of site.pages.keys()) {
      await crawled(site.origin + path, {
        async convert({ kind, charset, name, url }) {
          kinds.push([kind, charset ?? "-", name, url === site.origin + path].join(" "));
          return { faqs: [], notes: [] };
        },
      });
    }
    expect(kinds).toEqual([
      "pdf - a true",
      "markdown iso-8859-1 b.md true",
      "csv - c.csv true",
      "text - d true",
      "markdown - e.html true",
      "docx - f.docx true",
    ]);
  });

  it("that was not converted is a problem, and so is one without text", async () => {
    const site = await testSite({ "/a": page("A", { text: "BROKEN" }), "/b": page("B", { text: "" }) });
    expect((await crawled(`${site.origin}/a`)).problems).toEqual(["/a: the page is broken"]);
    expect((await crawled(`${site.origin}/b`)).problems[0]).toContain("no text was found in it");
  });

  it("that only leads on is followed to where it leads", async () => {
    const head = '<meta http-equiv="refresh" content="0; url=/en/">';
    const site = await testSite({ "/": page("x", { head }), "/en/": page("English") });
    expect((await crawled(`${site.origin}/`)).pages).toEqual(["/en/"]);
  });

  it.each(["https://elsewhere.test/", "/up", "javascript:go()"])(
    "that only leads on to where nothing is brought from is not brought either: %s",
    async (to) => {
      const head = `<meta http-equiv="refresh" content="0; url=${to}">`;
      const site = await testSite({
        "/a/b": page("x", { head }),
        "/a/": page("y", { links: ["b"] }),
        "/up": page("z"),
      });
      const typed = await crawled(`${site.origin}/a/b`);
      expect(typed.pages).toEqual([]);
      expect(typed.problems).toEqual([`/a/b: it leads on to ${to}, which is not a part of this import`]);
      const linked = await crawled(`${site.origin}/a/`, { follow: 1 });
      expect(linked).toMatchObject({ pages: ["/a/"], problems: [] });
      expect(linked.notes.join()).toContain("it leads to another site, or out of the folder");
    },
  );
});

describe("following", () => {
  it("goes as deep as it is told, below the folder where it began, on the same site", async () => {
    const site = await testSite({
      "/docs/": page("0", { links: ["one", "/docs/one#part", "/blog/", "https://elsewhere.test/docs/"] }),
      "/docs/one": page("1", { links: ["two", "/docs/"] }),
      "/docs/two": page("2", { links: ["three"] }),
      "/docs/three": page("3"),
    });
    expect((await crawled(`${site.origin}/docs/`, { follow: 2 })).pages).toEqual(["/docs/", "/docs/one", "/docs/two"]);
    expect(site.asked).toEqual(["/robots.txt", "/docs/", "/docs/one", "/docs/two"]);
  });

  it("begins where the first address leads", async () => {
    const site = await testSite({
      "/docs": answer(302, { location: "/docs/" }),
      "/docs/": page("0", { links: ["/docs/one", "/other"] }),
      "/docs/one": page("1"),
      "/other": page("2"),
    });
    expect((await crawled(`${site.origin}/docs`, { follow: 3 })).pages).toEqual(["/docs/", "/docs/one"]);
  });

  it("asks for every page once, however it is written, and keeps copies out", async () => {
    const site = await testSite({
      "/": page("0", {
        links: ["/a?utm_source=x", "/a", "/a#b", "/b/../a", "/index.html", "/c?lang=en", "/c", "/moved"],
      }),
      "/index.html": page("0", { links: [] }),
      "/a": page("A"),
      "/moved": answer(301, { location: "/a" }),
      "/c?lang=en": page("C", { text: "another text", head: '<link rel="canonical" href="/c">' }),
      "/c": page("C", { head: '<link rel=canonical href="/c">', links: ["/d"] }),
      "/d": page("D"),
    });
    const { pages, notes, problems } = await crawled(`${site.origin}/`, { follow: 2 });
    expect(pages).toEqual(["/", "/a", "/c", "/d"]);
    expect(site.asked.filter((path) => path === "/a")).toHaveLength(2);
    expect(site.asked.filter((path) => path === "/c")).toHaveLength(1);
    expect(notes).toEqual([`passed over ${site.origin}/index.html, and 1 more: it says the same as another page`]);
    expect(problems).toEqual([]);
  });

  it("does not believe a site that gives all its pages one address", async () => {
    const head = '<link rel="canonical" href="/">';
    const site = await testSite({
      "/": page("0", { head, links: ["/a", "/b"] }),
      "/a": page("A", { head }),
      "/b": page("B", { head }),
    });
    expect((await crawled(`${site.origin}/`, { follow: 1 })).pages).toEqual(["/", "/a", "/b"]);
  });

  it("respects what pages ask for, unless told otherwise", async () => {
    const site = await testSite({
      "/": page("0", { links: ["/a", "/b", "/c"] }),
      "/a": page("A", { head: '<meta name="ROBOTS" content="NOINDEX">', links: ["/from-a"] }),
      "/b": page("B", { head: "<meta content='nofollow' name=robots>", links: ["/from-b"] }),
      "/c": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html", "x-robots-tag": "noindex" }).end(page("C"));
      },
      "/from-a": page("from A"),
      "/from-b": page("from B"),
    });
    const { pages, notes, reasons } = await crawled(`${site.origin}/`, { follow: 2 });
    expect(pages).toEqual(["/", "/b", "/from-a"]);
    expect(reasons).toEqual(["noindex", "noindex"]);
    expect(notes[0]).toContain("/a, and 1 more: it asks programs not to keep it");
    const all = await crawled(`${site.origin}/`, { follow: 2, ignoreRobots: true });
    expect(all.pages).toEqual(["/", "/a", "/b", "/c", "/from-a", "/from-b"]);
  });

  it("leaves traps, actions and pictures alone", async () => {
    const links = ["/logo.png", "/?action=edit", "/wp-login.php", "/x/y/x/y/x/y/x/y", "/a?oldid=3", "/good?id=1"];
    const site = await testSite({ "/": page("0", { links }), "/good?id=1": page("good") });
    expect((await crawled(`${site.origin}/`, { follow: 1 })).pages).toEqual(["/", "/good?id=1"]);
    expect(site.asked).toEqual(["/robots.txt", "/", "/good?id=1"]);
  });

  it("passes over what is gone, refused or of another kind, in a line each", async () => {
    const site = await testSite({
      "/": page("0", { links: ["/gone", "/gone2", "/secret", "/stream"] }),
      "/secret": answer(403, {}),
      "/stream": answer(200, { "content-type": "audio/mpeg" }),
    });
    const { problems, passedOver, reasons, notes } = await crawled(`${site.origin}/`, { follow: 1 });
    expect(problems).toEqual([]);
    expect(passedOver).toEqual(["/gone", "/gone2", "/secret", "/stream"]);
    expect(reasons).toEqual(["gone", "gone", "refused", "kind"]);
    expect(notes).toEqual([
      `passed over ${site.origin}/gone, and 1 more: there is no such page (404)`,
      `passed over ${site.origin}/secret: it needs a login, or is not given to programs (403)`,
      `passed over ${site.origin}/stream: it is of a kind that cannot be imported (audio/mpeg)`,
    ]);
  });

  it("takes it for a problem where a page that was there is not given now", async () => {
    const site = await testSite({ "/": page("0", { links: ["/a", "/b"] }), "/a": answer(403, {}) });
    const { problems } = await crawled(`${site.origin}/`, { follow: 1, isKnown: () => true });
    expect(problems).toEqual(["/a: it needs a login, or is not given to programs (403)"]);
  });

  it("leaves a site alone that gives nothing any more", async () => {
    const links = Array.from({ length: 20 }, (_, index) => `/${index}`);
    const site = await testSite({ "/": page("0", { links }), "*": answer(500, {}), "/robots.txt": answer(404, {}) });
    const { problems } = await crawled(`${site.origin}/`, { follow: 1 });
    expect(problems).toHaveLength(6);
    expect(problems[5]).toContain("15 more were not asked for");
  });

  it("ends at the number of pages that it may bring, and says so", async () => {
    const site = await testSite({
      "*": (request, response) => {
        const number = Number(request.url?.slice(2) ?? 0);
        const links = [`/p${2 * number + 1}`, `/p${2 * number + 2}`];
        response.setHeader("content-type", "text/html").end(page(`page ${number}`, { links }));
      },
      "/robots.txt": answer(404, {}),
    });
    const { pages, problems } = await crawled(`${site.origin}/p0`, { follow: 100, pagesMax: 25 });
    expect(pages).toHaveLength(25);
    expect(problems).toEqual(["/p0: there are more pages than the 25 that one import brings (--pages-max)"]);
  });

  it("takes a page of ten thousand links", async () => {
    const links = Array.from({ length: 10_000 }, (_, index) => `/${index % 300}`);
    const site = await testSite({ "/": page("0", { links }), "*": answer(404, {}) });
    const { pages, passedOver } = await crawled(`${site.origin}/`, { follow: 1 });
    expect(pages).toEqual(["/"]);
    expect(passedOver).toHaveLength(300);
  });
});

describe("a sitemap", () => {
  const urlset = (...paths: readonly string[]): string =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc> ${path} </loc></url>`).join("")}</urlset>`;
  const xml = { "content-type": "application/xml" };

  it("leads to so many others in all, and what is more is told once", async () => {
    const index = (of: string, count: number, origin: string) =>
      `<sitemapindex>${Array.from({ length: count }, (_, i) => `<sitemap><loc>${origin}/${of}${i}.xml</loc></sitemap>`).join("")}</sitemapindex>`;
    const site = await testSite({});
    const xml = (text: string) => answer(200, { "content-type": "text/xml" }, text);
    site.pages.set("/sitemap.xml", xml(index("n", 1_200, site.origin)));
    for (let i = 0; i < 1_200; i += 1) site.pages.set(`/n${i}.xml`, xml("<urlset></urlset>"));
    const { problems } = await crawled(`${site.origin}/sitemap.xml`);
    expect(problems).toEqual([expect.stringContaining("more than 1000 sitemaps")]);
    expect(site.asked.length).toBeLessThan(1_010);
  });

  it("brings the pages that it lists, also through an index and packed, and none of another site", async () => {
    const site = await testSite({ "/a?x=1&y=2": page("A"), "/b": page("B", { links: ["/c"] }), "/c": page("C") });
    const { origin } = site;
    site.pages.set(
      "/s/index.xml",
      answer(200, xml, `<sitemapindex><sitemap><loc>${origin}/s/1.xml.gz</loc></sitemap></sitemapindex>`),
    );
    const packed = gzipSync(urlset(`${origin}/a?x=1&amp;y=2`, `<![CDATA[${origin}/b]]>`, "http://elsewhere.test/"));
    site.pages.set("/s/1.xml.gz", answer(200, { "content-type": "application/x-gzip" }, packed));
    const { pages, problems, notes } = await crawled(`${origin}/s/index.xml`);
    expect(pages).toEqual(["/a?x=1&y=2", "/b"]);
    expect(problems).toEqual([]);
    expect(notes).toEqual(["passed over http://elsewhere.test/: the sitemap is that of another site"]);
    expect((await crawled(`${origin}/s/index.xml`, { follow: 1 })).pages).toEqual(["/a?x=1&y=2", "/b", "/c"]);
  });

  it("that robots.txt names adds its pages below the folder when following", async () => {
    const site = await testSite({ "/docs/": page("0"), "/docs/a": page("A"), "/blog": page("B") });
    const { origin } = site;
    site.pages.set("/robots.txt", answer(200, {}, `Sitemap: ${origin}/map.xml`));
    site.pages.set("/map.xml", answer(200, xml, urlset(`${origin}/docs/a`, `${origin}/blog`)));
    expect((await crawled(`${origin}/docs/`, { follow: 1 })).pages).toEqual(["/docs/", "/docs/a"]);
    expect((await crawled(`${origin}/docs/`)).pages).toEqual(["/docs/"]);
  });

  it("that cannot be read, or is none, is a problem", async () => {
    const site = await testSite({
      "/feed.xml": answer(200, xml, "<rss></rss>"),
      "/bad.xml.gz": answer(200, {}, "\x1f\x8bnot packed"),
    });
    site.pages.set("/index.xml", answer(200, xml, `<sitemapindex><loc>${site.origin}/none.xml</loc></sitemapindex>`));
    expect((await crawled(`${site.origin}/feed.xml`)).problems[0]).toContain("it is XML, but no sitemap");
    expect((await crawled(`${site.origin}/index.xml`)).problems).toEqual([
      "/none.xml: the sitemap cannot be read: there is no such page (404)",
    ]);
    expect((await crawled(`${site.origin}/bad.xml.gz`)).problems).toHaveLength(1);
  });
});
