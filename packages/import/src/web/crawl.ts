import { createHash } from "node:crypto";
import { type Conversion, ConversionError, type RawFile } from "../convert/conversion.ts";
import { FILE_KINDS } from "../convert/kinds.ts";
import { type ContentKind, charsetOf } from "./content-kind.ts";
import * as limits from "./limits.ts";
import { pageAddress } from "./page-address.ts";
import { type PageDirectives, pageDirectives } from "./page-directives.ts";
import { PassedOver, type PassedOverReason } from "./passed-over.ts";
import { RequestBudget, RequestsSpent } from "./request-budget.ts";
import { Site } from "./site.ts";
import { SitemapWalk } from "./sitemap-walk.ts";
import type { Fetched, Web } from "./web.ts";
import { asWebError, WebError, type WebErrorKind } from "./web-error.ts";
import type { FoundPage, WebItem } from "./web-item.ts";

export interface CrawlSettings {
  readonly web: Web;
  readonly convert: (file: RawFile) => Promise<Conversion>;
  /** Maximum number of links from the first page; 0 for the address alone. */
  readonly follow: number;
  readonly pagesMax: number;
  readonly ignoreRobots: boolean;
  /** True if the page was imported before. If it is not available now, that is a problem, and not only passed over. */
  readonly isKnown: (address: string) => boolean;
  /** True if the address has imported something before. */
  readonly hasBrought: boolean;
  /** True if the address has imported something before that is no part of this page. */
  readonly hasOthers: (page: string) => boolean;
}

interface Waiting {
  readonly address: string;
  readonly depth: number;
}

interface Taken {
  readonly page: FoundPage;
  readonly title: string;
  readonly directives: PageDirectives;
}

/** Kinds of pages. A sitemap is a file for programs, never a linked page. */
const PAGE_KINDS: ReadonlySet<ContentKind> = new Set(FILE_KINDS);

/** Crawls from one address: the page, the pages that it links to, or those of a sitemap. */
export class Crawl {
  readonly #settings: CrawlSettings;
  readonly #start: string;
  readonly #passedOver = new PassedOver();
  /** Addresses that were requested, or wait for it. */
  readonly #seen = new Set<string>();
  readonly #asked = new Set<string>();
  /** Final addresses of the fetched pages. */
  readonly #fetched = new Set<string>();
  /** Titles of the imported pages, by address. */
  readonly #titles = new Map<string, string>();
  readonly #contents = new Set<string>();
  readonly #waiting: Waiting[] = [];
  readonly #sitemaps: SitemapWalk;
  readonly #budget: RequestBudget;
  #next = 0;
  #pages = 0;
  #failuresInARow = 0;
  #isCut = false;
  /** True if the first page asks that its links are not followed. */
  #isUnfollowed = false;

  /** @param start a normalized address, see `pageAddress` */
  constructor(start: string, settings: CrawlSettings) {
    this.#start = start;
    this.#settings = settings;
    this.#budget = new RequestBudget(settings.pagesMax);
    const [web, seen, passedOver, budget] = [settings.web, this.#seen, this.#passedOver, this.#budget];
    this.#sitemaps = new SitemapWalk({ web, budget, start, seen, passedOver, onPage: this.#queue.bind(this) });
  }

  async *items(): AsyncGenerator<WebItem> {
    const { web, follow } = this.#settings;
    let found: Fetched;
    try {
      await web.admit(this.#start);
      found = await web.fetch(this.#start, { budget: this.#budget });
    } catch (error) {
      const { kind, message } = asWebError(error);
      // A missing folder removes nothing either: a whole site is not gone because its first page is.
      yield { kind: kind === "gone" && follow === 0 ? "gone" : "problem", place: this.#start, message };
      return;
    }
    if (this.#isLedAway(this.#start, found)) {
      yield { kind: "problem", place: this.#start, message: ledAway(found.address) };
      return;
    }
    for (const address of [this.#start, found.address]) {
      this.#seen.add(address);
      this.#asked.add(address);
    }
    try {
      yield* found.kind === "sitemap" ? this.#listed(found) : this.#followed(found);
    } catch (error) {
      if (!(error instanceof RequestsSpent)) throw error;
      yield { kind: "problem", place: this.#start, message: error.message };
    }
    for (const message of this.#passedOver.notes()) yield { kind: "note", message };
  }

  async *#followed(found: Fetched): AsyncGenerator<WebItem> {
    const site = new Site(this.#start, found.address);
    yield* this.#take(found, { site, depth: 0, isTyped: true, isOriginal: false });
    if (this.#settings.follow > 0) yield* this.#listedByRobots(site, found.address);
    yield* this.#rest(site);
    const why = this.#whyNotWhole(found.address);
    if (why !== undefined) yield { kind: "problem", place: found.address, message: why };
  }

  /**
   * Returns a problem if the crawl brought no other page, although an earlier one did. A site is not gone because its first page is not imported, or forbids
   * following its links.
   */
  #whyNotWhole(first: string): string | undefined {
    const { follow, hasOthers } = this.#settings;
    const others = this.#pages - (this.#titles.has(first) ? 1 : 0);
    if (follow === 0 || others > 0 || !hasOthers(first)) return undefined;
    if (this.#isUnfollowed)
      return "it asks programs not to follow its links (nofollow; --ignore-robots does); what they brought before stays";
    return this.#pages === 0 ? "no page came from it; what was brought from it before stays" : undefined;
  }

  async *#listed(found: Fetched): AsyncGenerator<WebItem> {
    const site = new Site(this.#start, found.address, { isWhole: true });
    yield* this.#sitemaps.of(found, { site, depth: 0, indexes: 0 });
    yield* this.#rest(site);
  }

  /** Yields the pages of the sitemaps in robots.txt. */
  async *#listedByRobots(site: Site, page: string): AsyncGenerator<WebItem> {
    const rules = await this.#settings.web.rules(page, this.#budget);
    for (const written of (rules?.sitemaps ?? []).slice(0, limits.SITEMAPS_MAX)) {
      const address = pageAddress(written, page);
      if (address !== undefined) yield* this.#sitemaps.at(address, { site, depth: 1, indexes: 0 });
    }
  }

  /** Fetches all waiting pages, in the order in which they were found. */
  async *#rest(site: Site): AsyncGenerator<WebItem> {
    for (let one = this.#waiting[this.#next]; one !== undefined; one = this.#waiting[this.#next]) {
      this.#next += 1;
      if (this.#pages >= this.#settings.pagesMax) {
        this.#isCut = true;
        break;
      }
      yield* this.#visit(one, site);
      if (this.#failuresInARow < limits.FAILURES_IN_A_ROW_MAX) continue;
      const left = this.#waiting.length - this.#next;
      const message = `the site has not given ${limits.FAILURES_IN_A_ROW_MAX} pages in a row, and is left alone; ${left} more were not asked for: run it again later`;
      yield { kind: "problem", place: this.#start, message };
      return;
    }
    if (!this.#isCut) return;
    const { pagesMax } = this.#settings;
    const isFull = this.#pages >= pagesMax;
    const message = isFull
      ? `there are more pages than the ${pagesMax} that one import brings (--pages-max)`
      : this.#budget.words();
    yield { kind: "problem", place: this.#start, message };
  }

  async *#visit({ address, depth }: Waiting, site: Site, { isOriginal = false } = {}): AsyncGenerator<WebItem> {
    if (this.#asked.has(address)) return;
    this.#seen.add(address);
    this.#asked.add(address);
    try {
      const found = await this.#settings.web.fetch(address, { kinds: PAGE_KINDS, budget: this.#budget });
      this.#failuresInARow = 0;
      if (found.isForNow && found.address !== address && this.#settings.isKnown(address)) {
        yield { kind: "problem", place: address, message: ledAway(found.address) };
      } else if (site.page(found.address, found.address) === undefined) {
        yield this.#pass(address, "elsewhere", ELSEWHERE);
      } else if (!this.#fetched.has(found.address))
        yield* this.#take(found, { site, depth, isTyped: false, isOriginal });
    } catch (error) {
      const problem = asWebError(error);
      if (problem.kind === "away") this.#failuresInARow += 1;
      // An imported page is not gone because it is unavailable now.
      const isMissed = problem.kind !== "gone" && problem.kind !== "unwanted" && this.#settings.isKnown(address);
      const isProblem = problem.kind === "away" || isMissed;
      if (isProblem) yield { kind: "problem", place: address, message: problem.message };
      else yield this.#pass(address, REASONS[problem.kind], problem.message);
    }
  }

  /** True if the first page, imported before, redirects temporarily to another one, for example to a login. Then nothing is known about removed pages. */
  #isLedAway(asked: string, { address, isForNow }: Fetched): boolean {
    const { isKnown, hasBrought } = this.#settings;
    return isForNow && address !== asked && hasBrought && (isKnown(asked) || !isKnown(address));
  }

  /** Takes a fetched page, and queues its links. */
  async *#take(found: Fetched, at: PagePlace): AsyncGenerator<WebItem> {
    const taken = await this.#converted(found);
    if ("kind" in taken) {
      yield taken;
      return;
    }
    const { page, directives } = taken;
    const { site, depth } = at;
    const isUnfollowed = directives.noFollow && !this.#settings.ignoreRobots;
    if (at.isTyped) this.#isUnfollowed = isUnfollowed;
    const links = isUnfollowed ? [] : (page.conversion.links ?? []);
    const leads = directives.refresh === undefined ? undefined : site.page(directives.refresh, page.address);
    if (directives.refresh !== undefined && leads !== page.address && this.#settings.isKnown(page.address)) {
      yield { kind: "problem", place: page.address, message: ledAway(leads ?? directives.refresh) };
      return;
    }
    // The page itself only redirects.
    if (directives.refresh !== undefined && leads === undefined) {
      const message = `it leads on to ${directives.refresh}, which is not a part of this import`;
      const { address: place } = page;
      yield at.isTyped ? { kind: "problem", place, message } : this.#pass(place, "elsewhere", ELSEWHERE);
      return;
    }
    if (leads !== undefined && leads !== page.address) {
      this.#queue(leads, depth);
      return;
    }
    yield* this.#unlessAnother(taken, at);
    if (depth >= this.#settings.follow) return;
    for (const link of links.slice(0, limits.LINKS_A_PAGE_MAX)) {
      const address = site.page(link, page.address);
      if (address !== undefined && !this.#seen.has(address) && site.isWorthFollowing(address)) {
        this.#queue(address, depth + 1);
      }
    }
  }

  /** Yields a page, unless its owner does not want that, or it is a copy of another one. */
  async *#unlessAnother({ page, title, directives }: Taken, at: PagePlace): AsyncGenerator<WebItem> {
    const isKnown = this.#settings.isKnown(page.address);
    const refuse = (why: PassedOverReason, message: string): WebItem =>
      at.isTyped ? { kind: "problem", place: page.address, message } : this.#pass(page.address, why, message);
    if (directives.noIndex && !this.#settings.ignoreRobots) {
      const message = "it asks programs not to keep it (noindex; --ignore-robots takes it)";
      // Its earlier import is not to be kept either.
      yield isKnown && at.isTyped ? { kind: "gone", place: page.address, message } : refuse("noindex", message);
      return;
    }
    if (isEmpty(page.conversion)) {
      const message = "no text was found in it (what a script writes cannot be read)";
      // It had text before, and its server does not say that it is gone.
      yield isKnown ? { kind: "problem", place: page.address, message } : refuse("empty", message);
      return;
    }
    const canonical = at.isTyped ? page.address : at.site.page(directives.canonical ?? "", page.address);
    if (canonical !== undefined && canonical !== page.address) {
      if (!at.isOriginal) yield* this.#visit({ address: canonical, depth: at.depth }, at.site, { isOriginal: true });
      // A site that gives all pages the same canonical address by mistake gives them different titles.
      if (this.#titles.get(canonical) === title) {
        yield this.#pass(page.address, "same", SAME);
        return;
      }
    }
    yield* this.#bring(page, title);
  }

  *#bring(page: FoundPage, title: string): Generator<WebItem> {
    const content = JSON.stringify([page.conversion.page, page.conversion.faqs]);
    const digest = createHash("sha256").update(content).digest("base64");
    if (this.#contents.has(digest)) {
      yield this.#pass(page.address, "same", SAME);
      return;
    }
    this.#contents.add(digest);
    this.#titles.set(page.address, title);
    this.#pages += 1;
    yield page;
  }

  async #converted({ address, head, kind, body }: Fetched): Promise<Taken | Extract<WebItem, { kind: "problem" }>> {
    this.#seen.add(address);
    this.#fetched.add(address);
    if (kind === "sitemap") throw new WebError("unfit", "it is a sitemap");
    const charset = charsetOf(head);
    try {
      const file = { bytes: body, name: nameOf(address), kind, url: address };
      const conversion = await this.#settings.convert(charset === undefined ? file : { ...file, charset });
      const page: FoundPage = { kind: "page", address, conversion, bytes: body.length };
      const directives = pageDirectives(kind === "html" ? body : new Uint8Array(), head.header("x-robots-tag"));
      return { page, title: conversion.page?.metaData.title ?? "", directives };
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      return { kind: "problem", place: address, message: error.message };
    }
  }

  /** Queues an address. False if the queue is full: each address takes a request. */
  #queue(address: string, depth: number): boolean {
    if (this.#seen.has(address)) return true;
    if (this.#waiting.length >= this.#budget.max) {
      this.#isCut = true;
      return false;
    }
    this.#seen.add(address);
    this.#waiting.push({ address, depth });
    return true;
  }

  #pass(address: string, why: PassedOverReason, message: string): WebItem {
    this.#passedOver.add(address, message);
    return { kind: "passedOver", place: address, why };
  }
}

const REASONS: Readonly<Record<WebErrorKind, PassedOverReason>> = {
  gone: "gone",
  refused: "refused",
  forbidden: "refused",
  away: "refused",
  unwanted: "robots",
  unfit: "kind",
};
const ELSEWHERE = "it leads to another site, or out of the folder";
const SAME = "it says the same as another page";

interface PagePlace {
  readonly site: Site;
  readonly depth: number;
  readonly isTyped: boolean;
  /** True if another page names this as its canonical address. */
  readonly isOriginal: boolean;
}

function isEmpty({ page, faqs }: Conversion): boolean {
  return faqs.length === 0 && (page?.content ?? []).every(({ md }) => md.trim() === "");
}

/** The last name in an address, as a title if nothing better is known. */
function nameOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  const last = pathname.split("/").findLast((segment) => segment !== "") ?? hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

function ledAway(to: string): string {
  return `it was brought before, and leads to ${to} for now, as to a login; what it brought stays (loredex remove takes it out, if it has moved)`;
}
