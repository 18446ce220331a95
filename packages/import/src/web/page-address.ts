import { ADDRESS_CHARACTERS_MAX } from "./limits.ts";

/** Query parameters that track where readers come from. They change nothing on the page. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/;

/** True if the argument is meant as an address. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/**
 * Normalizes the address of a page: as a browser requests it, without fragment and tracking parameters. The order of a query and a last `index.html` are kept:
 * they may matter to the server.
 * @returns undefined if it is no page address: another scheme, a user name or password, or more than 2,000 characters
 */
export function pageAddress(given: string, base?: string): string | undefined {
  let url: URL;
  try {
    url = new URL(given, base);
  } catch {
    return undefined;
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  url.pathname = url.pathname.replace(/%[0-9a-f]{2}/gi, plainEscape);
  const parts = url.search.slice(1).split("&");
  const query = parts.filter((part) => part !== "" && !TRACKING.test(part.split("=", 1)[0] ?? "")).join("&");
  // An empty query is set as well: this removes the question mark.
  url.search = query === "" ? "" : `?${query}`;
  return url.href.length <= ADDRESS_CHARACTERS_MAX ? url.href : undefined;
}

/** Normalizes an escape as in RFC 3986: decoded if it is not needed, else in upper case. */
function plainEscape(written: string): string {
  const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
  return /[A-Za-z0-9_~-]/.test(character) ? character : written.toUpperCase();
}
