import type { FileKind } from "../convert/kinds.ts";
import { kindOfName } from "../convert/kinds.ts";
import type { Head } from "./request.ts";

/** The kind of an answer's content: an importable file, or a list of addresses. */
export type ContentKind = FileKind | "sitemap";

const BY_TYPE: Readonly<Record<string, ContentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "tsv",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "application/xml": "sitemap",
  "text/xml": "sitemap",
};

/** Types that mean only bytes or text: the name in the address says more. */
const SAYS_LITTLE = new Set(["", "application/octet-stream", "binary/octet-stream", "application/zip"]);
const PACKED = new Set(["application/gzip", "application/x-gzip"]);

/** Returns the kind by content type, else by the last name in the address; undefined if it cannot be imported. */
export function contentKind(head: Head, address: string): ContentKind | undefined {
  const type = contentType(head);
  const { pathname } = new URL(address);
  const byName = kindOfName(pathname);
  const isListed = /\.xml(?:\.gz)?$/i.test(pathname);
  if (SAYS_LITTLE.has(type) || PACKED.has(type)) return byName ?? (isListed ? "sitemap" : undefined);
  if (type === "text/plain") return byName ?? (isListed ? "sitemap" : "text");
  return BY_TYPE[type];
}

/** The content type without its parameters; empty if there is none. */
export function contentType(head: Head): string {
  return (head.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The charset of the content type header. */
export function charsetOf(head: Head): string | undefined {
  const found = /;\s?charset\s?=\s?"?([\w.:-]{1,40})/i.exec(head.header("content-type") ?? "");
  return found?.[1];
}
