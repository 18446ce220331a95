export interface Addresses {
  /** Base address of relative links; without it they stay relative. */
  readonly baseUrl?: string;
}

/** Longer links carry data. */
const LINK_CHARACTERS_MAX = 2_000;

/** Returns the target of a link, as markdown writes it; undefined if it does not lead outside the page. */
export function linkTarget(href: string | undefined, { baseUrl }: Addresses): string | undefined {
  const written = href?.trim() ?? "";
  if (written === "" || written.startsWith("#") || written.length > LINK_CHARACTERS_MAX) return undefined;
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(written)?.[1]?.toLowerCase();
  if (scheme !== undefined && !LEADING.has(scheme)) return undefined;
  return (resolved(written, baseUrl) ?? written).replace(/[\s<>()\\]/g, (character) => PERCENT[character] ?? "%20");
}

const LEADING = new Set(["http", "https", "ftp", "mailto", "tel", "file"]);
const PERCENT: Readonly<Record<string, string>> = { "<": "%3C", ">": "%3E", "(": "%28", ")": "%29", "\\": "%5C" };

function resolved(href: string, baseUrl: string | undefined): string | undefined {
  return baseUrl !== undefined && URL.canParse(href, baseUrl) ? new URL(href, baseUrl).href : undefined;
}
