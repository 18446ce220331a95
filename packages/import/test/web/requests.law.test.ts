import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { crawled } from "./support/crawled.ts";
import { answer, page, type SitePage, testSite } from "./support/test-site.ts";

const XML = { "content-type": "text/xml" };

/** What a site answers for a page that a sitemap or a link leads to. */
const ANSWERS: Readonly<Record<string, (path: string) => SitePage>> = {
  dead: () => answer(404, {}),
  page: (path) => page(path),
  copy: () => page("The same"),
  "leads on": (path) => answer(301, { location: `${path}x` }),
  "leads in a circle": (path) => answer(302, { location: path }),
  busy: () => answer(503, {}),
  links: (path) => page(path, { links: Array.from({ length: 30 }, (_, i) => `${path}/${i}`) }),
};

const ANY_SITE = fc.record({
  pagesMax: fc.integer({ min: 1, max: 30 }),
  kinds: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1, maxLength: 4 }),
  sitemaps: fc.constantFrom(0, 1, 200),
  isSitemapDead: fc.boolean(),
  follow: fc.constantFrom(0, 2),
});

describe("the requests of one crawl", () => {
  it("are at most twice the pages that it may bring, and 20, whatever the site answers", async () => {
    const law = fc.asyncProperty(ANY_SITE, async ({ pagesMax, kinds, sitemaps, isSitemapDead, follow }) => {
      const site = await testSite({});
      const paths = (name: string) => Array.from({ length: 150 }, (_, i) => `<loc>${site.origin}/${name}-${i}</loc>`);
      const urlset = (name: string) => `<urlset>${paths(name).join("")}</urlset>`;
      site.pages.set("*", (request, response) => {
        const path = request.url ?? "";
        const number = [...path].reduce((sum, sign) => sum + sign.charCodeAt(0), 0);
        const given = ANSWERS[kinds[number % kinds.length] ?? "dead"]?.(path) ?? "";
        if (path.startsWith("/map") && !isSitemapDead) response.writeHead(200, XML).end(urlset(path.slice(1, -4)));
        else if (typeof given === "string") response.writeHead(200, { "content-type": "text/html" }).end(given);
        else given(request, response);
      });
      const index = Array.from({ length: sitemaps }, (_, i) => `<loc>${site.origin}/map${i}.xml</loc>`).join("");
      const listed = sitemaps === 0 ? urlset("p") : `<sitemapindex>${index}</sitemapindex>`;
      site.pages.set("/start.xml", answer(200, XML, listed));
      const { pages, problems } = await crawled(`${site.origin}/start.xml`, { pagesMax, follow });
      expect(pages.length).toBeLessThanOrEqual(pagesMax);
      expect(site.asked.length).toBeLessThanOrEqual(2 * pagesMax + 20);
      // More is listed than may be asked for: it is said.
      expect(problems.length).toBeGreaterThan(0);
    });
    await fc.assert(law, { numRuns: lawRuns(160) });
  });

  it("end at that number where a sitemap lists dead addresses, which is a problem of the address", async () => {
    const site = await testSite({});
    const listed = Array.from({ length: 900 }, (_, i) => `<loc>${site.origin}/${i}</loc>`).join("");
    site.pages.set("/map.xml", answer(200, XML, `<urlset>${listed}</urlset>`));
    const { problems } = await crawled(`${site.origin}/map.xml`, { pagesMax: 50 });
    expect(site.asked).toHaveLength(120);
    const message = "there is more to ask for than the 120 requests that an import of 50 pages makes (--pages-max)";
    expect(problems).toEqual([`/map.xml: ${message}`]);
  });

  it("leave half for pages where sitemaps lead to sitemaps", async () => {
    const site = await testSite({ "/a": page("A") });
    const dead = Array.from({ length: 90 }, (_, i) => `<loc>${site.origin}/dead${i}.xml</loc>`).join("");
    const index = `<sitemapindex><loc>${site.origin}/one.xml</loc>${dead}</sitemapindex>`;
    site.pages.set("/map.xml", answer(200, XML, index));
    site.pages.set("/one.xml", answer(200, XML, `<urlset><loc>${site.origin}/a</loc></urlset>`));
    const { pages, problems } = await crawled(`${site.origin}/map.xml`, { pagesMax: 10 });
    expect(pages).toEqual(["/a"]);
    expect(site.asked.length).toBeLessThanOrEqual(21);
    expect(problems.at(-1)).toContain("the site has more sitemaps than were read");
  });
});
