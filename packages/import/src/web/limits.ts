/** Maxima of what is fetched. */

export const REDIRECTS_MAX = 10;
/** Ids have room for 2,048 characters, and a question of a page adds some to its address. */
export const ADDRESS_CHARACTERS_MAX = 2_000;
/** Of one answer, as it comes and unpacked. */
export const PAGE_BYTES_MAX = 50 * 1_048_576;
/** What is behind it in a robots.txt is not read, as RFC 9309 says. */
export const ROBOTS_BYTES_MAX = 500 * 1_024;

export const FOLLOW_DEPTH_MAX = 100;
export const PAGES_MAX = 1_000_000;
export const PAGES_MAX_DEFAULT = 10_000;
export const LINKS_A_PAGE_MAX = 10_000;
/** A crawl makes this number of requests for each page that it may bring: an address may be dead, a copy, or lead on. */
export const REQUESTS_A_PAGE_MAX = 2;
/** And these requests beside them, for robots.txt and sitemaps. */
export const REQUESTS_BESIDE_MAX = 20;

export const SITEMAPS_MAX = 1_000;
/** An index of sitemaps may name indexes, so deep. */
export const SITEMAP_DEPTH_MAX = 3;

export const REQUESTS_A_SECOND_MAX = 1_000;
export const REQUESTS_A_SECOND_DEFAULT = 1;
/** On a host of the operator's own network. */
export const REQUESTS_A_SECOND_PRIVATE = 20;
/** A robots.txt that asks for longer pauses gets these. */
export const CRAWL_DELAY_MS_MAX = 30_000;

export const CONNECT_MS_MAX = 15_000;
export const IDLE_MS_MAX = 30_000;
export const REQUEST_MS_MAX = 120_000;

export const RETRIES_MAX = 3;
export const RETRY_MS_MIN = 2_000;
/** Who asks to be left alone for longer is not waited for. */
export const RETRY_AFTER_MS_MAX = 120_000;
/** After so many pages in a row that a site did not give, it is not asked for more. */
export const FAILURES_IN_A_ROW_MAX = 5;
