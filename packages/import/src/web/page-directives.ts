/** Directives for programs in the head of an HTML page. */
export interface PageDirectives {
  /** The owner asks to keep the page out of searches. */
  readonly noIndex: boolean;
  /** The owner asks not to follow the page's links. */
  readonly noFollow: boolean;
  /** The canonical address, as the page writes it. */
  readonly canonical?: string;
  /** The address that the page redirects readers to at once. */
  readonly refresh?: string;
}

/** Maximum size of a head. */
const HEAD_BYTES_MAX = 1_048_576;
const TAGS_MAX = 5_000;
/** A page with a slower refresh is meant to be read. */
const REFRESH_SECONDS_MAX = 5;

/**
 * Reads the tags before the body. It is not an HTML parser, and takes linear time for any input.
 * @param robotsHeader the answer's `X-Robots-Tag`
 */
export function pageDirectives(html: Uint8Array, robotsHeader: string | undefined): PageDirectives {
  let robots = wordsOfHeader(robotsHeader ?? "");
  let canonical: string | undefined;
  let refresh: string | undefined;
  for (const { name, attributes } of headTags(new TextDecoder().decode(html.subarray(0, HEAD_BYTES_MAX)))) {
    const content = attributes.get("content") ?? "";
    const named = attributes.get("name")?.toLowerCase();
    const rel = attributes.get("rel")?.toLowerCase() ?? "";
    if (name === "meta" && (named === "robots" || named === "loredex")) robots += `,${content.toLowerCase()}`;
    if (name === "meta" && attributes.get("http-equiv")?.toLowerCase() === "refresh") refresh ??= refreshedTo(content);
    if (name === "link" && rel.split(/\s/).includes("canonical")) canonical ??= attributes.get("href")?.trim();
  }
  const words = new Set(robots.split(/[\s,]/));
  const isNone = words.has("none");
  return {
    noIndex: isNone || words.has("noindex"),
    noFollow: isNone || words.has("nofollow"),
    ...(canonical === undefined || canonical === "" ? {} : { canonical }),
    ...(refresh === undefined ? {} : { refresh }),
  };
}

/** Returns the directives of the header for all robots or for us: `noindex, otherbot: nofollow` says `noindex` to us. */
function wordsOfHeader(header: string): string {
  let isOurs = true;
  const ours: string[] = [];
  for (const part of header.toLowerCase().split(",")) {
    const colon = part.indexOf(":");
    const agent = part.slice(0, Math.max(0, colon)).trim();
    if (colon >= 0 && !/^(?:unavailable_after|max-[a-z]+)$/.test(agent)) isOurs = agent === "loredex";
    if (isOurs) ours.push(part.slice(colon + 1));
  }
  return ours.join(",");
}

function refreshedTo(content: string): string | undefined {
  const cut = content.search(/[;,]/);
  const seconds = Number.parseFloat(content);
  if (cut < 0 || Number.isNaN(seconds) || seconds > REFRESH_SECONDS_MAX) return undefined;
  const after = content.slice(cut + 1).trim();
  const target = after.replace(/^url\s{0,9}=\s{0,9}/i, "").replace(/^["']|["']$/g, "");
  return target === "" ? undefined : target;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const RAW = new Set(["script", "style", "title", "noscript", "template"]);

/** Yields the tags before the body, skipping tags inside texts, scripts and comments. */
function* headTags(html: string): Generator<Tag> {
  let at = 0;
  for (let tags = 0; tags < TAGS_MAX; tags += 1) {
    const open = html.indexOf("<", at);
    if (open < 0) return;
    if (html.startsWith("<!--", open)) {
      at = html.indexOf("-->", open + 4);
      if (at < 0) return;
      continue;
    }
    const tag = tagAt(html, open + 1);
    at = tag.end;
    if (tag.name === "body") return;
    if (tag.name === "meta" || tag.name === "link") yield tag;
    if (!RAW.has(tag.name)) continue;
    const close = new RegExp(`</${tag.name}`, "gi");
    close.lastIndex = at;
    const found = close.exec(html);
    if (found === null) return;
    at = found.index + 2;
  }
}

const NAME = /[^\s/>=]*/y;
const SPACE = /[\s/]*/y;
const EQUALS = /\s*=\s*/y;
const BARE = /[^\s>]*/y;

function tagAt(html: string, start: number): Tag & { readonly end: number } {
  const attributes = new Map<string, string>();
  let at = start;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(html)?.[0] ?? "";
    at += found.length;
    return found;
  };
  const value = (): string => {
    const quote = html[at];
    if (quote !== '"' && quote !== "'") return take(BARE);
    const close = html.indexOf(quote, at + 1);
    const end = close < 0 ? html.length : close;
    const text = html.slice(at + 1, end);
    at = end + 1;
    return text;
  };
  const name = take(NAME).toLowerCase();
  for (;;) {
    take(SPACE);
    if (at >= html.length || html[at] === ">") break;
    const attribute = take(NAME).toLowerCase();
    const isSet = take(EQUALS) !== "";
    const text = isSet ? value() : "";
    // A character that begins no name.
    if (attribute === "" && !isSet) at += 1;
    if (attribute !== "" && !attributes.has(attribute)) attributes.set(attribute, withoutEntities(text));
  }
  return { name, attributes, end: at + 1 };
}

/** Decodes the entities that occur in addresses. */
function withoutEntities(text: string): string {
  return text.replace(/&(?:amp|#38|#x26);/gi, "&");
}
