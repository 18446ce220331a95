import { ADDRESS_CHARACTERS_MAX } from "./limits.ts";

/** What is added to links to see where readers come from: it changes nothing on the page. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/;

/** Whether an argument is meant as an address. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/**
 * The one way to write the address of a page: what a browser would ask for, without fragment and without what only follows readers.
 * The order of a query and a last `index.html` stay: servers may mean something by them.
 * @returns undefined for what is no address of a page: of another kind, with a name and password, or longer than 2,000 characters
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
  // An empty query is set too: it takes the question mark away.
  url.search = query === "" ? "" : `?${query}`;
  return url.href.length <= ADDRESS_CHARACTERS_MAX ? url.href : undefined;
}

/** An escape as RFC 3986 has it: none for what needs none, else with capital letters. */
function plainEscape(written: string): string {
  const character = String.fromCharCode(Number.parseInt(written.slice(1), 16));
  return /[A-Za-z0-9_~-]/.test(character) ? character : written.toUpperCase();
}
