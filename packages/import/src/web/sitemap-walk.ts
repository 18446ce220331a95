import { gunzipped } from "./body.ts";
import type { ContentKind } from "./content-kind.ts";
import * as limits from "./limits.ts";
import { pageAddress } from "./page-address.ts";
import type { PassedOver } from "./passed-over.ts";
import type { RequestBudget } from "./request-budget.ts";
import type { Site } from "./site.ts";
import { readSitemap, type Sitemap } from "./sitemap.ts";
import type { Fetched, Web } from "./web.ts";
import { asWebError } from "./web-error.ts";
import type { WebItem } from "./web-item.ts";

const SITEMAPS: ReadonlySet<ContentKind> = new Set<ContentKind>(["sitemap"]);

export interface SitemapWalkDeps {
  readonly web: Web;
  readonly budget: RequestBudget;
  /** The start address of the crawl. */
  readonly start: string;
  /** Addresses that the crawl knows. A sitemap among them is not read again. */
  readonly seen: Set<string>;
  readonly passedOver: PassedOver;
  /** Called for each page in a sitemap. Returns true if the crawl takes more pages. */
  readonly onPage: (address: string, depth: number) => boolean;
}

/** The position of a sitemap in a crawl. */
export interface SitemapPlace {
  readonly site: Site;
  /** Links between the first page and the listed pages. */
  readonly depth: number;
  /** Sitemap indexes on the way to it. */
  readonly indexes: number;
}

/**
 * Reads the sitemaps of one crawl. An unreadable sitemap is a problem, and the others are still read. Sitemaps take at most half of the requests: the rest is
 * for pages.
 */
export class SitemapWalk {
  readonly #deps: SitemapWalkDeps;
  #sitemaps = 0;
  /** True when no more sitemaps are read. */
  #isEnded = false;

  constructor(deps: SitemapWalkDeps) {
    this.#deps = deps;
  }

  /** Reads the sitemap at an address, and the sitemaps in it. */
  async *at(address: string, place: SitemapPlace): AsyncGenerator<WebItem> {
    const { web, budget, start, seen } = this.#deps;
    if (seen.has(address) || this.#isEnded) return;
    seen.add(address);
    const tooMany = this.#tooMany();
    if (tooMany !== undefined) {
      this.#isEnded = true;
      yield { kind: "problem", place: start, message: tooMany };
      return;
    }
    this.#sitemaps += 1;
    let found: Fetched;
    try {
      found = await web.fetch(address, { kinds: SITEMAPS, budget });
    } catch (error) {
      yield unreadable(address, error);
      return;
    }
    yield* this.of(found, place);
  }

  /** The same for a fetched sitemap. */
  async *of({ address, body }: Pick<Fetched, "address" | "body">, place: SitemapPlace): AsyncGenerator<WebItem> {
    let sitemap: Sitemap | undefined;
    try {
      const isPacked = body[0] === 0x1f && body[1] === 0x8b;
      sitemap = readSitemap(isPacked ? await gunzipped(body, limits.PAGE_BYTES_MAX) : body);
    } catch (error) {
      yield unreadable(address, error);
      return;
    }
    if (sitemap === undefined) {
      const message = "it is XML, but no sitemap; only pages, files and sitemaps can be imported";
      yield { kind: "problem", place: address, message };
    } else if (sitemap.kind === "pages") this.#tellPages(sitemap, address, place);
    else if (place.indexes >= limits.SITEMAP_DEPTH_MAX) {
      yield { kind: "problem", place: address, message: "the sitemap leads through too many indexes" };
    } else {
      for (const written of sitemap.addresses) {
        if (this.#isEnded) break;
        const next = pageAddress(written, address);
        if (next !== undefined) yield* this.at(next, { ...place, indexes: place.indexes + 1 });
      }
    }
  }

  #tellPages({ addresses }: Sitemap, from: string, { site, depth }: SitemapPlace): void {
    const { passedOver, onPage } = this.#deps;
    for (const written of addresses) {
      const page = site.page(written, from);
      if (page === undefined && depth === 0) passedOver.add(written, "the sitemap is that of another site");
      if (page !== undefined && !onPage(page, depth)) this.#isEnded = true;
    }
  }

  #tooMany(): string | undefined {
    const { budget } = this.#deps;
    if (this.#sitemaps >= limits.SITEMAPS_MAX) {
      return `the site has more than ${limits.SITEMAPS_MAX} sitemaps; name those that you want`;
    }
    return budget.made * 2 >= budget.max ? `the site has more sitemaps than were read: ${budget.words()}` : undefined;
  }
}

/** @throws errors that have nothing to do with the address, for example the reason of a signal */
function unreadable(address: string, error: unknown): WebItem {
  return { kind: "problem", place: address, message: `the sitemap cannot be read: ${asWebError(error).message}` };
}
