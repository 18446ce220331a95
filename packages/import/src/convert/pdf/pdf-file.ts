import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from "unpdf/pdfjs";
import { ConversionError } from "../conversion.ts";
import type { InkedPage, LinkField } from "./ink.ts";
import { Links } from "./links.ts";
import { type Matrix, matrixOf, placed } from "./matrix.ts";
import { addWhatNodeLacks } from "./older-node.ts";
import { type Bookmark, Outline } from "./outline.ts";
import { field, type PageFont } from "./page-fonts.ts";
import { PageWalk } from "./page-walk.ts";
import { upright } from "./upright.ts";

/** pdf.js keeps data of every page that it has read until it is told to clean up: 40 KB for a page of text. */
const PAGES_KEPT = 250;

const BOOKMARKS_MAX = 50_000;
const LINKS_A_PAGE_MAX = 500;

/** An open PDF. No other file uses pdf.js. */
export class PdfFile {
  readonly #document: PDFDocumentProxy;
  /** Links of the pages read so far. */
  readonly links = new Links();
  readonly #fonts = new Map<string, PageFont>();

  private constructor(document: PDFDocumentProxy) {
    this.#document = document;
  }

  /** @throws ConversionError */
  static async open(bytes: Uint8Array): Promise<PdfFile> {
    if (bytes.length === 0) throw new ConversionError("the file is empty");
    addWhatNodeLacks();
    try {
      return new PdfFile(await withPagesAtHand(await opened(bytes), bytes));
    } catch (error) {
      const repaired = field(error, "name") === "InvalidPDFException" ? withNewEnd(bytes) : undefined;
      if (repaired === undefined) throw new ConversionError(whyNot(error));
      try {
        return new PdfFile(await opened(repaired));
      } catch (again) {
        throw new ConversionError(whyNot(again));
      }
    }
  }

  get pageCount(): number {
    return this.#document.numPages;
  }

  /** The document's information dictionary: only its strings. */
  async info(): Promise<ReadonlyMap<string, string>> {
    const metadata = await this.#document.getMetadata().catch(() => undefined);
    const info = new Map<string, string>();
    for (const [name, value] of Object.entries(metadata?.info ?? {})) {
      if (typeof value === "string" && value.trim() !== "") info.set(name, value.trim());
    }
    return info;
  }

  /** Reads the bookmarks, in outline order. */
  async outline(): Promise<Outline> {
    const roots: unknown = await this.#document.getOutline().catch(() => undefined);
    const bookmarks: Bookmark[] = [];
    const open: { readonly item: unknown; readonly depth: number }[] = itemsOf(roots, 0);
    for (let next = open.pop(); next !== undefined && bookmarks.length < BOOKMARKS_MAX; next = open.pop()) {
      const { item, depth } = next;
      const title = field(item, "title");
      if (typeof title === "string") bookmarks.push({ title, depth });
      for (const each of itemsOf(field(item, "items"), depth + 1)) open.push(each);
    }
    return new Outline(bookmarks);
  }

  /** Reads a page, counted from 0. @throws if the page cannot be read */
  async page(index: number): Promise<InkedPage> {
    const page = await this.#document.getPage(index + 1);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const base = matrixOf(transform);
    if (base === undefined) throw new ConversionError("the page has no size");
    const operators = await page.getOperatorList();
    const walk = new PageWalk(
      base,
      (name) => (page.commonObjs.has(name) ? page.commonObjs.get(name) : undefined),
      this.#fonts,
    );
    const inked = upright(walk.walk(operators), { width, height }, await this.#linksOf(page, base));
    page.cleanup();
    if ((index + 1) % PAGES_KEPT === 0) await this.#document.cleanup(true);
    return inked;
  }

  async #linksOf(page: PDFPageProxy, base: Matrix): Promise<LinkField[]> {
    const annotations: unknown = await page.getAnnotations().catch(() => []);
    if (!Array.isArray(annotations)) return [];
    return annotations.slice(0, LINKS_A_PAGE_MAX).flatMap((each: unknown) => {
      const address = field(each, "url");
      const box = field(each, "rect");
      const sign = typeof address === "string" ? this.links.signOf(address) : undefined;
      if (sign === undefined || !Array.isArray(box)) return [];
      const [left = 0, bottom = 0, right = 0, top = 0] = box.map(Number);
      const [ax, ay] = placed(base, left, bottom);
      const [bx, by] = placed(base, right, top);
      return [{ x0: Math.min(ax, bx), x1: Math.max(ax, bx), y0: Math.min(ay, by), y1: Math.max(ay, by), sign }];
    });
  }

  async close(): Promise<void> {
    await this.#document.loadingTask.destroy();
  }
}

/** Returns the items in reverse order, so that the first is taken next. */
function itemsOf(items: unknown, depth: number): { readonly item: unknown; readonly depth: number }[] {
  return Array.isArray(items) ? items.map((item: unknown) => ({ item, depth })).reverse() : [];
}

/** Opens the same document so that each of many pages is found at once. */
async function withPagesAtHand(document: PDFDocumentProxy, bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const pageCount = document.numPages;
  const other = pageCount >= MANY_PAGES ? withoutPageCount(bytes, pageCount) : undefined;
  if (other === undefined) return document;
  await document.loadingTask.destroy();
  const again = await opened(other).catch(() => undefined);
  if (again?.numPages === pageCount) return again;
  await again?.loadingTask.destroy();
  return opened(bytes);
}

async function opened(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const opening = getDocument({
    // a copy: pdf.js takes the bytes over and leaves none behind
    data: new Uint8Array(bytes),
    verbosity: 0,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: false,
    // pictures are never read: none is worth its decoding
    maxImageSize: 1,
    stopAtErrors: false,
  });
  try {
    return await opening.promise;
  } catch (error) {
    await opening.destroy();
    throw error;
  }
}

function whyNot(error: unknown): string {
  switch (field(error, "name")) {
    case "PasswordException":
      return "the PDF is encrypted and opens with a password only; save it without one and import that";
    case "InvalidPDFException":
      return "this is no PDF, or it is damaged so much that nothing of it can be read; open it in a PDF viewer and save it again";
    default:
      return `the PDF cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** With fewer pages the search method does not matter. */
export const MANY_PAGES = 1_000;

const COUNT = "/Count";
const SPACES_MAX = 4;

/**
 * Replaces the page count in the file by an invalid one. For each page, pdf.js searches the list of all pages, which takes minutes if ten thousand are in one
 * list. If the count is no whole number, it reads the list once and remembers every page. Undefined if the count is in a compressed object.
 */
export function withoutPageCount(bytes: Uint8Array, pageCount: number): Uint8Array | undefined {
  const file = Buffer.from(bytes);
  const digits = String(pageCount);
  const unlikely = `.${"9".repeat(digits.length - 1)}`;
  let isFound = false;
  for (let at = file.indexOf(COUNT); at >= 0; at = file.indexOf(COUNT, at + 1)) {
    let begins = at + COUNT.length;
    while (begins < at + COUNT.length + SPACES_MAX && isSpace(file[begins])) begins++;
    const ends = begins + digits.length;
    if (file.toString("latin1", begins, ends) !== digits || isDigit(file[ends])) continue;
    file.write(unlikely, begins, "latin1");
    isFound = true;
  }
  return isFound ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : undefined;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** `12 0 obj << ... /Type /Page` as plain bytes. Compressed objects cannot be found this way. */
const OBJECT = /(\d{1,10})[ \t\r\n]{1,4}(\d{1,5})[ \t\r\n]{1,4}obj\b/g;
const PAGE = /\/Type\s{0,4}\/Page(?![a-zA-Z])/;
const CATALOG = /\/Type\s{0,4}\/Catalog\b/;
/** A page's own dictionary is shorter. */
const DICTIONARY_BYTES_MAX = 4_096;
const PAGES_MAX = 100_000;

/** Adds the missing end of a file: the position of its start or, if that is lost, a list of the pages that still exist. Undefined if no page is found. */
function withNewEnd(bytes: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const pages: string[] = [];
  let root: string | undefined;
  let last = 0;
  for (const found of text.matchAll(OBJECT)) {
    const [, number = "", generation = ""] = found;
    last = Math.max(last, Number(number));
    const begins = found.index + found[0].length;
    const own = text.slice(begins, begins + DICTIONARY_BYTES_MAX);
    const stop = own.search(/\bendobj\b|\bstream\b/);
    const dictionary = stop < 0 ? own : own.slice(0, stop);
    if (CATALOG.test(dictionary)) root = `${number} ${generation} R`;
    else if (PAGE.test(dictionary) && pages.length < PAGES_MAX) pages.push(`${number} ${generation} R`);
  }
  if (root === undefined && pages.length === 0) return undefined;
  const added =
    root === undefined
      ? `${last + 1} 0 obj\n<< /Type /Catalog /Pages ${last + 2} 0 R >>\nendobj\n` +
        `${last + 2} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(" ")}] >>\nendobj\n`
      : "";
  const end = `\nendstream\nendobj\n${added}trailer\n<< /Size ${last + 3} /Root ${root ?? `${last + 1} 0 R`} >>\nstartxref\n0\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([bytes, Buffer.from(end, "latin1")]));
}
