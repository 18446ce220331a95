import { extname } from "node:path";

/** All kinds, in display order. */
export const FILE_KINDS = ["markdown", "html", "pdf", "docx", "csv", "tsv", "xlsx", "text"] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** How a file is imported: the converted kinds, and the kind whose lines are documents already. */
export type ImportKind = FileKind | "jsonl";

export const IMPORT_KINDS: readonly ImportKind[] = [...FILE_KINDS, "jsonl"];

const EXTENSIONS: Readonly<Record<FileKind, readonly string[]>> = {
  markdown: [".md", ".markdown", ".mdown", ".mkd", ".mdx"],
  html: [".html", ".htm", ".xhtml"],
  pdf: [".pdf"],
  docx: [".docx", ".docm"],
  csv: [".csv"],
  tsv: [".tsv", ".tab"],
  xlsx: [".xlsx", ".xlsm"],
  text: [".txt", ".text"],
};

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  FILE_KINDS.flatMap((kind) => EXTENSIONS[kind].map((extension): [string, FileKind] => [extension, kind])),
);

/** Returns the kind of a path or name, in upper or lower case; undefined for another extension. */
export function kindOfName(path: string): FileKind | undefined {
  return BY_EXTENSION.get(extname(path).toLowerCase());
}

/** For files that are not read: the formats in which their programs should save them. */
const SAVED_AS: readonly (readonly [string, readonly string[]])[] = [
  [".xlsx or .csv", [".xls", ".xlsb", ".xlt", ".xltx", ".ods", ".ots", ".fods", ".numbers", ".gsheet"]],
  [".docx or PDF", [".doc", ".dot", ".dotx", ".odt", ".ott", ".fodt", ".rtf", ".pages", ".wpd", ".wps", ".gdoc"]],
  ["PDF", [".ppt", ".pptx", ".pptm", ".pps", ".ppsx", ".odp", ".otp", ".fodp", ".key", ".gslides", ".djvu", ".xps"]],
  ["PDF or .html", [".epub", ".mobi", ".azw3", ".fb2", ".mht", ".mhtml", ".chm"]],
];
const SAVED_AS_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  SAVED_AS.flatMap(([kind, extensions]) => extensions.map((extension): [string, string] => [extension, kind])),
);

/** Returns the formats to save an unread text file as, by its name: `.xlsx or .csv`; undefined for all others. */
export function savedAs(path: string): string | undefined {
  return SAVED_AS_BY_EXTENSION.get(extname(path).toLowerCase());
}

/** The extensions of convertible files, for messages: `.md, .html, ...`. */
export function extensionsOf(kinds: readonly FileKind[]): string {
  return kinds.map((kind) => EXTENSIONS[kind][0]).join(", ");
}

/** Bytes at the beginning of a file that show its kind. */
export const KIND_BYTES = 4_096;

/**
 * Returns the kind of a file without an extension, by its first {@link KIND_BYTES} bytes. A text may be markdown, and is read as such: the two differ only by
 * front matter and title.
 */
export function kindOfBytes(bytes: Uint8Array): ImportKind {
  const head = Buffer.from(bytes.subarray(0, KIND_BYTES)).toString("latin1");
  if (head.slice(0, 1_024).includes("%PDF-")) return "pdf";
  // A zip archive. Its contents tell which of the two it is, and both show it soon after the beginning.
  if (head.startsWith("PK\u0003\u0004")) return /xl\/|spreadsheetml/.test(head) ? "xlsx" : "docx";
  const text = head
    .replaceAll("\0", "")
    .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, "")
    .trimStart();
  if (/^<(?:!doctype\s+html|html|head|body|\?xml[^>]{0,200}\?>\s{0,100}<(?:!doctype\s+html|html))\b/i.test(text))
    return "html";
  if (/^\{\s{0,100}"/.test(text)) return "jsonl";
  return "markdown";
}
