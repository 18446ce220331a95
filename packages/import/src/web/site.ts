import { pageAddress } from "./page-address.ts";

/** Kinds of files without importable text. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[agv]|wav|flac|avi|mov|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|exe|msi|dmg|pkg|deb|rpm|apk|iso|wasm|rss|atom|ics|vcf|pptx?|xls|doc|odt|ods|odp|epub)$/i;

/** A link that acts instead of showing: editing, old versions of a page, another order, a login. */
const ACTION_KEY = /^(?:action|do|cmd)$/i;
const ACTION =
  /^(?:edit|submit|history|revisions|raw|delete|log(?:in|out)|register|print|info|purge|diff|watch|backlink|subscribe)$/i;
const OTHER_VIEW =
  /^(?:oldid|diff|rev|replytocom|share|print|printable|sort|order|orderby|sid|phpsessid|jsessionid|redirect|redirect_to|return_?to)$/i;
const ACTION_SEGMENT = /^(?:wp-login\.php|wp-admin)$/i;
const SESSION_IN_PATH = /;jsessionid=/i;

const SEGMENT_TIMES_MAX = 3;
const QUERIES_A_PATH_MAX = 2_000;

/** The pages that a crawl may follow: those of the same site, below the folder of the start address. */
export class Site {
  readonly #origin: URL;
  readonly #folder: string;
  readonly #queries = new Map<string, number>();

  /**
   * @param typed the address that the operator gave
   * @param found the address that it led to
   * @param isWhole the whole site, not only what is below the folder
   */
  constructor(typed: string, found: string, { isWhole = false }: { readonly isWhole?: boolean } = {}) {
    const [start, end] = [new URL(typed), new URL(found)];
    this.#origin = end;
    const isSlashAdded = end.pathname === `${start.pathname}/`;
    const isInside = start.hostname === end.hostname && end.pathname.startsWith(folderOf(start)) && !isSlashAdded;
    this.#folder = isWhole ? "/" : folderOf(isInside ? start : end);
  }

  /** Returns the address of the linked page; undefined if the link leads to no page of the site. */
  page(link: string, from: string): string | undefined {
    const address = pageAddress(link, from);
    if (address === undefined) return undefined;
    const url = new URL(address);
    // Pages of a site that moved between http and https still link to the other scheme.
    const isSameHost = url.hostname === this.#origin.hostname && url.port === "" && this.#origin.port === "";
    if (isSameHost) url.protocol = this.#origin.protocol;
    return url.origin === this.#origin.origin && url.pathname.startsWith(this.#folder) ? url.href : undefined;
  }

  /** True if a link within the site leads to a page and is no endless trap. */
  isWorthFollowing(address: string): boolean {
    const { pathname, search, searchParams } = new URL(address);
    const segments = pathname.split("/").filter((segment) => segment !== "");
    if (NO_PAGE.test(pathname) || SESSION_IN_PATH.test(pathname)) return false;
    if (segments.some((segment) => ACTION_SEGMENT.test(segment)) || isRepeating(segments)) return false;
    const isAction = ([key, value]: [string, string]): boolean =>
      OTHER_VIEW.test(key) || (ACTION_KEY.test(key) && ACTION.test(value));
    if ([...searchParams].some(isAction)) return false;
    if (search === "") return true;
    const queries = (this.#queries.get(pathname) ?? 0) + 1;
    this.#queries.set(pathname, queries);
    return queries <= QUERIES_A_PATH_MAX;
  }
}

/** `/a/b/a/b/a/b/a/b`: relative links on a page that answers to every address. */
function isRepeating(segments: readonly string[]): boolean {
  const times = new Map<string, number>();
  for (const segment of segments) times.set(segment, (times.get(segment) ?? 0) + 1);
  return [...times.values()].some((count) => count > SEGMENT_TIMES_MAX);
}

function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}
