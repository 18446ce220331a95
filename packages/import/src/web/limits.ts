/** Limits of fetching. */

export const REDIRECTS_MAX = 10;
/** An id holds at most 2,048 characters. A question of a page adds some to the page's address. */
export const ADDRESS_CHARACTERS_MAX = 2_000;
/** Maximum of one answer, both as transferred and unpacked. */
export const PAGE_BYTES_MAX = 50 * 1_048_576;
/** The rest of a longer robots.txt is not read, as in RFC 9309. */
export const ROBOTS_BYTES_MAX = 500 * 1_024;

export const FOLLOW_DEPTH_MAX = 100;
export const PAGES_MAX = 1_000_000;
export const PAGES_MAX_DEFAULT = 10_000;
export const LINKS_A_PAGE_MAX = 10_000;
/** Requests of a crawl for each page that it may bring. An address may be dead, a copy, or a redirect. */
export const REQUESTS_A_PAGE_MAX = 2;
/** Additional requests of a crawl, for robots.txt and sitemaps. */
export const REQUESTS_BESIDE_MAX = 20;

export const SITEMAPS_MAX = 1_000;
/** Maximum nesting of sitemap indexes. */
export const SITEMAP_DEPTH_MAX = 3;

export const REQUESTS_A_SECOND_MAX = 1_000;
export const REQUESTS_A_SECOND_DEFAULT = 1;
/** Default rate for a host of the operator's own network. */
export const REQUESTS_A_SECOND_PRIVATE = 20;
/** A longer `Crawl-delay` in robots.txt is reduced to this. */
export const CRAWL_DELAY_MS_MAX = 30_000;

export const CONNECT_MS_MAX = 15_000;
export const IDLE_MS_MAX = 30_000;
export const REQUEST_MS_MAX = 120_000;

export const RETRIES_MAX = 3;
export const RETRY_MS_MIN = 2_000;
/** A server with a longer `Retry-After` is not waited for. */
export const RETRY_AFTER_MS_MAX = 120_000;
/** After this many failed pages in a row, the crawl stops asking the site. */
export const FAILURES_IN_A_ROW_MAX = 5;
