/** The content of a sitemap: addresses of pages, or of other sitemaps. */
export interface Sitemap {
  readonly kind: "pages" | "index";
  /** As written in the sitemap, each once. */
  readonly addresses: readonly string[];
}

const HEAD_CHARACTERS = 4_096;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Reads a sitemap (sitemaps.org) in linear time; undefined if the XML is not one. */
export function readSitemap(bytes: Uint8Array): Sitemap | undefined {
  const text = new TextDecoder().decode(bytes);
  const root = /<(?:[\w-]{1,40}:)?(urlset|sitemapindex)[\s>/]/.exec(text.slice(0, HEAD_CHARACTERS));
  if (root === null) return undefined;
  return { kind: root[1] === "urlset" ? "pages" : "index", addresses: [...new Set(locations(text))] };
}

/** Yields the contents of `<loc>`. Pictures have another tag (`<image:loc>`). */
function* locations(text: string): Generator<string> {
  const xml = text.includes("<!--") ? withoutComments(text) : text;
  for (let at = xml.indexOf("<loc>"); at >= 0; at = xml.indexOf("<loc>", at)) {
    const end = xml.indexOf("</loc>", at);
    if (end < 0) return;
    const address = plainText(xml.slice(at + 5, end)).trim();
    if (address !== "") yield address;
    at = end;
  }
}

function withoutComments(xml: string): string {
  return xml
    .split("<!--")
    .map((part, index) => {
      const end = part.indexOf("-->");
      return index === 0 ? part : end < 0 ? "" : part.slice(end + 3);
    })
    .join("");
}

function plainText(xml: string): string {
  const inside = xml.trim();
  if (inside.startsWith("<![CDATA[")) return inside.slice(9).replace(/\]\]>$/, "");
  return inside.replace(/&(\w{2,4}|#\d{1,7}|#x[\da-f]{1,6});/gi, (entity: string, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
