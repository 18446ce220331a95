import { gunzipped } from "./body.ts";
import type { ContentKind } from "./content-kind.ts";
import * as limits from "./limits.ts";
import { pageAddress } from "./page-address.ts";
import type { PassedOver } from "./passed-over.ts";
import type { Site } from "./site.ts";
import { readSitemap, type Sitemap } from "./sitemap.ts";
import type { Fetched, Web } from "./web.ts";
import { asWebError } from "./web-error.ts";
import type { WebItem } from "./web-item.ts";

export interface SitemapWalkParts {
  readonly web: Web;
  /** The address where the crawl began. */
  readonly start: string;
  /** Addresses that the crawl knows: a sitemap among them is not read again. */
  readonly seen: Set<string>;
  readonly passedOver: PassedOver;
  /** Told each page that a sitemap lists. */
  readonly onPage: (address: string, depth: number) => void;
}

/** Where a sitemap stands in a crawl. */
export interface SitemapPlace {
  readonly site: Site;
  /** Links between the first page and the pages that it lists. */
  readonly depth: number;
  /** Indexes that led to it. */
  readonly indexes: number;
}

/** Reads the sitemaps of one crawl. A sitemap that cannot be read is a problem, and the others are read. */
export class SitemapWalk {
  readonly #parts: SitemapWalkParts;
  #sitemaps = 0;

  constructor(parts: SitemapWalkParts) {
    this.#parts = parts;
  }

  /** Reads the sitemap at an address, and those that it leads to. */
  async *at(address: string, place: SitemapPlace): AsyncGenerator<WebItem> {
    const { web, start, seen } = this.#parts;
    if (seen.has(address) || this.#sitemaps > limits.SITEMAPS_MAX) return;
    seen.add(address);
    this.#sitemaps += 1;
    if (this.#sitemaps > limits.SITEMAPS_MAX) {
      const message = `the site has more than ${limits.SITEMAPS_MAX} sitemaps; name those that you want`;
      yield { kind: "problem", place: start, message };
      return;
    }
    let found: Fetched;
    try {
      found = await web.fetch(address, new Set<ContentKind>(["sitemap"]));
    } catch (error) {
      yield unreadable(address, error);
      return;
    }
    yield* this.of(found, place);
  }

  /** The same of a sitemap that was fetched. */
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
        if (this.#sitemaps > limits.SITEMAPS_MAX) break;
        const next = pageAddress(written, address);
        if (next !== undefined) yield* this.at(next, { ...place, indexes: place.indexes + 1 });
      }
    }
  }

  #tellPages({ addresses }: Sitemap, from: string, { site, depth }: SitemapPlace): void {
    const { passedOver, onPage } = this.#parts;
    for (const written of addresses) {
      const page = site.page(written, from);
      if (page === undefined && depth === 0) passedOver.add(written, "the sitemap is that of another site");
      if (page !== undefined) onPage(page, depth);
    }
  }
}

/** @throws whatever is no matter of the address, for example the reason of a signal */
function unreadable(address: string, error: unknown): WebItem {
  return { kind: "problem", place: address, message: `the sitemap cannot be read: ${asWebError(error).message}` };
}
