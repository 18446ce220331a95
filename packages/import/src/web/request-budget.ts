import { REQUESTS_A_PAGE_MAX, REQUESTS_BESIDE_MAX } from "./limits.ts";

/** The requests that one crawl may make: for pages, redirects, retries, sitemaps and robots.txt. */
export class RequestBudget {
  /** How many there may be in all. */
  readonly max: number;
  readonly #pagesMax: number;
  #made = 0;

  /** @param pagesMax pages that the crawl may bring */
  constructor(pagesMax: number) {
    this.#pagesMax = pagesMax;
    this.max = pagesMax * REQUESTS_A_PAGE_MAX + REQUESTS_BESIDE_MAX;
  }

  get made(): number {
    return this.#made;
  }

  /** Before each request. @throws RequestsSpent */
  take(): void {
    if (this.#made >= this.max) throw new RequestsSpent(this.words());
    this.#made += 1;
  }

  /** What is said where more is left to ask for. */
  words(): string {
    return `there is more to ask for than the ${this.max} requests that an import of ${this.#pagesMax} pages makes (--pages-max)`;
  }
}

/** A crawl has made all requests that it may make. */
export class RequestsSpent extends Error {
  override readonly name = "RequestsSpent";
}
