import { basename, extname } from "node:path";
import { type DecodedText, decodeText } from "../../files/decoded-text.ts";
import type { Conversion, ConvertedPage, RawFile } from "../conversion.ts";
import { guessedNote, readableText } from "../readable-text.ts";
import { jsonLdOf } from "./facts/json-ld.ts";
import { firstHeadings, pageFacts } from "./facts/page-facts.ts";
import { pageLinks } from "./facts/page-links.ts";
import { pageTitle } from "./facts/page-title.ts";
import { takeFaqs } from "./faqs/page-faqs.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { bodyOf, mainContent } from "./main/main-content.ts";
import { measureOf, measuresOf } from "./main/measures.ts";
import type { Addresses } from "./markdown/link-target.ts";
import { parseHtml } from "./parse.ts";
import type { HtmlParent } from "./tree.ts";

/** A page with at least this number of links and hardly a word beside them is an index: it matches every question and answers none. */
const INDEX_LINKS_MIN = 150;
const INDEX_CHARACTERS_MAX = 25;

/** Converts a web page to a document: its main content, and the questions with answers in it. */
export async function convertHtml({ bytes, name, charset, url }: RawFile): Promise<Conversion> {
  const decoded = readableText(() => decodePage(bytes, charset));
  const page = parseHtml(decoded.text);
  const objects = jsonLdOf(page);
  const facts = pageFacts(page, objects);
  const base = baseOf(url, facts.base);
  const addresses: Addresses = base === undefined ? {} : { baseUrl: base };
  const links = url === undefined || facts.isNofollow ? [] : pageLinks(page, url, base ?? url);
  const body = bodyOf(page);
  const content = mainContent(body);
  const headings = firstHeadings(content);
  const title = pageTitle(facts, headings) ?? titleOfName(name);
  const linkCount = indexLinks(content);
  const faqs = takeFaqs(content, { objects, title: `${facts.title ?? ""} ${headings.first ?? ""}`, addresses });
  const md = linkCount > 0 ? "" : htmlToMarkdown(content, addresses);
  const isSaying = faqs.length === 0 ? md !== "" : hasText(md);
  const notes = guessedNote(decoded);
  if (linkCount > 0) notes.push(`it is an index of ${linkCount} links, which answers no question; it is left out`);
  else if (!isSaying && faqs.length === 0) notes.push(EMPTY);
  const metaData = { ...facts.told, title };
  const converted: ConvertedPage = { type: "WEBPAGE", metaData, content: [{ md }] };
  return { ...(isSaying ? { page: converted } : {}), faqs, notes, ...(url === undefined ? {} : { links }) };
}

const EMPTY =
  "nothing is written on it: it may be filled in by a script in the browser, or show only other pages in frames";

/** Returns the `<base>` if it is a web address, or becomes one with the page's address. */
function baseOf(url: string | undefined, base: string | undefined): string | undefined {
  if (base === undefined || !URL.canParse(base, url)) return url;
  const { href } = new URL(base, url);
  return /^https?:/.test(href) ? href : url;
}

function indexLinks(content: HtmlParent): number {
  const { text, linked, links } = measureOf(content, measuresOf(content, new Set()));
  return links >= INDEX_LINKS_MIN && text - linked < INDEX_CHARACTERS_MAX * links ? links : 0;
}

/** True if more than headings is left. */
function hasText(md: string): boolean {
  return md.split("\n").some((line) => line.trim() !== "" && !line.startsWith("#"));
}

function titleOfName(name: string): string {
  const plain = basename(name, extname(name));
  return plain === "" ? name : plain;
}

/** Browsers search no further for it. */
const HEAD_BYTES = 4_096;

/** Decodes a page by its byte order mark, the server, the page itself, else by detection. @throws NoTextError */
function decodePage(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const declared = charset ?? declaredCharset(bytes);
  return decodeText(bytes, declared === undefined ? {} : { declared });
}

/** Returns the charset of `<meta charset>`, `http-equiv` or an XML declaration. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES)).toString("latin1");
  const meta = /<meta\b[^>]{0,300}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{2,40})/i.exec(head)?.[1];
  return meta ?? /^\s{0,100}<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([\w.:-]{2,40})/i.exec(head)?.[1];
}
