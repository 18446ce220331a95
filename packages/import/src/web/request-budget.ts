import { REQUESTS_A_PAGE_MAX, REQUESTS_BESIDE_MAX } from "./limits.ts";

/** The number of requests that one crawl may make: for pages, redirects, retries, sitemaps and robots.txt. */
export class RequestBudget {
  /** Requests in all. */
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

  /** Takes one request. Called before each request. @throws RequestsSpent */
  take(): void {
    if (this.#made >= this.max) throw new RequestsSpent(this.words());
    this.#made += 1;
  }

  /** The message when addresses are left but the budget is spent. */
  words(): string {
    return `there is more to ask for than the ${this.max} requests that an import of ${this.#pagesMax} pages makes (--pages-max)`;
  }
}

/** Thrown when a crawl has used all of its requests. */
export class RequestsSpent extends Error {
  override readonly name = "RequestsSpent";
}
