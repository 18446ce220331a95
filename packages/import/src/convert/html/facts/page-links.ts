import { attribute, elementsBelow, type HtmlParent } from "../tree.ts";

/** Maximum links of one page. */
const LINKS_MAX = 20_000;

/** Returns the links of a page: absolute web addresses without fragments, in page order, each once. */
export function pageLinks(page: HtmlParent, address: string, base: string): string[] {
  const links = new Set<string>();
  const own = withoutFragment(address);
  for (const element of elementsBelow(page)) {
    const name = LEADING[element.tagName];
    const written = name === undefined ? undefined : attribute(element, name)?.trim();
    if (written === undefined || written === "" || /\bnofollow\b/i.test(attribute(element, "rel") ?? "")) continue;
    if (!URL.canParse(written, base)) continue;
    const link = withoutFragment(new URL(written, base).href);
    if (/^https?:/.test(link) && link !== own) links.add(link);
    if (links.size >= LINKS_MAX) break;
  }
  return [...links];
}

const LEADING: Readonly<Record<string, string>> = { a: "href", area: "href", frame: "src" };

function withoutFragment(address: string): string {
  const hash = address.indexOf("#");
  return hash < 0 ? address : address.slice(0, hash);
}
